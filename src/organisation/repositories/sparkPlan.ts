/** Plan of a comparison on Spark: the files and SQL for src/organisation/spark/scan.py. */
import type { Options } from '../../core/engine/options.ts';
import {
  countCrowded,
  countFingerprints,
  dialectOfSpark,
  distinctFingerprints,
  equalSeeds,
  nearPairs,
  nearSeeds,
  repeatedWindows,
  windowsOfDocuments,
} from '../folder/steps.ts';
import { distanceOf, type View, views } from './blocks.ts';
import { equalLinks, nearSearch, tokensApart } from './seedLimits.ts';

/** Plain data, which is passed as JSON. */
export interface SparkPlan {
  /** See `stateOf`. */
  readonly state: string;
  /** Absolute path of the index. */
  readonly folder: string;
  /** For each repository, the prefix of its paths and the id of its table of documents. */
  readonly repositories: readonly (readonly [string, string])[];
  /** Ids. */
  readonly partitions: readonly string[];
  /** Number of windows of all partitions. */
  readonly windows: number;
  readonly queries: typeof queries;
  readonly views: readonly { readonly view: View; readonly levels: readonly Level[] }[];
}

/** Queries for near fingerprints. */
interface Level {
  /** Maximum number of distinct fingerprints for which these statements are valid. */
  readonly fingerprints: number;
  /** Statements for near fingerprints, one for each block key. */
  readonly near: readonly string[];
  readonly crowded: string;
  readonly seeds: string;
}

const queries = {
  windows: windowsOfDocuments('windows', 'partition, content, part'),
  fingerprints: distinctFingerprints,
  count: countFingerprints,
  repeated: repeatedWindows(tokensApart),
  equal: equalSeeds(equalLinks),
};

export function sparkPlan(options: Options, stored: Omit<SparkPlan, 'queries' | 'views'>): SparkPlan {
  const searched = views.filter((view) => distanceOf(view, options) > 0);
  return {
    ...stored,
    queries,
    views: searched.map((view) => ({ view, levels: [...levelsOf(view, distanceOf(view, options))] })),
  };
}

const maxFingerprints = 2 ** 40;

/** Yields the queries for each range of numbers of fingerprints. */
function* levelsOf(view: View, distance: number): Generator<Level> {
  for (let from = 1; from <= maxFingerprints;) {
    const { keys, most } = nearSearch(from, distance);
    const fingerprints = lastLike(from, distance);
    yield {
      fingerprints,
      near: keys.map((key) => nearPairs(dialectOfSpark, view, distance, key)),
      crowded: countCrowded(most),
      seeds: nearSeeds(view, most, tokensApart),
    };
    from = fingerprints + 1;
  }
}

/** Returns the greatest number of fingerprints that are searched like this number. The limits only grow. */
function lastLike(from: number, distance: number): number {
  const limits = (count: number): string => {
    const { keys, most } = nearSearch(count, distance);
    return `${keys.length} ${most}`;
  };
  const own = limits(from);
  let [like, unlike] = [from, maxFingerprints + 1];
  while (unlike - like > 1) {
    const middle = Math.floor((like + unlike) / 2);
    if (limits(middle) === own) like = middle;
    else unlike = middle;
  }
  return like;
}
