/**
 * Files and folders that are not compared from now on: a glob more in the list that is in force. That is `exclude` of the project
 * file, which takes the place of the setting, or else the setting; where neither has any, of the project file if there is one.
 */
import { applyEdits, type JSONPath, modify, parse } from 'jsonc-parser';
import * as vscode from 'vscode';
import { findConfiguration } from '../workspace/newConfiguration.ts';
import { baseName } from '../wording.ts';

/** Where a file or folder is excluded now. */
export interface Excluded {
  /** The setting or the file, for people. */
  readonly where: string;
  /** Takes the glob out again, whatever else was written there meanwhile. */
  readonly undo: () => Promise<void>;
}

/**
 * The folders and project files whose list was made for a glob of ours. It goes with the last one: an empty list would take the
 * place of the one below it. What a person has written stays.
 */
const made = new Set<string>();

/** Excludes a file or folder. Returns undefined when that cannot be written, which somebody was told. */
export async function exclude(uri: vscode.Uri): Promise<Excluded | undefined> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('{0} is in no folder of the workspace.', baseName(uri.path)),
    );
    return undefined;
  }
  const glob = globOf(uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1));
  const file = await findConfiguration(folder.uri);
  if (file === undefined) return inSettings(folder, glob);
  const set = vscode.workspace.getConfiguration('kindred', folder.uri).get<readonly string[]>('exclude', []);
  return set.length > 0 && (await excludedIn(file)) === undefined ? inSettings(folder, glob) : inFile(file, glob);
}

/** What a project file excludes; undefined when it says nothing of that. */
async function excludedIn(file: vscode.Uri): Promise<readonly unknown[] | undefined> {
  try {
    const { exclude: excluded } = (parse(await textOf(file)) ?? {}) as { readonly exclude?: unknown };
    return Array.isArray(excluded) ? excluded : undefined;
  } catch {
    return undefined;
  }
}

/** The text of a file as somebody sees it: with changes that are not saved, else as it is on disk, which an editor may not know yet. */
async function textOf(file: vscode.Uri): Promise<string> {
  return (await documentOf(file))?.getText() ?? new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

/** The document of a file that has changes, or is in another encoding than plain UTF-8, which VS Code keeps. */
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

/** What matches a path and nothing else. */
export function globOf(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]{}!]/g, '\\$&')}`;
}

async function inSettings({ uri }: vscode.WorkspaceFolder, glob: string): Promise<Excluded | undefined> {
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } =
    vscode.workspace.getConfiguration('kindred', uri).inspect<readonly string[]>('exclude') ?? {};
  const isOfFolder = workspaceFolderValue !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const target = isOfFolder ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
  // With one folder, its settings are those of the workspace: VS Code tells them twice.
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
      tellFailure('kindred.exclude', error);
      return false;
    }
  }
}

async function inFile(file: vscode.Uri, glob: string): Promise<Excluded | undefined> {
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

/** Changes one thing in a project file, and nothing else of it. Returns whether it was written; else somebody was told. */
async function change(
  file: vscode.Uri,
  wanted: (
    excluded: readonly unknown[] | undefined,
  ) => { readonly place: JSONPath; readonly value: unknown } | undefined,
): Promise<boolean> {
  try {
    const text = await textOf(file);
    const given = wanted(await excludedIn(file));
    if (given === undefined) return true;
    const formattingOptions = { insertSpaces: true, tabSize: 2 };
    const changed = applyEdits(text, modify(text, given.place, given.value, { formattingOptions }));
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
    tellFailure(baseName(file.path), error);
    return false;
  }
}

function tellFailure(name: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void vscode.window.showErrorMessage(vscode.l10n.t('{0} cannot be written: {1}', name, reason));
}
