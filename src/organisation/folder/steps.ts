/**
 * The steps from the windows in Parquet files to candidate pairs, as SQL. One text serves DuckDB and Spark, and other
 * engines with `bit_count`. docs/organisation-folder.md describes the tables.
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

/** Expressions that differ between engines. */
export interface Dialect {
  readonly xor: (x: string, y: string) => string;
}

export const dialectOfDuckDB: Dialect = { xor: (x, y) => `xor(${x}, ${y})` };
export const dialectOfSpark: Dialect = { xor: (x, y) => `(${x} ^ ${y})` };

/** Windows of all documents. Needs `document`, with the number of the document of each content and part. */
export const windowsOfDocuments = `SELECT view,
  CAST(CAST(fp AS DECIMAL(20, 0)) - 9223372036854775808 AS BIGINT) AS fp,
  number AS document, number * 4294967296 + position AS place
FROM windows JOIN document USING (partition, content, part)`;

/** Lines of all documents with their phrases. Needs `document`. */
export const phrasesOfDocuments = `SELECT phrase, language, number * 4294967296 + position AS place
FROM phrases JOIN document USING (partition, content, part)`;

/** The distinct fingerprints with their first windows. */
export const distinctFingerprints = `SELECT view, fp, min(place) AS place, count(*) AS windows
FROM window_of_document GROUP BY view, fp`;

export const countFingerprints = 'SELECT view, count(*) AS fingerprints FROM fingerprint GROUP BY view';

/**
 * A block key: the bits on which two fingerprints must agree, and the bits of earlier keys, on none of which they may
 * agree.
 */
export interface BlockKey {
  readonly mask: bigint;
  readonly earlierMasks: readonly bigint[];
}

/**
 * The pairs of fingerprints of a view that are within a distance and agree on a block key. A pair that agrees on
 * several keys is returned only for the first of them.
 */
export function nearPairs({ xor }: Dialect, view: number, distance: number, { mask, earlierMasks }: BlockKey): string {
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

/**
 * Counts the crowded fingerprints: those with more smaller fingerprints within the distance than are kept as partners.
 */
export function countCrowded(maxPartners: number): string {
  return `SELECT count(*) AS crowded
FROM (SELECT greater FROM near GROUP BY greater HAVING count(*) > ${maxPartners})`;
}

/**
 * Seeds of near fingerprints: pairs of their first windows, unless these overlap in one document. For each fingerprint,
 * only the nearest smaller fingerprints are kept.
 *
 * @param apart  minimum distance, in tokens, of two windows of a document that do not overlap
 */
export function nearSeeds(view: number, maxPartners: number, apart: number): string {
  const [a, b] = ['least(x.place, y.place)', 'greatest(x.place, y.place)'];
  return `SELECT ${a} AS a, ${b} AS b, CAST(kept.bits AS INTEGER) AS bits
FROM (
  SELECT greater, lesser, bits, row_number() OVER (PARTITION BY greater ORDER BY bits, lesser) AS nearness FROM near
) kept
JOIN fingerprint x ON x.view = ${view} AND x.fp = kept.greater
JOIN fingerprint y ON y.view = ${view} AND y.fp = kept.lesser
WHERE kept.nearness <= ${maxPartners} AND ${b} - ${a} >= ${apart}`;
}

/**
 * Windows whose fingerprint occurs more than once. Each row has the first window of the fingerprint (`head`), and the
 * one before this window (`previous`). Among the windows of the fingerprint in the same document, it also has the rank
 * of this window (`ordinal`), and the number of earlier windows that it does not overlap (`clear`).
 */
export function repeatedWindows(apart: number): string {
  const own = 'PARTITION BY w.view, w.fp, w.document ORDER BY w.place';
  return `SELECT w.view, w.fp, w.document, w.place, f.windows, f.place AS head,
  lag(w.place) OVER (PARTITION BY w.view, w.fp ORDER BY w.place) AS previous,
  row_number() OVER (${own}) AS ordinal,
  count(*) OVER (${own} RANGE BETWEEN UNBOUNDED PRECEDING AND ${apart} PRECEDING) AS clear
FROM window_of_document w JOIN fingerprint f ON f.view = w.view AND f.fp = w.fp
WHERE f.windows > 1`;
}

/** Limits of links between equal windows: see `linkEqual` in src/core/kernel/seeds/equalWindows.ts. */
export interface EqualLinks {
  /** Maximum number of equal windows for which all pairs across documents are linked. */
  readonly allPairs: number;
  /** Maximum number of links to earlier windows of the same document. */
  readonly inDocument: number;
  /** Value of `bits` for links that serve only to find runs of equal tokens. */
  readonly runOnly: number;
}

/**
 * Seeds of equal fingerprints, by the rule of `linkEqual`: between windows of different documents (if there are many,
 * only the first window of each document), and between windows of one document.
 */
export function equalSeeds({ allPairs, inDocument, runOnly }: EqualLinks): string {
  const ranks = Array.from({ length: inDocument }, (_, i) => `SELECT ${i} AS back`).join(' UNION ALL ');
  return `SELECT x.place AS a, y.place AS b, 0 AS bits
FROM repeated x JOIN repeated y ON x.view = y.view AND x.fp = y.fp
WHERE x.windows <= ${allPairs} AND x.document < y.document
UNION ALL SELECT head, place, 0 FROM repeated WHERE windows > ${allPairs} AND ordinal = 1 AND previous IS NOT NULL
UNION ALL SELECT previous, place, 0 FROM repeated WHERE windows > ${allPairs} AND ordinal = 1 AND previous > head
UNION ALL SELECT x.place, y.place, CASE WHEN y.back = 0 THEN 0 ELSE ${runOnly} END
FROM (
  SELECT view, fp, document, place, clear - back AS nearest, back FROM repeated CROSS JOIN (${ranks}) WHERE clear > back
) y
JOIN repeated x ON x.view = y.view AND x.fp = y.fp AND x.document = y.document AND x.ordinal = y.nearest`;
}

/** Limits of links between lines with the same phrase: see `linkPhrases` in src/core/kernel/seeds/phrases.ts. */
export interface PhraseLinks {
  /** Maximum number of lines with the same phrase that are linked. */
  readonly maxLines: number;
  /** Value of `bits` for links that serve only to compare units. */
  readonly unitOnly: number;
}

/** Seeds of phrases: all pairs of lines in different languages with the same phrase, unless too many lines have it. */
export function phraseSeeds({ maxLines, unitOnly }: PhraseLinks): string {
  return `SELECT x.place AS a, y.place AS b, ${unitOnly} AS bits
FROM (
  SELECT phrase FROM phrase_of_document GROUP BY phrase
  HAVING count(*) <= ${maxLines} AND min(language) < max(language)
) shared
JOIN phrase_of_document x ON x.phrase = shared.phrase
JOIN phrase_of_document y ON y.phrase = shared.phrase
WHERE x.language <> y.language AND x.place < y.place`;
}
