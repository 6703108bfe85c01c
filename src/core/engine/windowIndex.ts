/**
 * An index of windows. For updates and repeated searches, it contains all windows of the documents. For a single
 * search, it contains only the windows near those of the text.
 */
import type { Comparison } from './comparison.ts';
import type { DocumentIndex } from './documents/documents.ts';
import { LiveNumbers } from './documents/liveNumbers.ts';
import { compareNames, type NamedDocument, partsOf } from './documents/namedDocument.ts';
import type { Blocks } from './kernel.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { Matcher, type MatchTask } from './matches/matches.ts';
import { LiveSeeds } from './seeds/liveSeeds.ts';
import { linesByFamily, type PhraseFilter, searchesPatterns } from './seeds/phrases.ts';
import { distancesOf, tableBytes, windowsOf, writeDocument } from './seeds/seeds.ts';
import { findSimilar, type SearchedCorpus, type SimilarPassages, type SimilarQuery } from './similar/findSimilar.ts';
import { lastOf } from './steps.ts';

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
  { kernel, options, idfTable, brackets, documents: corpus }: Comparison,
  { documents, truncated }: IndexedDocuments,
  matcherFor = (task: MatchTask): Matcher => new Matcher(kernel, task, options),
  text?: LiveSeeds,
): Generator<void, WindowIndex> {
  const blocks = corpus.keepBlocks();
  const numbers = new LiveNumbers(blocks, documents);
  const task: MatchTask = {
    table: blocks.allocate(tableBytes(numbers.room + 1)),
    idfTable,
    brackets,
    seeds: { address: 0, count: 0 },
  };
  const indexes = documents.map((document) => document!.index);
  const windows = text ? fewWindows : windowsOf(indexes);
  const languages = text ? new Set<number>() : new Set(linesByFamily(indexes).keys());
  const index: WindowIndex = {
    numbers,
    task,
    languages,
    seeds: new LiveSeeds(
      blocks,
      distancesOf(options),
      windows,
      {
        ranks: numbers.ranks,
        phrases: (text?.hasPhrases ?? languages.size > 1) ? { table: task.table } : undefined,
        hasPatterns: text?.hasPatterns ?? searchesPatterns(options.maxDistance),
      },
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
    if (!isComplete) dropWindows(blocks, index);
  }
}

function* indexesOf(documents: IndexedDocuments['documents']): Generator<DocumentIndex, void> {
  for (const document of documents) if (document) yield document.index;
}

/**
 * Adds the languages of new documents. Returns false if there are several languages now, so that the phrases of all
 * documents have to be indexed.
 */
export function addLanguages({ languages }: WindowIndex, documents: readonly DocumentIndex[]): boolean {
  const hadSeveral = languages.size > 1;
  for (const family of linesByFamily(documents).keys()) languages.add(family);
  return hadSeveral || languages.size < 2;
}

export function dropWindows(blocks: Blocks, { numbers, seeds, task }: WindowIndex): void {
  seeds.drop();
  blocks.free(task.table, tableBytes(numbers.room + 1));
  numbers.drop();
}

/**
 * Returns the passages of indexed documents that a text nearly duplicates. If the index has no phrases, but the text is
 * in another language than all documents, indexes the windows and phrases near those of the text first.
 */
export function findInWindows(
  comparison: Comparison,
  index: WindowIndex,
  documents: IndexedDocuments['documents'],
  text: DocumentIndex,
  query: SimilarQuery,
): SimilarPassages {
  if (index.seeds.hasPhrases || !searchesPhrases([text], index.languages)) {
    return findInIndex(comparison, index, documents, text, query);
  }
  const present = documents.filter((document) => document !== undefined).sort(compareNames);
  try {
    const lines = { isLinked: allPhrases, hasPatterns: index.seeds.hasPatterns };
    const ofText = textSeeds(comparison, [text], [query], lines);
    const [found] = lastOf(
      findTextsSteps(comparison, present, { texts: [text], queries: [query], ofTexts: ofText }, () => index.matcher),
    );
    return found;
  } finally {
    index.matcher.setTask(index.task, comparison.options);
  }
}

function findInIndex(
  { kernel, options }: Comparison,
  { numbers, seeds, matcher, task }: WindowIndex,
  documents: IndexedDocuments['documents'],
  text: DocumentIndex,
  query: SimilarQuery,
): SimilarPassages {
  const number = numbers.room;
  const searched: SearchedCorpus = {
    kernel,
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
 *
 * @param isLinked  if the documents are only those that may have something in common with the texts, selects the
 *   phrases that few lines of all documents have. Lines are not compared by their patterns then
 */
export function* findOnceSteps(
  comparison: Comparison,
  documents: IndexedDocuments['documents'],
  searched: readonly SearchedText[],
  isLinked?: PhraseFilter,
): Generator<void, SimilarPassages[]> {
  const texts = searched.map(({ bytes, lexicon }) => comparison.indexText(bytes, lexicon));
  const queries = searched.map(({ query }) => query);
  const severalLanguages = searchesPhrases(texts, linesByFamily(indexesOf(documents)).keys());
  const ofTexts = textSeeds(comparison, texts, queries, {
    isLinked: severalLanguages ? (isLinked ?? allPhrases) : undefined,
    hasPatterns: isLinked === undefined && searchesPatterns(comparison.options.maxDistance),
  });
  try {
    return yield* findTextsSteps(comparison, documents, { texts, queries, ofTexts });
  } finally {
    for (const text of texts) comparison.documents.release(text);
  }
}

/** Texts to search for, and an index of their windows. */
interface IndexedTexts {
  readonly texts: readonly DocumentIndex[];
  readonly queries: readonly SimilarQuery[];
  readonly ofTexts: LiveSeeds;
}

/** Same as `findOnceSteps` for indexed texts. Releases the index of their windows. */
function* findTextsSteps(
  comparison: Comparison,
  documents: IndexedDocuments['documents'],
  { texts, queries, ofTexts }: IndexedTexts,
  matcherFor?: (task: MatchTask) => Matcher,
): Generator<void, SimilarPassages[]> {
  try {
    const index = yield* indexWindowsSteps(comparison, { documents, truncated: 0 }, matcherFor, ofTexts);
    try {
      const found: SimilarPassages[] = [];
      for (const [place, text] of texts.entries()) {
        found.push(findInIndex(comparison, index, documents, text, queries[place]));
        yield;
      }
      return found;
    } finally {
      dropWindows(comparison.documents.keepBlocks(), index);
    }
  } finally {
    ofTexts.drop();
  }
}

/** Returns true if lines of texts may have phrases, and the documents or texts have several language families. */
function searchesPhrases(texts: readonly DocumentIndex[], families: Iterable<number>): boolean {
  const ofTexts = linesByFamily(texts.flatMap(indexesOfParts));
  return ofTexts.size > 0 && new Set([...ofTexts.keys(), ...families]).size > 1;
}

function indexesOfParts(text: DocumentIndex): DocumentIndex[] {
  return partsOf('', text).map(({ index }) => index);
}

const allPhrases: PhraseFilter = () => true;

/** Lines of texts to index. */
interface LinesOfTexts {
  /** Selects the phrases to index. If `undefined`, none are indexed. */
  readonly isLinked: PhraseFilter | undefined;
  readonly hasPatterns: boolean;
}

/** Returns an index of the windows of the texts to search for. It uses the greatest distances of all queries. */
function textSeeds(
  { documents, options: { maxDistance, prose } }: Comparison,
  texts: readonly DocumentIndex[],
  queries: readonly SimilarQuery[],
  { isLinked, hasPatterns }: LinesOfTexts,
): LiveSeeds {
  const largest = (configured: number): number =>
    Math.max(0, ...queries.map((query) => query.maxDistance ?? configured));
  const distances = { code: largest(maxDistance), prose: largest(prose.maxDistance) };
  const parts = texts.flatMap(indexesOfParts);
  // All texts have the same document number here, so ranks are not needed, and neither is the table of documents.
  const seeds = new LiveSeeds(
    documents.keepBlocks(),
    distances,
    windowsOf(parts),
    { ranks: 0, phrases: isLinked && { table: 0, isLinked }, hasPatterns },
    0,
  );
  for (const index of parts) seeds.insert(0, index);
  return seeds;
}
