/** The baseline of a workspace folder, by which everybody ignores the same: read, changed and written whole. */
import { config } from '@vscode/l10n';
import * as vscode from 'vscode';
import { type BaselineEntry, isSameEntry, parseBaseline, printBaseline } from '../../gate/baseline.ts';
import { baselineName } from '../workspace/configurationFiles.ts';

// The sentences about a file that cannot be used are said by its parser.
if (vscode.l10n.bundle) config({ contents: vscode.l10n.bundle });

/** Adds entries to a file, which is made when it is not there. Returns whether that was done; else somebody was told why not. */
export function addEntries(file: vscode.Uri, added: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, (entries) => [
    ...entries.filter((entry) => !added.some((other) => replaces(other, entry))),
    ...added,
  ]);
}

/** Takes entries out of a file; one without a reason stays in, as what is known. */
export function removeEntries(file: vscode.Uri, gone: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, (entries) => entries.filter((entry) => !gone.some((other) => isSameEntry(entry, other))));
}

/** Makes a file have these entries and no others. */
export function writeEntries(file: vscode.Uri, entries: readonly BaselineEntry[]): Promise<boolean> {
  return change(file, () => entries);
}

/** The entries of a file; none when it is not there, undefined when it cannot be read, which somebody was told. */
export async function readEntries(file: vscode.Uri): Promise<readonly BaselineEntry[] | undefined> {
  const text = await textOf(file);
  if (text === undefined) return [];
  const parsed = parseBaseline(text);
  if (!('problem' in parsed)) return parsed;
  await tellProblem(file, parsed.line, parsed.problem);
  return undefined;
}

async function change(
  file: vscode.Uri,
  changed: (entries: readonly BaselineEntry[]) => readonly BaselineEntry[],
): Promise<boolean> {
  if (vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.toString() === file.toString())) {
    void vscode.window.showWarningMessage(vscode.l10n.t('Save {0} first: it has unsaved changes.', baselineName));
    return false;
  }
  const entries = await readEntries(file);
  if (entries === undefined) return false;
  try {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(printBaseline(changed(entries))));
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be written: {1}', baselineName, reason));
    return false;
  }
}

/** Whether an entry is about what another one is about. */
function replaces(added: BaselineEntry, entry: BaselineEntry): boolean {
  const plain = ({ contents, isPair }: BaselineEntry): BaselineEntry => ({
    ...{ contents, reason: undefined },
    ...(isPair && { isPair }),
  });
  return isSameEntry(plain(added), plain(entry));
}

async function textOf(file: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    // It is not there. One that cannot be read cannot be written either, which says why.
    return undefined;
  }
}

async function tellProblem(file: vscode.Uri, line: number, problem: string): Promise<void> {
  const open = vscode.l10n.t('Open File');
  const sentence = vscode.l10n.t('{0}, line {1}: the file {2}.', baselineName, line, problem);
  if ((await vscode.window.showErrorMessage(sentence, open)) !== open) return;
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.window.showTextDocument(file, { selection });
}
