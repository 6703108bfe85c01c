/**
 * Excludes a file or folder from scans: adds a glob to the `exclude` list that is in effect. This is the list of the
 * project file if it has one; otherwise, the list of the settings. If neither list exists, creates one in the project
 * file, or in the settings without such a file.
 */
import { applyEdits, type JSONPath, modify, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { findConfiguration } from '../workspace/newConfiguration.ts';
import { baseName } from '../wording.ts';

/** A glob that was added to a list. */
export interface AddedGlob {
  /** Name of the setting or file to which the glob was added, for messages. */
  readonly where: string;
  /** Removes the glob. Keeps later changes of the list. */
  readonly undo: () => Promise<void>;
}

/**
 * Folders and project files for which this module created the list. When the last glob is removed from such a list, the
 * list is removed, too, because an empty list would override one of lower precedence. Globs that the user added are
 * kept.
 */
const made = new Set<string>();

/** Excludes a file or folder. If writing fails, reports the error and returns `undefined`. */
export async function exclude(uri: vscode.Uri): Promise<AddedGlob | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} is not in a workspace folder.', baseName(uri.path)));
    return undefined;
  }
  const glob = globOf(uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1));
  const file = await findConfiguration(folder.uri);
  if (file === undefined) return inSettings(folder, glob);
  const set = vscode.workspace.getConfiguration('kindred', folder.uri).get<readonly string[]>('exclude', []);
  return set.length > 0 && (await excludedIn(file)) === undefined ? inSettings(folder, glob) : inFile(file, glob);
}

/** Returns the `exclude` list of a project file; `undefined` if it has none. */
async function excludedIn(file: vscode.Uri): Promise<readonly unknown[] | undefined> {
  try {
    const { exclude: excluded } = (parse(await textOf(file)) ?? {}) as { readonly exclude?: unknown };
    return Array.isArray(excluded) ? excluded : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the current text of a file: unsaved changes, or else the text on disk. An open document without changes may
 * be older than the file.
 */
async function textOf(file: vscode.Uri): Promise<string> {
  return (await documentOf(file))?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/**
 * Returns the open document of a file if the change must be made in it instead of on disk. This is the case if it has
 * unsaved changes, or an encoding other than UTF-8 without BOM, which VS Code preserves.
 */
async function documentOf(file: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const isThis = ({ uri }: vscode.TextDocument): boolean => uri.toString() === file.toString();
  const changed = vscode.workspace.textDocuments.find((document) => document.isDirty && isThis(document));
  if (changed) return changed;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      await vscode.workspace.fs.readFile(file),
    );
    if (!text.startsWith('\uFEFF')) return undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return vscode.workspace.openTextDocument(file);
}

/** Returns a glob that matches exactly this path. */
export function globOf(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}!]/g, '\\$&')}`;
}

async function inSettings({ uri }: vscode.WorkspaceFolder, glob: string): Promise<AddedGlob | undefined> {
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration('kindred', uri).inspect<readonly string[]>('exclude') ?? {};
  const isOfFolder = workspaceFolderValue !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const target = isOfFolder ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
  // In a window with a single folder, VS Code reports the folder's settings as workspace settings.
  const own = workspaceFolderValue ?? (isOfFolder ? undefined : workspaceValue);
  const list = uri.toString();
  if (own === undefined) made.add(list);
  const isOneFolder = (vscode.workspace.workspaceFolders?.length ?? 0) <= 1;
  const inherited = (isOneFolder ? undefined : workspaceValue) ?? globalValue ?? defaultValue ?? [];
  if (!(await write((globs) => [...globs.filter((it) => it !== glob), glob]))) return undefined;
  const undo = async (): Promise<void> => {
    await write((globs) => {
      const left = globs.filter((it) => it !== glob);
      return made.has(list) && left.join() === inherited.join() ? undefined : left;
    });
  };
  return { where: 'kindred.exclude', undo };

  async function write(changed: (globs: readonly string[]) => readonly string[] | undefined): Promise<boolean> {
    const now = vscode.workspace.getConfiguration('kindred', uri);
    try {
      await now.update('exclude', changed(now.get<readonly string[]>('exclude', [])), target);
      return true;
    } catch (error) {
      notifyWriteFailure('kindred.exclude', error);
      return false;
    }
  }
}

async function inFile(file: vscode.Uri, glob: string): Promise<AddedGlob | undefined> {
  const where = baseName(file.path);
  const list = file.toString();
  const isWritten = await change(file, (excluded) => {
    if (excluded === undefined) made.add(list);
    return excluded ? { place: ['exclude', excluded.length], value: glob } : { place: ['exclude'], value: [glob] };
  });
  if (!isWritten) return undefined;
  const undo = async (): Promise<void> => {
    await change(file, (excluded = []) => {
      const at = excluded.lastIndexOf(glob);
      if (at < 0) return undefined;
      const isAlone = made.has(list) && excluded.length === 1;
      return { place: isAlone ? ['exclude'] : ['exclude', at], value: undefined };
    });
  };
  return { where, undo };
}

/** Changes one value of a project file. If writing fails, reports the error and returns false. */
async function change(
  file: vscode.Uri,
  changeOf: (
    excluded: readonly unknown[] | undefined,
  ) => { readonly place: JSONPath; readonly value: unknown } | undefined,
): Promise<boolean> {
  try {
    const text = await textOf(file);
    const wantedChange = changeOf(await excludedIn(file));
    if (wantedChange === undefined) return true;
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const changed = applyEdits(text, modify(text, wantedChange.place, wantedChange.value, { formattingOptions }));
    const document = await documentOf(file);
    if (document === undefined) {
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(changed));
      return true;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(document.positionAt(0), document.positionAt(text.length)), changed);
    if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) throw new Error(baseName(file.path));
    return true;
  } catch (error) {
    notifyWriteFailure(baseName(file.path), error);
    return false;
  }
}

function notifyWriteFailure(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be written: {1}', name, reason));
}
