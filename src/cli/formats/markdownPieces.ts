/** What reports in Markdown are made of. */
import { printableLines } from '../printable.ts';

/** GitHub refuses a comment of more than 65,536 characters; whoever posts it may add a line. */
export const mostCharacters = 60_000;

/** As many of the pieces as a comment has room for. Each is there as a whole or not at all, so that no fold stays open. Nothing in them steers a terminal. */
export function* withinComment(pieces: Iterable<string>): Generator<string> {
  let left = mostCharacters;
  for (const piece of pieces) {
    if (piece.length > left) continue;
    left -= piece.length;
    yield printableLines(piece);
  }
}

/** What opens on a click; the empty line lets Markdown begin inside. */
export function folded(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>\n\n`;
}

/** Lines of a file as they are. */
export function fenced(lines: readonly string[], path: string): string {
  const code = lines.join('\n');
  const fence = longerThanAny(code, 3);
  const language = /\.([a-z0-9]+)$/i.exec(path)?.[1] ?? '';
  return `${fence}${language}\n${code}\n${fence}`;
}

/** A text that is read as it is, on one line. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const fence = longerThanAny(line, 1);
  const blank = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

function longerThanAny(text: string, atLeast: number): string {
  return '`'.repeat(Math.max(atLeast, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

/** A sentence in which nothing is a mark, a tag or a mention. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&@#|~]/g, '\\$&');
}
