/**
 * Computes the inputs of matching: the seeds of all documents, and the idf table. It works only with addresses in the
 * kernel's memory, so any thread can do it.
 */
import { seedBytes } from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { MatchTask } from './matches.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import type { DocumentOfPhrases } from '../seeds/phrases.ts';
import { measureIdf } from './idf.ts';
import { type AllSeeds, type Distances, findSeedsSteps, moveSeeds, windowsOf, writeDocuments } from '../seeds/seeds.ts';
import { lastOf } from '../steps.ts';

/** The seeds of the current corpus. A `Plan` is created from them. */
export interface MatchPlan {
  readonly task: MatchTask;
  readonly documents: readonly NamedDocument[];
  /** Number of truncated buckets; see `AllSeeds`. */
  readonly truncated: number;
  /** End of the arena before the plan was made. Releasing the arena to this mark releases the plan's memory. */
  readonly mark: number;
}

/** Input of a search for seeds. Plain data, which can be sent to another thread. */
export interface PlanSearch {
  /** Address of the table of documents. */
  readonly table: number;
  readonly documents: readonly DocumentOfPhrases[];
  readonly distances: Distances;
  /** Address to which a new idf table is written, or `undefined` if the existing table is used. */
  readonly idfTable: number | undefined;
}

/** A search for seeds that another thread is running. */
export interface BegunSearch extends Pick<MatchPlan, 'documents' | 'mark'> {
  readonly search: PlanSearch;
  /** End of the arena when the search began. */
  readonly end: number;
}

/** Approximate number of bytes of kernel memory needed for comparing whole files. */
const bytesOfComparing = 2 ** 24;

/** Approximate amount of memory that a search uses at a time: bytes per window of a view, plus a constant. */
const bytesPerWindow = 64;
const bytesOfSearch = 2 ** 22;

/** Prepares a search on another thread, until whose end this kernel allocates from a separate block. */
export function beginSearch(
  kernel: Kernel,
  documents: readonly NamedDocument[],
  distances: Distances,
  idfTable: number | undefined,
): BegunSearch {
  const mark = kernel.mark();
  const indexes = documents.map(({ index }) => index);
  const table = writeDocuments(kernel, indexes);
  const searched = indexes.map(({ prose, unitCount, windowCount, languageHash }) => ({
    prose,
    unitCount,
    windowCount,
    languageHash,
  }));
  const end = kernel.mark();
  kernel.apart(bytesOfComparing);
  return { mark, documents, search: { table, documents: searched, distances, idfTable }, end };
}

/**
 * Ends a search that another thread has run. Releases all memory that was allocated since the search began, and moves
 * the seeds to the beginning of the released memory.
 */
export function completeSearch(kernel: Kernel, { end }: BegunSearch, seeds: AllSeeds): AllSeeds {
  kernel.together();
  kernel.release(end);
  const address = kernel.allocate(seeds.count * seedBytes);
  moveSeeds(kernel, seeds, address);
  return { ...seeds, address };
}

/** Runs a search for another thread. Allocates from a separate block of memory. */
export function searchApart(kernel: Kernel, search: PlanSearch): AllSeeds {
  const { code, prose } = windowsOf(search.documents);
  kernel.apart(bytesOfSearch + bytesPerWindow * Math.max(code, prose));
  try {
    return lastOf(searchSteps(kernel, search));
  } finally {
    kernel.together();
  }
}

/** Searches for seeds, in steps of a few dozen milliseconds. Ending the generator early leaks its memory. */
export function* searchSteps(
  kernel: Kernel,
  { table, documents, distances, idfTable }: PlanSearch,
): Generator<void, AllSeeds> {
  const seeds = yield* findSeedsSteps(kernel, documents, table, distances);
  yield;
  if (idfTable !== undefined) measureIdf(kernel, table, documents.length, idfTable);
  return seeds;
}
