/** The matches that an update of a corpus has found, for callers that store matches. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { PairKey } from '../seeds/liveSeeds.ts';

/** New matches, and the pairs of documents that they replace. Documents are numbers. */
export interface MatchedPairs {
  /** Documents all of whose earlier matches are void. */
  readonly renewed: ReadonlySet<number>;
  /** Pairs of other documents whose earlier matches are void. */
  readonly others: ReadonlySet<PairKey>;
  /** The new matches: pairs and records as in `PairMatches`, but not sorted. */
  readonly pairs: Uint32Array;
  readonly records: Uint32Array;
  /** Returns the document with a number, as of the time of matching. */
  readonly documentOf: (number: number) => DocumentIndex;
}
