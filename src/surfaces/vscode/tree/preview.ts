/** Appends the beginning of a passage to a tooltip, as a code block. */
import type * as vscode from 'vscode';
import type { Passage } from '../../../core/engine/report/report.ts';
import { languageOf } from '../workspace/languages.ts';
import { codeBlock } from '../markdown.ts';

const maxLines = 3;
/** Maximum number of characters per line. Tooltips would wrap longer lines. */
const maxCharacters = 72;

/** Appends the first lines of a passage without common indentation. Appends nothing if there are none. */
export function appendPreview(
  tooltip: vscode.MarkdownString,
  passage: Passage,
  lines: readonly string[],
): vscode.MarkdownString {
  if (lines.length === 0) return tooltip;
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const indent = Math.min(...indents);
  const shown = lines.slice(0, maxLines).map((line) => cut(line.slice(indent)));
  if (lines.length > maxLines) shown.push('…');
  return tooltip.appendMarkdown(codeBlock(shown.join('\n'), languageOf(passage.path)));
}

function cut(line: string): string {
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}
