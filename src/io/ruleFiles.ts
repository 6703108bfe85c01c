/** The files with rules about paths (pathRules.ts), as they lie on disk. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { gitFolderIn, isOfWorktree } from './gitFile.ts';
import { attributesFileName, excludeFile, ignoreFileNames, ruleLines } from './pathRules.ts';
import { readTextFile } from './textFile.ts';

/** What a file with rules says, or why it cannot be read. */
export interface RuleText {
  /** Its name, relative to the folder that it holds for. */
  readonly name: string;
  readonly lines: readonly string[];
  readonly problem: string | undefined;
}

/** The largest file with rules that is read: fifty times the largest that we know. */
export const mostRuleBytes = 2 ** 20;

/** The ignore files of a folder, weakest first; with .git/info/exclude where a repository begins. */
export function readIgnoreFiles(folder: string): RuleText[] {
  const exclude = excludeFileOf(folder);
  return [
    ...(exclude === undefined ? [] : readRules(exclude, excludeFile)),
    ...ignoreFileNames.flatMap((name) => readRules(path.join(folder, name), name)),
  ];
}

/** The .gitattributes of a folder; none when it has none. */
export function readAttributeFiles(folder: string): RuleText[] {
  return readRules(path.join(folder, attributesFileName), attributesFileName);
}

/**
 * The folders around `folder` that belong to the same git repository, outermost first, without itself; none when it is
 * in no repository or is the top of one.
 */
export function repositoryFoldersAround(folder: string): string[] {
  const around: string[] = [];
  for (let inner = folder; !existsSync(path.join(inner, '.git'));) {
    const parent = path.dirname(inner);
    if (parent === inner) return [];
    around.unshift(parent);
    inner = parent;
  }
  return around;
}

/** Where the exclude file is of the repository that begins in this folder. In a linked work tree, .git is a file. */
function excludeFileOf(folder: string): string | undefined {
  const dotGit = path.join(folder, '.git');
  if (isFolder(dotGit)) return path.join(folder, excludeFile);
  const target = gitFolderIn(textOf(dotGit));
  if (target === undefined) return undefined;
  const gitFolder = path.resolve(folder, target);
  const common = ruleLines(textOf(path.join(gitFolder, 'commondir')))[0] ?? '';
  return path.join(gitFolder, common, 'info/exclude');
}

/** True if a folder is a linked worktree: its `.git` is a file that leads to the repository's data about worktrees. */
export function isLinkedWorktree(folder: string): boolean {
  return isOfWorktree(textOf(path.join(folder, '.git')));
}

/** Rules are a help: a scan goes on without those that cannot be read. */
function readRules(file: string, name: string): RuleText[] {
  const read = readTextFile(file, mostRuleBytes);
  if ('text' in read) return [{ name, lines: ruleLines(read.text), problem: undefined }];
  return read.isMissing ? [] : [{ name, lines: [], problem: read.problem }];
}

function isFolder(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  const read = readTextFile(file, mostRuleBytes);
  return 'text' in read ? read.text : '';
}
