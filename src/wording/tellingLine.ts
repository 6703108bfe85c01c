/** The line by which a person knows a passage: of code the name of what it is, of prose how it begins. */
import type { Group } from '../engine/report/report.ts';

/** What stands before the first name of a line when the line ends something that began above it. */
const remainder = /^[^\p{L}_$"'`]*[)\]}>|,=?]/u;
const named = /[\p{L}_$]{2}/u;
export const comment = /^(\/\/|\/\*|\*|# |-- |;|"""|'''|<!--)/;
/** Words at the head of a declaration that say little. */
export const modifiers = new RegExp(
  `^(?:(?:${[
    'abstract|async|declare|default|export|extern|final|fileprivate|inline|internal|lateinit|native|open|override|partial',
    'private|protected|pub(?:\\([\\w ]+\\))?|public|readonly|sealed|static|strictfp|suspend|synchronized|unsafe|virtual',
  ].join('|')}) +)+`,
);

/** Languages in which `@name(…)` stands before what it is about, and those that have `[Name(…)]` or `#[name(…)]` for it. */
const withDecorators = /\.(?:[cm]?[jt]sx?|java|kts?|scala|groovy|pyi?|swift|dart|vue|svelte|astro)$/i;
const withAttributes = /\.(?:cs|fs|vb|rs|php)$/i;
const decorator = /^@(?!interface\b)[\p{L}_$][\p{L}\p{N}_$.:]*/u;
const attribute = /^#?\[(?=[\p{L}!])/u;
const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** A label has the path as well, and VS Code finds what stands in the first 128 characters. */
const maxCharacters = 72;

/**
 * The first line that says what a passage is about, without what says little: of code, one with a name in it that is no
 * comment, no decorator, and begins there. Undefined when no line says anything.
 *
 * @param beginning  the first lines of the passage
 * @param path       tells what decorators look like
 */
export function tellingLine(beginning: readonly string[], kind: Group['kind'], path: string): string | undefined {
  const trimmed = beginning.map((line) => line.trim()).filter((line) => line !== '');
  if (kind === 'prose') return shorten(tellingProse(trimmed));
  const lines = withoutDecorators(trimmed, path).filter((line) => named.test(line) && !comment.test(line));
  const telling = lines.find((line) => !remainder.test(line)) ?? lines[0] ?? trimmed.find((line) => named.test(line));
  return shorten((telling ?? trimmed[0])?.replace(modifiers, '').replace(/(?<=\S)\s*=?\s*[{([]$/, ''));
}

/** How prose begins, without comments and the marks of headings, lists and code. */
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
 * As many trimmed lines, without the decorators, annotations and attributes that stand before a name, on lines of their own
 * or not; what follows one is in the line in which it ends.
 */
export function withoutDecorators(lines: readonly string[], path: string): string[] {
  const mark = withDecorators.test(path) ? decorator : withAttributes.test(path) ? attribute : undefined;
  if (mark === undefined) return [...lines];
  const left: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!;
    for (let found = mark.exec(line); found; found = mark.exec(line)) {
      // An attribute's own bracket is one that has to be closed.
      let rest = line.slice(mark === attribute ? found[0].length - 1 : found[0].length).trimStart();
      // What is in brackets behind it may go on for lines.
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

/** Where the bracket that a text begins with is closed: 0 when it begins with none, undefined when it stays open. */
function endOfBrackets(text: string): number | undefined {
  if (!text.startsWith('(') && !text.startsWith('[')) return 0;
  const open: string[] = [];
  // Strings are passed over: what they hold are no brackets.
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
