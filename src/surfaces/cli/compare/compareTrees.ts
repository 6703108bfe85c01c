/**
 * `kindred scan --compare A B`: lists both trees, pairs equal files, and scans all other files of both trees. A pair of
 * equal files is also scanned, but as one document, because another file may be a copy of it.
 */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { SkippedFile } from '../../../core/engine/report/report.ts';
import { scanToFollow, type ScanRequest } from '../../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../../scan/indexer/scanInput.ts';
import { listSources } from '../../../scan/io/listSources.ts';
import type { Listing, SourceOptions } from '../../../scan/io/sources.ts';
import { linesOf } from '../../../review/check/sourceTexts.ts';
import { type Problem, problem } from '../scanArguments.ts';
import type { ChangedFile, Comparison, SingleFile, Tree } from './comparison.ts';
import { type TreeMatches, matchTrees, type TreeDocument } from './matchTrees.ts';
import { equalFiles, type EqualFiles, readTreeFile, type TreeFile, withoutFiles } from './treeFiles.ts';

/** Returns two existing paths unchanged if they are separate folders. Otherwise, returns an error message. */
export function readFolders([a, b]: readonly [a: string, b: string]): readonly [a: string, b: string] | Problem {
  const file = [a, b].find((name) => !statSync(name).isDirectory());
  if (file !== undefined) {
    return problem(`${file} is not a folder; --compare compares two folders, and kindred explain two files.`);
  }
  const [realA, realB] = [realpathSync(a), realpathSync(b)];
  if (realA === realB) return problem(`${a} and ${b} are the same folder; specify two.`);
  const within = (inner: string, outer: string): boolean =>
    inner.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
  const nested = within(realB, realA) ? [b, a] : within(realA, realB) ? [a, b] : undefined;
  return nested ? problem(`${nested[0]} is inside ${nested[1]}; specify two separate folders.`) : [a, b];
}

/** Inputs of a comparison other than the folders. */
export interface CompareInput {
  readonly sources: SourceOptions;
  readonly requestFor: (input: Pick<ScanRequest, 'listing' | 'texts' | 'configured'>) => Promise<ScanRequest>;
  /** Returns true if an absolute path is a report or cache file, which must not be scanned. */
  readonly isOwn: (file: string) => boolean;
  readonly monitor: ScanMonitor;
}

/** Compares two folders. Returns the result, and warnings about ignore rules that could not be applied. */
export async function compareTrees(
  names: readonly [a: string, b: string],
  input: CompareInput,
): Promise<{ readonly comparison: Comparison; readonly warnings: readonly string[] }> {
  const { sources, requestFor, monitor } = input;
  const { categories, overrides } = sources;
  const [a, b] = [await readTree(names[0], input), await readTree(names[1], input)];
  const all = equalFiles(a.files, b.files);
  const documents = documentsOf(all);
  const files = [...documents].map(([name, of]) => ({ file: (of.a ?? of.b)!.file, path: name }));
  const request = await requestFor({
    listing: { files, skipped: [] },
    texts: [],
    configured: ['a/', 'b/'].map((prefix) => ({ prefix, categories, overrides })),
  });
  const { findings } = await scanToFollow(request, monitor, 'findings');
  const leftOut = leftOutOf(findings.skipped, documents);
  const equal = withoutFiles(
    all,
    new Set(leftOut.flatMap(({ of }) => [of.a, of.b].filter((file) => file !== undefined))),
  );
  const rest = [...equal.restOfA, ...equal.restOfB];
  const linesAt = linesOf({ files: rest.map(({ file }) => ({ file, path: file })) }, []);
  const matched = matchTrees({
    ...equal,
    groups: findings.groups,
    documentOf: (name) => documents.get(name)!,
    linesOf: ({ file }) => linesAt(file) ?? [],
  });
  const comparison: Comparison = {
    complete: findings.complete,
    a: { name: names[0], root: a.root, ...totalsOf([...pairedIn(equal, 0), ...equal.restOfA], matched) },
    b: { name: names[1], root: b.root, ...totalsOf([...pairedIn(equal, 1), ...equal.restOfB], matched) },
    equal: { files: equal.same.length, lines: sumOf(equal.same, ([file]) => file.lines) },
    moved: equal.moved.map(([of, to]) => ({ a: of.path, b: to.path, lines: of.lines })),
    changed: mostFirst(matched.changed, changedLines),
    movedAndChanged: mostFirst(matched.movedAndChanged, changedLines),
    passages: matched.passages,
    onlyInA: mostFirst(
      matched.singleA.map((file) => single(file, equal, matched)),
      ownLines,
    ),
    onlyInB: mostFirst(
      matched.singleB.map((file) => single(file, equal, matched)),
      ownLines,
    ),
    skipped: [
      ...[...a.skipped.map((skipped) => ({ tree: 'a' as const, ...skipped })), ...skippedIn('a', leftOut)],
      ...[...b.skipped.map((skipped) => ({ tree: 'b' as const, ...skipped })), ...skippedIn('b', leftOut)],
    ],
  };
  return { comparison, warnings: [...a.warnings, ...b.warnings] };
}

interface ReadTree extends Pick<Listing, 'root' | 'skipped' | 'warnings'> {
  readonly files: readonly TreeFile[];
}

async function readTree(name: string, { sources, isOwn, monitor }: CompareInput): Promise<ReadTree> {
  const { root, files, skipped, warnings } = await listSources([name], sources, monitor.cancelled);
  const read: TreeFile[] = [];
  for (const [place, source] of files.entries()) {
    if (place % filesAtOnce === 0) await setImmediate();
    if (!isOwn(source.file)) read.push(readTreeFile(source));
  }
  return { root, files: read, skipped, warnings };
}

/** Number of files to read before checking for an interrupt. Reading them takes a few dozen milliseconds. */
const filesAtOnce = 256;

/** Returns the documents to scan, by path. Each tree is in its own folder, whose name affects no category. */
function documentsOf({ same, moved, restOfA, restOfB }: EqualFiles): ReadonlyMap<string, TreeDocument> {
  return new Map<string, TreeDocument>([
    ...[...same, ...moved].map(([a, b]) => [`a/${a.path}`, { a, b }] as const),
    ...restOfA.map((a) => [`a/${a.path}`, { a, b: undefined }] as const),
    ...restOfB.map((b) => [`b/${b.path}`, { a: undefined, b }] as const),
  ]);
}

/** A file that the scan skipped. It belongs to one tree or to both. */
interface SkippedTreeFile {
  readonly skipped: SkippedFile;
  readonly of: TreeDocument;
}

function leftOutOf(skipped: readonly SkippedFile[], documents: ReadonlyMap<string, TreeDocument>): SkippedTreeFile[] {
  return skipped.flatMap((one) => {
    const of = documents.get(one.path);
    return of ? [{ skipped: one, of }] : [];
  });
}

function skippedIn(tree: 'a' | 'b', leftOut: readonly SkippedTreeFile[]): Comparison['skipped'] {
  return leftOut.flatMap(({ skipped, of }) => (of[tree] ? [{ tree, ...skipped, path: of[tree].path }] : []));
}

function pairedIn({ same, moved }: EqualFiles, tree: 0 | 1): TreeFile[] {
  return [...same, ...moved].map((pair) => pair[tree]);
}

function totalsOf(
  files: readonly TreeFile[],
  { linesInOther }: TreeMatches,
): Pick<Tree, 'files' | 'lines' | 'linesInOther'> {
  return {
    files: files.length,
    lines: sumOf(files, ({ lines }) => lines),
    linesInOther: sumOf(files, linesInOther),
  };
}

function single(file: TreeFile, { copies }: EqualFiles, { linesInOther }: TreeMatches): SingleFile {
  const copyOf = copies.get(file)?.path;
  return {
    path: file.path,
    lines: file.lines,
    linesInOther: linesInOther(file),
    copyOf,
  };
}

function sumOf<Item>(items: readonly Item[], quantityOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + quantityOf(item), 0);
}

function changedLines({ removed, added }: ChangedFile): number {
  return removed + added;
}

function ownLines({ lines, linesInOther }: SingleFile): number {
  return lines - linesInOther;
}

/** Sorts by quantity, descending. Keeps the order of items with equal quantities. */
function mostFirst<Item>(items: readonly Item[], quantityOf: (item: Item) => number): Item[] {
  return [...items].sort((x, y) => quantityOf(y) - quantityOf(x));
}
