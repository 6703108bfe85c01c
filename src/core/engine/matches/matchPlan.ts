/**
 * Inputs of matching: the seeds of all documents, and the idf table. Their computation requires only addresses in the
 * kernel's memory, so any thread can do it.
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

/** The seeds of the current corpus, from which a `Plan` is created. */
export interface MatchPlan {
  readonly task: MatchTask;
  readonly documents: readonly NamedDocument[];
  /** See `AllSeeds`. */
  readonly truncated: number;
  /** Previous end of the kernel's memory. */
  readonly mark: number;
}

/** A search to be done, as plain data. */
export interface PlanSearch {
  /** Address of the table of documents. */
  readonly table: number;
  readonly documents: readonly Searched[];
  readonly distances: Distances;
  /** Address for a new idf table; `undefined` if there already is one. */
  readonly idfTable: number | undefined;
}

/** A search that another thread is doing. */
export interface BegunSearch extends Pick<MatchPlan, 'documents' | 'mark'> {
  readonly search: PlanSearch;
  /** End of the kernel's memory when the search began. */
  readonly end: number;
}

/** Approximate kernel memory for comparing whole files. */
const bytesOfComparing = 2 ** 24;

/** Approximate memory of a search at a time, per window of a view, plus a constant. */
const bytesPerWindow = 64;
const bytesOfSearch = 2 ** 22;

/** Begins a search. Until it ends, allocations of this kernel are separate from those of other threads. */
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

/** Ends a search that was begun. Frees all memory allocated since, except the seeds, which stay where they are. */
export function completeSearch(kernel: Kernel, { end }: BegunSearch, seeds: AllSeeds): AllSeeds {
  kernel.together();
  kernel.release(end);
  const address = kernel.allocate(seeds.count * seedBytes);
  moveSeeds(kernel, seeds, address);
  return { ...seeds, address };
}

/** Does a search for another thread, with separate allocations. */
export function searchApart(kernel: Kernel, search: PlanSearch): AllSeeds {
  const { code, prose } = windowsOf(search.documents);
  kernel.apart(bytesOfSearch + bytesPerWindow * Math.max(code, prose));
  try {
    return lastOf(searchSteps(kernel, search));
  } finally {
    kernel.together();
  }
}

/** Searches in steps of a few dozen milliseconds. Memory is not released if it is ended early. */
export function* searchSteps(
  kernel: Kernel,
  { table, documents, distances, idfTable }: PlanSearch,
): Generator<void, AllSeeds> {
  const seeds = yield* findSeedsSteps(kernel, documents, table, distances);
  yield;
  if (idfTable !== undefined) measureIdf(kernel, table, documents.length, idfTable);
  return seeds;
}
