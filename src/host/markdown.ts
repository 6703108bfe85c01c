/**
 * Texts of files and their names where VS Code reads Markdown or links: nothing in them may be either, or a file could put
 * pictures, links and commands into a tooltip.
 */

/** Markdown that reads as a text: one line, in which every mark is escaped. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A block of code in Markdown, whatever the code holds. */
export function codeBlock(code: string, languageId: string): string {
  const fence = longerThanAny(code, 3);
  return `\n\n${fence}${languageId}\n${code}\n${fence}\n`;
}

/** A text in Markdown that is also read as it is: between backticks, on one line. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  const fence = longerThanAny(line, 1);
  const blank = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

/** A sentence for a notification, which makes links of `[…](…)`. */
export function asNotification(sentence: string): string {
  return sentence.replaceAll('](', '] (');
}

function longerThanAny(text: string, atLeast: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return '`'.repeat(Math.max(atLeast, ...runs));
}
