/** The files with rules about paths (pathRules.ts), as they lie on disk. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { attributesFileName, excludeFile, ignoreFileNames, ruleLines } from './pathRules.ts';

/** The lines of the ignore files in a folder, weakest first; with those of .git/info/exclude where a repository begins. */
export function readIgnoreLines(folder: string): string[] {
  return [...readExcludeLines(folder), ...ignoreFileNames.flatMap((name) => readLines(path.join(folder, name)))];
}

/** The lines of a folder's .gitattributes. */
export function readAttributeLines(folder: string): string[] {
  return readLines(path.join(folder, attributesFileName));
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

/** The lines of info/exclude of the repository that begins in this folder. In a linked work tree, .git is a file. */
function readExcludeLines(folder: string): string[] {
  const dotGit = path.join(folder, '.git');
  try {
    if (statSync(dotGit).isDirectory()) return readLines(path.join(folder, excludeFile));
    const target = /^gitdir: (.+)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
    if (target === undefined) return [];
    const gitFolder = path.resolve(folder, target);
    const common = readLines(path.join(gitFolder, 'commondir'))[0] ?? '.';
    return readLines(path.join(gitFolder, common, 'info/exclude'));
  } catch {
    return [];
  }
}

/** No lines when the file is not there or cannot be read: rules are a help, and a scan goes on without. */
function readLines(file: string): string[] {
  try {
    return ruleLines(readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
}
