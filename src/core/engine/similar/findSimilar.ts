/**
 * Implements Find Similar: finds the passages in a corpus that a text nearly duplicates. The text need not be part of
 * the corpus. The live index finds windows near those of the text. The kernel matches them like the seeds of a scan,
 * with the text as the first document. So the result is the same as if the text were a file of the corpus.
 */
import * as layout from '../../kernel/seeds/seedLayout.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import { lineOf, linesOf } from '../documents/lines.ts';
import { compareNames, type NamedDocument, partsOf } from '../documents/namedDocument.ts';
import { unseeded, windowDistance } from '../documents/windows.ts';
import { placeOfToken } from '../documents/tokenPlaces.ts';
import type { Kernel } from '../kernel.ts';
import { MinimumMatch } from '../matches/minimumMatch.ts';
import { type Match, readMatch } from '../matches/matchRecord.ts';
import { anyContent, type ContentRequirements, joinRecords, type Matcher, type MatchTask } from '../matches/matches.ts';
import { isShort } from '../documents/fileSketch.ts';
import type { Options } from '../options.ts';
import { passageOf } from '../report/passageOf.ts';
import type { Group, Passage } from '../report/report.ts';
import { sharedLines } from '../../collections/textPositions.ts';
import { shareOf } from '../rows/shares.ts';
import type { LiveSeeds } from '../seeds/liveSeeds.ts';
import type { Seeds } from '../seeds/seeds.ts';
import { lastOf } from '../steps.ts';
import { constants } from '../constants.ts';

/** A search for passages similar to a text. Defaults are taken from the options of the corpus. */
export interface SimilarQuery {
  /** Maximum number of differing bits (k) of two windows, for code and for prose. May exceed the k of the index. */
  readonly maxDistance?: number | undefined;
  /** Minimum similarity of results, 0.3 to 1. */
  readonly minSimilarity?: number | undefined;
  /** Range of the text, which is excluded from the results. Without columns, it consists of complete lines. */
  readonly origin?:
    (Pick<Passage, 'path' | 'startLine' | 'endLine'> & Partial<Pick<Passage, 'startColumn' | 'endColumn'>>) | undefined;
  /** Maximum number of results. */
  readonly limit?: number;
  /** True if the result should contain the most similar passage in case there are no near-duplicates. */
  readonly explains?: boolean | undefined;
  /** Returns true if a path should be searched. Default: all paths. */
  readonly isWanted?: (path: string) => boolean;
}

/** A passage that the text, or a part of it, nearly duplicates. */
export interface SimilarPassage {
  readonly passage: Passage;
  readonly kind: Exclude<Group['kind'], 'file'>;
  readonly type: Group['type'];
  /** Similarity as in `Pair`. */
  readonly similarity: number;
  /** Number of differing bits between the closest windows of the text and the passage. */
  readonly distance: number;
  /** Share of the text's tokens that match the passage, in [0, 1], rounded to three digits. */
  readonly covered: number;
  /** Lines of the text that match the passage, from 1, inclusive. */
  readonly textLines: { readonly start: number; readonly end: number };
}

/** The most similar passage for a text without near-duplicates, found by a search with lower requirements. */
export interface NearestPassage extends SimilarPassage {
  /** Size of the shorter side, in tokens and in lines. */
  readonly tokens: number;
  readonly lines: number;
  /**
   * Requirements for near-duplicates. If the passage meets them all, it was rejected because of its content: by the
   * classifier, or because it has too few distinct shingles.
   */
  readonly required: { readonly similarity: number; readonly tokens: number; readonly lines: number };
}

export interface SimilarPassages {
  readonly tokens: number;
  /**
   * True if nothing was found, and no complete window of the text has a fingerprint, because the text is too short or
   * too uniform. Then the corpus may nevertheless contain the text: as part of a longer line or passage, whose windows
   * contain more than the text.
   */
  readonly hasNoWindow: boolean;
  /** Results, in descending order of the amount of text that they match. */
  readonly passages: readonly SimilarPassage[];
  /** Total number of results, including those beyond `limit`. */
  readonly total: number;
  /** Most similar passage, if any. Present only if the query has set `explains` and there are no results. */
  readonly nearest?: NearestPassage | undefined;
  /**
   * Parts of the search that were skipped. `documents`: number of documents that were not compared because too many
   * have windows near those of the text; the skipped ones have the least in common with the text. `windows`: number of
   * the text's windows that were skipped because very many windows have the same fingerprint.
   */
  readonly leftOut: { readonly documents: number; readonly windows: number };
}

/** Answer from an index of many repositories: passages, with paths below a repository's name, or why not. */
export type OrganisationAnswer =
  | {
      readonly similar: SimilarPassages;
      readonly elapsedMs: number;
      /** The repositories to which the passages belong, sorted by name. */
      readonly sources: readonly OrganisationSource[];
      readonly repositories: number;
      readonly files: number;
      readonly lines: number;
      /** Version number of the index. It increases whenever the index changes. */
      readonly generation: number;
    }
  | { readonly problem: string };

/** A repository in the index. */
export interface OrganisationSource {
  readonly name: string;
  /** Commit that was indexed, or `undefined` if the repository has no commits. */
  readonly commit: string | undefined;
  /** Folder from which the repository was read. It may be on another machine. */
  readonly origin: string | undefined;
}

/** The parts of a corpus that a search needs. */
export interface SearchedCorpus {
  readonly kernel: Kernel;
  readonly seeds: LiveSeeds;
  /** Matcher to use. The search changes the matcher's task, so the caller must restore the previous task afterwards. */
  readonly matcher: Matcher;
  readonly task: MatchTask;
  /** Document number for the text. No document of the corpus may have it. */
  readonly number: number;
  /** Writes a part of the text (code, comments, or quoted code) to the table of documents under `number`. */
  readonly place: (index: DocumentIndex) => void;
  readonly documentOf: (number: number) => NamedDocument;
  readonly options: Options;
}

/** A match between the text and a document. */
interface FoundMatch {
  readonly match: Match;
  /** The part of the text that matches: code, comments, or quoted code. */
  readonly text: DocumentIndex;
  readonly document: NamedDocument;
  /** Position of the match in the file: bytes [start, end). */
  readonly start: number;
  readonly end: number;
}

/** Seeds between a part of the text and the documents to be compared with it. */
interface NearSeeds {
  readonly seeds: Seeds;
  /** For each document, the range of its seeds in `seeds`. */
  readonly ranges: readonly Range[];
  readonly leftOut: SimilarPassages['leftOut'];
}

interface Range {
  readonly document: number;
  readonly from: number;
  readonly to: number;
}

/** Requirements that results must meet. `content` defaults to the requirements of a scan with these options. */
interface Requirements {
  readonly options: Options;
  readonly content?: ContentRequirements;
}

export function findSimilar(corpus: SearchedCorpus, text: DocumentIndex, query: SimilarQuery): SimilarPassages {
  const parts = searchedParts(text, corpus.options);
  const { passages, leftOut } = search(corpus, parts, query, (index) => ({
    options: optionsFor(corpus, index, query),
  }));
  const nearest = passages.length === 0 && query.explains ? nearestOf(corpus, parts, query) : undefined;
  return {
    tokens: text.tokenCount,
    hasNoWindow: passages.length === 0 && !parts.some((index) => hasWindow(corpus.kernel, index)),
    passages: passages.slice(0, query.limit).map((one) => describe(corpus.kernel, one)),
    total: passages.length,
    nearest,
    leftOut,
  };
}

/** Finds the passages that match a part of the text and meet the requirements, most similar first. */
function search(
  corpus: SearchedCorpus,
  parts: readonly DocumentIndex[],
  query: SimilarQuery,
  requirementsFor: (part: DocumentIndex) => Requirements,
): { readonly passages: readonly FoundMatch[]; readonly leftOut: SimilarPassages['leftOut'] } {
  const found: FoundMatch[] = [];
  let [documents, windows] = [0, 0];
  for (const index of parts) {
    const required = requirementsFor(index);
    corpus.place(index);
    const near = nearTo(corpus, index, required.options, query);
    documents += near.leftOut.documents;
    windows += near.leftOut.windows;
    found.push(...matchesOf(corpus, index, required, near));
  }
  const passages = onceEach(found.filter((one) => !isOrigin(corpus.kernel, one, query)));
  return { passages, leftOut: { documents, windows } };
}

/** Lower requirements for the most similar passage. Shorter passages would be mere phrases of the language. */
const requiredOfNearest = { minSimilarity: 0.3, tokens: 15 };

/** Returns the most similar passage that meets lower requirements. The passage need not be a copy of the text. */
function nearestOf(
  corpus: SearchedCorpus,
  parts: readonly DocumentIndex[],
  query: SimilarQuery,
): NearestPassage | undefined {
  const { minSimilarity, tokens: requiredTokens } = requiredOfNearest;
  const { passages } = search(corpus, parts, query, (index) => {
    const { minTokens, prose, ...others } = optionsFor(corpus, index, { ...query, minSimilarity });
    return {
      options: {
        ...others,
        minTokens: Math.min(minTokens, requiredTokens),
        minLines: 1,
        prose: { ...prose, minWords: Math.min(prose.minWords, requiredTokens) },
      },
      content: anyContent,
    };
  });
  const [first] = passages;
  if (first === undefined) return undefined;
  const { text, match } = first;
  const { prose, ...code } = optionsFor(corpus, text, query);
  const nearest = describe(corpus.kernel, first);
  const { passage, textLines } = nearest;
  return {
    ...nearest,
    tokens: Math.min(match.a1 - match.a0, match.b1 - match.b0),
    lines: Math.min(passage.endLine - passage.startLine, textLines.end - textLines.start) + 1,
    required: {
      similarity: text.prose ? prose.minSimilarity : code.minSimilarity,
      tokens: text.prose ? prose.minWords : code.minTokens,
      lines: code.minLines,
    },
  };
}

/**
 * Returns the parts of a text that are searched for: code, comments, and quoted code. A short comment within a function
 * is skipped, unless the text consists mostly of comments.
 */
function searchedParts(text: DocumentIndex, options: Options): DocumentIndex[] {
  return partsOf('', text).flatMap(({ index, part }) => {
    const isWanted = part === 'text' || !isShort(index, options) || 2 * index.tokenCount >= text.tokenCount;
    return index.tokenCount > 0 && isWanted ? [index] : [];
  });
}

/**
 * Returns the options for a part of a text. If the part is shorter than the minimum passage, reduces the minimum so
 * that the whole part can match.
 */
function optionsFor({ options }: SearchedCorpus, index: DocumentIndex, query: SimilarQuery): Options {
  const { prose } = options;
  return {
    ...options,
    maxDistance: query.maxDistance ?? options.maxDistance,
    minTokens: Math.min(options.minTokens, index.tokenCount),
    minLines: Math.min(options.minLines, index.lineCount),
    minSimilarity: query.minSimilarity ?? options.minSimilarity,
    prose: {
      ...prose,
      maxDistance: query.maxDistance ?? prose.maxDistance,
      minWords: Math.min(prose.minWords, index.tokenCount),
      minSimilarity: query.minSimilarity ?? prose.minSimilarity,
    },
  };
}

/** Returns the seeds that connect a part of a text with documents, and the documents to be compared. */
function nearTo(
  { kernel, seeds: live, number, documentOf }: SearchedCorpus,
  index: DocumentIndex,
  { maxDistance, prose }: Options,
  { isWanted = () => true }: SimilarQuery,
): NearSeeds {
  const distances = { code: maxDistance, prose: prose.maxDistance };
  const { seeds, leftOut } = live.seedsOfText(number, index, distances, constants.similar.windows);
  const all = rangesOf(kernel, seeds).filter(({ document }) => isWanted(documentOf(document).path));
  const maxDocuments = constants.similar.documents;
  const ranges =
    all.length <= maxDocuments ? all : mostInCommonFirst(kernel, seeds, all, documentOf).slice(0, maxDocuments);
  return { seeds, ranges, leftOut: { documents: all.length - ranges.length, windows: leftOut } };
}

function rangesOf({ words }: Kernel, { address, count }: Seeds): Range[] {
  const documentAt = (seed: number): number => words[(address + seed * layout.seedBytes + layout.seedDocBAt) >>> 2];
  const ranges: Range[] = [];
  for (let from = 0; from < count;) {
    const document = documentAt(from);
    let to = from + 1;
    while (to < count && documentAt(to) === document) to++;
    ranges.push({ document, from, to });
    from = to;
  }
  return ranges;
}

/**
 * Sorts documents by how much they have in common with the text, largest first. Phrases only break ties of windows,
 * because most lines with the same phrase are no copies.
 */
function mostInCommonFirst(
  kernel: Kernel,
  seeds: Seeds,
  ranges: readonly Range[],
  documentOf: SearchedCorpus['documentOf'],
): Range[] {
  const windows = inCommon(kernel, seeds, ranges, (bits) => bits !== layout.unitOnly);
  const phrases = inCommon(kernel, seeds, ranges, (bits) => bits === layout.unitOnly);
  return ranges
    .map((range, r) => ({ range, windows: windows[r], phrases: phrases[r], document: documentOf(range.document) }))
    .sort((x, y) => y.windows - x.windows || y.phrases - x.phrases || compareNames(x.document, y.document))
    .map(({ range }) => range);
}

/**
 * Returns how much each document has in common with the text. Each window of the text counts once per document,
 * weighted by inverse document frequency (Spärck Jones 1972). So a window that occurs in hundreds of files does not
 * outweigh windows that occur in one file.
 *
 * @param isCounted  returns true if a seed with this number of differing bits counts
 */
function inCommon(
  { words }: Kernel,
  { address }: Seeds,
  ranges: readonly Range[],
  isCounted: (bits: number) => boolean,
): number[] {
  const positions = ranges.map(({ from, to }) => {
    const found = new Set<number>();
    for (let seed = from; seed < to; seed++) {
      const word = words[(address + seed * layout.seedBytes + layout.seedPosAAt) >>> 2];
      if (isCounted(word >>> layout.seedBitsShift)) found.add(word & layout.seedPositionMask);
    }
    return found;
  });
  const documents = new Map<number, number>();
  for (const found of positions) for (const at of found) documents.set(at, (documents.get(at) ?? 0) + 1);
  return positions.map((found) => {
    let total = 0;
    for (const at of found) total += 1 / documents.get(at)!;
    return total;
  });
}

function matchesOf(
  { kernel, matcher, task, number, documentOf }: SearchedCorpus,
  text: DocumentIndex,
  { options, content }: Requirements,
  { seeds, ranges }: NearSeeds,
): FoundMatch[] {
  matcher.setTask(task, options, content);
  const records = joinRecords(ranges.map(({ from, to }) => matcher.matchSeeds(from, to, seeds)));
  const sideOf = (document: number): { path: string; index: DocumentIndex } =>
    document === number ? { path: '', index: text } : documentOf(document);
  const places = lastOf(new MinimumMatch(kernel, options.minLines, sideOf).allowed(records));
  return places.map((at) => {
    const match = readMatch(records, at);
    const document = documentOf(match.docB);
    const [first, last] = [match.b0, match.b1 - 1].map((token) => placeOfToken(kernel, document.index, token));
    return { match, text, document, start: first.start, end: last.end };
  });
}

/** Returns true if a result is the text itself: most of the shorter side lies in the range of the text. */
function isOrigin(kernel: Kernel, { match, document }: FoundMatch, { origin }: SimilarQuery): boolean {
  if (origin?.path !== document.path) return false;
  const place = passageOf(kernel, document, { start: match.b0, end: match.b1 });
  const own = { startColumn: 1, endColumn: Infinity, ...origin };
  const shorter = Math.min(place.endLine - place.startLine, own.endLine - own.startLine) + 1;
  return 2 * sharedLines(place, own) > shorter;
}

/**
 * Sorts results by the amount of text that they match, and removes those that lie inside a better result. Such a result
 * may be a second alignment of the same passage, if the text repeats itself. It may also be quoted code in a passage of
 * prose.
 */
function onceEach(found: readonly FoundMatch[]): FoundMatch[] {
  const kept = new Map<string, FoundMatch[]>();
  return [...found].sort(compareFound).filter((one) => {
    const others = kept.get(one.document.path) ?? [];
    kept.set(one.document.path, others);
    const isCovered = others.some(({ start, end }) => {
      const inside = Math.min(end, one.end) - Math.max(start, one.start);
      return inside >= constants.groups.inside * (one.end - one.start);
    });
    if (!isCovered) others.push(one);
    return !isCovered;
  });
}

function compareFound(x: FoundMatch, y: FoundMatch): number {
  return (
    weightOf(y) - weightOf(x) ||
    compareNames(x.document, y.document) ||
    x.match.b0 - y.match.b0 ||
    x.match.a0 - y.match.a0 ||
    x.match.b1 - y.match.b1
  );
}

/** Returns the amount of text that a result matches: number of tokens times similarity. */
function weightOf({ match }: FoundMatch): number {
  return match.similarity * (match.a1 - match.a0);
}

function describe(kernel: Kernel, { match, text, document }: FoundMatch): SimilarPassage {
  const { a0, a1, b0, b1, equal, consistent, once, differing, similarity } = match;
  const tokens = a1 - a0;
  const sideA = { index: text, start: a0, end: a1 };
  const sideB = { index: document.index, start: b0, end: b1 };
  const isAligned = tokens === b1 - b0 && equal + consistent + once + differing === tokens;
  return {
    passage: passageOf(kernel, document, { start: b0, end: b1 }),
    kind: text.prose ? 'prose' : 'code',
    type: isAligned && equal === tokens ? 'exact' : isAligned && !text.prose ? 'renamed' : 'near',
    similarity: shareOf(similarity, 1),
    distance: match.bits < unseeded ? match.bits : windowDistance(kernel, sideA, sideB),
    covered: shareOf(tokens, text.tokenCount),
    textLines: linesFrom(kernel, text, a0, a1),
  };
}

function linesFrom(kernel: Kernel, text: DocumentIndex, start: number, end: number): SimilarPassage['textLines'] {
  const first = lineOf(kernel, text, start) + 1;
  return { start: first, end: first + linesOf(kernel, text, start, end) - 1 };
}

/**
 * Returns true if a part of the text has at least one complete window with a fingerprint. The last windows of code are
 * incomplete. They are near another window only if the code of the other window ends at the same token.
 */
function hasWindow({ words }: Kernel, index: DocumentIndex): boolean {
  const { written, renamed, windows, windowStride, windowCount, tokenCount, prose } = index;
  const views = [
    { list: written, size: prose ? constants.prose.windowWords : constants.written.tokens },
    { list: renamed, size: constants.renamed.tokens },
  ];
  return views.some(({ list, size }) => {
    if (list === 0) return false;
    for (let window = 0; window < windowCount; window++) {
      const first = words[(windows + window * windowStride) >>> 2];
      if (first + size > tokenCount) break;
      const at = (list >>> 2) + 2 * window;
      if ((words[at] | words[at + 1]) !== 0) return true;
    }
    return false;
  });
}
