/**
 * Reads files with schemes other than `file` for the worker, since only VS Code can. Selection and order are up to the
 * worker.
 */
import * as vscode from 'vscode';
import type { EntryKind, FileSystemAnswer, FileSystemQuestion } from '../../protocol/messages.ts';

/** Answers a question. A failure is returned with its reason; nothing is thrown. */
export async function readFileSystem(question: FileSystemQuestion): Promise<FileSystemAnswer> {
  const { id } = question;
  try {
    const root = vscode.Uri.parse(question.uri, true);
    const uri = question.path === '' ? root : vscode.Uri.joinPath(root, question.path);
    if (question.type === 'readFile') return await readFile(uri, question);
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return { type: 'folder', id, entries: entries.map(([name, type]) => [name, kindOf(type)] as const) };
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return { type: 'unreadable', id, reason: isMissing ? 'missing' : `unreadable (${causeOf(error)})` };
  }
}

async function readFile(
  uri: vscode.Uri,
  { id, known, maxSizeBytes }: Extract<FileSystemQuestion, { type: 'readFile' }>,
): Promise<FileSystemAnswer> {
  const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) return { type: 'unreadable', id, reason: 'not a file' };
  // A file system without times returns 0. NaN never equals another stamp.
  const stamp = { sizeBytes: size, mtimeMs: mtime > 0 ? mtime : Number.NaN, ctimeMs: 0, inode: 0 };
  if (size > maxSizeBytes || (known?.sizeBytes === size && known.mtimeMs === mtime)) {
    return { type: 'file', id, stamp, bytes: undefined };
  }
  return { type: 'file', id, stamp, bytes: await vscode.workspace.fs.readFile(uri) };
}

function kindOf(type: vscode.FileType): EntryKind {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}

/** Returns the cause in the words for files on disk. */
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
