/**
 * The stored matches of an index: the file NAME.matches. It consists of these pieces:
 *
 *   metadata, as JSON  ·  a digest for each document  ·  the idf table  ·  the digest of each measured text  ·  its
 *   number of tokens, u32  ·  then the pairs, the records, and the comparisons of passages and of files, in pieces of
 *   some megabytes
 *
 * Documents are identified by path and digest, so this file does not depend on the other files of the index. A reader
 * must compare them with the current documents to see which matches are still valid.
 */
import { contentFor } from '../../core/engine/matches/matches.ts';
import { areOfDocuments, isOfDocuments, noMatches, renumber } from '../../core/engine/matches/knownMatches.ts';
import { storedOverlapWords } from '../../core/engine/files/fileOverlap.ts';
import { comparisonWords } from '../../core/engine/groups/comparedPassages.ts';
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import type { Options } from '../../core/engine/options.ts';
import type { CheckedFile } from '../io/checkedFile.ts';
import { type ComparedDocument, type EarlierMatches, noComparisons } from './earlierMatches.ts';

interface Heading {
  /** The options that affect matching, as text. */
  readonly matching: string;
  readonly paths: readonly string[];
  /** For each path, the part of the file (text, comments, or quoted code): an index into `documentParts`. */
  readonly parts: readonly number[];
  /** All options and settings that affect the comparisons, as text. */
  readonly reporting: string;
  /** Numbers of 32-bit words of pairs, match records, and comparisons of passages. Those of files follow. */
  readonly pairWords: number;
  readonly recordWords: number;
  readonly passageWords: number;
}

const fixedPieces = 5;
/** Approximate size of a piece in bytes. Writing one takes a few milliseconds. */
const pieceBytes = 1 << 23;

/** @param reporting  text that is the same only if all options and settings that affect a report are the same */
export function* matchesPieces(
  { documents, epoch, matches, comparisons }: EarlierMatches,
  options: Options,
  reporting: string,
): Generator<Uint8Array> {
  const heading: Heading = {
    matching: ofMatching(options),
    paths: documents.map(({ path }) => path),
    parts: documents.map(({ part }) => documentParts.indexOf(part)),
    reporting,
    pairWords: matches.pairs.length,
    recordWords: matches.records.length,
    passageWords: comparisons.passages.length,
  };
  yield new TextEncoder().encode(JSON.stringify(heading));
  yield bytesOf(BigUint64Array.from(documents, ({ digest }) => digest));
  yield epoch.idfTable;
  yield bytesOf(BigUint64Array.from(epoch.texts.keys()));
  yield bytesOf(Uint32Array.from(epoch.texts.values()));
  for (const list of [matches.pairs, matches.records, comparisons.passages, comparisons.files]) {
    const bytes = bytesOf(list);
    for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
  }
}

/**
 * Returns the stored matches, or `undefined` if the stored file is damaged. If they were found with other options for
 * matching, returns only the epoch. Returns comparisons only if `reporting` is the same.
 */
export function readMatchesFile(file: CheckedFile, options: Options, reporting: string): EarlierMatches | undefined {
  if (file.sizes.length < fixedPieces) return undefined;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (const [place, size] of file.sizes.slice(0, fixedPieces).entries()) {
    const piece = new Uint8Array(size);
    if (!file.read(place, piece)) return undefined;
    pieces.push(piece);
  }
  const [heading, digests, idfTable, texts, tokens] = pieces as [
    Uint8Array<ArrayBuffer>,
    ...[Uint8Array<ArrayBuffer>, Uint8Array, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>],
  ];
  const { matching, paths, parts, pairWords, recordWords, passageWords, ...made } = JSON.parse(
    new TextDecoder().decode(heading),
  ) as Heading;
  const counts = new Uint32Array(tokens.buffer);
  const digestOf = new BigUint64Array(digests.buffer);
  const isPossible =
    [paths.length, parts.length].every((count) => count === digestOf.length) &&
    parts.every((part) => documentParts[part] !== undefined) &&
    texts.length === 2 * tokens.length;
  if (!isPossible) return undefined;
  const epoch = {
    idfTable,
    texts: new Map(Array.from(new BigUint64Array(texts.buffer), (digest, i) => [digest, counts[i]!])),
  };
  if (matching !== ofMatching(options)) return { ...nothing, epoch };
  const words = readWords(file);
  if (words === undefined) return undefined;
  const ends = [pairWords, pairWords + recordWords, pairWords + recordWords + passageWords] as const;
  const matches = { pairs: words.subarray(0, ends[0]), records: words.subarray(ends[0], ends[1]) };
  const comparisons = { passages: words.subarray(ends[1], ends[2]), files: words.subarray(ends[2]) };
  if (!areOfDocuments(matches, digestOf.length)) return undefined;
  if (!isOfDocuments(comparisons.passages, comparisonWords, digestOf.length)) return undefined;
  if (!isOfDocuments(comparisons.files, storedOverlapWords, digestOf.length)) return undefined;
  const documents = paths.map((path, i): ComparedDocument => ({
    path,
    part: documentParts[parts[i]!]!,
    digest: digestOf[i]!,
  }));
  return {
    documents,
    epoch,
    matches,
    comparisons: made.reporting === reporting ? comparisons : noComparisons,
  };
}

function readWords(file: CheckedFile): Uint32Array | undefined {
  const sizes = file.sizes.slice(fixedPieces);
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let start = 0;
  for (const [place, size] of sizes.entries()) {
    if (!file.read(place + fixedPieces, bytes.subarray(start, start + size))) return undefined;
    start += size;
  }
  return new Uint32Array(bytes.buffer);
}

const nothing = { documents: [], matches: noMatches, comparisons: noComparisons };

/**
 * Returns matches without those that are not valid with new options. If only the limits of code or only those of prose
 * have changed, the matches of the other kind are left, otherwise only the epoch. Documents match only documents of
 * their kind.
 *
 * @param isProse  returns true for a document of prose
 */
export function withoutOthers(
  earlier: EarlierMatches,
  [before, options]: readonly [Options, Options],
  isProse: (document: ComparedDocument) => boolean,
): EarlierMatches {
  const hasCode = ofMatching(withoutProseLimits(before)) === ofMatching(withoutProseLimits(options));
  const hasProse = ofMatching(withoutCodeLimits(before)) === ofMatching(withoutCodeLimits(options));
  if (hasCode && hasProse) return earlier;
  if (!hasCode && !hasProse) return { ...nothing, epoch: earlier.epoch };
  const numberOf = Int32Array.from(earlier.documents, (document, n) => (isProse(document) === hasProse ? n : -1));
  return { ...earlier, matches: renumber(earlier.matches, numberOf, () => true) };
}

function withoutCodeLimits(options: Options): Options {
  return { ...options, maxDistance: 0, minTokens: 0, minSimilarity: 0 };
}

function withoutProseLimits(options: Options): Options {
  return { ...options, prose: { ...options.prose, minWords: 0, minSimilarity: 0 } };
}

/**
 * Returns the options that affect how seeds are matched, as text. Options that only select pairs of windows, or the
 * matches to show, get a fixed value. The distance of code also decides the required score.
 */
function ofMatching(options: Options): string {
  const prose = { ...options.prose, maxDistance: 0 };
  return JSON.stringify([{ ...options, maxDistance: 0, minLines: 0, prose }, contentFor(options)]);
}

function bytesOf(list: Uint32Array | BigUint64Array): Uint8Array {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
}
