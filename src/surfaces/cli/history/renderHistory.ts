/** Renders the result of `kindred history --missed-fixes` as text. */
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import { printable } from '../../../presentation/wording/printable.ts';
import { maxFiles } from './edits.ts';
import type { History } from './runHistory.ts';

/** Maximum number of copies to list per fix; `maxLines` is the maximum number of lines. */
const maxCopies = 5;
const maxLines = 12;

export function renderHistory(history: History): string {
  const { commits, total, missedFixes } = history;
  const lines = missedFixes.flatMap(({ commit, edited, removed, added, others }, i) => [
    `${i + 1}. ${commit.id.slice(0, 10)} ${commit.day} ${commit.subject}`,
    ...some(
      edited.map((place) => `   edited  ${place.path}:${linesOf(place)}`),
      maxCopies,
      'more copies',
    ),
    ...some([...signed('-', removed), ...signed('+', added)], maxLines, 'more lines'),
    ...some(
      others.map((other) => {
        const alike = Math.floor(100 * other.similarityBefore);
        return `   not     ${other.path}:${other.line} (in ${linesOf(other)}, ${alike}% alike before)`;
      }),
      maxCopies,
      'more copies',
    ),
    '',
  ]);
  const found = `${total} ${total === 1 ? 'edit' : 'edits'} that other copies lack`;
  const shown = total === missedFixes.length ? found : `${found}, of which ${missedFixes.length} are listed`;
  const summary = `${shown}, in ${commitsOf(commits)} with modified files.`;
  return [...lines, summary, ...omissions(history), ''].map(printable).join('\n');
}

/** Returns sentences about the commits that were not searched. */
function omissions({ shallowCommits, notSearched: { withoutFix, tooLarge } }: History): string[] {
  const sentences: string[] = [];
  if (shallowCommits !== undefined) {
    sentences.push(
      `Not searched: older commits, because the clone is shallow and has only ${commitsOf(shallowCommits)}; ` +
        'git fetch --unshallow gets them.',
    );
  }
  if (withoutFix > 0) {
    sentences.push(
      `Not searched: ${commitsOf(withoutFix)} whose message does not mention a fix; --all-commits includes them.`,
    );
  }
  if (tooLarge > 0) sentences.push(`Not searched: ${commitsOf(tooLarge)} with more than ${maxFiles} modified files.`);
  return sentences;
}

function commitsOf(count: number): string {
  return `${count} ${count === 1 ? 'commit' : 'commits'}`;
}

function signed(sign: '-' | '+', lines: readonly string[]): string[] {
  return lines.map((line) => `         ${sign} ${line}`);
}

function some(lines: readonly string[], limit: number, what: string): readonly string[] {
  return lines.length <= limit ? lines : [...lines.slice(0, limit), `         … ${lines.length - limit} ${what}`];
}
