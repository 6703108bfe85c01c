/**
 * Stored matches: NAME.matches of an index. Its pieces:
 *
 *   metadata, as JSON  ·  a digest for each document  ·  the idf table  ·  for each measured text the digest  ·  and the
 *   number of tokens, u32  ·  then, some megabytes each, pairs and records one after another
 *
 * Documents are identified by path and digest, so the file does not depend on the others. The current documents
 * determine which matches are still valid.
 */
import { areOfDocuments, noMatches } from '../../core/engine/matches/knownMatches.ts';
import { documentParts } from '../../core/engine/documents/namedDocument.ts';
import type { Options } from '../../core/engine/options.ts';
import type { CheckedFile } from '../io/checkedFile.ts';
import type { ComparedDocument, EarlierMatches } from './earlierMatches.ts';

interface Heading {
  /** The options that affect the matching of seeds, as text. */
  readonly matching: string;
  readonly paths: readonly string[];
  /** For each path the part of the file, as an index into `documentParts`. */
  readonly parts: readonly number[];
  /** Number of words of the pairs; those of the records follow. */
  readonly pairWords: number;
}

const fixedPieces = 5;
/** Approximate size of a piece: a few milliseconds of writing. */
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

/** Returns `undefined` if the file is damaged. Matches with other options are dropped. */
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

/** Drops all matches if the options affect them. The epoch continues. */
export function withoutOthers(earlier: EarlierMatches, before: Options, options: Options): EarlierMatches {
  return ofMatching(before) === ofMatching(options) ? earlier : { ...nothing, epoch: earlier.epoch };
}

/** Returns the options that affect matching, without those that select pairs with seeds or matches to show. */
function ofMatching(options: Options): string {
  const prose = { ...options.prose, maxDistance: 0 };
  return JSON.stringify({ ...options, maxDistance: 0, minLines: 0, prose });
}

function bytesOf(list: Uint32Array | BigUint64Array): Uint8Array {
  return new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
}
