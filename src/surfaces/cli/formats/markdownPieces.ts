/** Building blocks of Markdown reports. */
import { printableLines } from '../../../presentation/wording/printable.ts';

/**
 * Maximum number of characters of a comment. GitHub rejects more than 65,536; the difference is for text that scripts
 * add.
 */
export const mostCharacters = 60_000;

/**
 * Yields as many pieces as fit in a comment. Never splits a piece, so that no HTML element stays open. Replaces
 * terminal control characters.
 */
export function* withinComment(pieces: Iterable<string>): Generator<string> {
  let left = mostCharacters;
  for (const piece of pieces) {
    if (piece.length > left) continue;
    left -= piece.length;
    yield printableLines(piece);
  }
}

/** Returns a collapsed section. GitHub renders the Markdown in it only after an empty line. */
export function folded(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>\n\n`;
}

/** Renders lines of a file as a fenced code block. */
export function fenced(lines: readonly string[], path: string): string {
  const code = lines.join('\n');
  const fence = longerThanAny(code, 3);
  const language = /\.([a-z0-9]+)$/i.exec(path)?.[1] ?? '';
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Formats a text as inline code. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const fence = longerThanAny(line, 1);
  const blank = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

function longerThanAny(text: string, atLeast: number): string {
  return '`'.repeat(Math.max(atLeast, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

/** Escapes characters that GitHub would interpret as markup, tags, or mentions. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&@#|~]/g, '\\$&');
}
