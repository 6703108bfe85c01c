/** The most recognizable line of a passage: the name in code, the beginning of prose. */
import type { Group } from '../../core/engine/report/report.ts';

/** Text before the first name of a line that ends something begun above it. */
const remainder = /^[^\p{L}_$"'`]*[)\]}>|,=?]/u;
const named = /[\p{L}_$]{2}/u;
export const comment = /^(\/\/|\/\*|\*|# |-- |;|"""|'''|<!--)/;
/** Words at the beginning of a declaration that carry little information. */
export const modifiers = new RegExp(
  `^(?:(?:${[
    'abstract|async|declare|default|export|extern|final|fileprivate|inline|internal|lateinit|native|open|override|partial',
    'private|protected|pub(?:\\([\\w ]+\\))?|public|readonly|sealed|static|strictfp|suspend|synchronized|unsafe|virtual',
  ].join('|')}) +)+`,
);

/** Languages with `@name(…)` before a declaration, and languages with `[Name(…)]` or `#[name(…)]`. */
const withDecorators = /\.(?:[cm]?[jt]sx?|java|kts?|scala|groovy|pyi?|swift|dart|vue|svelte|astro)$/i;
const withAttributes = /\.(?:cs|fs|vb|rs|php)$/i;
const decorator = /^@(?!interface\b)[\p{L}_$][\p{L}\p{N}_$.:]*/u;
const attribute = /^#?\[(?=[\p{L}!])/u;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A label also contains the path, and VS Code searches only its first 128 characters. */
const maxCharacters = 72;

/**
 * Returns the first informative line of a passage, shortened. In code, it contains a name and is not a comment or
 * decorator. Returns `undefined` if there is none.
 *
 * @param beginning  the first lines of the passage
 * @param path       determines the form of decorators
 */
export function tellingLine(beginning: readonly string[], kind: Group['kind'], path: string): string | undefined {
  const trimmed = beginning.map((line) => line.trim()).filter((line) => line !== '');
  if (kind === 'prose') return shorten(tellingProse(trimmed));
  const lines = withoutDecorators(trimmed, path).filter((line) => named.test(line) && !comment.test(line));
  const telling = lines.find((line) => !remainder.test(line)) ?? lines[0] ?? trimmed.find((line) => named.test(line));
  return shorten((telling ?? trimmed[0])?.replace(modifiers, '').replace(/(?<=\S)\s*=?\s*[{([]$/, ''));
}

/** Returns the beginning of prose, without comments and the marks of headings, lists, and code. */
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
 * Returns the same number of trimmed lines, without the decorators, annotations, and attributes before a name. Text
 * after one is in the line in which it ends.
 */
export function withoutDecorators(lines: readonly string[], path: string): string[] {
  const mark = withDecorators.test(path) ? decorator : withAttributes.test(path) ? attribute : undefined;
  if (mark === undefined) return [...lines];
  const left: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    for (let found = mark.exec(line); found; found = mark.exec(line)) {
      // The bracket of an attribute itself must be closed.
      let rest = line.slice(mark === attribute ? found[0].length - 1 : found[0].length).trimStart();
      // Its arguments may span several lines.
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
 * Returns the position after the closing of the bracket at the beginning of a text: 0 if it begins with none,
 * `undefined` if it is unclosed.
 */
function endOfBrackets(text: string): number | undefined {
  if (!text.startsWith('(') && !text.startsWith('[')) return 0;
  const open: string[] = [];
  // Skip strings, because their brackets do not count.
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
