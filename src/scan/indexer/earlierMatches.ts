/**
 * Reuses the matches of an earlier comparison. Selects the matches that are still valid for the documents of a plan,
 * and collects the matches of the plan for the next comparison.
 */
import { areEqual } from '../../core/collections/bytes.ts';
import type { Comparisons } from '../../core/engine/comparison.ts';
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { type ShingleCounts, storedOverlapWords } from '../../core/engine/files/fileOverlap.ts';
import { comparisonWords } from '../../core/engine/groups/comparedPassages.ts';
import type { MatchPlan } from '../../core/engine/matches/matchPlan.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { DocumentPart } from '../../core/engine/documents/namedDocument.ts';
import {
  areInDocuments,
  noMatches,
  type PairMatches,
  renumber,
  renumberList,
  sortRecords,
  separateKnownSteps,
} from '../../core/engine/matches/knownMatches.ts';
import { joinRecords, type MatchTask } from '../../core/engine/matches/matches.ts';
import { allocateIdfTable, isWeighedAlike } from '../../core/engine/matches/idf.ts';
import type { Epoch } from './epoch.ts';
import type { IndexedFile } from './indexedFile.ts';

export interface ComparedDocument {
  readonly path: string;
  readonly part: DocumentPart;
  /** Digest of the file's text, or 0 if it is unknown. */
  readonly digest: bigint;
}

/** Matches of an earlier comparison. Document numbers are indices into `documents`. Immutable. */
export interface EarlierMatches {
  /** Documents of the comparison, by path. Those of comments and quoted code follow that of their file. */
  readonly documents: readonly ComparedDocument[];
  readonly epoch: Epoch;
  readonly matches: PairMatches;
  /** Comparisons that grouping has made. All options affect them, and the settings of paths. */
  readonly comparisons: Comparisons;
}

export const noComparisons: Comparisons = { passages: new Uint32Array(), files: new Uint32Array() };

/**
 * Returns the matches to store, given all match records of a plan. If nothing has changed, returns the same object as
 * before. `comparisons` returns the comparisons of the plan's report.
 */
export type MatchKeeper = (records: Uint32Array, epoch: Epoch, comparisons: () => Comparisons) => EarlierMatches;

/** The part of a plan that remains after pairs with stored matches are removed. */
export interface RemainingPlan<Keep> {
  readonly task: MatchTask;
  /** Combines the records found for `task` with the stored ones. */
  readonly join: (records: readonly Uint32Array[]) => Uint32Array;
  /** Valid comparisons of passages, for `ReportContext`. */
  readonly compared: Uint32Array;
  readonly keep: Keep;
}

/** Returns the complete plan, without using or storing any matches. */
// eslint-disable-next-line require-yield -- there is nothing to wait for
export function* removeNothingSteps({ task }: Pick<MatchPlan, 'task'>): Generator<void, RemainingPlan<undefined>> {
  return { task, join: joinRecords, compared: noComparisons.passages, keep: undefined };
}

/** Removes pairs of documents from a plan if their stored matches are still valid. Runs in steps. */
export function* removeKnownSteps(
  kernel: Kernel,
  { documents, task }: Pick<MatchPlan, 'documents' | 'task'>,
  files: Iterable<IndexedFile>,
  earlier: EarlierMatches | undefined,
): Generator<void, RemainingPlan<MatchKeeper>> {
  const digests = new Map(Array.from(files, ({ path, digest }) => [path, digest]));
  const compared = documents.map(({ path, part }) => ({ path, part, digest: digests.get(path) ?? 0n }));
  const knownResults = earlier === undefined ? nothing : storedResults(kernel, { documents, task }, compared, earlier);
  yield;
  const { seeds, pairs, records } = yield* separateKnownSteps(kernel, task.seeds, knownResults.matches);
  return {
    task: { ...task, seeds },
    join: (found) => joinRecords([...found, ...records]),
    compared: knownResults.passages,
    keep: (all, epoch, comparisons) => {
      const isSame =
        earlier?.epoch === epoch &&
        earlier.comparisons !== noComparisons &&
        seeds.count === 0 &&
        pairs.length === earlier.matches.pairs.length &&
        compared.length === earlier.documents.length &&
        compared.every((document, number) => keyOf(document) === keyOf(earlier.documents[number]!));
      if (isSame) return earlier;
      const matches = { pairs, records: sortRecords(all) };
      return { documents: compared, epoch, matches, comparisons: comparisons() };
    },
  };
}

interface StoredResults {
  readonly matches: PairMatches;
  readonly passages: Uint32Array;
}

const nothing: StoredResults = { matches: noMatches, passages: noComparisons.passages };

/** Returns the stored results for unchanged documents, with the document numbers of the plan. */
function storedResults(
  kernel: Kernel,
  { documents, task }: Pick<MatchPlan, 'documents' | 'task'>,
  compared: readonly ComparedDocument[],
  earlier: EarlierMatches,
): StoredResults {
  const numbers = new Map(compared.map((document, number) => [keyOf(document), number]));
  const numberOf = Int32Array.from(earlier.documents, (document) =>
    document.digest === 0n ? -1 : (numbers.get(keyOf(document)) ?? -1),
  );
  if (earlier.epoch.idfTable.length !== kernel.exports.idfTableBytes()) return nothing;
  const alike = weighedAlike(kernel, { documents, task }, earlier.epoch.idfTable);
  const languageHashOf = (number: number): number => documents[number]!.index.languageHash;
  // The weights of a pair's tokens depend only on the language of its first document.
  const holds =
    alike === 'all'
      ? () => true
      : (docA: number, docB: number) => alike[docA]! && alike[docB]! && languageHashOf(docA) === languageHashOf(docB);
  const matches = renumber(earlier.matches, numberOf, holds);
  const passages = renumberList(earlier.comparisons.passages, comparisonWords, numberOf, holds);
  const lengthOf = (number: number): number => documents[number]!.index.tokenCount;
  return areInDocuments(matches.records, lengthOf) ? { matches, passages } : nothing;
}

/** Yields the stored comparisons of whole files that have not changed. */
export function* knownOverlaps(
  files: readonly IndexedFile[],
  { documents, comparisons }: EarlierMatches,
): Generator<{ readonly a: DocumentIndex; readonly b: DocumentIndex; readonly counts: ShingleCounts }> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const documentOf = (number: number): DocumentIndex | undefined => {
    const { path, part, digest } = documents[number]!;
    const file = byPath.get(path);
    const isSame = file !== undefined && part === 'text' && digest !== 0n && file.digest === digest;
    return isSame && !('reason' in file.content) ? file.content : undefined;
  };
  const words = comparisons.files;
  for (let at = 0; at < words.length; at += storedOverlapWords) {
    const [a, b] = [documentOf(words[at]!), documentOf(words[at + 1]!)];
    const [inBoth, inA, inB] = [words[at + 2]!, words[at + 3]!, words[at + 4]!];
    const isPossible = inA > 0 && inB > 0 && inBoth <= Math.min(inA, inB);
    if (a && b && isPossible) yield { a, b, counts: [inBoth, inA, inB] };
  }
}

/** Returns a key for the text of a document, which includes its path. */
export function keyOf({ path, part, digest }: ComparedDocument): string {
  return `${path}\0${part}\0${digest.toString(16)}`;
}

/** Returns true for each document with unchanged weights of its tokens; returns `all` if all are unchanged. */
function weighedAlike(
  kernel: Kernel,
  { documents, task }: Pick<MatchPlan, 'documents' | 'task'>,
  idfTable: Uint8Array,
): 'all' | readonly boolean[] {
  const now = kernel.bytes.subarray(task.idfTable, task.idfTable + idfTable.length);
  if (areEqual(now, idfTable)) return 'all';
  const mark = kernel.mark();
  const before = allocateIdfTable(kernel);
  kernel.bytes.set(idfTable, before);
  const alike = documents.map(({ index }) => isWeighedAlike(kernel, index, before, task.idfTable));
  kernel.release(mark);
  return alike;
}
