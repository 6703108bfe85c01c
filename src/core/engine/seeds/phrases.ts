/**
 * Lines of code by their phrases or patterns (src/core/kernel/seeds/phrases.ts). Phrases are searched only if there are
 * functions in several languages, because only lines in different languages are linked. Patterns are searched only if
 * the maximum distance is that of the preset *Loose* or more.
 */
import * as layout from '../../kernel/seeds/phrasesLayout.ts';
import { presets } from '../dials.ts';
import type { DocumentShape } from '../documents/documents.ts';
import type { Kernel } from '../kernel.ts';
import { familyOf } from '../languages/languageHash.ts';
import { slices } from '../steps.ts';

/** Features of lines. Lines with the same feature are linked. */
export type LineFeature = 'phrase' | 'pattern';

/**
 * Returns true if lines are linked by their patterns, given the maximum distance of windows of code. It is the
 * distance at which the required score is lowest (`contentFor`).
 */
export function searchesPatterns(distance: number): boolean {
  return distance >= presets.loose.maxDistance;
}

/** Addresses of the lists of windows: fingerprint, phrase, or pattern, number, document, and first token of each. */
export interface GatheredWindows {
  readonly fingerprints: number;
  readonly ids: number;
  readonly docs: number;
  readonly positions: number;
}

/** Address of a table of documents, and the number of documents in it. */
export interface ListedDocuments {
  readonly table: number;
  readonly count: number;
}

/** Properties of a document that determine if its lines may have phrases, and in which language. */
export type DocumentOfPhrases = Pick<DocumentShape, 'prose' | 'unitCount' | 'windowCount' | 'languageHash'>;

/**
 * Selects phrases, which are passed as numbers of 40 bits. Returns true if lines with this phrase may be linked. If it
 * is not known how many lines have a phrase, the caller of a search has to count them.
 */
export type PhraseFilter = (phrase: number) => boolean;

/** Sets the phrases (u64) at an address to 0 that may not be linked. */
export function filterPhrases({ words }: Kernel, address: number, count: number, isLinked: PhraseFilter): void {
  for (let at = address >>> 2, end = at + 2 * count; at < end; at += 2) {
    if (isLinked(phraseNumber(words[at + 1], words[at]))) continue;
    words[at] = 0;
    words[at + 1] = 0;
  }
}

/** Returns the 40 bits of a phrase as a number, given its upper and lower half. */
export function phraseNumber(high: number, low: number): number {
  return high * 2 ** (32 - layout.phraseShift) + (low >>> layout.phraseShift);
}

/** Returns true if the lines of a document are searched by phrases or patterns. */
export function hasPhrases({ prose, unitCount, windowCount }: DocumentOfPhrases): boolean {
  return !prose && unitCount > 0 && windowCount > 0;
}

/** Returns the number of lines that may have a phrase by language family. If there is one family, none is a seed. */
export function linesByFamily(documents: Iterable<DocumentOfPhrases>): Map<number, number> {
  const lines = new Map<number, number>();
  for (const document of documents) {
    if (!hasPhrases(document)) continue;
    const family = familyOf(document.languageHash);
    lines.set(family, (lines.get(family) ?? 0) + document.windowCount);
  }
  return lines;
}

/** Lines to gather. */
export interface GatheredLines {
  readonly feature: LineFeature;
  /** If given, lines in languages of this family are omitted if no other line may have the same phrase. */
  readonly family?: number;
}

/** Number of documents whose phrases or patterns are computed in one step. */
const documentsOfStep = 256;

/**
 * Gathers the lines of all documents that have a phrase or pattern, in steps of a few milliseconds. Returns their
 * number.
 *
 * @param lists     lists with room for the windows of all documents of code
 * @param allocate  allocates scratch memory
 */
export function* gatherPhrasesSteps(
  kernel: Kernel,
  { table, count }: ListedDocuments,
  lists: GatheredWindows,
  allocate: (size: number) => number,
  { feature, family }: GatheredLines,
): Generator<void, number> {
  const { exports } = kernel;
  const record = allocate(layout.phraseListsBytes);
  const filter = family === undefined ? 0 : allocate(layout.phraseFilterBytes);
  kernel.bytes.fill(0, filter, filter === 0 ? 0 : filter + layout.phraseFilterBytes);
  const { words } = kernel;
  words[(record + layout.phraseListsDocumentsAt) >>> 2] = table;
  words[(record + layout.phraseListsFilterAt) >>> 2] = filter;
  words[(record + layout.phraseListsLanguageAt) >>> 2] = family ?? 0;
  words[(record + layout.phraseListsHasPatternsAt) >>> 2] = Number(feature === 'pattern');
  words[(record + layout.phraseListsPhrasesAt) >>> 2] = lists.fingerprints;
  words[(record + layout.phraseListsIdsAt) >>> 2] = lists.ids;
  words[(record + layout.phraseListsDocsAt) >>> 2] = lists.docs;
  words[(record + layout.phraseListsPositionsAt) >>> 2] = lists.positions;
  words[(record + layout.phraseListsCountAt) >>> 2] = 0;
  if (filter !== 0) yield* slices(count, documentsOfStep, (from, to) => exports.markPhrases(record, from, to));
  yield* slices(count, documentsOfStep, (from, to) => exports.gatherPhrases(record, from, to));
  return kernel.words[(record + layout.phraseListsCountAt) >>> 2];
}
