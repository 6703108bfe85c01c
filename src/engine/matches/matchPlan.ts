/**
 * What matching is planned by: the seeds of all documents, and how telling tokens are. The search for both needs nothing
 * but addresses in the kernel's memory, so any thread can do it.
 */
import { seedBytes } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { MatchTask } from './matches.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import { measureIdf } from './idf.ts';
import {
  type AllSeeds,
  type Distances,
  findSeedsSteps,
  moveSeeds,
  type Searched,
  windowsOf,
  writeDocuments,
} from '../seeds/seeds.ts';
import { lastOf } from '../steps.ts';

/** The seeds of a corpus as it is now: what a `Plan` is made of. */
export interface MatchPlan {
  readonly task: MatchTask;
  readonly documents: readonly NamedDocument[];
  /** See `AllSeeds`. */
  readonly truncated: number;
  /** Where the kernel's memory ended before. */
  readonly mark: number;
}

/** What is to be searched, as plain data. */
export interface PlanSearch {
  /** Address of the table of documents. */
  readonly table: number;
  readonly documents: readonly Searched[];
  readonly distances: Distances;
  /** Where an idf table is to be written; undefined when there is one. */
  readonly idfTable: number | undefined;
}

/** A search that is another thread's. */
export interface BegunSearch extends Pick<MatchPlan, 'documents' | 'mark'> {
  readonly search: PlanSearch;
  /** Where the kernel's memory ended when the search began. */
  readonly end: number;
}

/** What comparing files as wholes takes of the kernel's memory, about. */
const bytesOfComparing = 2 ** 24;

/** What the search has for each window of a view at a time, and besides, about. */
const bytesPerWindow = 64;
const bytesOfSearch = 2 ** 22;

/** Begins a search. Until it has ended, what this kernel allocates and releases is apart from what others do. */
export function beginSearch(
  kernel: Kernel,
  documents: readonly NamedDocument[],
  distances: Distances,
  idfTable: number | undefined,
): BegunSearch {
  const mark = kernel.mark();
  const indexes = documents.map(({ index }) => index);
  const table = writeDocuments(kernel, indexes);
  const searched = indexes.map(({ prose, windowCount }) => ({ prose, windowCount }));
  const end = kernel.mark();
  kernel.apart(bytesOfComparing);
  return { mark, documents, search: { table, documents: searched, distances, idfTable }, end };
}

/** Ends what was begun: all memory that was taken since is free, but for the seeds, which lie where they were found. */
export function completeSearch(kernel: Kernel, { end }: BegunSearch, seeds: AllSeeds): AllSeeds {
  kernel.together();
  kernel.release(end);
  const address = kernel.allocate(seeds.count * seedBytes);
  moveSeeds(kernel, seeds, address);
  return { ...seeds, address };
}

/** Does a search for another thread: what it takes of memory, it takes for itself. */
export function searchApart(kernel: Kernel, search: PlanSearch): AllSeeds {
  const { code, prose } = windowsOf(search.documents);
  kernel.apart(bytesOfSearch + bytesPerWindow * Math.max(code, prose));
  try {
    return lastOf(searchSteps(kernel, search));
  } finally {
    kernel.together();
  }
}

/** The search, in steps of some dozens of milliseconds. What they allocate is not given back when they end early. */
export function* searchSteps(
  kernel: Kernel,
  { table, documents, distances, idfTable }: PlanSearch,
): Generator<void, AllSeeds> {
  const seeds = yield* findSeedsSteps(kernel, documents, table, distances);
  yield;
  if (idfTable !== undefined) measureIdf(kernel, table, documents.length, idfTable);
  return seeds;
}
