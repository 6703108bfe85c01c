/**
 * Escapes texts and names of files for Markdown and links. Otherwise a file could inject images, links and commands
 * into a tooltip.
 */

/** Returns one line of Markdown with all markup escaped. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Returns a Markdown code block for any code. */
export function codeBlock(code: string, languageId: string): string {
  const fence = longerThanAny(code, 3);
  return `\n\n${fence}${languageId}\n${code}\n${fence}\n`;
}

/** Returns a Markdown code span on one line. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const fence = longerThanAny(line, 1);
  const blank = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

/** Returns code for a cell of a table; an empty cell for no code. */
export function codeCell(text: string): string {
  // A vertical bar would end the cell, also in code.
  return text === '' ? '' : codeSpan(text).replaceAll('|', String.raw`\|`);
}

/** Returns a Markdown table. Cells are Markdown on one line. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [heading, heading.map(() => '---'), ...rows].map(line).join('\n');
}

/** Escapes a sentence for a notification, which would render `[…](…)` as links. */
export function asNotification(sentence: string): string {
  return sentence.replaceAll('](', '] (');
}

function longerThanAny(text: string, atLeast: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return '`'.repeat(Math.max(atLeast, ...runs));
}
