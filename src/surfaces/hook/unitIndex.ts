/**
 * Index of a tree's declarations ("units"), for finding an existing function that does the same as a new one. Units are
 * compared by the cosine of their terms, weighted by kind and by inverse document frequency (Salton, Buckley 1988). A
 * rewritten function shares few windows with the original, so the index of a scan does not find it.
 *
 * A search reads the tables of units and terms, and then the postings of a few dozen terms. The postings are most of
 * the file.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { firstPlace } from '../../core/collections/lists.ts';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { type Declaration, declarationsIn } from '../../presentation/wording/declarations.ts';
import { type FileStamp, isSameStamp } from '../../scan/io/sources.ts';
import { beginTemporary } from '../../scan/io/temporaryFile.ts';
import { kindOfTerm, type TermKind, termsOf } from './unitTerms.ts';

export interface Unit {
  /** Path relative to the root of the tree. */
  readonly path: string;
  readonly name: string;
  /** First line, from 1. */
  readonly startLine: number;
  /** True if Git knew, when the index was stored, that the first line was not committed. */
  readonly isNew: boolean;
}

export interface SimilarUnit extends Unit {
  /** Similarity to the query, from 0 to 1. */
  readonly score: number;
  /** Total weight of the shared terms. A word that occurs in no other unit has weight 1. */
  readonly shared: number;
}

export interface UnitIndex {
  /** Returns the units most similar to a text, in descending order of score. */
  readonly similarTo: (text: string, lexicon: Lexicon, limit: number) => SimilarUnit[];
  /** Returns true if, when the index was stored, the file had a declaration with this name. */
  readonly has: (path: string, name: string) => boolean;
  /** The same for a declaration that was committed, as far as Git knew. */
  readonly hasCommitted: (path: string, name: string) => boolean;
}

/** Weights by kind of term. Calls say more about a function's purpose than its local names. */
const weights: Readonly<Record<TermKind, number>> = { word: 1, call: 1.5, number: 1, shape: 0.7 };
/** Exponent of the inverse document frequency. */
const rarity = 2;
/** Weight of a term that no indexed unit contains, relative to the rarest one. New code often has new names. */
const unknownShare = 0.3;
/**
 * Number of units from which rarity is measured. In a smaller tree each term would count as common, and even an equal
 * function would share nothing of weight.
 */
const minUnits = 100;
/**
 * Minimum number of tokens of a unit: shorter ones are similar by chance. `maxLines` is the maximum, because agents do
 * not rewrite longer functions in one piece.
 */
const minTokens = 12;
const maxLines = 120;

/** Magic number of the file. It contains the version of the format and of the terms. */
const magicNumber = 0x4b485505;
const headerWords = 7;
/** Number of words stored per unit: file number, first line, number of tokens, and 1 if it is new. */
const unitWords = 4;
/** Number of 8-byte numbers in a file's stamp, which shows if the file has changed. */
const stampNumbers = 4;

export interface Source {
  /** Path relative to the root of the tree. */
  readonly path: string;
  /** Size and times of the file; `undefined` if not available. */
  readonly stamp: FileStamp | undefined;
  /** Returns true if a line is not committed, counted from 1. */
  readonly isNewAt: (line: number) => boolean;
  /** Reads the file. `text` is `undefined` if the file must not be compared. */
  readonly read: () => { readonly text: string | undefined; readonly stamp: FileStamp | undefined };
}

interface FileUnits {
  readonly stamp: FileStamp | undefined;
  readonly units: readonly StoredUnit[];
}

interface StoredUnit {
  readonly name: string;
  readonly startLine: number;
  readonly tokens: number;
  /** Terms of the unit, each as its number in the index. */
  readonly terms: Uint32Array;
}

/** Index of the same files in another worktree. */
export interface OtherIndex {
  readonly place: string;
  /** Returns the stamp that a file has here if its content is the same in both worktrees. */
  readonly stampFor: (path: string, stamp: FileStamp) => FileStamp | undefined;
}

/**
 * Stores an index of the given files. Reads only files that have changed since the index was last stored.
 *
 * @param other  used instead of the stored index, for a tree that has none
 */
export function storeUnits(place: string, sources: Iterable<Source>, other?: OtherIndex): void {
  const before = other ? readOther(other) : readEarlier(place);
  const { numbers } = before;
  const files = Array.from(sources, (source): FileUnits & Pick<Source, 'path' | 'isNewAt'> => {
    const { path, isNewAt } = source;
    const storedFile = before.files.get(path);
    if (storedFile && isSameStamp(storedFile.stamp, source.stamp)) return { path, isNewAt, ...storedFile };
    const { text, stamp } = source.read();
    return { path, isNewAt, stamp, units: unitsIn(path, text, numbers) };
  });
  const units = files.flatMap(({ isNewAt, units: own }, i) =>
    own.map((unit) => ({ ...unit, file: i, isNew: isNewAt(unit.startLine) })),
  );
  const { postings, ...tables } = postingsOf(
    units.map(({ terms }) => terms),
    Uint32Array.from(numbers.keys()),
  );
  const texts = [units.map(({ name }) => name), files.map(({ path }) => path)];
  const [names, paths] = texts.map((list) => Buffer.from(list.join('\n'), 'utf8')) as [Buffer, Buffer];
  const counts = [units.length, tables.vocabulary.length, postings.length, files.length, names.length, paths.length];
  const parts = [
    Uint32Array.of(magicNumber, ...counts),
    Uint32Array.from(units.flatMap(({ file, startLine, tokens, isNew }) => [file, startLine, tokens, Number(isNew)])),
    ...[tables.vocabulary, tables.ends, tables.norms, postings],
    Float64Array.from(files.flatMap(({ stamp }) => numbersOf(stamp))),
    ...[names, paths],
  ];
  const file = beginTemporary(place);
  try {
    for (const { buffer, byteOffset, byteLength } of parts) {
      writeSync(file.descriptor, new Uint8Array(buffer, byteOffset, byteLength));
    }
    file.commit();
  } finally {
    file.discard();
  }
}

function unitsIn(path: string, text: string | undefined, numbers: Map<number, number>): StoredUnit[] {
  const lexicon = lexiconForPath(path);
  if (text === undefined || lexicon.prose) return [];
  const lines = text.split(/\r?\n/);
  return declarationsIn(lines)
    .filter(isFunction)
    .flatMap((declaration): StoredUnit[] => {
      const { terms, tokens } = termsOf(textOf(lines, declaration), lexicon);
      if (tokens < minTokens) return [];
      const { name, startLine } = declaration;
      return [{ name, startLine, tokens, terms: terms.map((term) => numberIn(numbers, term)) }];
    });
}

/** Returns the units of a stored index by file, and the number of each term: none if there is no usable index. */
function readEarlier(place: string): { files: Map<string, FileUnits>; numbers: Map<number, number> } {
  const layout = existsSync(place) ? layoutIn(bytesInMemory(place)) : undefined;
  if (layout === undefined) return { files: new Map(), numbers: new Map() };
  const { vocabulary, ends, unitAt } = layout;
  const postings = layout.postingsFrom(0, layout.postingCount);
  const counts = new Uint32Array(layout.unitCount);
  for (const u of postings) counts[u]!++;
  const terms = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  let p = 0;
  for (const [term, end] of ends.entries()) for (; p < end; p++) terms[postings[p]!]![counts[postings[p]!]!++] = term;
  const stamps = layout.stamps();
  const units = layout.files.map((): StoredUnit[] => []);
  for (const [u, own] of terms.entries()) {
    const { file, name, startLine, tokens } = unitAt(u);
    units[file]!.push({ name, startLine, tokens, terms: own });
  }
  return {
    files: new Map(layout.files.map((path, i) => [path, { stamp: stampIn(stamps, i), units: units[i]! }])),
    numbers: new Map(Array.from(vocabulary, (term, number) => [term, number])),
  };
}

function readOther({ place, stampFor }: OtherIndex): ReturnType<typeof readEarlier> {
  const { files, numbers } = readEarlier(place);
  const same = Array.from(files, ([name, { stamp, units }]): [string, FileUnits] => [
    name,
    { stamp: stamp && stampFor(name, stamp), units },
  ]);
  return { files: new Map(same.filter(([, { stamp }]) => stamp !== undefined)), numbers };
}

function numbersOf(stamp: FileStamp | undefined): readonly number[] {
  const { sizeBytes, mtimeMs, ctimeMs, inode } = stamp ?? { sizeBytes: 0, mtimeMs: Number.NaN, ctimeMs: 0, inode: 0 };
  return [sizeBytes, mtimeMs, ctimeMs, inode];
}

function stampIn(stamps: Float64Array, file: number): FileStamp {
  const [sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0] = stamps.subarray(stampNumbers * file);
  return { sizeBytes, mtimeMs, ctimeMs, inode };
}

/** Returns the number of a term. Terms are numbered in the order in which they first occur. */
function numberIn(numbers: Map<number, number>, term: number): number {
  const storedNumber = numbers.get(term);
  if (storedNumber !== undefined) return storedNumber;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/** Returns true if a declaration is a function of at most `maxLines` lines that could be called, not copied. */
export function isFunction({ name, signature, startLine, endLine }: Declaration): boolean {
  return (
    endLine - startLine < maxLines &&
    signature.includes('(') &&
    !/= *new\b/.test(signature) &&
    !typeWords.test(signature) &&
    !isConstructor(name)
  );
}

const typeWords =
  /^(?:abstract\s+|export\s+|default\s+|public\s+|final\s+)*(?:class|interface|enum|struct|namespace|module|record|type)\b/;

function isConstructor(name: string): boolean {
  return /^(?:constructor|__\w+__|initialize|init)$/.test(name.slice(name.lastIndexOf('.') + 1));
}

export function textOf(lines: readonly string[], { startLine, endLine }: Declaration): string {
  return lines.slice(startLine - 1, endLine).join('\n');
}

interface Postings {
  /** Distinct terms, sorted. */
  readonly vocabulary: Uint32Array;
  /** For each term, the end of its postings. */
  readonly ends: Uint32Array;
  /** Postings: for each term, the numbers of the units that contain it. */
  readonly postings: Uint32Array;
  /** Euclidean norm of each unit's term vector. */
  readonly norms: Float32Array;
}

/**
 * Builds the postings.
 *
 * @param units  term numbers of each unit
 * @param terms  terms by number
 */
function postingsOf(units: readonly Uint32Array[], terms: Uint32Array): Postings {
  const counts = new Uint32Array(terms.length);
  for (const numbers of units) for (const number of numbers) counts[number]!++;
  // Drop terms that only occurred in units that were removed.
  const order = Uint32Array.from(terms.keys())
    .filter((number) => counts[number]! > 0)
    .sort((a, b) => terms[a]! - terms[b]!);
  const starts = new Uint32Array(terms.length);
  const ends = new Uint32Array(order.length);
  const termWeights = new Float64Array(terms.length);
  let end = 0;
  for (const [place, number] of order.entries()) {
    starts[number] = end;
    end += counts[number]!;
    ends[place] = end;
    termWeights[number] = weightOf(terms[number]!, counts[number]!, units.length);
  }
  const postings = new Uint32Array(end);
  const norms = new Float32Array(units.length);
  for (const [u, numbers] of units.entries()) {
    let sum = 0;
    for (const number of numbers) {
      postings[starts[number]!++] = u;
      sum += termWeights[number]!;
    }
    norms[u] = Math.sqrt(sum);
  }
  return { vocabulary: order.map((number) => terms[number]!), ends, postings, norms };
}

function weightOf(term: number, count: number, units: number): number {
  return weights[kindOfTerm(term)] * Math.log((Math.max(units, minUnits) + 1) / (count + 0.5)) ** rarity;
}

/** Passes a stored index to a function. Passes `undefined` if there is no file, or if it has a different version. */
export function withStoredUnits<T>(place: string, use: (units: UnitIndex | undefined) => T): T {
  if (!existsSync(place)) return use(undefined);
  const descriptor = openSync(place, 'r');
  try {
    return use(indexOf(bytesInFile(descriptor)));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a stored index into memory; returns `undefined` if it has a different version. */
export function loadUnits(place: string): UnitIndex | undefined {
  return indexOf(bytesInMemory(place));
}

/** Reads bytes of a stored index at an offset. */
type ByteReader = (at: number, bytes: number) => Uint8Array;

function bytesInFile(descriptor: number): ByteReader {
  return (at, bytes) => {
    const read = new Uint8Array(bytes);
    readSync(descriptor, read, 0, bytes, at);
    return read;
  };
}

function bytesInMemory(place: string): ByteReader {
  // Copy the file into a new array: slices of a Buffer would be views, and views of 32-bit words need aligned offsets.
  const all = new Uint8Array(readFileSync(place));
  return (at, bytes) => all.slice(at, at + bytes);
}

/** Parts of a stored index. Parts that most searches do not need are read on demand, by functions. */
interface Layout {
  readonly unitCount: number;
  readonly postingCount: number;
  readonly vocabulary: Uint32Array;
  readonly ends: Uint32Array;
  readonly norms: Float32Array;
  readonly files: readonly string[];
  readonly names: readonly string[];
  readonly postingsFrom: (start: number, end: number) => Uint32Array;
  readonly unitAt: (u: number) => Omit<StoredUnit, 'terms'> & Pick<Unit, 'isNew'> & { readonly file: number };
  readonly stamps: () => Float64Array;
}

function layoutIn(read: ByteReader): Layout | undefined {
  let at = 0;
  const next = (bytes: number): Uint8Array => {
    at += bytes;
    return read(at - bytes, bytes);
  };
  const words = (count: number): Uint32Array => new Uint32Array(next(4 * count).buffer);
  const [magic, unitCount = 0, termCount = 0, postingCount = 0, fileCount = 0, nameBytes = 0, fileBytes = 0] =
    words(headerWords);
  if (magic !== magicNumber) return undefined;
  const units = words(unitWords * unitCount);
  const [vocabulary, ends] = [words(termCount), words(termCount)];
  const norms = new Float32Array(next(4 * unitCount).buffer);
  const postingsAt = at;
  const stampsAt = postingsAt + 4 * postingCount;
  at = stampsAt + 8 * stampNumbers * fileCount;
  const texts = Buffer.from(next(nameBytes + fileBytes).buffer);
  const names = listIn(texts.toString('utf8', 0, nameBytes));
  return {
    unitCount,
    postingCount,
    vocabulary,
    ends,
    norms,
    names,
    files: listIn(texts.toString('utf8', nameBytes)),
    postingsFrom: (start, end) => new Uint32Array(read(postingsAt + 4 * start, 4 * (end - start)).buffer),
    unitAt: (u) => {
      const [file = 0, startLine = 0, tokens = 0, isNew] = units.subarray(unitWords * u, unitWords * (u + 1));
      return { file, name: names[u]!, startLine, tokens, isNew: isNew === 1 };
    },
    stamps: () => new Float64Array(read(stampsAt, 8 * stampNumbers * fileCount).buffer),
  };
}

function listIn(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function indexOf(read: ByteReader): UnitIndex | undefined {
  const layout = layoutIn(read);
  if (layout === undefined) return undefined;
  const { unitCount, vocabulary, ends, norms, names, files, unitAt } = layout;
  const declares = (path: string, name: string, fits: (unit: Pick<Unit, 'isNew'>) => boolean): boolean =>
    names.some((one, u) => one === name && files[unitAt(u).file] === path && fits(unitAt(u)));
  return {
    has: (path, name) => declares(path, name, () => true),
    hasCommitted: (path, name) => declares(path, name, ({ isNew }) => !isNew),
    similarTo: (text, lexicon, limit) => {
      const { terms, tokens } = termsOf(text, lexicon);
      const scores = new Float32Array(unitCount);
      const rarest = Math.log(2 * (Math.max(unitCount, minUnits) + 1)) ** rarity;
      let norm = 0;
      for (const term of terms) {
        const t = placeOf(vocabulary, term);
        if (t < 0) {
          norm += unknownShare * weightOf(term, 0, unitCount);
          continue;
        }
        const postings = layout.postingsFrom(t === 0 ? 0 : ends[t - 1]!, ends[t]!);
        const weight = weightOf(term, postings.length, unitCount);
        norm += weight;
        for (const u of postings) scores[u]! += weight;
      }
      const found: SimilarUnit[] = [];
      for (let u = 0; u < unitCount; u++) {
        if (scores[u] === 0) continue;
        const { file, tokens: own, ...unit } = unitAt(u);
        // A long function that contains a short one also contains its terms, so compare sizes as well.
        const sizes = Math.sqrt(Math.min(own, tokens) / Math.max(own, tokens));
        const score = (sizes * scores[u]!) / (Math.sqrt(norm) * norms[u]!);
        if (found.length === limit && score <= found[limit - 1]!.score) continue;
        found.push({ ...unit, path: files[file]!, score, shared: scores[u]! / rarest });
        found.sort((a, b) => b.score - a.score);
        if (found.length > limit) found.pop();
      }
      return found;
    },
  };
}

/** Returns the index of a value in a sorted array; −1 if it is not there. */
function placeOf(values: Uint32Array, value: number): number {
  const place = firstPlace(values.length, (at) => values[at]! < value);
  return values[place] === value ? place : -1;
}
