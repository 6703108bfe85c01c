/** Finds the most recognizable line of a passage: one with a name in code, and the beginning in prose. */
import type { Group } from '../../core/engine/report/report.ts';

/** Text before the first name of a line that ends a construct from the lines above. */
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

/**
 * Languages in which decorators of the form `@name(…)` may precede a declaration, and languages with `[Name(…)]` or
 * `#[name(…)]`.
 */
const withDecorators = /\.(?:[cm]?[jt]sx?|java|kts?|scala|groovy|pyi?|swift|dart|vue|svelte|astro)$/i;
const withAttributes = /\.(?:cs|fs|vb|rs|php)$/i;
const decorator = /^@(?!interface\b)[\p{L}_$][\p{L}\p{N}_$.:]*/u;
const attribute = /^#?\[(?=[\p{L}!])/u;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Maximum length in characters. A label also contains the path, and VS Code searches only its first 128 characters. */
const maxCharacters = 72;

/**
 * Returns the first informative line of a passage, shortened. In code, the line contains a name, and is neither a
 * comment nor a decorator. Returns `undefined` if there is none.
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

/** Returns the beginning of prose, without comments and without the marks of headings, lists, and code. */
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
 * Returns the trimmed lines without decorators, annotations, and attributes before a declaration. The number of lines
 * stays the same. Text after a decorator is on the line on which the decorator ends.
 */
export function withoutDecorators(lines: readonly string[], path: string): string[] {
  const mark = withDecorators.test(path) ? decorator : withAttributes.test(path) ? attribute : undefined;
  if (mark === undefined) return [...lines];
  const left: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    for (let found = mark.exec(line); found; found = mark.exec(line)) {
      // The bracket that opens an attribute must be closed, too.
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
 * If a text begins with a bracket, returns the position after its closing bracket; `undefined` if it is unclosed.
 * Otherwise returns 0.
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
