// The lines of all documents by their phrases or by their patterns (phrases.ts), for updates and searches. Few of them
// occur on several lines, so a bucket contains the lines themselves: groups as in liveIndex.ts would take three times
// the memory. The index has the record of a live index with a single table, and no groups.
import { allocateBlock, moveBlock } from '../blocks';
import { golden64 } from '../documents/hashFactors';
import { bytesOf, itemOf, setItem } from '../records';
import { Bucket, index, LiveWindow, open, roomBehind, roomFor, tableOf } from './liveIndex';
import { addNear } from './livePartners';
import { offer, addSeed } from './liveSeeds';
import { LiveIndex } from './liveTables';
import { languageOf, linkPhrases, maxLinesOfPhrase, phraseShift } from './phrases';
import { unitOnly } from './seed';

/** A line with a phrase. It begins with the fields of a `LiveWindow`. */
@unmanaged class LiveLine {
  document: u32;
  position: u32;
  /** Bits of the phrase that do not follow from the bucket. */
  check: u32;
}

/** Number of bits of a phrase that are not always the same. */
const phraseBits: u64 = 39;
/** Minimum of the binary logarithm of the number of buckets. The other bits of a phrase then fit into a check. */
export const minPhraseBuckets: u32 = 7;

/** Permutes the 39-bit numbers. The upper bits of the result determine the bucket, the lower ones are the check. */
@inline function mixed(phrase: u64): u64 {
  return ((phrase >> (<u64>phraseShift + 1)) * golden64) & (((<u64>1) << phraseBits) - 1);
}

@inline function bucketOf(phrase: u64): Bucket {
  const table = tableOf(0);
  return itemOf<Bucket>(table.buckets, <u32>(mixed(phrase) >> (phraseBits - <u64>table.bits)));
}

@inline function lineAt(bucket: Bucket, i: u32): LiveLine {
  return itemOf<LiveLine>(bucket.entries, i);
}

@inline function lineBytes(count: u32): usize {
  return <usize>count * offsetof<LiveLine>();
}

/** Returns the capacity that a bucket needs for a number of lines, in units of 8 bytes, as for other buckets. */
@inline function wordsOf(lines: u32): u32 {
  return <u32>((lineBytes(lines) + 7) >> 3);
}

// ---------------------------------------------------------------------------------------------------------------------
// Insertion and removal

function addLine(phrase: u64, document: u32, position: u32): void {
  const bucket = bucketOf(phrase);
  const count = bucket.count,
    room = bucket.room;
  if (wordsOf(count + 1) > room) {
    let larger = room;
    while (larger < wordsOf(count + 1)) larger = roomBehind(larger);
    resize(bucket, larger);
  }
  const line = lineAt(bucket, count);
  line.document = document;
  line.position = position;
  line.check = <u32>mixed(phrase);
  bucket.count = count + 1;
}

function resize(bucket: Bucket, room: u32): void {
  bucket.entries = moveBlock(bucket.entries, lineBytes(bucket.count), bytesOf<u64>(bucket.room), bytesOf<u64>(room));
  bucket.room = room;
}

/**
 * Lists the windows that have a phrase. Their phrases are moved to the beginning of the list of all windows, and their
 * first tokens are written to `positions`. Returns their number. Parameters are as for `writePhrases`.
 */
export function listLines(phrases: usize, windows: usize, stride: u32, count: u32, positions: usize): u32 {
  let lines: u32 = 0;
  for (let w: u32 = 0; w < count; w++) {
    const phrase = itemOf<u64>(phrases, w);
    if (!phrase) continue;
    setItem<u64>(phrases, lines, phrase);
    setItem<u32>(positions, lines, load<u32>(windows + <usize>w * <usize>stride));
    lines++;
  }
  return lines;
}

/** Removes the lines from a list whose phrases are on no line in the index. Returns the number of other lines. */
export function keepLinesIn(record: LiveIndex, phrases: usize, positions: usize, count: u32): u32 {
  open(record);
  let lines: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const phrase = itemOf<u64>(phrases, i);
    if (!findLines(phrase)) continue;
    setItem<u64>(phrases, lines, phrase);
    setItem<u32>(positions, lines, itemOf<u32>(positions, i));
    lines++;
  }
  return lines;
}

/** Adds the lines of a document, as listed by `listLines`. */
export function insertLines(record: LiveIndex, document: u32, phrases: usize, positions: usize, count: u32): void {
  open(record);
  for (let i: u32 = 0; i < count; i++) addLine(itemOf<u64>(phrases, i), document, itemOf<u32>(positions, i));
}

/**
 * Removes the lines of a document from a token on.
 *
 * @param phrases  distinct phrases of these lines. A phrase may have very many lines, so each is searched once
 */
export function removeLines(record: LiveIndex, document: u32, position: u32, count: u32, phrases: usize): void {
  open(record);
  for (let w: u32 = 0; w < count; w++) {
    const phrase = itemOf<u64>(phrases, w);
    const bucket = bucketOf(phrase);
    const check = <u32>mixed(phrase);
    let left = bucket.count;
    for (let i = left; i-- > 0;) {
      const line = lineAt(bucket, i);
      if (line.check != check || line.document != document || line.position < position) continue;
      left--;
      memory.copy(changetype<usize>(line), changetype<usize>(lineAt(bucket, left)), offsetof<LiveLine>());
    }
    bucket.count = left;
    const smaller = roomFor(wordsOf(left), bucket.room);
    if (smaller != bucket.room) resize(bucket, smaller);
  }
}

/** Counts the lines [from, to) of a list in the buckets of an empty index. */
export function countLines(record: LiveIndex, phrases: usize, from: u32, to: u32): void {
  open(record);
  for (let i = from; i < to; i++) bucketOf(itemOf<u64>(phrases, i)).count++;
}

/** Allocates memory for the counted lines in the buckets [from, to). */
export function reserveLines(record: LiveIndex, from: u32, to: u32): void {
  open(record);
  for (let i = from; i < to; i++) {
    const bucket = itemOf<Bucket>(tableOf(0).buckets, i);
    if (!bucket.count) continue;
    const room = roomFor(wordsOf(bucket.count), u32.MAX_VALUE);
    bucket.entries = allocateBlock(bytesOf<u64>(room));
    bucket.room = room;
    bucket.count = 0;
  }
}

/** Adds the lines [from, to) of a list. Precondition: memory for them has been allocated. */
export function placeLines(record: LiveIndex, phrases: usize, docs: usize, positions: usize, from: u32, to: u32): void {
  open(record);
  for (let i = from; i < to; i++) addLine(itemOf<u64>(phrases, i), itemOf<u32>(docs, i), itemOf<u32>(positions, i));
}

// ---------------------------------------------------------------------------------------------------------------------
// Seeds

/** The addresses of lines with the same phrase, with the methods that `linkPhrases` requires. */
@unmanaged class LineList {
  @inline at(i: u32): LiveWindow {
    return changetype<LiveWindow>(<usize>itemOf<u32>(changetype<usize>(this), i));
  }

  @inline documentOf(i: u32): u32 {
    return this.at(i).document;
  }

  @inline link(a: u32, b: u32, bits: u32): void {
    offer(this.at(a), this.at(b), bits);
  }
}

/**
 * Writes the addresses of the lines with a phrase to `near`, and returns their number. Stops as soon as there are more
 * lines than are linked.
 */
function findLines(phrase: u64): u32 {
  const bucket = bucketOf(phrase);
  const check = <u32>mixed(phrase);
  index.search.nearCount = 0;
  for (let i: u32 = 0; i < bucket.count && index.search.nearCount <= maxLinesOfPhrase; i++) {
    const line = lineAt(bucket, i);
    if (line.check == check) addNear(<u32>changetype<usize>(line));
  }
  return index.search.nearCount;
}

@inline function foundLines(): LineList {
  return changetype<LineList>(index.search.near);
}

/** Returns true if a line before the given token of the document has been found. */
function isFoundBefore(document: u32, position: u32): bool {
  for (let i: u32 = 0; i < index.search.nearCount; i++) {
    const line = foundLines().at(i);
    if (line.document == document && line.position < position) return true;
  }
  return false;
}

/** Adds all seeds of phrases that have a line in the given document. Its lines are as listed by `listLines`. */
export function phraseSeedsWith(record: LiveIndex, document: u32, phrases: usize, positions: usize, count: u32): void {
  open(record);
  index.search.wantedDocument = document;
  index.search.wantedWith = 1;
  for (let i: u32 = 0; i < count; i++) {
    const found = findLines(itemOf<u64>(phrases, i));
    // Process each phrase only once: skip all lines with it except the first one in the document.
    if (found < 2 || isFoundBefore(document, itemOf<u32>(positions, i))) continue;
    linkPhrases(foundLines(), 0, found, index.documents);
  }
}

/** Adds the seeds of distinct phrases without a line in the given document. */
export function phraseSeedsWithout(record: LiveIndex, document: u32, phrases: usize, count: u32): void {
  open(record);
  index.search.wantedDocument = document;
  index.search.wantedWith = 0;
  for (let i: u32 = 0; i < count; i++) {
    const found = findLines(itemOf<u64>(phrases, i));
    linkPhrases(foundLines(), 0, found, index.documents);
  }
}

/**
 * Adds the seeds between the lines of a text that is not in the index, and lines with the same pattern, or lines in
 * other languages with the same phrase. Skips phrases of more lines in the index than are linked.
 *
 * @param document  document number for the text; it is the first document of each seed
 * @param family    hash of the text's language family
 */
export function phraseSeedsOfText(
  record: LiveIndex,
  document: u32,
  family: u32,
  phrases: usize,
  positions: usize,
  count: u32,
): void {
  open(record);
  for (let i: u32 = 0; i < count; i++) {
    const found = findLines(itemOf<u64>(phrases, i));
    if (found > maxLinesOfPhrase) continue;
    const position = itemOf<u32>(positions, i);
    for (let f: u32 = 0; f < found; f++) {
      const line = foundLines().at(f);
      if (index.documents && languageOf(index.documents, line.document) == family) continue;
      addSeed(document, position, line.document, line.position, unitOnly);
    }
  }
}
