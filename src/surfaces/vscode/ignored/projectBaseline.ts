/** Reads and writes the baseline file of a workspace folder. It is shared by everyone who works on the project. */
import * as vscode from 'vscode';
import { type BaselineEntry, isSameEntry, parseBaseline, printBaseline } from '../../../review/gate/baseline.ts';
import { baselineName } from '../../../session/client/configurationFiles.ts';
import { savedText } from '../workspace/files.ts';
// Imported for its side effect: translates the messages that the parser of the baseline creates.
import '../translations.ts';

/**
 * Adds entries to a baseline file, which is created if it does not exist. If writing fails, reports the error and
 * returns false.
 */
export function addEntries(file: vscode.Uri, added: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, (entries) => [
    ...entries.filter((entry) => !added.some((other) => replaces(other, entry))),
    ...added,
  ]);
}

/**
 * Removes entries from a baseline file. Deletes the file if it becomes empty, unless the removed entries include known
 * (not ignored) groups: a check needs such a file even if it is empty.
 */
export function removeEntries(file: vscode.Uri, removedEntries: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, (entries) => {
    const left = entries.filter((entry) => !removedEntries.some((other) => isSameEntry(entry, other)));
    return left.length === 0 && entries.every(({ reason }) => reason !== undefined) ? undefined : left;
  });
}

/** Replaces all entries of a baseline file. */
export function writeEntries(file: vscode.Uri, entries: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, () => entries);
}

/**
 * Returns the entries of a baseline file. Empty if the file does not exist. If reading fails, reports the error and
 * returns `undefined`.
 */
export async function readEntries(file: vscode.Uri): Promise<readonly BaselineEntry[] | undefined> {
  // If the file exists but cannot be read, writing will fail, too, and report the error.
  const text = await savedText(file);
  if (text === undefined) return [];
  const parsed = parseBaseline(text);
  if (!('problem' in parsed)) return parsed;
  await notifyProblem(file, parsed.line, parsed.problem);
  return undefined;
}

/** Replaces the entries of a baseline file. Deletes the file if the new entries are `undefined`. */
async function change(
  file: vscode.Uri,
  changed: (entries: readonly BaselineEntry[]) => readonly BaselineEntry[] | undefined,
): Promise<boolean> {
  if (vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === file.toString())) {
    void vscode.window.showWarningMessage(vscode.l10n.t('Save {0} first: it has unsaved changes.', baselineName));
    return false;
  }
  const entries = await readEntries(file);
  if (entries === undefined) return false;
  try {
    const left = changed(entries);
    if (left === undefined) await vscode.workspace.fs.delete(file);
    else await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(printBaseline(left)));
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be written: {1}', baselineName, reason));
    return false;
  }
}

/** Returns true if both entries are about the same copies. */
function replaces(added: BaselineEntry, entry: BaselineEntry): boolean {
  const plain = ({ contents, isPair }: BaselineEntry): BaselineEntry => ({
    contents,
    reason: undefined,
    ...(isPair && { isPair }),
  });
  return isSameEntry(plain(added), plain(entry));
}

async function notifyProblem(file: vscode.Uri, line: number, problem: string): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const sentence = vscode.l10n.t('{0}, line {1}: the file {2}.', baselineName, line, problem);
  // Use a warning: an error message with a button would stay until the user closes it, even after the file was fixed.
  if ((await vscode.window.showWarningMessage(sentence, open)) !== open) return;
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(file, { selection });
}
