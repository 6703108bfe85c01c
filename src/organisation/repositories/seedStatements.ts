/**
 * The SQL statements of the search for seeds (folder/steps.ts), with the limits of a scan. DuckDB runs them one by one
 * (seedSearch.ts), and Spark as a plan (sparkPlan.ts).
 */
import type { Options } from '../../core/engine/options.ts';
import { blockCount, maxPartners } from '../../core/engine/seeds/nearPairs.ts';
import { constants } from '../../core/engine/constants.ts';
import { linksInDocument } from '../../core/kernel/seeds/equalWindowsLayout.ts';
import { maxLinesOfPhrase } from '../../core/kernel/seeds/phrasesLayout.ts';
import { runOnly, unitOnly } from '../../core/kernel/seeds/seedLayout.ts';
import { chosenBlocks } from '../../core/methods/permutation.ts';
import {
  countCrowded,
  countFingerprints,
  type Dialect,
  distinctFingerprints,
  equalSeeds,
  nearPairs,
  nearSeeds,
  phraseSeeds,
  phrasesOfDocuments,
  repeatedWindows,
  windowsOfDocuments,
} from '../folder/steps.ts';
import { distanceOf, type View, views } from './blocks.ts';

/** Minimum distance, in tokens, of two windows of a document that do not overlap. */
const tokensApart = constants.written.tokens;

/** Statements that are the same for all engines, options, and numbers of fingerprints. */
export const seedStatements = {
  windows: windowsOfDocuments,
  phrases: phrasesOfDocuments,
  fingerprints: distinctFingerprints,
  count: countFingerprints,
  repeated: repeatedWindows(tokensApart),
  equal: equalSeeds({ allPairs: constants.seeds.allPairs, inDocument: linksInDocument, runOnly }),
  phraseSeeds: phraseSeeds({ maxLines: maxLinesOfPhrase, unitOnly }),
};

/** A view, and the maximum distance of near fingerprints in it. */
export interface SearchedView {
  readonly view: View;
  readonly distance: number;
}

/** Returns the views in which near fingerprints are searched for. */
export function searchedViews(options: Options): SearchedView[] {
  return views.map((view) => ({ view, distance: distanceOf(view, options) })).filter(({ distance }) => distance > 0);
}

/** Statements for the near fingerprints of a view. */
export interface NearStatements {
  /** Statements that find the pairs, one for each block key. */
  readonly near: readonly string[];
  readonly crowded: string;
  readonly seeds: string;
}

/** @param fingerprints  number of distinct fingerprints in the view */
export function nearStatements(
  dialect: Dialect,
  { view, distance }: SearchedView,
  fingerprints: number,
): NearStatements {
  const limit = maxPartners(fingerprints, distance);
  return {
    near: chosenBlocks(blockCount(fingerprints, distance), distance).map((key) =>
      nearPairs(dialect, view, distance, key),
    ),
    crowded: countCrowded(limit),
    seeds: nearSeeds(view, limit, tokensApart),
  };
}

/** Returns a cache key. Numbers of fingerprints that lead to the same statements have the same key. */
export function limitsOf(fingerprints: number, distance: number): string {
  return `${blockCount(fingerprints, distance)} ${maxPartners(fingerprints, distance)}`;
}
