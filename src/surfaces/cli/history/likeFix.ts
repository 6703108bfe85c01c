/** Estimates how likely an edit is a fix, from the commit message, the number of files, and the changed words. */
import { tokensOf } from '../../../presentation/copies/tokens.ts';
import type { Word } from '../../../presentation/copies/words.ts';
import type { Commit, Edit } from './edits.ts';

const fixes =
  /\b(?:fix(?:e[sd]|ing)?|bug(?:fix)?|hotfix|crash\w*|leak\w*|overflow\w*|underflow|race|deadlock|segfault|panic|incorrect\w*|wrong(?:ly)?|broken|breaks?|regression|prevent\w*|avoid\w*|correct(?:ly)?|handle[sd]?|missing|forgot\w*|security|CVE|vulnerab\w*|invalid|null pointer|NPE|NaN|off[- ]by[- ]one|bounds?|edge case|corner case|corrupt\w*|hang|infinite|exceptions?|errors?|fail(?:s|ed|ure)?|undefined behaviou?r|typo)\b/i;
const others =
  /\b(?:refactor\w*|renam\w*|format\w*|styl\w*|lint\w*|whitespace|indent\w*|clean ?-?up\w*|cosmetic|reword|docs?|javadocs?|documentation|docstrings?|comments?|spell\w*|copyright|licen[cs]e|upgrade\w*|bump\w*|deprecat\w*|moderni[sz]\w*|moved?|chore|prettier|black|pyupgrade|checkstyle|pmd|sort (?:members|methods)|final(?:ly)? (?:modifier|keyword)|use final|simplif\w*|header|warnings?|optimi[sz]\w*|speed ?-?ups?|annotations?)\b/i;

/** Matches commit subjects that mention a fix, but are not fixes of code, such as "docs: fix a link". */
const otherKinds =
  /^\W*(?:feat|feature|docs?|chore|style|refactor|perf|build|ci|tests?|update|new|breaking|lint|mnt|typing)!?(?:\([^)]*\))?!?:/i;

/** Words and operators that occur in conditions and bounds. */
const deciding = new Set(
  'if else elif unless while until for switch case when return throw raise break continue goto assert try catch except finally && || ! ? < > == != <= >= === !== null nil None NULL undefined true false and or not is in'.split(
    ' ',
  ),
);

/** Returns true if a commit message mentions a fix. */
export function mentionsFix({ subject, body }: Pick<Commit, 'subject' | 'body'>): boolean {
  if (otherKinds.test(subject)) return false;
  return fixes.test(subject) || (fixes.test(body) && !others.test(subject));
}

/** Estimates how likely a commit is a fix, from 0 to 1. */
export function likeFixCommit({ subject, body, files }: Commit): number {
  const isOther = others.test(subject) || otherKinds.test(subject);
  const isFix = fixes.test(subject) && !otherKinds.test(subject);
  const message = isFix ? (isOther ? 0.6 : 1) : isOther ? 0.15 : fixes.test(body) ? 0.6 : 0.4;
  // A fix usually changes few files.
  return message / (1 + Math.log2(Math.max(files, 1)) / 6);
}

/** Estimates the probability, from 0 to 1, that an edit is a fix, based on its lines. */
export function likeFixEdit(edits: readonly Pick<Edit, 'removed' | 'added'>[], language: string | undefined): number {
  const [removed, added] = [edits.flatMap((edit) => edit.removed), edits.flatMap((edit) => edit.added)].map((lines) =>
    lines.filter((line) => !isComment(line)).join('\n'),
  ) as [string, string];
  const changed = differing(tokensOf(removed, language), tokensOf(added, language));
  if (changed.length === 0) return 0.02;
  if ([removed, added].every((text) => text.split('\n').every((line) => line.trim() === '' || isImport(line))))
    return 0.05;
  const isDeciding = changed.some((word) => deciding.has(word) || /^\p{N}/u.test(word));
  const isOnlyText = removed !== '' && withoutStrings(removed) === withoutStrings(added);
  const size = 1 / (1 + Math.max(0, changed.length - 12) / 40);
  return size * (isOnlyText ? 0.35 : isDeciding ? 1 : 0.6);
}

/** Returns the words that occur more often in one text than in the other. */
function differing(left: readonly Word[], right: readonly Word[]): string[] {
  const counts = new Map<string, number>();
  for (const { text } of left) counts.set(text, (counts.get(text) ?? 0) + 1);
  for (const { text } of right) counts.set(text, (counts.get(text) ?? 0) - 1);
  return [...counts].flatMap(([text, count]) => Array.from({ length: Math.abs(count) }, () => text));
}

function isComment(line: string): boolean {
  return /^\s*(?:\/\/|\/\*|\*(?!\w)|#(?!\s*(?:if|el|end|def|inc|und|pragma))|--\s|;;|<!--|"""|''')/.test(line);
}

function isImport(line: string): boolean {
  return /^\s*(?:@\w+\s*$|(?:import|from|#\s*include|using|use|require|package|export \* from)\b)/.test(line);
}

function withoutStrings(text: string): string {
  return text.replaceAll(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g, '""').replaceAll(/\s+/g, '');
}
