/**
 * Matches of an earlier time, by the documents that were compared then: what holds of them for the documents of a plan,
 * and what is kept of a plan for the next time.
 */
import type { MatchPlan } from '../engine/matches/matchPlan.ts';
import type { Kernel } from '../engine/kernel.ts';
import type { DocumentPart } from '../engine/documents/namedDocument.ts';
import {
  areInDocuments,
  noMatches,
  type PairMatches,
  renumber,
  sortRecords,
  takeKnownSteps,
} from '../engine/matches/knownMatches.ts';
import { joinRecords, type MatchTask } from '../engine/matches/matches.ts';
import { allocateIdfTable, isWeighedAlike } from '../engine/matches/idf.ts';
import type { Epoch } from './epoch.ts';
import type { IndexedFile } from './indexedFile.ts';

/** A document that was compared. */
export interface ComparedDocument {
  readonly path: string;
  readonly part: DocumentPart;
  /** The digest of the file's text; 0 where nobody knows it. */
  readonly digest: bigint;
}

/** What all documents of a time have come to, by number. It is never changed. */
export interface EarlierMatches {
  /** By path, parts behind their text. */
  readonly documents: readonly ComparedDocument[];
  readonly epoch: Epoch;
  readonly matches: PairMatches;
}

/** What is to be kept, when these are all records; what there was, when it is the same. */
export type KeepMatches = (records: Uint32Array, epoch: Epoch) => EarlierMatches;

/** What is left to do of a plan. */
export interface PlanLeft<Keep> {
  readonly task: MatchTask;
  /** All records, when these are those of the task. */
  readonly join: (records: readonly Uint32Array[]) => Uint32Array;
  readonly keep: Keep;
}

/** A plan of which nothing is known, and nothing kept. */
// eslint-disable-next-line require-yield -- it takes no time
export function* leaveAllSteps({ task }: Pick<MatchPlan, 'task'>): Generator<void, PlanLeft<undefined>> {
  return { task, join: joinRecords, keep: undefined };
}

/**
 * Takes out of a plan what is known of an earlier time, in steps.
 *
 * @param files  those that the plan is made of
 */
export function* leaveKnownSteps(
  kernel: Kernel,
  { documents, task }: Pick<MatchPlan, 'documents' | 'task'>,
  files: Iterable<IndexedFile>,
  earlier: EarlierMatches | undefined,
): Generator<void, PlanLeft<KeepMatches>> {
  const digests = new Map(Array.from(files, ({ path, digest }) => [path, digest]));
  const compared = documents.map(({ path, part }) => ({ path, part, digest: digests.get(path) ?? 0n }));
  const known = earlier === undefined ? noMatches : knownOf(kernel, { documents, task }, compared, earlier);
  yield;
  const { seeds, pairs, records } = yield* takeKnownSteps(kernel, task.seeds, known);
  return {
    task: { ...task, seeds },
    join: (found) => joinRecords([...found, ...records]),
    keep: (all, epoch) => {
      const isSame =
        earlier?.epoch === epoch &&
        seeds.count === 0 &&
        pairs.length === earlier.matches.pairs.length &&
        compared.length === earlier.documents.length &&
        compared.every((document, number) => keyOf(document) === keyOf(earlier.documents[number]!));
      return isSame ? earlier : { documents: compared, epoch, matches: { pairs, records: sortRecords(all) } };
    },
  };
}

/** What is known of pairs of documents that are what they were, under the numbers of the plan. */
function knownOf(
  kernel: Kernel,
  { documents, task }: Pick<MatchPlan, 'documents' | 'task'>,
  compared: readonly ComparedDocument[],
  earlier: EarlierMatches,
): PairMatches {
  const numbers = new Map(compared.map((document, number) => [keyOf(document), number]));
  const numberOf = Int32Array.from(earlier.documents, (document) =>
    document.digest === 0n ? -1 : (numbers.get(keyOf(document)) ?? -1),
  );
  if (earlier.epoch.idfTable.length !== kernel.exports.idfTableBytes()) return noMatches;
  const alike = weighedAlike(kernel, { documents, task }, earlier.epoch.idfTable);
  const languageHashOf = (number: number): number => documents[number]!.index.languageHash;
  // Tokens of both are looked up as tokens of the first.
  const holds =
    alike === 'all'
      ? () => true
      : (docA: number, docB: number) => alike[docA]! && alike[docB]! && languageHashOf(docA) === languageHashOf(docB);
  const known = renumber(earlier.matches, numberOf, holds);
  const lengthOf = (number: number): number => documents[number]!.index.tokenCount;
  return areInDocuments(known.records, lengthOf) ? known : noMatches;
}

/** A document by what was compared. */
export function keyOf({ path, part, digest }: ComparedDocument): string {
  return `${path}\0${part}\0${digest.toString(16)}`;
}

/** For each document whether its tokens are as telling as they were. */
function weighedAlike(
  kernel: Kernel,
  { documents, task }: Pick<MatchPlan, 'documents' | 'task'>,
  idfTable: Uint8Array,
): 'all' | readonly boolean[] {
  const now = kernel.bytes.subarray(task.idfTable, task.idfTable + idfTable.length);
  if (Buffer.compare(now, idfTable) === 0) return 'all';
  const mark = kernel.mark();
  const before = allocateIdfTable(kernel);
  kernel.bytes.set(idfTable, before);
  const alike = documents.map(({ index }) => isWeighedAlike(kernel, index, before, task.idfTable));
  kernel.release(mark);
  return alike;
}
