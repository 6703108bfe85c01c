/** Files that the user has chosen or dropped: a `.zip`, or the files of a folder to compare. */
import { Turns } from '../../../scan/io/walk.ts';
import { type Dropped, DroppedTree, droppedItems } from './droppedTree.ts';
import { commonTop, listed, maxFiles, ruleText, treeOf } from './fileTree.ts';
import type { Problem, ScanSource } from './messages.ts';

type Chosen = ScanSource | Problem;

/** Takes the files of an input. Those of a folder have paths that begin with its name. */
export async function chosenFiles(list: FileList): Promise<Chosen> {
  const files = [...list];
  const [first] = files;
  if (first === undefined) return { type: 'nothing', skipped: 0 };
  if (first.webkitRelativePath === '') return ofSingleFiles(files);
  if (files.length > maxFiles) return { type: 'tooManyFiles', limit: maxFiles };
  const top = commonTop(files.map(({ webkitRelativePath }) => webkitRelativePath)) ?? '';
  return ofFiles(top.slice(0, -1), new Map(files.map((file) => [file.webkitRelativePath.slice(top.length), file])));
}

/** Takes what was dropped. Must be called during the event, which empties the list at its end. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<Chosen> {
  const single = [...files];
  const dropped = await droppedItems(items);
  if (dropped.every(({ members }) => members === undefined)) {
    return single.length === 0 ? { type: 'nothing', skipped: 0 } : ofSingleFiles(single);
  }
  const [first] = dropped as [Dropped];
  // A single folder is the root. Several files and folders have no name.
  return dropped.length === 1
    ? ofTree(first.name, new DroppedTree(() => first.members!()))
    : ofTree('', new DroppedTree(() => Promise.resolve(dropped)));
}

async function ofTree(folder: string, tree: DroppedTree): Promise<Chosen> {
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

/** Takes files without a folder: one archive, or files to compare. */
function ofSingleFiles(files: readonly File[]): Promise<Chosen> {
  const [first] = files;
  if (files.length === 1 && first?.name.toLowerCase().endsWith('.zip') === true) {
    return Promise.resolve({ type: 'zip', file: first });
  }
  return ofFiles('', new Map(files.map((file) => [file.name, file])));
}

async function ofFiles(folder: string, byPath: ReadonlyMap<string, File>): Promise<Chosen> {
  const tree = treeOf(byPath.keys(), (path) => ruleText(byPath.get(path)));
  const listing = await listed(folder, tree);
  if ('type' in listing) return listing;
  const { name, paths, skipped, project } = listing;
  const files = paths.map((path) => [path, byPath.get(path)!] as const);
  return { type: 'files', name, files: await measured(files), skipped, project };
}

/**
 * Reads the sizes of files in turns, so that the page stays responsive. The browser asks the disk for each size (0.14 ms),
 * at the latest when the file is sent to a worker; then all at once.
 */
async function measured<Files extends readonly (readonly [string, File])[]>(files: Files): Promise<Files> {
  const turns = new Turns(() => false);
  for (const [, file] of files) if (file.size >= 0 && turns.isDue()) await turns.take();
  return files;
}
