/** Reads the languages that VS Code knows, from the manifests of extensions and from `files.associations`. */
import * as vscode from 'vscode';
import { byFileName } from '../../../core/collections/byFileName.ts';
import { fieldOf, itemsOf } from '../../../core/collections/parsedValues.ts';
import type { ContributedLanguage } from '../../../session/protocol/messages.ts';
import { isOfExcerpts } from './excerpts.ts';
import { baseName } from '../wording.ts';

/** Returns all languages with patterns for file names. The result does not depend on the order of extensions. */
export function readLanguages(): ContributedLanguage[] {
  const languages = vscode.extensions.all.flatMap((extension) => {
    const contributed = itemsOf(fieldOf(fieldOf(extension.packageJSON, 'contributes'), 'languages'));
    return contributed.flatMap((language) => readLanguage(language, extension.extensionUri));
  });
  return [...languages, ...associations()].sort((x, y) => compare(keyOf(x), keyOf(y)));
}

/** Returns VS Code's language for a file name: the one with the longest matching extension, or plain text. */
export function languageOf(path: string): string {
  return languageTable()(path);
}

/** Returns a function that looks up the language of a file. It reads the manifests only once for many files. */
export function languageTable(): (path: string) => string {
  const languages = new Map<string, string>();
  for (const { id, files } of readLanguages()) {
    for (const file of files) if (!languages.has(file.toLowerCase())) languages.set(file.toLowerCase(), id);
  }
  return (path) => byFileName(languages, baseName(path).toLowerCase()) ?? 'plaintext';
}

/** Returns a function that returns the language of two files, or `undefined` if their languages differ. */
export function sharedLanguages(): (left: vscode.Uri, right: vscode.Uri) => string | undefined {
  let languageOfPath: ReturnType<typeof languageTable> | undefined;
  return (left, right) => {
    // Read the manifests on first use: this function is created at every pause in typing.
    languageOfPath ??= languageTable();
    const [one, other] = [left.path, right.path].map(languageOfPath);
    return one === other ? one : undefined;
  };
}

/** Returns the display name of a language; its id if it has no name. */
export function languageTitle(id: string): string {
  for (const { packageJSON } of vscode.extensions.all) {
    for (const language of itemsOf(fieldOf(fieldOf(packageJSON, 'contributes'), 'languages'))) {
      const [title] = fieldOf(language, 'id') === id ? itemsOf(fieldOf(language, 'aliases')) : [];
      if (typeof title === 'string') return title;
    }
  }
  return id;
}

/** Reads a language from an extension's manifest. Checks all values, because a manifest may contain anything. */
function readLanguage(language: unknown, folder: vscode.Uri): ContributedLanguage[] {
  const id = fieldOf(language, 'id');
  if (typeof id !== 'string' || isOfExcerpts(id)) return [];
  const files = ['extensions', 'filenames']
    .flatMap((name) => itemsOf(fieldOf(language, name)))
    .filter((file) => typeof file === 'string');
  const configuration = fieldOf(language, 'configuration');
  const file = typeof configuration === 'string' ? vscode.Uri.joinPath(folder, configuration) : undefined;
  return [{ id, files, configuration: file?.scheme === 'file' ? file.fsPath : undefined }];
}

/** Returns the languages in `files.associations`, but only for extensions and file names: *.inc, Jenkinsfile. */
function associations(): ContributedLanguage[] {
  const set = vscode.workspace.getConfiguration('files').get<Readonly<Record<string, unknown>>>('associations', {});
  return Object.entries(set).flatMap(([glob, id]) => {
    const file = glob.replace(/^(\*\*\/)?\*(?=\.)/, '');
    return typeof id === 'string' && /^[^*?[\]{}/\\]+$/.test(file)
      ? [{ id, files: [file], configuration: undefined }]
      : [];
  });
}

function keyOf({ id, configuration = '', files }: ContributedLanguage): string {
  return JSON.stringify([id, configuration, files]);
}

function compare(x: string, y: string): number {
  return x < y ? -1 : x > y ? 1 : 0;
}
