/**
 * An index of windows. For updates and repeated searches, it contains all windows of the documents. For a single
 * search, it contains only the windows near those of the text.
 */
import type { Comparison } from './comparison.ts';
import type { DocumentIndex } from './documents/documents.ts';
import { LiveNumbers } from './documents/liveNumbers.ts';
import { type NamedDocument, partsOf } from './documents/namedDocument.ts';
import type { Kernel } from './kernel.ts';
import { familyOf } from './languages/languageHash.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import type { Options } from './options.ts';
import { Matcher, type MatchTask } from './matches/matches.ts';
import { LiveSeeds } from './seeds/liveSeeds.ts';
import { hasPhrases, haveSeveralLanguages } from './seeds/phrases.ts';
import { distancesOf, tableBytes, windowsOf, writeDocument } from './seeds/seeds.ts';
import { findSimilar, type SearchedCorpus, type SimilarPassages, type SimilarQuery } from './similar/findSimilar.ts';

export interface WindowIndex {
  readonly numbers: LiveNumbers;
  readonly seeds: LiveSeeds;
  readonly matcher: Matcher;
  /** Families of languages whose lines may have phrases. If there were several at first, phrases are indexed. */
  readonly languages: Set<number>;
  /** The matching task. Its table of documents has one additional entry, for a text to search for. */
  readonly task: MatchTask;
}

export interface IndexedDocuments {
  /** The sorted documents. The index keeps this array and changes it. */
  readonly documents: (NamedDocument | undefined)[];
  /** Number of truncated fingerprints that `findSeedsSteps` has returned. */
  readonly truncated: number;
}

const windowsOfStep = 10_000;
/** Approximate number of windows that are near those of one text. */
const fewWindows = { code: 1000, prose: 1000 };

/**
 * Builds the index, in steps of a few dozen milliseconds.
 *
 * @param matcherFor  returns the matcher for a task. A new one allocates scratch memory, which is never released
 * @param text        index of the texts to search for, with the distances of the search. If given, only windows near
 *   these are indexed
 */
export function* indexWindowsSteps(
  { kernel, options, idfTable, brackets }: Comparison,
  { documents, truncated }: IndexedDocuments,
  matcherFor = (task: MatchTask): Matcher => new Matcher(kernel, task, options),
  text?: LiveSeeds,
): Generator<void, WindowIndex> {
  const numbers = new LiveNumbers(kernel, documents);
  const task: MatchTask = {
    table: kernel.allocateBlock(tableBytes(numbers.room + 1)),
    idfTable,
    brackets,
    seeds: { address: 0, count: 0 },
  };
  const indexes = documents.map((document) => document!.index);
  const windows = text ? fewWindows : windowsOf(indexes);
  const languages = text ? new Set<number>() : languagesOf(indexes);
  const index: WindowIndex = {
    numbers,
    task,
    languages,
    seeds: new LiveSeeds(
      kernel,
      distancesOf(options),
      windows,
      { ranks: numbers.ranks, ...((text?.hasPhrases ?? languages.size > 1) && { table: task.table }) },
      truncated,
    ),
    matcher: matcherFor(task),
  };
  index.matcher.setTask(task, options);
  let isComplete = false;
  try {
    let windowsLeft = windowsOfStep;
    for (const [number, document] of documents.entries()) {
      writeDocument(kernel, task.table, number, document!.index);
      if (text === undefined) continue;
      index.seeds.insert(number, document!.index, text);
      windowsLeft -= document!.index.windowCount;
      if (windowsLeft > 0) continue;
      windowsLeft = windowsOfStep;
      yield;
    }
    if (text === undefined) yield* index.seeds.fillSteps(task.table, documents.length, windows);
    isComplete = true;
    return index;
  } finally {
    if (!isComplete) dropWindows(kernel, index);
  }
}

function* indexesOf(documents: IndexedDocuments['documents']): Generator<DocumentIndex, void> {
  for (const document of documents) if (document) yield document.index;
}

/** Returns the families of the languages whose lines may have phrases. */
function languagesOf(documents: readonly DocumentIndex[]): Set<number> {
  return new Set(documents.filter(hasPhrases).map(({ languageHash }) => familyOf(languageHash)));
}

/**
 * Adds the languages of new documents. Returns false if there are several languages now, so that the phrases of all
 * documents have to be indexed.
 */
export function addLanguages({ languages }: WindowIndex, documents: readonly DocumentIndex[]): boolean {
  const hadSeveral = languages.size > 1;
  for (const document of documents) if (hasPhrases(document)) languages.add(familyOf(document.languageHash));
  return hadSeveral || languages.size < 2;
}

export function dropWindows(kernel: Kernel, { numbers, seeds, task }: WindowIndex): void {
  seeds.drop();
  kernel.freeBlock(task.table, tableBytes(numbers.room + 1));
  numbers.drop();
}

/** Returns the passages of indexed documents that a text nearly duplicates. */
export function findInWindows(
  { kernel, options }: Comparison,
  { numbers, seeds, matcher, task }: WindowIndex,
  documents: IndexedDocuments['documents'],
  text: DocumentIndex,
  query: SimilarQuery,
): SimilarPassages {
  const number = numbers.room;
  const searched: SearchedCorpus = {
    kernel,
    searchesPhrases: seeds.hasPhrases && haveSeveralLanguages(indexesOf(documents)),
    seeds,
    matcher,
    task,
    number,
    options,
    place: (part) => writeDocument(kernel, task.table, number, part),
    documentOf: (other) => documents[other]!,
  };
  try {
    return findSimilar(searched, text, query);
  } finally {
    matcher.setTask(task, options);
  }
}

export interface SearchedText {
  /** The text in UTF-8. */
  readonly bytes: Uint8Array;
  readonly lexicon: Lexicon;
  readonly query: SimilarQuery;
}

/**
 * Returns, for each text, the passages of documents that it nearly duplicates. Runs in steps of a few milliseconds.
 * Only windows near those of the texts are indexed. For a few searches, this is faster than building a complete index.
 */
export function* findOnceSteps(
  comparison: Comparison,
  documents: IndexedDocuments['documents'],
  searched: readonly SearchedText[],
): Generator<void, SimilarPassages[]> {
  const { kernel, options } = comparison;
  const texts = searched.map(({ bytes, lexicon }) => comparison.indexText(bytes, lexicon));
  const queries = searched.map(({ query }) => query);
  const searchesPhrases = texts.some(hasPhrases) && haveSeveralLanguages(indexesOf(documents));
  const ofTexts = textSeeds(kernel, texts, options, queries, searchesPhrases);
  try {
    const index = yield* indexWindowsSteps(comparison, { documents, truncated: 0 }, undefined, ofTexts);
    try {
      const found: SimilarPassages[] = [];
      for (const [place, text] of texts.entries()) {
        found.push(findInWindows(comparison, index, documents, text, queries[place]));
        yield;
      }
      return found;
    } finally {
      dropWindows(kernel, index);
    }
  } finally {
    ofTexts.drop();
    for (const text of texts) comparison.documents.release(text);
  }
}

/** Returns an index of the windows of the texts to search for. The index uses the greatest distances of all queries. */
function textSeeds(
  kernel: Kernel,
  texts: readonly DocumentIndex[],
  { maxDistance, prose }: Options,
  queries: readonly SimilarQuery[],
  searchesPhrases: boolean,
): LiveSeeds {
  const largest = (configured: number): number =>
    Math.max(0, ...queries.map((query) => query.maxDistance ?? configured));
  const distances = { code: largest(maxDistance), prose: largest(prose.maxDistance) };
  const parts = texts.flatMap((text) => partsOf('', text).map(({ index }) => index));
  // All texts have the same document number here, so ranks are not needed, and neither is the table of documents.
  const seeds = new LiveSeeds(
    kernel,
    distances,
    windowsOf(parts),
    { ranks: 0, ...(searchesPhrases && { table: 0 }) },
    0,
  );
  for (const index of parts) seeds.insert(0, index);
  return seeds;
}
