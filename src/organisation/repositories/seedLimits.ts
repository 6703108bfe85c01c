/** Limits of the search for seeds, for the SQL of folder/steps.ts. They equal the limits of a scan. */
import { blockCount, mostPartners } from '../../core/engine/seeds/nearPairs.ts';
import { tuning } from '../../core/engine/tuning.ts';
import { linksInDocument } from '../../core/kernel/seeds/equalWindowsLayout.ts';
import { runOnly } from '../../core/kernel/seeds/seedLayout.ts';
import { type ChosenBlocks, chosenBlocks } from '../../core/methods/permutation.ts';
import type { EqualLinks } from '../folder/steps.ts';

export const equalLinks: EqualLinks = { allPairs: tuning.seeds.allPairs, inDocument: linksInDocument, runOnly };

/** Minimum distance, in tokens, of two windows of a document that do not overlap. */
export const tokensApart = tuning.written.tokens;

/** Search for near fingerprints. */
export interface NearSearch {
  readonly keys: readonly ChosenBlocks[];
  /** Maximum number of smaller fingerprints with which each fingerprint is paired. */
  readonly most: number;
}

/** Returns the search among a number of distinct fingerprints. */
export function nearSearch(different: number, distance: number): NearSearch {
  return {
    keys: chosenBlocks(blockCount(different, distance), distance),
    most: mostPartners(different, distance),
  };
}
