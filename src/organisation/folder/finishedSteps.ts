/**
 * Results of the finished steps of a comparison, so that one that was killed continues instead of beginning again. They
 * are in the folder of the index until a comparison ends. A folder that cannot be written, or a full disk, only means
 * that nothing is continued.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { IndexFolder } from './indexFolder.ts';

/** `pairs`: the seeds of all documents; `matches`: the records of all matches. */
export type Step = 'pairs' | 'matches';

export interface StepResult {
  readonly words: Uint32Array;
  /** Number of windows with more near ones than are kept. */
  readonly truncated: number;
}

const suffix = '.step';
/** Suffix of folders with the candidate pairs and matches of Spark (spark/scan.py), and of those that it writes. */
const sparkSuffix = '.spark';
const sparkNames = /\.spark(?:\.[-\w]+)?$/;
/** Number of words before the others in a file: how many there are, and `truncated`. */
const headWords = 2;
/** Maximum number of bytes that one system call reads or writes; the system's limit is 2 GiB. */
const pieceBytes = 2 ** 28;

export class FinishedSteps {
  readonly #folder: string;
  readonly #state: string;

  /** @param state  id of the documents and the method, on which the results depend */
  constructor({ folder }: IndexFolder, state: string) {
    this.#folder = path.join(folder, 'writing');
    this.#state = state;
  }

  /** Returns the result of a step; `undefined` if there is none, or if it cannot be read. */
  read(step: Step): StepResult | undefined {
    try {
      const words = inFile(this.#fileOf(step), 'r', (file) => {
        const all = new Uint32Array(fstatSync(file).size / Uint32Array.BYTES_PER_ELEMENT);
        transfer(all, (bytes) => readSync(file, bytes));
        return all;
      });
      if (words[0] !== words.length - headWords) return undefined;
      return { words: words.subarray(headWords), truncated: words[1]! };
    } catch {
      return undefined;
    }
  }

  write(step: Step, { words, truncated }: StepResult): void {
    const draft = path.join(this.#folder, `${randomUUID()}.draft`);
    try {
      inFile(draft, 'wx', (file) => {
        for (const part of [Uint32Array.of(words.length, truncated), words]) {
          transfer(part, (bytes) => writeSync(file, bytes));
        }
      });
      renameSync(draft, this.#fileOf(step));
    } catch {
      rmSync(draft, { force: true });
    }
  }

  /** Path of the folder to which Spark writes candidate pairs and matches. */
  get sparkFolder(): string {
    return path.join(this.#folder, `${this.#state}${sparkSuffix}`);
  }

  /** Removes the results of all comparisons, because one has ended. */
  remove(): void {
    try {
      for (const name of readdirSync(this.#folder)) {
        if (name.endsWith(suffix) || sparkNames.test(name)) {
          rmSync(path.join(this.#folder, name), { recursive: true, force: true });
        }
      }
    } catch {
      // Ignore the error, because another process will remove the file.
    }
  }

  #fileOf(step: Step): string {
    return path.join(this.#folder, `${this.#state}-${step}${suffix}`);
  }
}

function inFile<Result>(name: string, flags: 'r' | 'wx', work: (file: number) => Result): Result {
  const file = openSync(name, flags);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Reads or writes an array in pieces.
 *
 * @param piece  reads or writes some of the bytes, and returns their number
 * @throws Error if a file ends too soon
 */
function transfer(words: Uint32Array, piece: (bytes: Uint8Array) => number): void {
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  for (let at = 0; at < bytes.length;) {
    const moved = piece(bytes.subarray(at, at + pieceBytes));
    if (moved === 0) throw new Error('The file ends too soon.');
    at += moved;
  }
}
