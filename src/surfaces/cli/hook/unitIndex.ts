/**
 * Index of the declarations of a tree, to find the one that a new declaration repeats. It compares declarations as
 * units: by the cosine of their terms, weighted by inverse document frequency (Salton, Buckley 1988) and by kind. A
 * function that was written again shares few windows with the existing one, so the index of a scan does not find it.
 *
 * A look-up reads the tables of units and terms, and then the postings of some dozen terms, which are most of the file.
 */
import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs';
import { lexiconForPath } from '../../../core/engine/languages/lexicon.ts';
import type { Lexicon } from '../../../core/engine/languages/lexicalRules.ts';
import { type Declaration, declarationsIn } from '../../../presentation/wording/declarations.ts';
import { beginTemporary } from '../../../scan/io/temporaryFile.ts';
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
const magicNumber = 0x4b485502;
const headerWords = 5;
/** Words of a unit: number of its file, first line, and number of its tokens. */
const unitWords = 3;

export interface Source {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

/** Stores the index of sources in a file. */
export function storeUnits(place: string, sources: Iterable<Source>): void {
  const files: string[] = [];
  const names: string[] = [];
  const units: number[] = [];
  const numbers = new Map<number, number>();
  const terms: Uint32Array[] = [];
  for (const { path, text } of sources) {
    const lexicon = lexiconForPath(path);
    const lines = text.split(/\r?\n/);
    for (const declaration of lexicon.prose ? [] : declarationsIn(lines)) {
      if (!isFunction(declaration)) continue;
      const unit = termsOf(textOf(lines, declaration), lexicon);
      if (unit.tokens < minTokens) continue;
      if (files.at(-1) !== path) files.push(path);
      units.push(files.length - 1, declaration.startLine, unit.tokens);
      names.push(declaration.name);
      terms.push(unit.terms.map((term) => numberIn(numbers, term)));
    }
  }
  const { postings, ...tables } = postingsOf(terms, Uint32Array.from(numbers.keys()));
  const parts = [Uint32Array.from(units), tables.vocabulary, tables.ends, new Uint32Array(tables.norms.buffer)];
  const texts = [names, files].map((list) => Buffer.from(list.join('\n'), 'utf8'));
  const header = [magicNumber, names.length, tables.vocabulary.length, ...texts.map(({ length }) => length)];
  const file = beginTemporary(place);
  try {
    for (const part of [Uint32Array.from(header), ...parts]) writeSync(file.descriptor, new Uint8Array(part.buffer));
    for (const text of texts) writeSync(file.descriptor, text);
    writeSync(file.descriptor, new Uint8Array(postings.buffer));
    file.commit();
  } finally {
    file.discard();
  }
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
  const order = Uint32Array.from(terms.keys()).sort((a, b) => terms[a]! - terms[b]!);
  const starts = new Uint32Array(terms.length);
  const ends = new Uint32Array(terms.length);
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
export function withUnits<T>(place: string, use: (units: UnitIndex | undefined) => T): T {
  if (!existsSync(place)) return use(undefined);
  const descriptor = openSync(place, 'r');
  try {
    return use(readUnits(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

function readUnits(descriptor: number): UnitIndex | undefined {
  let at = 0;
  const next = (length: number): Uint32Array => {
    const words = readWords(descriptor, at, length);
    at += 4 * length;
    return words;
  };
  const [magic, unitCount = 0, termCount = 0, nameBytes = 0, fileBytes = 0] = next(headerWords);
  if (magic !== magicNumber) return undefined;
  const units = next(unitWords * unitCount);
  const vocabulary = next(termCount);
  const ends = next(termCount);
  const norms = new Float32Array(next(unitCount).buffer);
  const texts = Buffer.alloc(nameBytes + fileBytes);
  readSync(descriptor, texts, 0, texts.length, at);
  const postingsAt = at + texts.length;
  const names = texts.toString('utf8', 0, nameBytes).split('\n');
  const files = texts.toString('utf8', nameBytes).split('\n');
  const unitAt = (u: number): Unit => ({
    path: files[units[unitWords * u]!]!,
    name: names[u]!,
    startLine: units[unitWords * u + 1]!,
  });
  return {
    has: (path, name) => names.some((one, u) => one === name && unitAt(u).path === path),
    similarTo: (text, lexicon, most) => {
      const { terms, tokens } = termsOf(text, lexicon);
      const scores = new Float32Array(unitCount);
      const rarest = Math.log(2 * (unitCount + 1)) ** rarity;
      let norm = 0;
      for (const term of terms) {
        const t = indexOf(vocabulary, term);
        if (t < 0) {
          norm += unknownShare * weightOf(term, 0, unitCount);
          continue;
        }
        const start = t === 0 ? 0 : ends[t - 1]!;
        const postings = readWords(descriptor, postingsAt + 4 * start, ends[t]! - start);
        const weight = weightOf(term, postings.length, unitCount);
        norm += weight;
        for (const u of postings) scores[u]! += weight;
      }
      const found: SimilarUnit[] = [];
      for (let u = 0; u < unitCount; u++) {
        if (scores[u] === 0) continue;
        const own = units[unitWords * u + 2]!;
        // A short function inside of a long one has its terms, too.
        const sizes = Math.sqrt(Math.min(own, tokens) / Math.max(own, tokens));
        const score = (sizes * scores[u]!) / (Math.sqrt(norm) * norms[u]!);
        if (found.length === most && score <= found[most - 1]!.score) continue;
        found.push({ ...unitAt(u), score, shared: scores[u]! / rarest });
        found.sort((a, b) => b.score - a.score);
        if (found.length > most) found.pop();
      }
      return found;
    },
  };
}

function readWords(descriptor: number, at: number, length: number): Uint32Array {
  const words = new Uint32Array(length);
  readSync(descriptor, new Uint8Array(words.buffer), 0, 4 * length, at);
  return words;
}

/** Returns the place of a value in ascending values; −1 if it is not there. */
function indexOf(values: Uint32Array, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return values[low] === value ? low : -1;
}
