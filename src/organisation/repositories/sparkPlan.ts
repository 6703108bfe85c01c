/** Plan of a comparison on Spark: the files and SQL for src/organisation/spark/scan.py. */
import { sum } from '../../core/collections/lists.ts';
import { linesByFamily } from '../../core/engine/seeds/phrases.ts';
import type { View } from './blocks.ts';
import { partsOfTexts, prefixOf, type StoredDocuments } from './folderContents.ts';
import {
  limitsOf,
  nearStatements,
  type NearStatements,
  type SearchedView,
  searchedViews,
  seedStatements,
  xorOfSpark,
} from './seedStatements.ts';
import type { ComparedIndex } from './storedComparison.ts';

/** Plain data, which is passed as JSON. */
export interface SparkPlan {
  /** See `stateOf`. */
  readonly state: string;
  readonly folder: string;
  /** Absolute path of a folder for candidate pairs and matches, with which an interrupted comparison continues. */
  readonly saved: string;
  /** For each repository, the prefix of its paths and the id of its table of documents. */
  readonly repositories: readonly (readonly [string, string])[];
  readonly partitions: readonly string[];
  readonly windows: number;
  readonly searchesPhrases: boolean;
  readonly queries: typeof seedStatements;
  readonly views: readonly { readonly view: View; readonly levels: readonly Level[] }[];
}

interface Level extends NearStatements {
  /** Maximum number of distinct fingerprints for which these statements are valid. */
  readonly fingerprints: number;
}

export function sparkPlan(
  { index, method, states, source: { partitions } }: ComparedIndex,
  stored: StoredDocuments,
  own: Pick<SparkPlan, 'state' | 'saved'>,
): SparkPlan {
  return {
    ...own,
    folder: index.folder,
    repositories: states.map((one) => [prefixOf(one), one.documents]),
    partitions: partitions.map(({ id }) => id),
    windows: sum(partitions.map((partition) => partition.description().windows)),
    searchesPhrases: linesByFamily(partsOfTexts(stored)).size > 1,
    queries: seedStatements,
    views: searchedViews(method.options).map((searched) => ({
      view: searched.view,
      levels: [...levelsOf(searched)],
    })),
  };
}

const maxFingerprints = 2 ** 40;

/** Yields the queries for each range of numbers of fingerprints. */
function* levelsOf(searched: SearchedView): Generator<Level> {
  for (let from = 1; from <= maxFingerprints;) {
    const fingerprints = lastLike(from, searched.distance);
    yield { fingerprints, ...nearStatements(xorOfSpark, searched, from) };
    from = fingerprints + 1;
  }
}

/** Returns the greatest number of fingerprints that are searched like this number. The limits only grow. */
function lastLike(from: number, distance: number): number {
  const own = limitsOf(from, distance);
  let [like, unlike] = [from, maxFingerprints + 1];
  while (unlike - like > 1) {
    const middle = Math.floor((like + unlike) / 2);
    if (limitsOf(middle, distance) === own) like = middle;
    else unlike = middle;
  }
  return like;
}
