/**
 * The matches of the last full comparison, to which the changes of later updates have been applied. They equal the
 * matches of a new full comparison. So after many edits, a reopened window can reuse as much as after a scan.
 */
import type { MatchedPairs } from '../../core/engine/matches/matchedPairs.ts';
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { partsOf } from '../../core/engine/documents/namedDocument.ts';
import {
  type PairMatches,
  pairWords,
  renumber,
  renumberList,
  sortDocumentPairs,
  sortedWords,
  sortRecords,
} from '../../core/engine/matches/knownMatches.ts';
import type { LiveCorpus } from '../../core/engine/liveCorpus.ts';
import { storedOverlapWords } from '../../core/engine/files/fileOverlap.ts';
import { comparisonWords } from '../../core/engine/groups/comparedPassages.ts';
import { documentsOf, type PairKey, pairKey } from '../../core/engine/seeds/liveSeeds.ts';
import { joinRecords } from '../../core/engine/matches/matches.ts';
import { matchRecordBytes } from '../../core/engine/matches/matchRecord.ts';
import { byPath } from '../io/byPath.ts';
import { type ComparedDocument, type EarlierMatches, keyOf, noComparisons } from './earlierMatches.ts';
import type { Epoch } from './epoch.ts';
import type { IndexedFile } from './indexedFile.ts';

type LiveComparisons = NonNullable<ReturnType<LiveCorpus['comparisons']>>;

const recordWords = matchRecordBytes >>> 2;

/** Matches of two documents that an update has found. Documents are objects, because their numbers may change. */
interface FollowedPair {
  readonly documents: readonly [DocumentIndex, DocumentIndex];
  /** Digest of the pair's seeds: the last two words of the pair in `PairMatches`. */
  readonly digest: readonly [number, number];
  readonly records: readonly Uint32Array[];
}

export class FollowedMatches {
  readonly #base: EarlierMatches;
  /** Numbers of documents all of whose pairs in `#base` are out of date. */
  readonly #renewed = new Set<number>();
  /** Other pairs of documents in `#base` that are out of date. */
  readonly #void = new Set<PairKey>();
  readonly #pairs = new Map<PairKey, FollowedPair>();
  #read: EarlierMatches | undefined;

  /** @param base  matches of all documents, with the document numbers of the corpus */
  constructor(base: EarlierMatches) {
    this.#base = base;
    this.#read = base;
  }

  get epoch(): Epoch {
    return this.#base.epoch;
  }

  add({ renewed, others, pairs, records, documentOf }: MatchedPairs): void {
    this.#read = undefined;
    for (const document of renewed) this.#renewed.add(document);
    for (const key of others) this.#void.add(key);
    for (const key of [...this.#pairs.keys()]) {
      if (others.has(key) || documentsOf(key).some((document) => renewed.has(document))) this.#pairs.delete(key);
    }
    const recordsOf = new Map<PairKey, Uint32Array[]>();
    for (let at = 0; at < records.length; at += recordWords) {
      const record = records.slice(at, at + recordWords);
      const key = pairKey(record[0]!, record[1]!);
      recordsOf.set(key, [...(recordsOf.get(key) ?? []), record]);
    }
    for (let at = 0; at < pairs.length; at += pairWords) {
      const [a, b, high, low] = [pairs[at]!, pairs[at + 1]!, pairs[at + 2]!, pairs[at + 3]!];
      const key = pairKey(a, b);
      this.#pairs.set(key, {
        documents: [documentOf(a), documentOf(b)],
        digest: [high, low],
        records: recordsOf.get(key) ?? [],
      });
    }
  }

  /**
   * Returns all matches that are valid for these files, in the format of a full comparison. Returns the same object
   * until matches change.
   *
   * @param comparisons  returns the comparisons of the last report, which are then included
   */
  read(files: readonly IndexedFile[], comparisons?: () => LiveComparisons | undefined): EarlierMatches {
    const read = (this.#read ??= this.#join(files));
    const made = read.comparisons === noComparisons ? comparisons?.() : undefined;
    if (made === undefined) return read;
    return (this.#read = { ...read, comparisons: renumbered(made, numberedDocuments(files).numbers) });
  }

  #join(files: Iterable<IndexedFile>): EarlierMatches {
    const { documents, numbers } = numberedDocuments(files);
    const numberOfKey = new Map(documents.map((document, number) => [keyOf(document), number]));
    const kept = this.#keptOfBase(numberOfKey);
    const pairs: number[] = [];
    const records = [kept.records];
    for (const { documents: both, digest, records: found } of this.#pairs.values()) {
      const [a, b] = both.map((index) => numbers.get(index));
      if (a === undefined || b === undefined) continue;
      pairs.push(a, b, ...digest);
      for (const record of found) records.push(Uint32Array.of(a, b, ...record.subarray(2)));
    }
    const matches: PairMatches = {
      pairs: sortDocumentPairs(joinRecords([kept.pairs, Uint32Array.from(pairs)])),
      records: sortRecords(joinRecords(records)),
    };
    return { documents, epoch: this.#base.epoch, matches, comparisons: noComparisons };
  }

  #keptOfBase(numberOfKey: ReadonlyMap<string, number>): PairMatches {
    const { documents, matches } = this.#base;
    const numberOf = Int32Array.from(documents, (document, number) =>
      this.#renewed.has(number) ? -1 : (numberOfKey.get(keyOf(document)) ?? -1),
    );
    const voided = new Set<PairKey>();
    for (const key of this.#void) {
      const [a, b] = documentsOf(key).map((number) => numberOf[number] ?? -1) as [number, number];
      if (a >= 0 && b >= 0) voided.add(pairKey(a, b));
    }
    return renumber(matches, numberOf, (a, b) => !voided.has(pairKey(a, b)));
  }
}

/** Returns the documents of files in the order of a full comparison, and their numbers. */
function numberedDocuments(files: Iterable<IndexedFile>): {
  readonly documents: readonly ComparedDocument[];
  readonly numbers: ReadonlyMap<DocumentIndex, number>;
} {
  const documents: ComparedDocument[] = [];
  const numbers = new Map<DocumentIndex, number>();
  for (const { path, content, digest } of [...files].sort(byPath)) {
    if ('reason' in content) continue;
    for (const { index, part } of partsOf(path, content)) {
      numbers.set(index, documents.length);
      documents.push({ path, part, digest });
    }
  }
  return { documents, numbers };
}

/** Returns comparisons with other document numbers. Omits those of documents without a number. */
function renumbered(
  { documents, passages, files }: LiveComparisons,
  numbers: ReadonlyMap<DocumentIndex, number>,
): EarlierMatches['comparisons'] {
  const numberOf = Int32Array.from(documents, (document) => (document && numbers.get(document.index)) ?? -1);
  const list = (words: Uint32Array, width: number): Uint32Array => renumberList(words, width, numberOf, () => true);
  return {
    passages: sortedWords(list(passages, comparisonWords), comparisonWords),
    files: list(files, storedOverlapWords),
  };
}
