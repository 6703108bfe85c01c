/**
 * Index of the declarations of a tree, to find the one that a new declaration repeats. It compares declarations as
 * units: by the cosine of their terms, weighted by inverse document frequency (Salton, Buckley 1988) and by kind. A
 * function that was written again shares few windows with the existing one, so the index of a scan does not find it.
 *
 * A look-up reads the tables of units and terms, and then the postings of some dozen terms, which are most of the file.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { type Declaration, declarationsIn } from '../../presentation/wording/declarations.ts';
import { type FileStamp, isSameStamp } from '../../scan/io/sources.ts';
import { beginTemporary } from '../../scan/io/temporaryFile.ts';
import { kindOfTerm, type TermKind, termsOf } from './unitTerms.ts';

export interface Unit {
  /** Relative to the root. */
  readonly path: string;
  readonly name: string;
  /** First line, from 1. */
  readonly startLine: number;
}

export interface SimilarUnit extends Unit {
  /** Similarity to the query, 0 to 1. */
  readonly score: number;
  /** Weight of the shared terms. A word that no other unit has counts 1. */
  readonly shared: number;
}

export interface UnitIndex {
  /** Returns the most similar units in descending order. */
  readonly similarTo: (text: string, lexicon: Lexicon, most: number) => SimilarUnit[];
  /** Returns true if a file had a declaration of a name when the index was made. */
  readonly has: (path: string, name: string) => boolean;
}

/** Weights of the kinds of terms. What a function calls says more about its purpose than its local names. */
const weights: Readonly<Record<TermKind, number>> = { word: 1, call: 1.5, number: 1, shape: 0.7 };
/** Exponent of the inverse document frequency. */
const rarity = 2;
/** Weight of a term that no unit has, as a share of the rarest one: names are often new, but not everything. */
const unknownShare = 0.3;
/** Shorter units resemble each other by chance, and longer ones are not written again as one. */
const minTokens = 12;
const maxLines = 120;

/** Magic number with the version of the format and of the terms. */
const magicNumber = 0x4b485503;
const headerWords = 7;
/** Words of a unit: number of its file, first line, and number of its tokens. */
const unitWords = 3;
/** Numbers of the stamp of a file, of 8 bytes. */
const stampNumbers = 4;

/** A file that may have units. */
export interface Source {
  /** Relative to the root. */
  readonly path: string;
  /** `undefined` if it is not available. */
  readonly stamp: FileStamp | undefined;
  /** Reads the file. Its text is `undefined` if it is not compared. */
  readonly read: () => { readonly text: string | undefined; readonly stamp: FileStamp | undefined };
}

/** Units of a file. */
interface FileUnits {
  readonly stamp: FileStamp | undefined;
  readonly units: readonly StoredUnit[];
}

interface StoredUnit {
  readonly name: string;
  readonly startLine: number;
  readonly tokens: number;
  /** Numbers of its terms. */
  readonly terms: Uint32Array;
}

/** Stores the index of sources in a file. Reads only sources that have changed since it was stored last. */
export function storeUnits(place: string, sources: Iterable<Source>): void {
  const before = readEarlier(place);
  const { numbers } = before;
  const files = Array.from(sources, (source): FileUnits & { readonly path: string } => {
    const { path } = source;
    const known = before.files.get(path);
    if (known && isSameStamp(known.stamp, source.stamp)) return { path, ...known };
    const { text, stamp } = source.read();
    return { path, stamp, units: unitsIn(path, text, numbers) };
  });
  const units = files.flatMap((file, i) => file.units.map((unit) => ({ ...unit, file: i })));
  const { postings, ...tables } = postingsOf(
    units.map(({ terms }) => terms),
    Uint32Array.from(numbers.keys()),
  );
  const texts = [units.map(({ name }) => name), files.map(({ path }) => path)];
  const [names, paths] = texts.map((list) => Buffer.from(list.join('\n'), 'utf8')) as [Buffer, Buffer];
  const counts = [units.length, tables.vocabulary.length, postings.length, files.length, names.length, paths.length];
  const parts = [
    Uint32Array.of(magicNumber, ...counts),
    Uint32Array.from(units.flatMap(({ file, startLine, tokens }) => [file, startLine, tokens])),
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

/** Returns the units of a stored index by file, and the numbers of its terms; none if there is no usable index. */
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

function numbersOf(stamp: FileStamp | undefined): readonly number[] {
  const { sizeBytes, mtimeMs, ctimeMs, inode } = stamp ?? { sizeBytes: 0, mtimeMs: Number.NaN, ctimeMs: 0, inode: 0 };
  return [sizeBytes, mtimeMs, ctimeMs, inode];
}

function stampIn(stamps: Float64Array, file: number): FileStamp {
  const [sizeBytes = 0, mtimeMs = 0, ctimeMs = 0, inode = 0] = stamps.subarray(stampNumbers * file);
  return { sizeBytes, mtimeMs, ctimeMs, inode };
}

/** Returns the number of a term: its place among the terms in the order in which they were first seen. */
function numberIn(numbers: Map<number, number>, term: number): number {
  const known = numbers.get(term);
  if (known !== undefined) return known;
  numbers.set(term, numbers.size);
  return numbers.size - 1;
}

/** Returns true if a declaration is a function that other code can call instead, and not too long to be one unit. */
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
  /** Distinct terms in ascending order. */
  readonly vocabulary: Uint32Array;
  /** Ends of the postings of each term. */
  readonly ends: Uint32Array;
  /** Numbers of the units that have a term. */
  readonly postings: Uint32Array;
  /** Euclidean lengths of the units. */
  readonly norms: Float32Array;
}

/**
 * @param units  numbers of the terms of each unit
 * @param terms  by their number
 */
function postingsOf(units: readonly Uint32Array[], terms: Uint32Array): Postings {
  const counts = new Uint32Array(terms.length);
  for (const numbers of units) for (const number of numbers) counts[number]!++;
  // Terms of units that were removed are dropped.
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
  return weights[kindOfTerm(term)] * Math.log((units + 1) / (count + 0.5)) ** rarity;
}

/** Calls a function with a stored index, or with `undefined` if there is none, or none of this version. */
export function withStoredUnits<T>(place: string, use: (units: UnitIndex | undefined) => T): T {
  if (!existsSync(place)) return use(undefined);
  const descriptor = openSync(place, 'r');
  try {
    return use(indexOf(bytesInFile(descriptor)));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a stored index into memory; `undefined` if it is none of this version. */
export function loadUnits(place: string): UnitIndex | undefined {
  return indexOf(bytesInMemory(place));
}

/** Reads bytes of a stored index. */
type Read = (at: number, bytes: number) => Uint8Array;

function bytesInFile(descriptor: number): Read {
  return (at, bytes) => {
    const read = new Uint8Array(bytes);
    readSync(descriptor, read, 0, bytes, at);
    return read;
  };
}

function bytesInMemory(place: string): Read {
  // A slice of a Buffer would be a view, and views of words need aligned offsets.
  const all = new Uint8Array(readFileSync(place));
  return (at, bytes) => all.slice(at, at + bytes);
}

/** Parts of a stored index. Those that a look-up does not need are functions. */
interface Layout {
  readonly unitCount: number;
  readonly postingCount: number;
  readonly vocabulary: Uint32Array;
  readonly ends: Uint32Array;
  readonly norms: Float32Array;
  readonly files: readonly string[];
  readonly names: readonly string[];
  readonly postingsFrom: (start: number, end: number) => Uint32Array;
  readonly unitAt: (u: number) => Pick<StoredUnit, 'name' | 'startLine' | 'tokens'> & { readonly file: number };
  readonly stamps: () => Float64Array;
}

function layoutIn(read: Read): Layout | undefined {
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
      const [file = 0, startLine = 0, tokens = 0] = units.subarray(unitWords * u, unitWords * (u + 1));
      return { file, name: names[u]!, startLine, tokens };
    },
    stamps: () => new Float64Array(read(stampsAt, 8 * stampNumbers * fileCount).buffer),
  };
}

function listIn(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function indexOf(read: Read): UnitIndex | undefined {
  const layout = layoutIn(read);
  if (layout === undefined) return undefined;
  const { unitCount, vocabulary, ends, norms, names, files, unitAt } = layout;
  return {
    has: (path, name) => names.some((one, u) => one === name && files[unitAt(u).file] === path),
    similarTo: (text, lexicon, most) => {
      const { terms, tokens } = termsOf(text, lexicon);
      const scores = new Float32Array(unitCount);
      const rarest = Math.log(2 * (unitCount + 1)) ** rarity;
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
        const { file, name, startLine, tokens: own } = unitAt(u);
        // A short function inside of a long one has its terms, too.
        const sizes = Math.sqrt(Math.min(own, tokens) / Math.max(own, tokens));
        const score = (sizes * scores[u]!) / (Math.sqrt(norm) * norms[u]!);
        if (found.length === most && score <= found[most - 1]!.score) continue;
        found.push({ path: files[file]!, name, startLine, score, shared: scores[u]! / rarest });
        found.sort((a, b) => b.score - a.score);
        if (found.length > most) found.pop();
      }
      return found;
    },
  };
}

/** Returns the place of a value in ascending values; −1 if it is not there. */
function placeOf(values: Uint32Array, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return values[low] === value ? low : -1;
}
