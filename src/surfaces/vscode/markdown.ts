/**
 * Escapes texts and file names for Markdown and links. Without escaping, a file could put images, links, and commands
 * into a tooltip.
 */

/** Returns a text as one line of Markdown in which all markup is escaped. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Returns code as a Markdown code block. The fence is longer than any run of backticks in the code. */
export function codeBlock(code: string, languageId: string): string {
  const fence = longerThanAny(code, 3);
  return `\n\n${fence}${languageId}\n${code}\n${fence}\n`;
}

/** Returns code as a Markdown code span in one line. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const fence = longerThanAny(line, 1);
  const blank = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

/** Returns code as a code span for a table cell; an empty string for empty code. */
export function codeCell(text: string): string {
  // A vertical bar ends a table cell, also inside a code span.
  return text === '' ? '' : codeSpan(text).replaceAll('|', String.raw`\|`);
}

/** Returns a Markdown table. Each cell is one line of Markdown. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [heading, heading.map(() => '---'), ...rows].map(line).join('\n');
}

/** Escapes a sentence for a notification, in which VS Code renders `[…](…)` as a link. */
export function asNotification(sentence: string): string {
  return sentence.replaceAll('](', '] (');
}

function longerThanAny(text: string, atLeast: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return '`'.repeat(Math.max(atLeast, ...runs));
}
