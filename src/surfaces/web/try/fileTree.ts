/** Creates file trees from lists of paths. The ignore rules need a tree to decide which files are compared. */
import { type FileTree, listTree, type TreeListing } from '../../../scan/io/listTree.ts';
import { maxRuleBytes } from '../../../scan/io/pathRules.ts';
import type { Entry } from '../../../scan/io/walk.ts';
import type { Problem } from './messages.ts';
import { type Project, projectOf } from './projectFile.ts';

/** Files to compare, after the ignore rules were applied. */
export interface ListedFiles extends TreeListing {
  /** Name of the selected folder or archive. */
  readonly name: string;
  readonly project: Project;
}

/** Maximum number of entries. A larger folder is usually not a source tree. */
export const maxFiles = 200_000;

export async function listed(name: string, tree: FileTree): Promise<ListedFiles | Problem> {
  const project = await projectOf(tree);
  if (typeof project === 'string') return { type: 'badProject', sentence: project };
  return { name, project, ...(await listTree(tree, project.sources)) };
}

/** Returns the top-level folder that contains all paths, with a trailing slash; `undefined` if there is none. */
export function commonTop(paths: readonly string[]): string | undefined {
  const top = paths[0]?.slice(0, paths[0].indexOf('/') + 1);
  return top !== undefined && top !== '' && paths.every((path) => path.startsWith(top)) ? top : undefined;
}

type EntryType = 'file' | 'folder' | 'link';

const noLinks: ReadonlySet<string> = new Set();

/** Creates a tree from the paths of files. `links` contains the symbolic links among them. */
export function treeOf(paths: Iterable<string>, readText: FileTree['readText'], links = noLinks): FileTree {
  const folders = new Map<string, Map<string, EntryType>>([['', new Map<string, EntryType>()]]);
  const folderAt = (path: string): Map<string, EntryType> => {
    let folder = folders.get(path);
    if (folder === undefined) {
      folders.set(path, (folder = new Map<string, EntryType>()));
      const slash = path.lastIndexOf('/', path.length - 2) + 1;
      folderAt(path.slice(0, slash)).set(path.slice(slash, -1), 'folder');
    }
    return folder;
  };
  for (const path of paths) {
    const slash = path.lastIndexOf('/') + 1;
    folderAt(path.slice(0, slash)).set(path.slice(slash), links.has(path) ? 'link' : 'file');
  }
  return {
    readFolder: (path) => {
      const members = folders.get(path);
      return Promise.resolve(
        members ? Array.from(members, ([name, type]) => entryOf(name, type)) : { reason: 'missing' },
      );
    },
    readText,
  };
}

/** Returns the text of a file with ignore rules; '' if it does not exist, is too large, or cannot be read. */
export async function ruleText(file: File | undefined): Promise<string> {
  if (file === undefined || file.size > maxRuleBytes) return '';
  return file.text().catch(() => '');
}

export function entryOf(name: string, type: EntryType): Entry {
  return {
    name,
    isFile: () => type === 'file',
    isDirectory: () => type === 'folder',
    isSymbolicLink: () => type === 'link',
  };
}
