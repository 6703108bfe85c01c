/** The beginning of a passage as a block of code in a tooltip. */
import * as vscode from 'vscode';
import type { Passage } from '../engine/report.ts';

const maxLines = 12;
/** Characters of a line: a tooltip does not scroll sideways, and wraps what is longer. */
const maxCharacters = 100;

/** Appends the first lines, without the indentation that they share; nothing when there are none. */
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
  return tooltip.appendCodeblock(shown.join('\n'), languageOf(passage.path));
}

function cut(line: string): string {
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}

/** The language that the installed extensions give a file by the ending of its name; plain text when none does. */
function languageOf(path: string): string {
  languagesByEnding ??= readLanguages();
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  // The longest ending first: `.d.ts` before `.ts`.
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const language = languagesByEnding.get(name.slice(dot));
    if (language !== undefined) return language;
  }
  return 'plaintext';
}

let languagesByEnding: Map<string, string> | undefined;

/** The part of an extension's manifest that is read here. */
interface Manifest {
  readonly contributes?: { readonly languages?: readonly { readonly id: string; readonly extensions?: string[] }[] };
}

function readLanguages(): Map<string, string> {
  const languages = new Map<string, string>();
  for (const { packageJSON } of vscode.extensions.all) {
    for (const { id, extensions = [] } of (packageJSON as Manifest).contributes?.languages ?? []) {
      for (const ending of extensions) languages.set(ending.toLowerCase(), id);
    }
  }
  return languages;
}
