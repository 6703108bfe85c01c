/**
 * Assigns numbers to the documents of a changing corpus. A document keeps its number while its text changes. Its rank
 * is its position in the sorted list of documents, which changes as documents are added and removed. The ranks are in
 * the kernel's memory.
 */
import type { DocumentIndex } from './documents.ts';
import type { Blocks } from '../kernel.ts';
import type { FileChange } from '../files/liveFiles.ts';
import {
  compareNames,
  documentParts,
  type DocumentTotals,
  type NamedDocument,
  partsOf,
  totalsOf,
} from './namedDocument.ts';

/** A document that was added, removed, or replaced by another. */
export interface Replacement {
  readonly number: number;
  readonly before: NamedDocument | undefined;
  readonly after: NamedDocument | undefined;
}

/** The old and the new document of a path. `undefined` if the path had no document before, or has none now. */
export interface PathChange {
  readonly path: string;
  readonly before: DocumentIndex | undefined;
  readonly after: DocumentIndex | undefined;
}

export class LiveNumbers {
  readonly #blocks: Blocks;
  /** Upper limit of document numbers, exclusive. */
  readonly room: number;
  /** Address of an array with the rank of each document, one word per number. */
  readonly ranks: number;
  readonly #documents: (NamedDocument | undefined)[];
  /** Numbers of all documents, sorted by document name. */
  #order: number[];
  readonly #numbers: Map<string, number>;
  readonly #free: number[] = [];

  /** @param documents  the sorted documents. This object keeps the array, and `replace` changes it */
  constructor(blocks: Blocks, documents: (NamedDocument | undefined)[]) {
    this.#blocks = blocks;
    this.room = 2 * documents.length + 1024;
    this.ranks = blocks.allocate(4 * this.room);
    this.#documents = documents;
    this.#order = documents.map((_, number) => number);
    this.#numbers = new Map(documents.map((document, number) => [keyOf(document!), number]));
    this.#writeRanks();
  }

  /** Releases the array of ranks. */
  drop(): void {
    this.#blocks.free(this.ranks, 4 * this.room);
  }

  /**
   * Assigns numbers and ranks to changed documents. Removed documents keep their number and rank until `freeNumbers` is
   * called. If there are not enough numbers, returns `undefined`; this object must not be used afterwards.
   */
  replace(changes: readonly PathChange[]): Replacement[] | undefined {
    const replacements: Replacement[] = [];
    const added: number[] = [];
    let next = this.#documents.length;
    for (const { path, before, after } of changes) {
      const [old, now] = [before ? partsOf(path, before) : [], after ? partsOf(path, after) : []];
      for (const part of documentParts) {
        const was = old.find((document) => document.part === part);
        const is = now.find((document) => document.part === part);
        const named = was ?? is;
        if (named === undefined) continue;
        const number = was ? this.#numbers.get(keyOf(was))! : (this.#free.pop() ?? next++);
        if (is) this.#numbers.set(keyOf(is), number);
        else this.#numbers.delete(keyOf(named));
        replacements.push({ number, before: was, after: is });
        if (was === undefined) added.push(number);
      }
    }
    if (next > this.room) return undefined;
    for (const { number, before, after } of replacements) if (!before) this.#documents[number] = after;
    if (added.length > 0) {
      this.#order = [...this.#order, ...added].sort((x, y) => compareNames(this.#documents[x]!, this.#documents[y]!));
      this.#writeRanks();
    }
    return replacements;
  }

  /** Makes the numbers of removed documents available again. Precondition: nothing refers to the documents anymore. */
  freeNumbers(replacements: readonly Replacement[]): void {
    const removedNumbers = replacements.filter(({ after }) => after === undefined).map(({ number }) => number);
    if (removedNumbers.length === 0) return;
    this.#free.push(...removedNumbers);
    this.#order = this.#order.filter((number) => this.#documents[number] !== undefined);
    this.#writeRanks();
  }

  #writeRanks(): void {
    const words = this.#blocks.kernel.words;
    this.#order.forEach((number, rank) => (words[(this.ranks >>> 2) + number] = rank));
  }
}

function keyOf({ path, part }: NamedDocument): string {
  return part === 'text' ? path : `${path}\0${part}`;
}

/** Returns the changes of files only, without those of comments and quoted code. */
export function fileChangesOf(replacements: readonly Replacement[]): FileChange[] {
  return replacements
    .filter(({ before, after }) => (before ?? after)!.part === 'text')
    .map(({ number, before, after }) => ({ number, before: before?.index, after: after?.index }));
}

/** Returns the totals of all documents after some of them were replaced. */
export function totalsAfter(totals: DocumentTotals, replacements: readonly Replacement[]): DocumentTotals {
  const before = totalsOf(replacements.flatMap((replacement) => replacement.before ?? []));
  const after = totalsOf(replacements.flatMap((replacement) => replacement.after ?? []));
  return {
    files: totals.files - before.files + after.files,
    lines: totals.lines - before.lines + after.lines,
    tokens: totals.tokens - before.tokens + after.tokens,
  };
}
