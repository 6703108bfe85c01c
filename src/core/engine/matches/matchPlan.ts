/**
 * Computes the inputs of matching: the seeds of all documents, and the idf table. This requires only addresses in the
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

/** The seeds of the current corpus. A `Plan` is created from them. */
export interface MatchPlan {
  readonly task: MatchTask;
  readonly documents: readonly NamedDocument[];
  /** See `AllSeeds`. */
  readonly truncated: number;
  /** End of the kernel's used memory before the plan. Releasing to it frees the plan's memory. */
  readonly mark: number;
}

/** Input of a search for seeds, as plain data. */
export interface PlanSearch {
  /** Address of the table of documents. */
  readonly table: number;
  readonly documents: readonly Searched[];
  readonly distances: Distances;
  /** Address to write a new idf table to; `undefined` to keep the existing one. */
  readonly idfTable: number | undefined;
}

/** A search that another thread is doing. */
export interface BegunSearch extends Pick<MatchPlan, 'documents' | 'mark'> {
  readonly search: PlanSearch;
  /** End of the kernel's used memory when the search began. */
  readonly end: number;
}

/** Approximate amount of kernel memory for comparing whole files. */
const bytesOfComparing = 2 ** 24;

/** Approximate amount of memory that a search needs at a time: bytes per window of a view, plus a constant. */
const bytesPerWindow = 64;
const bytesOfSearch = 2 ** 22;

/** Prepares a search by another thread. Until it is completed, this kernel allocates in a separate piece of memory. */
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

/**
 * Ends a search by another thread. Frees all memory that was allocated since it began, and moves the seeds to the
 * beginning of the freed memory.
 */
export function completeSearch(kernel: Kernel, { end }: BegunSearch, seeds: AllSeeds): AllSeeds {
  kernel.together();
  kernel.release(end);
  const address = kernel.allocate(seeds.count * seedBytes);
  moveSeeds(kernel, seeds, address);
  return { ...seeds, address };
}

/** Searches on behalf of another thread, with allocations in a separate piece of memory. */
export function searchApart(kernel: Kernel, search: PlanSearch): AllSeeds {
  const { code, prose } = windowsOf(search.documents);
  kernel.apart(bytesOfSearch + bytesPerWindow * Math.max(code, prose));
  try {
    return lastOf(searchSteps(kernel, search));
  } finally {
    kernel.together();
  }
}

/**
 * Searches for seeds, in steps of a few dozen milliseconds. The allocated memory is not released if the caller ends it
 * early.
 */
export function* searchSteps(
  kernel: Kernel,
  { table, documents, distances, idfTable }: PlanSearch,
): Generator<void, AllSeeds> {
  const seeds = yield* findSeedsSteps(kernel, documents, table, distances);
  yield;
  if (idfTable !== undefined) measureIdf(kernel, table, documents.length, idfTable);
  return seeds;
}
