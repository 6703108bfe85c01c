/** The baseline of a workspace folder, shared by all users: read and written as a whole. */
import * as vscode from 'vscode';
import { type BaselineEntry, isSameEntry, parseBaseline, printBaseline } from '../../../review/gate/baseline.ts';
import { baselineName } from '../../../session/client/configurationFiles.ts';
// The parser creates messages about invalid files.
import '../translations.ts';

/** Adds entries to a file, which is created if needed. If writing fails, reports the problem and returns false. */
export function addEntries(file: vscode.Uri, added: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, (entries) => [
    ...entries.filter((entry) => !added.some((other) => replaces(other, entry))),
    ...added,
  ]);
}

/**
 * Removes entries from a file. Deletes the file if none is left and it only had ignored groups: without known ones, no
 * check needs it.
 */
export function removeEntries(file: vscode.Uri, gone: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, (entries) => {
    const left = entries.filter((entry) => !gone.some((other) => isSameEntry(entry, other)));
    return left.length === 0 && entries.every(({ reason }) => reason !== undefined) ? undefined : left;
  });
}

/** Replaces all entries of a file. */
export function writeEntries(file: vscode.Uri, entries: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, () => entries);
}

/**
 * Returns the entries of a file; none if it does not exist. If reading fails, reports the problem and returns
 * `undefined`.
 */
export async function readEntries(file: vscode.Uri): Promise<readonly BaselineEntry[] | undefined> {
  const text = await textOf(file);
  if (text === undefined) return [];
  const parsed = parseBaseline(text);
  if (!('problem' in parsed)) return parsed;
  await tellProblem(file, parsed.line, parsed.problem);
  return undefined;
}

/** Replaces the entries of a file, or deletes it for `undefined`. */
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

/** True if both entries are about the same copies. */
function replaces(added: BaselineEntry, entry: BaselineEntry): boolean {
  const plain = ({ contents, isPair }: BaselineEntry): BaselineEntry => ({
    contents,
    reason: undefined,
    ...(isPair && { isPair }),
  });
  return isSameEntry(plain(added), plain(entry));
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    // It does not exist. An unreadable file will fail to be written, and the problem is reported then.
    return undefined;
  }
}

async function tellProblem(file: vscode.Uri, line: number, problem: string): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const sentence = vscode.l10n.t('{0}, line {1}: the file {2}.', baselineName, line, problem);
  // Errors with a button stay until the user closes them, also after the file was mended.
  if ((await vscode.window.showWarningMessage(sentence, open)) !== open) return;
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(file, { selection });
}
