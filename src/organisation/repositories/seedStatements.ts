/**
 * The SQL of the search for seeds, from the windows in Parquet files to candidate pairs, with the limits of a scan. One
 * text serves DuckDB (seedSearch.ts), Spark (sparkPlan.ts), and other engines with `bit_count`.
 * docs/organisation-folder.md describes the tables.
 *
 *   window_of_document ─▶ fingerprint ─▶ near ─▶ near seeds
 *           └──────────────────┴───────▶ repeated ─▶ equal seeds
 *
 *   phrase_of_document ─▶ phrase seeds
 *
 * A place is the number of a document, times 2^32, plus the first token of a window. So comparing places compares
 * documents first. A fingerprint is stored minus 2^63, because Spark has no unsigned numbers: the order and the
 * differing bits of two fingerprints stay the same.
 */
import { constants } from '../../core/engine/constants.ts';
import type { Options } from '../../core/engine/options.ts';
import { blockCount, maxPartners } from '../../core/engine/seeds/nearPairs.ts';
import { linksInDocument } from '../../core/kernel/seeds/equalWindowsLayout.ts';
import { maxLinesOfPhrase } from '../../core/kernel/seeds/phrasesLayout.ts';
import { runOnly, unitOnly } from '../../core/kernel/seeds/seedLayout.ts';
import { type ChosenBlocks, chosenBlocks } from '../../core/methods/permutation.ts';
import { distanceOf, type View, views } from './blocks.ts';

/** Returns the bits in which two numbers differ, as SQL. Engines have different operators. */
export type Xor = (x: string, y: string) => string;
export const xorOfDuckDB: Xor = (x, y) => `xor(${x}, ${y})`;
export const xorOfSpark: Xor = (x, y) => `(${x} ^ ${y})`;

const { allPairs } = constants.seeds;
/** Minimum distance, in tokens, of two windows of a document that do not overlap. */
const tokensApart = constants.written.tokens;
const own = 'PARTITION BY w.view, w.fp, w.document ORDER BY w.place';
const ranks = Array.from({ length: linksInDocument }, (_, i) => `SELECT ${i} AS back`).join(' UNION ALL ');

/** Statements that are the same for all engines, options, and numbers of fingerprints. */
export const seedStatements = {
  /** Windows of all documents. Needs `document`, with the number of the document of each content and part. */
  windows: `SELECT view,
  CAST(CAST(fp AS DECIMAL(20, 0)) - 9223372036854775808 AS BIGINT) AS fp,
  number AS document, number * 4294967296 + position AS place
FROM windows JOIN document USING (partition, content, part)`,

  /** Lines of all documents with their phrases. Needs `document`. */
  phrases: `SELECT phrase, language, number * 4294967296 + position AS place
FROM phrases JOIN document USING (partition, content, part)`,

  /** The distinct fingerprints with their first windows. */
  fingerprints: `SELECT view, fp, min(place) AS place, count(*) AS windows
FROM window_of_document GROUP BY view, fp`,

  count: 'SELECT view, count(*) AS fingerprints FROM fingerprint GROUP BY view',

  /**
   * Windows whose fingerprint occurs more than once. Each row has the first window of the fingerprint (`head`), and the
   * one before this window (`previous`). Among the windows of the fingerprint in the same document, it also has the
   * rank of this window (`ordinal`), and the number of earlier windows that it does not overlap (`clear`).
   */
  repeated: `SELECT w.view, w.fp, w.document, w.place, f.windows, f.place AS head,
  lag(w.place) OVER (PARTITION BY w.view, w.fp ORDER BY w.place) AS previous,
  row_number() OVER (${own}) AS ordinal,
  count(*) OVER (${own} RANGE BETWEEN UNBOUNDED PRECEDING AND ${tokensApart} PRECEDING) AS clear
FROM window_of_document w JOIN fingerprint f ON f.view = w.view AND f.fp = w.fp
WHERE f.windows > 1`,

  /**
   * Seeds of equal fingerprints, by the rule of `linkEqual` (src/core/kernel/seeds/equalWindows.ts): between windows of
   * different documents (if there are many, only the first window of each document), and between windows of one
   * document.
   */
  equal: `SELECT x.place AS a, y.place AS b, 0 AS bits
FROM repeated x JOIN repeated y ON x.view = y.view AND x.fp = y.fp
WHERE x.windows <= ${allPairs} AND x.document < y.document
UNION ALL SELECT head, place, 0 FROM repeated WHERE windows > ${allPairs} AND ordinal = 1 AND previous IS NOT NULL
UNION ALL SELECT previous, place, 0 FROM repeated WHERE windows > ${allPairs} AND ordinal = 1 AND previous > head
UNION ALL SELECT x.place, y.place, CASE WHEN y.back = 0 THEN 0 ELSE ${runOnly} END
FROM (
  SELECT view, fp, document, place, clear - back AS nearest, back FROM repeated CROSS JOIN (${ranks}) WHERE clear > back
) y
JOIN repeated x ON x.view = y.view AND x.fp = y.fp AND x.document = y.document AND x.ordinal = y.nearest`,

  /** Seeds of phrases: all pairs of lines in different languages with the same phrase, unless too many have it. */
  phraseSeeds: `SELECT x.place AS a, y.place AS b, ${unitOnly} AS bits
FROM (
  SELECT phrase FROM phrase_of_document GROUP BY phrase
  HAVING count(*) <= ${maxLinesOfPhrase} AND min(language) < max(language)
) shared
JOIN phrase_of_document x ON x.phrase = shared.phrase
JOIN phrase_of_document y ON y.phrase = shared.phrase
WHERE x.language <> y.language AND x.place < y.place`,
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

export interface NearStatements {
  /** Statements that find the pairs, one for each block key. */
  readonly near: readonly string[];
  /** Counts the fingerprints with more smaller ones within the distance than are kept as partners. */
  readonly crowded: string;
  /**
   * Seeds: pairs of the first windows of near fingerprints, unless these overlap in one document. For each fingerprint,
   * only the nearest smaller fingerprints are kept.
   */
  readonly seeds: string;
}

/** @param fingerprints  number of distinct fingerprints in the view */
export function nearStatements(xor: Xor, { view, distance }: SearchedView, fingerprints: number): NearStatements {
  const kept = maxPartners(fingerprints, distance);
  const [a, b] = ['least(x.place, y.place)', 'greatest(x.place, y.place)'];
  return {
    near: chosenBlocks(blockCount(fingerprints, distance), distance).map((key) => nearPairs(xor, view, distance, key)),
    crowded: `SELECT count(*) AS crowded
FROM (SELECT greater FROM near GROUP BY greater HAVING count(*) > ${kept})`,
    seeds: `SELECT ${a} AS a, ${b} AS b, CAST(kept.bits AS INTEGER) AS bits
FROM (
  SELECT greater, lesser, bits, row_number() OVER (PARTITION BY greater ORDER BY bits, lesser) AS nearness FROM near
) kept
JOIN fingerprint x ON x.view = ${view} AND x.fp = kept.greater
JOIN fingerprint y ON y.view = ${view} AND y.fp = kept.lesser
WHERE kept.nearness <= ${kept} AND ${b} - ${a} >= ${tokensApart}`,
  };
}

/**
 * The pairs of fingerprints of a view that are within a distance and agree on a block key. A pair that agrees on
 * several keys is returned only for the first of them.
 */
function nearPairs(xor: Xor, view: number, distance: number, { mask, earlierMasks }: ChosenBlocks): string {
  const bits = xor('x.fp', 'y.fp');
  const key = `SELECT fp, fp & ${signed(mask)} AS block FROM fingerprint WHERE view = ${view}`;
  const others = earlierMasks.map((block) => `\n  AND (${bits} & ${signed(block)}) <> 0`);
  return `SELECT x.fp AS greater, y.fp AS lesser, bit_count(${bits}) AS bits
FROM (${key}) x JOIN (${key}) y ON x.block = y.block AND x.fp > y.fp
WHERE bit_count(${bits}) <= ${distance}${others.join('')}`;
}

/** Returns 64 bits as a signed number. */
function signed(bits: bigint): string {
  return `CAST(${BigInt.asIntN(64, bits)} AS BIGINT)`;
}

/** Returns a cache key. Numbers of fingerprints that lead to the same statements have the same key. */
export function limitsOf(fingerprints: number, distance: number): string {
  return `${blockCount(fingerprints, distance)} ${maxPartners(fingerprints, distance)}`;
}
