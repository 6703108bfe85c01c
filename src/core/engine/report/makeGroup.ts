/** Creates groups of the report from clusters. */
import { append, converted } from '../../collections/lists.ts';
import type { Cluster } from '../groups/cluster.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import type { FileCluster } from '../files/fileClusters.ts';
import type { Kernel } from '../kernel.ts';
import { type Match, similarityOfPassages, type TokenRange } from '../matches/matchRecord.ts';
import type { NamedDocument } from '../documents/namedDocument.ts';
import { passageOf } from './passageOf.ts';
import type { Group, Pair, Passage } from './report.ts';
import type { Categories, Part } from '../rows/categories.ts';
import { areSignatures } from '../rows/signatures.ts';
import { TestUnits } from '../rows/testUnits.ts';
import { type LongestCode, worthNumber, worthOf } from '../rows/worth.ts';
import { makeupOf } from '../documents/makeup.ts';
import { shapeVariety } from '../documents/shapeVariety.ts';
import { constants } from '../constants.ts';
import { unseeded, windowDistance } from '../documents/windows.ts';

export class GroupMaker {
  readonly #kernel: Kernel;
  readonly #documentOf: (document: number) => NamedDocument;
  readonly #categories: Categories;
  readonly #testUnits = new TestUnits();
  /**
   * Content keys of whole files, by number of hashes per key and by document. They are cached because a large file may
   * contain a hundred other files, and would otherwise be hashed for each of them.
   */
  readonly #fileContents = new Map<number, WeakMap<DocumentIndex, string>>();

  /** @param documentOf  returns a document. Its arrays stay in memory only until those of other documents are used */
  constructor(kernel: Kernel, documentOf: (document: number) => NamedDocument, categories: Categories) {
    this.#kernel = kernel;
    this.#documentOf = documentOf;
    this.#categories = categories;
  }

  /** Creates a group of passages from a cluster. The id of the group is the content key of its longest passage. */
  make(c: Cluster): Group {
    const kernel = this.#kernel;
    const passages = converted(c.passages, (range) => this.#passage(range, constants.groups.minHashes));
    const longestPlace = placeOfLongest(passages);
    const longest = c.passages[longestPlace];
    const texts = this.#textsOf(c.passages, passages);
    const exact = texts.every((text) => text === 0);
    const documents = converted(c.passages, ({ document }) => this.#documentOf(document));
    const kind = documents[0].index.prose ? 'prose' : 'code';
    // A group of prose cannot be renamed: in prose, a different word changes the meaning.
    const areOfOneLength = passages.every(({ tokens }) => tokens === passages[0].tokens);
    const aligned = kind === 'code' && areOfOneLength && c.links.every(({ match }) => isAligned(match));
    const type = exact ? 'exact' : aligned ? 'renamed' : 'near';
    const pairs = converted(c.links, ({ a, b, match }): Pair => {
      const isExact = texts[a] === texts[b];
      const own = isExact ? 'exact' : typeOfPair(match, passages[a], passages[b], kind);
      const similarity = isExact ? 1 : round3(similarityOfPassages(match, passages[a].tokens, passages[b].tokens));
      const distance = match.bits < unseeded ? match.bits : this.#distance(c.passages[a], c.passages[b]);
      const isOther = type !== 'exact' && own !== type && own !== 'near';
      return isOther ? { a, b, similarity, type: own, distance } : { a, b, similarity, distance };
    });
    const similarity = pairs.reduce((minSimilarity, pair) => Math.min(minSimilarity, pair.similarity), 1);
    const tokens = longest.end - longest.start;
    const code = kind === 'code' ? this.#code(longest.document, longest.start, tokens) : undefined;
    const parts = converted(c.passages, ({ document, start, end }, i) => ({
      path: documents[i].path,
      part: documents[i].part,
      isTestUnit: () => this.#testUnits.hasMostOf(kernel.words, this.#documentOf(document).index, start, end),
      isSignature: () => areSignatures(kernel.words, this.#documentOf(document).index, start, end),
    }));
    const { category, by } = this.#categories.ofGroup(parts, passages, code?.makeup);
    return {
      id: passages[longestPlace].content,
      kind,
      type,
      similarity,
      lines: passages.reduce((maxLines, p) => Math.max(maxLines, p.endLine - p.startLine + 1), 0),
      tokens,
      category,
      ...(by && { categoryBy: by }),
      worth: worthNumber(worthOf({ tokens, similarity, passages }, category, code)),
      ...this.#testMark(parts),
      ...inReadingOrder(passages, pairs),
    };
  }

  /**
   * Creates a group of whole files from a cluster. Its id is the content key of the longest file. If one file contains
   * the other, it is the key of the contained file.
   */
  makeOfFiles(c: FileCluster): Group {
    const members = converted(c.members, this.#documentOf);
    const { minHashes, minHashesInside } = constants.files;
    const pairs: Pair[] = converted(c.links, ({ a, b, overlap }) => ({
      a,
      b,
      similarity: round3(overlap.resemblance),
      distance: overlap.distance,
      containment: [round3(overlap.containmentOfA), round3(overlap.containmentOfB)],
    }));
    const hashes = c.type === 'inside' ? minHashesInside : minHashes;
    const passages = converted(members, ({ path, index }, i) => ({
      path,
      startLine: 1,
      startColumn: 1,
      endLine: index.totalLines,
      endColumn: index.endColumn,
      tokens: index.tokenCount,
      content: this.#fileContent(c.members[i], hashes),
    }));
    const longestPlace = placeOfLongest(passages);
    const inner = c.type !== 'inside' ? undefined : longestPlace === 0 ? 1 : 0;
    const namedPlace = inner ?? longestPlace;
    const { index: named } = members[namedPlace];
    const similarity = pairs.reduce((minSimilarity, pair) => Math.min(minSimilarity, pair.similarity), 1);
    const code = named.prose ? undefined : this.#code(c.members[namedPlace], 0, named.tokenCount);
    const parts = converted(members, ({ path, part }) => ({ path, part, isTestUnit: never, isSignature: never }));
    const { category, by } = this.#categories.ofGroup(parts, passages, code?.makeup);
    // If one file contains the other, use the contained share of the smaller file as the similarity, because it shows
    // if the smaller file is superfluous.
    const likeness = inner === undefined ? similarity : pairs[0].containment![inner];
    const insideMark: Pick<Group, 'inside'> = inner === undefined ? {} : { inside: inner };
    const worth = worthOf({ tokens: named.tokenCount, similarity: likeness, passages, ...insideMark }, category, code);
    return {
      id: passages[namedPlace].content,
      kind: 'file',
      type: c.type === 'equal' ? 'exact' : 'near',
      similarity,
      lines: members.reduce((maxLines, { index }) => Math.max(maxLines, index.totalLines), 0),
      tokens: passages[longestPlace].tokens,
      category,
      ...(by && { categoryBy: by }),
      worth: worthNumber(worth),
      ...this.#testMark(parts),
      ...insideMark,
      passages,
      pairs,
    };
  }

  #code(document: number, start: number, tokens: number): LongestCode {
    const kernel = this.#kernel;
    const address = this.#documentOf(document).index.tokens + 4 * start;
    return { makeup: makeupOf(kernel.words, address, tokens), variety: shapeVariety(kernel, address, tokens) };
  }

  #passage(range: TokenRange, hashes: number): Passage & { readonly content: string } {
    const document = this.#documentOf(range.document);
    const content = contentKey(this.#kernel, document.index, range, hashes);
    const { path, startLine, startColumn, endLine, endColumn, tokens } = passageOf(this.#kernel, document, range);
    // Without a spread, all passages have the same hidden class, so that V8 can cache accesses to their properties.
    return { path, startLine, startColumn, endLine, endColumn, tokens, content };
  }

  /**
   * Returns, for each passage, the index of the first passage with the same tokens. The match of two equal passages may
   * omit tokens at their ends, so it does not show that they are equal.
   */
  #textsOf(ranges: readonly TokenRange[], passages: readonly (Passage & { readonly content: string })[]): number[] {
    const { words } = this.#kernel;
    const byContent = new Map<string, number[]>();
    return converted(ranges, ({ document, start, end }, place) => {
      const at = (this.#documentOf(document).index.tokens >>> 2) + start;
      const isSame = (other: number): boolean => {
        const range = ranges[other];
        if (range.end - range.start !== end - start) return false;
        const atOther = (this.#documentOf(range.document).index.tokens >>> 2) + range.start;
        for (let i = 0; i < end - start; i++) if (words[at + i] !== words[atOther + i]) return false;
        return true;
      };
      const { content } = passages[place];
      const same = byContent.get(content)?.find(isSame);
      if (same === undefined) append(byContent, content, place);
      return same ?? place;
    });
  }

  #fileContent(document: number, hashes: number): string {
    const { index } = this.#documentOf(document);
    let contents = this.#fileContents.get(hashes);
    if (contents === undefined) this.#fileContents.set(hashes, (contents = new WeakMap()));
    let content = contents.get(index);
    if (content === undefined) {
      content = contentKey(this.#kernel, index, { start: 0, end: index.tokenCount }, hashes);
      contents.set(index, content);
    }
    return content;
  }

  #distance(x: TokenRange, y: TokenRange): number {
    return windowDistance(
      this.#kernel,
      { index: this.#documentOf(x.document).index, start: x.start, end: x.end },
      { index: this.#documentOf(y.document).index, start: y.start, end: y.end },
    );
  }

  #testMark(parts: readonly Part[]): Pick<Group, 'tests'> {
    return parts.every((part) => this.#categories.isTest(part)) ? { tests: true } : {};
  }
}

function never(): boolean {
  return false;
}

/**
 * Returns the index of the longest passage. If several are equally long, returns that of the passage with the smallest
 * content key, so that the result does not depend on paths.
 */
function placeOfLongest(passages: readonly { readonly tokens: number; readonly content: string }[]): number {
  return passages.reduce((best, { tokens, content }, i) => {
    const { tokens: maxTokens, content: bestContent } = passages[best];
    return tokens > maxTokens || (tokens === maxTokens && content < bestContent) ? i : best;
  }, 0);
}

/**
 * Sorts passages by path and position, and adjusts the pairs. In a cluster, passages are sorted by document instead. A
 * file may have several documents, such as a page and the comments in its fences, whose passages alternate in the text.
 */
function inReadingOrder(passages: readonly Passage[], pairs: readonly Pair[]): Pick<Group, 'passages' | 'pairs'> {
  const isBefore = (x: Passage, y: Passage): boolean =>
    x.path !== y.path || x.startLine < y.startLine || (x.startLine === y.startLine && x.startColumn < y.startColumn);
  if (passages.every((passage, i) => i === 0 || isBefore(passages[i - 1], passage))) return { passages, pairs };
  const order = converted(passages, (_, i) => i);
  // Passages of one path are already adjacent, so a stable sort by position within each path is enough.
  order.sort((x, y) => {
    const [p, q] = [passages[x], passages[y]];
    return p.path === q.path ? p.startLine - q.startLine || p.startColumn - q.startColumn : x - y;
  });
  const placeOf = new Map(order.map((before, place) => [before, place]));
  const moved = converted(pairs, (pair) => {
    const [x, y] = [placeOf.get(pair.a)!, placeOf.get(pair.b)!];
    return { ...pair, a: Math.min(x, y), b: Math.max(x, y) };
  });
  return { passages: converted(order, (i) => passages[i]), pairs: moved.sort((x, y) => x.a - y.a || x.b - y.b) };
}

/** Returns true if the alignment pairs every token with exactly one token of the other side. */
function isAligned({ a0, a1, b0, b1, equal, consistent, once, differing }: Match): boolean {
  return a1 - a0 === b1 - b0 && equal + consistent + once + differing === a1 - a0;
}

/** Returns the type of a pair of different passages. The passages may be longer than the match between them. */
function typeOfPair(match: Match, a: Passage, b: Passage, kind: Group['kind']): Group['type'] {
  const isWhole = isAligned(match) && a.tokens === match.a1 - match.a0 && b.tokens === a.tokens;
  return isWhole && kind === 'code' ? 'renamed' : 'near';
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * Returns the content key of a passage: the r smallest hashes of its shingles (clusterKey.ts). It depends only on the
 * content, and small edits rarely change it. Each kind of group uses a different r, so the keys of different kinds
 * differ.
 */
function contentKey(
  kernel: Kernel,
  index: DocumentIndex,
  range: Pick<TokenRange, 'start' | 'end'>,
  minHashes: number,
): string {
  const mark = kernel.mark();
  const key = kernel.exports.leastKey(index.tokens, range.start, range.end, minHashes, kernel.allocate(8 * minHashes));
  kernel.release(mark);
  return BigInt.asUintN(64, key).toString(16).padStart(16, '0');
}
