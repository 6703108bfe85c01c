/** Reads files that contain path rules (pathRules.ts) from disk. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { commonFolderFile, gitFolderIn, looksLikeWorktree } from './gitFile.ts';
import { attributesFileName, excludeFile, ignoreFileNames, maxRuleBytes, ruleLines } from './pathRules.ts';
import { readTextFile } from './textFile.ts';

/** Text of a file that contains rules, or the reason why it cannot be read. */
export interface RuleText {
  /** Name of the file, relative to the folder to which its rules apply. */
  readonly name: string;
  readonly lines: readonly string[];
  readonly problem: string | undefined;
}

/** Reads the ignore files of a folder, and a repository's .git/info/exclude, ascending by precedence. */
export function readIgnoreFiles(folder: string): RuleText[] {
  const exclude = excludeFileOf(folder);
  return [
    ...(exclude === undefined ? [] : readRules(exclude, excludeFile)),
    ...ignoreFileNames.flatMap((name) => readRules(path.join(folder, name), name)),
  ];
}

/** Reads the .gitattributes of a folder, if there is one. */
export function readAttributeFiles(folder: string): RuleText[] {
  return readRules(path.join(folder, attributesFileName), attributesFileName);
}

/**
 * Returns the folders around `folder` that belong to the same Git repository, outermost first. Returns an empty list if
 * the folder is in no repository or is the top of one.
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

/** Returns the path of a repository's exclude file, given its top folder. In a linked worktree, .git is a file. */
function excludeFileOf(folder: string): string | undefined {
  const dotGit = path.join(folder, '.git');
  if (isFolder(dotGit)) return path.join(folder, excludeFile);
  const target = gitFolderIn(textOf(dotGit));
  if (target === undefined) return undefined;
  const gitFolder = path.resolve(folder, target);
  const common = ruleLines(textOf(path.join(gitFolder, commonFolderFile)))[0] ?? '';
  return path.join(gitFolder, common, 'info/exclude');
}

/** Returns true if a folder is a linked worktree: its `.git` is a file that refers to the data of a worktree. */
export function isLinkedWorktree(folder: string): boolean {
  const target = gitFolderIn(textOf(path.join(folder, '.git')));
  if (target === undefined) return false;
  const gitFolder = path.resolve(folder, target);
  return isFolder(gitFolder) ? existsSync(path.join(gitFolder, commonFolderFile)) : looksLikeWorktree(target);
}

/** Reads a file of rules. If it cannot be read, returns the reason, and the scan continues without them. */
function readRules(file: string, name: string): RuleText[] {
  const read = readTextFile(file, maxRuleBytes);
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
  const read = readTextFile(file, maxRuleBytes);
  return 'text' in read ? read.text : '';
}
