/**
 * Escapes texts and file names for Markdown and links. Otherwise, a file could insert images, links, or commands into a
 * tooltip.
 */
import { codeSpan, fencedCode } from '../../presentation/wording/markdownCode.ts';

/** Returns a text as a single line of Markdown, with all markup escaped. */
export function asMarkdown(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** Returns code as a Markdown code block between other Markdown. */
export function codeBlock(code: string, languageId: string): string {
  return `\n\n${fencedCode(code, languageId)}\n`;
}

/** Returns code as a code span for a table cell; '' if there is no code. */
export function codeCell(text: string): string {
  // A vertical bar ends a table cell, even in a code span.
  return text === '' ? '' : codeSpan(text).replaceAll('|', String.raw`\|`);
}

/** Returns a Markdown table. Each cell is one line of Markdown. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [heading, heading.map(() => '---'), ...rows].map(line).join('\n');
}

/** Escapes a sentence for a notification, because VS Code renders `[…](…)` there as a link. */
export function asNotification(sentence: string): string {
  return sentence.replaceAll('](', '] (');
}
