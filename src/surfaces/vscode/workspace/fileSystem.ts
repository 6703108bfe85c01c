/**
 * Reads files for the worker that are not on disk (URI scheme other than `file`), because only VS Code can read them.
 * The worker decides which files to read, and in what order.
 */
import * as vscode from 'vscode';
import type {
  EntryKind,
  FileContent,
  FileQuestion,
  FileSystem,
  FolderContent,
  Unreadable,
} from '../../../session/protocol/messages.ts';

export const fileSystem: FileSystem = {
  readFolder: (uri, path) => orReason(readFolder(uri, path)),
  readFile: (question) => orReason(readFile(question)),
  writeFile: async (uri, name, bytes) => {
    const written = await orReason(vscode.workspace.fs.writeFile(uriOf(uri, name), bytes));
    return written?.reason;
  },
};

async function readFolder(uri: string, path: string): Promise<FolderContent> {
  const entries = await vscode.workspace.fs.readDirectory(uriOf(uri, path));
  return { entries: entries.map(([name, type]) => [name, kindOf(type)] as const) };
}

async function readFile({ uri, path, knownStamp, maxSizeBytes }: FileQuestion): Promise<FileContent | Unreadable> {
  const file = uriOf(uri, path);
  const { type, size, mtime } = await vscode.workspace.fs.stat(file);
  if ((type & vscode.FileType.File) === 0) return { reason: 'not a file' };
  // A file system without modification times returns 0. NaN never equals an earlier time, so the file counts as
  // changed.
  const stamp = { sizeBytes: size, mtimeMs: mtime > 0 ? mtime : Number.NaN, ctimeMs: 0, inode: 0 };
  const isUnneeded = size > maxSizeBytes || (knownStamp?.sizeBytes === size && knownStamp.mtimeMs === mtime);
  return { stamp, bytes: isUnneeded ? undefined : await vscode.workspace.fs.readFile(file) };
}

function uriOf(uri: string, path: string): vscode.Uri {
  const root = vscode.Uri.parse(uri, true);
  // Remove the trailing slash from a folder's path, because file system providers may treat it as part of the name.
  return path === '' ? root : vscode.Uri.joinPath(root, path.replace(/\/$/, ''));
}

/** Returns the content, or the reason why it cannot be read. */
async function orReason<Content>(content: Thenable<Content>): Promise<Content | Unreadable> {
  try {
    return await content;
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return { reason: isMissing ? 'missing' : `unreadable (${causeOf(error)})` };
  }
}

function kindOf(type: vscode.FileType): EntryKind {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}

/** Returns the cause of an error with the same words as for files on disk. */
function causeOf(error: unknown): string {
  const code = error instanceof vscode.FileSystemError ? error.code : '';
  return causes()[code] ?? (error instanceof Error ? error.message : String(error));
}

function causes(): Readonly<Record<string, string>> {
  return {
    NoPermissions: vscode.l10n.t('permission denied'),
    Unavailable: vscode.l10n.t('its file system is not available'),
  };
}
