/** The parts of the kernel's alignment, called separately with texts given as words of tokens (hash and kind). */
import { documentBytes, documentLinesAt } from '../../../src/core/kernel/documents/documentLayout.ts';
import wasm from '../../fixtures/kernel/alignment.wasm';
import * as layout from '../../../src/core/kernel/matches/settingsLayout.ts';
import {
  matchA0Word,
  matchA1Word,
  matchB0Word,
  matchB1Word,
  matchWords,
  wordsOfMatch,
} from '../../../src/core/kernel/matches/matchRecordLayout.ts';

type Fn = (...args: number[]) => number;
interface Global {
  readonly value: number;
}

interface Exports {
  readonly matchScratchBytes: Fn;
  readonly prepareMatching: Fn;
  readonly openDocuments: Fn;
  readonly extendFrom: Fn;
  readonly usedA: Fn;
  readonly usedB: Fn;
  readonly setRenamedCopy: Fn;
  readonly jump: Fn;
  readonly jumpedA: Fn;
  readonly jumpedB: Fn;
  readonly countNames: Fn;
  readonly columnAgreement: Fn;
  readonly rescoreCounted: Fn;
  readonly boundScore: Fn;
  readonly certainScore: Global;
  readonly useSettings: Fn;
  readonly blocksOfLeft: Fn;
  readonly findCasesOfLeft: Fn;
  readonly firstCase: Fn;
  readonly lastCase: Fn;
  readonly hasCase: Fn;
  readonly widestBlock: Global;
  readonly bestScore: Fn;
  readonly bestFirst: Fn;
  readonly bestFrom: Fn;
  readonly bestLast: Fn;
  readonly bestTo: Fn;
  readonly setOtherRunCount: Fn;
  readonly otherRunCount: Fn;
  readonly otherRuns: Fn;
  readonly openCommonTokens: Fn;
  readonly commonTokens: Fn;
  readonly writtenForm: Global;
  readonly abstractedForm: Global;
  readonly wordForm: Global;
  readonly alignUnits: Fn;
  readonly compareCounts: Fn;
  readonly openUnitCounts: Fn;
  readonly maxWritten: Fn;
  readonly maxAbstracted: Fn;
  readonly openRecords: Fn;
  readonly dropRecords: Fn;
  readonly openRecordGrid: Fn;
  readonly recordAround: Fn;
}

/** Forms of tokens: as written, with abstracted names, and only words, regardless of their kind. */
export type Form = 'written' | 'abstracted' | 'word';

/** Tokens a … a + length − 1 of the left text correspond to b … b + length − 1 of the right text. */
export interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

export interface Extension {
  /** In order of distance, nearest first. */
  readonly runs: Run[];
  readonly usedA: number;
  readonly usedB: number;
}

/** Tokens [a0, a1) of the left text and [b0, b1) of the right text. */
export interface Place {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/** Part of an alignment: from token `from` of run `first` up to, but not including, token `to` of run `last`. */
export interface Stretch {
  readonly score: number;
  readonly first: number;
  readonly from: number;
  readonly last: number;
  readonly to: number;
}

/** The words of the kernel's brackets: ( [ { ) ] } and ; and those of elements, in the order of the settings. */
export type Brackets = readonly number[];

/** Larger than the needs of any two texts of the tests. */
const memory = new WebAssembly.Memory({ initial: 512, maximum: 512 });
// Fills the memory, so that reads of uninitialized memory are detected. Later, remains of earlier texts have the same
// effect.
new Uint8Array(memory.buffer).fill(0xa5);
const exports = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory } })
  .exports as unknown as Exports;

/** Matches of one pair of documents in the kernel, until another pair is opened. */
export class KernelRecords {
  readonly #records = 65_536;
  #count = 0;

  /** @param room  maximum number of matches */
  constructor(room: number) {
    const scratch = this.#records + 4 * wordsOfMatch * room;
    exports.prepareMatching(scratch + (-scratch & 15));
    exports.openRecords(this.#records, room);
    exports.openRecordGrid();
  }

  add({ a0, a1, b0, b1 }: Place): void {
    const record = this.#records + 4 * matchWords * this.#count++;
    for (const [word, value] of [
      [matchA0Word, a0],
      [matchA1Word, a1],
      [matchB0Word, b0],
      [matchB1Word, b1],
    ] as const)
      new Uint32Array(memory.buffer, record)[word] = value;
    // Sets the number of matches.
    exports.dropRecords(this.#count);
  }

  /** Returns the number of the first match that contains all but `room` tokens of a run on each side, or −1. */
  around({ a, b, length }: Run, room: number): number {
    const record = exports.recordAround(a, b, length, room);
    return record === 0 ? -1 : (record - this.#records) / (4 * matchWords);
  }
}

/** Two texts that the kernel has open until it opens others: code with replaceable names, or prose. */
export class KernelAlignment {
  #end = 65_536;
  readonly #left: number;
  readonly #right: number;
  readonly #counts: { readonly left: number; readonly right: number };
  readonly #common: number;
  readonly #units: readonly [left: number, right: number];

  /** @param lines  line records of the left text */
  constructor(left: readonly number[], right: readonly number[], prose = false, lines: readonly number[] = []) {
    exports.prepareMatching(this.#room(exports.matchScratchBytes()));
    this.#left = this.#put(left);
    this.#right = this.#put(right);
    this.#counts = { left: left.length, right: right.length };
    const flags = prose ? 1 : 0;
    // Records of documents as `gatherWindows` reads them, without windows.
    const record = (tokens: number, count: number, ofLines: readonly number[]): number[] => {
      const words = Array<number>(documentBytes / 4).fill(0);
      words.splice(0, 3, tokens, count, flags);
      words.splice(documentLinesAt / 4, 2, this.#put(ofLines), ofLines.length / 2);
      return words;
    };
    const records = [...record(this.#left, left.length, lines), ...record(this.#right, right.length, [])];
    exports.openDocuments(this.#put(records), 0, 1);
    this.#common = exports.openCommonTokens();
    this.#units = [this.#put([0, left.length]), this.#put([0, right.length])];
  }

  /** Returns the length of the equal beginnings, or ends, of the texts. */
  extendFrom(direction: 'forward' | 'back', xDrop: number): Extension {
    const { left, right } = this.#counts;
    this.#useSettings(layout.settingsXDropAt, [xDrop]);
    exports.setOtherRunCount(0);
    if (direction === 'forward') exports.extendFrom(0, 0, 1, left, right);
    else exports.extendFrom(left, right, -1, left, right);
    const words = new Uint32Array(memory.buffer, exports.otherRuns(), 3 * exports.otherRunCount());
    const runs = Array.from({ length: words.length / 3 }, (_, i) => ({
      a: words[3 * i],
      b: words[3 * i + 1],
      length: words[3 * i + 2],
    }));
    return { runs, usedA: exports.usedA(), usedB: exports.usedB() };
  }

  /**
   * Returns the length of the longest common subsequence of left tokens from `a` on and right tokens from `b` on, in
   * one of the forms; 0 if it is less than `minLength`.
   */
  commonTokens(a: number, b: number, form: Form, minLength = 0): number {
    const { left, right } = this.#counts;
    return exports.commonTokens(this.#common, a, left, b, right, exports[`${form}Form`].value, minLength);
  }

  /** Returns upper limits of `commonTokens` for both texts, each of which is a unit. */
  maxCommonTokens(): { readonly written: number; readonly abstracted: number } {
    const counts = exports.openUnitCounts();
    exports.compareCounts(counts, ...this.#units);
    return { written: exports.maxWritten(counts), abstracted: exports.maxAbstracted(counts) };
  }

  /** Aligns both texts from end to end. */
  alignUnits(common: number): Run[] {
    const { left, right } = this.#counts;
    exports.setOtherRunCount(0);
    exports.alignUnits(0, left, 0, right, common);
    const words = new Uint32Array(memory.buffer, exports.otherRuns(), 3 * exports.otherRunCount());
    return Array.from({ length: words.length / 3 }, (_, i) => ({
      a: words[3 * i],
      b: words[3 * i + 1],
      length: words[3 * i + 2],
    }));
  }

  /** Returns the length of the gap at token a in both texts; `undefined` if nothing after it matches. */
  jump(a: number, renamed: boolean): readonly [number, number] | undefined {
    const { left, right } = this.#counts;
    exports.setRenamedCopy(renamed ? 1 : 0);
    const found = exports.jump(this.#left + 4 * a, this.#right, 4, left - a, right);
    return found ? [exports.jumpedA(), exports.jumpedB()] : undefined;
  }

  /** Returns the agreement of the left and the right name in each differing column of the runs: 2, 1, or 0. */
  agreements(runs: readonly Run[], columns: number): number[] {
    const names = exports.countNames(this.#putRuns(runs), 0, runs.length);
    return Array.from({ length: columns }, (_, column) => exports.columnAgreement(names, column));
  }

  rescore(runs: readonly Run[], gapFactor: number): Stretch {
    const list = this.#putRuns(runs);
    const names = exports.countNames(list, 0, runs.length);
    const best = exports.rescoreCounted(list, 0, runs.length, names, gapFactor);
    return {
      score: exports.bestScore(best),
      first: exports.bestFirst(best),
      from: exports.bestFrom(best),
      last: exports.bestLast(best),
      to: exports.bestTo(best),
    };
  }

  /** Returns true if the runs certainly score `enough`, and otherwise an upper bound of their score. */
  boundScore(runs: readonly Run[], enough: number): { readonly certain: boolean; readonly maxScore: number } {
    const maxScore = exports.boundScore(this.#putRuns(runs), 0, runs.length, enough);
    return { certain: maxScore === exports.certainScore.value, maxScore };
  }

  /**
   * Returns the blocks around tokens [from, to) of the left text by level: the position of the opener, and the position
   * after the closer.
   */
  blocksAround(from: number, to: number, brackets: Brackets): (readonly [number, number] | undefined)[] {
    this.#useSettings(layout.settingsOpenRoundAt, brackets);
    const words = new Uint32Array(memory.buffer, exports.blocksOfLeft(from, to), 2 * exports.widestBlock.value);
    return Array.from({ length: words.length / 2 }, (_, level) => {
      const [opener, end] = [words[2 * level], words[2 * level + 1]];
      return opener === 0xffff_ffff || end === 0xffff_ffff ? undefined : [opener, end];
    });
  }

  /** Returns the first tokens of the first and of the last case or label in tokens [from, to) of the left text. */
  casesIn(
    from: number,
    to: number,
    brackets: Brackets,
  ): { readonly first: number; readonly last: number; readonly hasCase: boolean } | undefined {
    this.#useSettings(layout.settingsOpenRoundAt, brackets);
    exports.findCasesOfLeft(from, to);
    const [first, last] = [exports.firstCase() >>> 0, exports.lastCase() >>> 0];
    return first === 0xffff_ffff ? undefined : { first, last, hasCase: exports.hasCase() !== 0 };
  }

  /** @param at  offset of the first field; other fields are 0 */
  #useSettings(at: number, words: readonly number[]): void {
    exports.useSettings(this.#put([...Array<number>(at / 4).fill(0), ...words]));
  }

  #putRuns(runs: readonly Run[]): number {
    return this.#put(runs.flatMap(({ a, b, length }) => [a, b, length]));
  }

  #put(words: readonly number[]): number {
    const address = this.#room(4 * words.length);
    new Uint32Array(memory.buffer, address, words.length).set(words);
    return address;
  }

  #room(size: number): number {
    const address = this.#end;
    this.#end += (size + 31) & ~15;
    return address;
  }
}
