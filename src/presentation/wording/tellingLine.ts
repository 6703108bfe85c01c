/** Finds the line by which a reader best recognizes a passage: in code, a line with a name; in prose, the beginning. */
import type { Group } from '../../core/engine/report/report.ts';

/** Matches the end of a construct from the lines above, at the start of a line, up to the line's first name. */
const remainder = /^[^\p{L}_$"'`]*[)\]}>|,=?]/u;
const named = /[\p{L}_$]{2}/u;
export const comment = /^(\/\/|\/\*|\*|# |-- |;|"""|'''|<!--)/;
/** Matches words at the beginning of a declaration that carry little information. */
export const modifiers = new RegExp(
  `^(?:(?:${[
    'abstract|async|declare|default|export|extern|final|fileprivate|inline|internal|lateinit|native|open|override|partial',
    'private|protected|pub(?:\\([\\w ]+\\))?|public|readonly|sealed|static|strictfp|suspend|synchronized|unsafe|virtual',
  ].join('|')}) +)+`,
);

/**
 * Extensions of languages with decorators such as `@name(…)` before a declaration, and of languages with attributes
 * such as `[Name(…)]` or `#[name(…)]`.
 */
const withDecorators = /\.(?:[cm]?[jt]sx?|java|kts?|scala|groovy|pyi?|swift|dart|vue|svelte|astro)$/i;
const withAttributes = /\.(?:cs|fs|vb|rs|php)$/i;
const decorator = /^@(?!interface\b)[\p{L}_$][\p{L}\p{N}_$.:]*/u;
const attribute = /^#?!?\[(?=[\p{L}!])/u;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Maximum length in characters. VS Code searches only a label's first 128, which also contain the path. */
const maxCharacters = 72;

/**
 * Returns the first informative line of a passage, shortened. In code, this is a line with a name that is neither a
 * comment nor a decorator. Returns `undefined` if there is none.
 *
 * @param beginning  the first lines of the passage
 * @param path       path of the file, which determines the syntax of decorators
 */
export function tellingLine(beginning: readonly string[], kind: Group['kind'], path: string): string | undefined {
  const trimmed = beginning.map((line) => line.trim()).filter((line) => line !== '');
  if (kind === 'prose') return shorten(tellingProse(trimmed));
  const lines = withoutDecorators(trimmed, path).filter((line) => named.test(line) && !comment.test(line));
  const telling = lines.find((line) => !remainder.test(line)) ?? lines[0] ?? trimmed.find((line) => named.test(line));
  return shorten((telling ?? trimmed[0])?.replace(modifiers, '').replace(/(?<=\S)\s*=?\s*[{([]$/, ''));
}

/** Returns the beginning of prose, without comments and without markup for headings, lists, and code. */
function tellingProse(lines: readonly string[]): string | undefined {
  const text = lines.join('\n').replaceAll(/<!--[^]*?(?:-->|$)/g, '');
  const plain = text.split('\n').map((line) =>
    line
      .replace(/^(?:#+|[-*+>])\s+(?=\S)/, '')
      .replaceAll('`', '')
      .trim(),
  );
  return plain.find((line) => named.test(line)) ?? lines[0];
}

/**
 * Removes decorators, annotations, and attributes before declarations. Trims the lines and keeps their number. Text
 * after a decorator stays on the line on which the decorator ends.
 */
export function withoutDecorators(lines: readonly string[], path: string): string[] {
  const mark = withDecorators.test(path) ? decorator : withAttributes.test(path) ? attribute : undefined;
  if (mark === undefined) return [...lines];
  const left: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    for (let found = mark.exec(line); found; found = mark.exec(line)) {
      // The opening bracket of an attribute must be matched, too.
      let rest = line.slice(mark === attribute ? found[0].length - 1 : found[0].length).trimStart();
      // The arguments may span several lines.
      let end = endOfBrackets(rest);
      while (end === undefined && i + 1 < lines.length) {
        rest = `${rest} ${lines[++i]!}`;
        left.push('');
        end = endOfBrackets(rest);
      }
      line = end === undefined ? '' : rest.slice(end).trimStart();
    }
    left.push(line);
  }
  return left;
}

/**
 * Returns the position after the bracket that closes the one at the start of a text. Returns `undefined` if there is no
 * such bracket. Returns 0 if the text does not start with a bracket.
 */
function endOfBrackets(text: string): number | undefined {
  if (!text.startsWith('(') && !text.startsWith('[')) return 0;
  const open: string[] = [];
  // Skip strings, because brackets inside them do not count.
  for (const token of text.matchAll(/(["'`])(?:\\.|(?!\1).)*\1|[()[\]{}]/g)) {
    const closing = brackets[token[0]];
    if (closing !== undefined) open.push(closing);
    else if (token[0] === open.at(-1)) open.pop();
    if (open.length === 0) return token.index + 1;
  }
  return undefined;
}

export function shorten(line: string | undefined): string | undefined {
  const spaced = line?.replaceAll(/\s+/g, ' ');
  if (spaced === undefined || spaced.length <= maxCharacters) return spaced;
  return `${spaced.slice(0, maxCharacters - 1).trimEnd()}…`;
}
