/** Matches found by an update of a corpus, for callers that store matches. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { PairKey } from '../seeds/liveSeeds.ts';

/** Matched pairs by document number. */
export interface MatchedPairs {
  /** Documents whose earlier matches are all void. */
  readonly renewed: ReadonlySet<number>;
  /** Other pairs whose earlier matches are void. */
  readonly others: ReadonlySet<PairKey>;
  /** The new matches: pairs and records as in `PairMatches`, but in any order. */
  readonly pairs: Uint32Array;
  readonly records: Uint32Array;
  /** Returns the document of a number, as it was matched. */
  readonly documentOf: (number: number) => DocumentIndex;
}
