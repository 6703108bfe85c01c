/** What an update of a corpus has matched, for whoever keeps matches. */
import type { DocumentIndex } from '../documents/documents.ts';
import type { PairKey } from '../seeds/liveSeeds.ts';

/** By number of document. */
export interface MatchedPairs {
  /** Documents of which all that was matched before is void. */
  readonly renewed: ReadonlySet<number>;
  /** Pairs of others of which it is void as well. */
  readonly others: ReadonlySet<PairKey>;
  /** What takes its place: pairs and records as in `PairMatches`, but in any order. */
  readonly pairs: Uint32Array;
  readonly records: Uint32Array;
  /** The document of a number, as it was matched. */
  readonly documentOf: (number: number) => DocumentIndex;
}
