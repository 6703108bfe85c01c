/** Files of any file system that VS Code can read: their type and their text. */
import * as vscode from 'vscode';

/** True if the URI is an existing file or folder. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  return (await typeOf(uri)) !== undefined;
}

/** True if the URI is an existing file or folder of this type. False for untitled documents. */
export async function isOfType(uri: vscode.Uri, type: vscode.FileType): Promise<boolean> {
  return (((await typeOf(uri)) ?? 0) & type) !== 0;
}

async function typeOf(uri: vscode.Uri): Promise<vscode.FileType | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    return undefined;
  }
}

/** Returns the text of a file on disk; `undefined` if the file does not exist or cannot be read. */
export async function savedText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    return undefined;
  }
}
