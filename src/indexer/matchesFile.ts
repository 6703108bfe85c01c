/**
 * What is stored of matches: NAME.matches beside the other files of an index. Its pieces:
 *
 *   what it is, as JSON  ·  a digest for each document  ·  the idf table  ·  of each text that was measured the
 *   digest  ·  and the tokens, u32  ·  then, some megabytes each, pairs and records behind each other
 *
 * Documents are named by path and digest, so it stands for itself: which of it holds is seen from what the documents are
 * by then, whoever has written the other files meanwhile.
 */
import { areOfDocuments, noMatches } from '../engine/matches/knownMatches.ts';
import { documentParts } from '../engine/documents/namedDocument.ts';
import type { Options } from '../engine/options.ts';
import type { CheckedFile } from '../io/checkedFile.ts';
import type { ComparedDocument, EarlierMatches } from './earlierMatches.ts';

/** The first piece. */
interface Heading {
  /** The options that decide what becomes of seeds, as text. */
  readonly matching: string;
  readonly paths: readonly string[];
  /** For each path which part of the file it is, by its place among `documentParts`. */
  readonly parts: readonly number[];
  /** Words of the pairs; those of the records follow. */
  readonly pairWords: number;
}

const fixedPieces = 5;
/** As much is written at a time: some milliseconds' worth. */
const pieceBytes = 1 << 23;

export function* matchesPieces({ documents, epoch, matches }: EarlierMatches, options: Options): Generator<Uint8Array> {
  const heading: Heading = {
    matching: ofMatching(options),
    paths: documents.map(({ path }) => path),
    parts: documents.map(({ part }) => documentParts.indexOf(part)),
    pairWords: matches.pairs.length,
  };
  yield new TextEncoder().encode(JSON.stringify(heading));
  yield bytesOf(BigUint64Array.from(documents, ({ digest }) => digest));
  yield epoch.idfTable;
  yield bytesOf(BigUint64Array.from(epoch.texts.keys()));
  yield bytesOf(Uint32Array.from(epoch.texts.values()));
  for (const list of [matches.pairs, matches.records]) {
    const bytes = bytesOf(list);
    for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
  }
}

/** Undefined when it is damaged. Matches that were made with other options are left out of it. */
export function readMatchesFile(file: CheckedFile, options: Options): EarlierMatches | undefined {
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
  const { matching, paths, parts, pairWords } = JSON.parse(new TextDecoder().decode(heading)) as Heading;
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
  const matches = { pairs: words.subarray(0, pairWords), records: words.subarray(pairWords) };
  if (!areOfDocuments(matches, digestOf.length)) return undefined;
  const documents = paths.map((path, i): ComparedDocument => ({
    path,
    part: documentParts[parts[i]!]!,
    digest: digestOf[i]!,
  }));
  return {
    documents,
    epoch,
    matches,
  };
}

/** Pairs and records behind each other. */
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

const nothing = { documents: [], matches: noMatches };

/** What of matches that were made with some options holds with others: all or none. The epoch goes on. */
export function withoutOthers(earlier: EarlierMatches, before: Options, options: Options): EarlierMatches {
  return ofMatching(before) === ofMatching(options) ? earlier : { ...nothing, epoch: earlier.epoch };
}

/** Options without those that say which pairs have seeds, and which matches are shown. */
function ofMatching(options: Options): string {
  const prose = { ...options.prose, maxDistance: 0 };
  return JSON.stringify({ ...options, maxDistance: 0, minLines: 0, prose });
}

function bytesOf(list: Uint32Array | BigUint64Array): Uint8Array {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
}
