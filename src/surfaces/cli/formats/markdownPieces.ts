/** Building blocks of Markdown reports. */
import { fencedCode } from '../../../presentation/wording/markdownCode.ts';
import { printableLines } from '../../../presentation/wording/printable.ts';

/** Maximum number of characters of a comment. GitHub rejects more than 65,536; scripts may add the rest. */
export const maxCharacters = 60_000;

/** Yields as many complete pieces (with closed HTML) as fit in a comment. Replaces control characters. */
export function* withinComment(pieces: Iterable<string>): Generator<string> {
  let left = maxCharacters;
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
  return fencedCode(lines.join('\n'), /\.([a-z0-9]+)$/i.exec(path)?.[1] ?? '');
}

/** Escapes characters that GitHub would interpret as markup, tags, or mentions. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>&@#|~]/g, '\\$&');
}
