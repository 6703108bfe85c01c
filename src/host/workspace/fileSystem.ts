/**
 * Reads for the worker what only VS Code can: files of other schemes than `file`. One question, one answer; what is asked
 * for, and in which order, is the worker's business.
 */
import * as vscode from 'vscode';
import type { EntryKind, FileSystemAnswer, FileSystemQuestion } from '../../protocol/messages.ts';

/** Answers a question. What cannot be read has its reason; nothing is thrown. */
export async function readFileSystem(question: FileSystemQuestion): Promise<FileSystemAnswer> {
  const { id } = question;
  try {
    const root = vscode.Uri.parse(question.uri, true);
    const uri = question.path === '' ? root : vscode.Uri.joinPath(root, question.path);
    if (question.type === 'readFile') return await readFile(uri, question);
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return { type: 'folder', id, entries: entries.map(([name, type]) => [name, kindOf(type)] as const) };
  } catch (error) {
    return { type: 'unreadable', id, reason: `unreadable (${causeOf(error)})` };
  }
}

async function readFile(
  uri: vscode.Uri,
  { id, known, maxSizeBytes }: Extract<FileSystemQuestion, { type: 'readFile' }>,
): Promise<FileSystemAnswer> {
  const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.File) === 0) return { type: 'unreadable', id, reason: 'not a file' };
  // A file system that knows no times says 0: nothing is equal to NaN.
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

/** In the words that are used of files on disk. */
function causeOf(error: unknown): string {
  const code = error instanceof vscode.FileSystemError ? error.code : '';
  return causes()[code] ?? (error instanceof Error ? error.message : String(error));
}

function causes(): Readonly<Record<string, string>> {
  return {
    FileNotFound: vscode.l10n.t('it no longer exists'),
    NoPermissions: vscode.l10n.t('permission denied'),
    Unavailable: vscode.l10n.t('its file system is not available'),
  };
}
