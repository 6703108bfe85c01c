/** The matches that an update of a corpus has found, for callers that store them. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { PairKey } from '../seeds/liveSeeds.ts';

/** New matches, and the pairs of documents whose stored matches they replace. Documents are identified by number. */
export interface MatchedPairs {
  /** Documents with changed text. All of their earlier matches are void. */
  readonly renewed: ReadonlySet<number>;
  /** Pairs of unchanged documents whose earlier matches are no longer valid. */
  readonly others: ReadonlySet<PairKey>;
  /** The new matches. Pairs and records have the format of `PairMatches`, but are not sorted. */
  readonly pairs: Uint32Array;
  readonly records: Uint32Array;
  /** Returns the document that had a number when the matches were found. */
  readonly documentOf: (number: number) => DocumentIndex;
}
