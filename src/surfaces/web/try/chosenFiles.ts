/** Files that the user selected or dropped: a `.zip` archive, a folder, or individual files. */
import { Turns } from '../../../scan/io/walk.ts';
import { type DroppedEntry, DroppedTree, droppedItems } from './droppedTree.ts';
import { commonTop, listed, maxFiles, ruleText, treeOf } from './fileTree.ts';
import type { Problem, ScanSource } from './messages.ts';

type ChosenSource = ScanSource | Problem;

/** Returns the files of a file input. If it is a folder, the paths begin with the name of the folder. */
export async function chosenFiles(list: FileList): Promise<ChosenSource> {
  const files = [...list];
  const [first] = files;
  if (first === undefined) return { type: 'nothing', skipped: [] };
  if (first.webkitRelativePath === '') return ofSingleFiles(files);
  if (files.length > maxFiles) return { type: 'tooManyFiles', limit: maxFiles };
  const top = commonTop(files.map(({ webkitRelativePath }) => webkitRelativePath)) ?? '';
  return ofFiles(top.slice(0, -1), new Map(files.map((file) => [file.webkitRelativePath.slice(top.length), file])));
}

/** Returns the dropped files. Must be called in the event handler: the browser clears the list afterwards. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<ChosenSource> {
  const single = [...files];
  const dropped = await droppedItems(items);
  if (dropped.every(({ members }) => members === undefined)) {
    return single.length === 0 ? { type: 'nothing', skipped: [] } : ofSingleFiles(single);
  }
  const [first] = dropped as [DroppedEntry];
  // If a single folder was dropped, it is the root. Otherwise, the root has no name.
  return dropped.length === 1
    ? ofTree(first.name, new DroppedTree(() => first.members!()))
    : ofTree('', new DroppedTree(() => Promise.resolve(dropped)));
}

async function ofTree(folder: string, tree: DroppedTree): Promise<ChosenSource> {
  const listing = await listed(folder, tree);
  if ('type' in listing) return listing;
  const { name, paths, skipped, project } = listing;
  if (tree.size > maxFiles) return { type: 'tooManyFiles', limit: maxFiles };
  const [first] = skipped;
  if (first?.path === '.') return { type: 'unreadable', name };
  const files: [string, File][] = [];
  const unread = [...skipped];
  for (const path of paths) {
    const file = await tree.fileAt(path);
    if (file) files.push([path, file]);
    else unread.push({ path, reason: 'unreadable' });
  }
  return { type: 'files', name, files: await measured(files), skipped: unread, project };
}

/** Handles files without a folder: either a single archive, or files to compare. */
function ofSingleFiles(files: readonly File[]): Promise<ChosenSource> {
  const [first] = files;
  if (files.length === 1 && first?.name.toLowerCase().endsWith('.zip') === true) {
    return Promise.resolve({ type: 'zip', file: first });
  }
  return ofFiles('', new Map(files.map((file) => [file.name, file])));
}

async function ofFiles(folder: string, byPath: ReadonlyMap<string, File>): Promise<ChosenSource> {
  const tree = treeOf(byPath.keys(), (path) => ruleText(byPath.get(path)));
  const listing = await listed(folder, tree);
  if ('type' in listing) return listing;
  const { name, paths, skipped, project } = listing;
  const files = paths.map((path) => [path, byPath.get(path)!] as const);
  return { type: 'files', name, files: await measured(files), skipped, project };
}

/**
 * Reads the size of each file, in time slices so that the page stays responsive. A browser determines the size when it
 * is first requested, which takes 0.14 ms per file. Without this, it would determine all sizes at once when the files
 * are sent to the worker.
 */
async function measured<Files extends readonly (readonly [string, File])[]>(files: Files): Promise<Files> {
  const turns = new Turns(() => false);
  for (const [, file] of files) if (file.size >= 0 && turns.mustYield()) await turns.yieldNow();
  return files;
}
