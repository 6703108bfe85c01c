/**
 * The numbers of documents that come and go. A document keeps its number for as long as it is there, whatever its text
 * becomes; its rank, its place in the order of all, changes as others come and go, and lies where the kernel finds it.
 */
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from '../kernel.ts';
import type { FileChange } from '../files/liveFiles.ts';
import {
  compareNames,
  documentParts,
  type DocumentTotals,
  type NamedDocument,
  partsOf,
  totalsOf,
} from './namedDocument.ts';

/** A document that takes the place of another, or of none, or goes. */
export interface Replacement {
  readonly number: number;
  readonly before: NamedDocument | undefined;
  readonly after: NamedDocument | undefined;
}

/** What a path was and what it is now; undefined: not there. */
export interface PathChange {
  readonly path: string;
  readonly before: DocumentIndex | undefined;
  readonly after: DocumentIndex | undefined;
}

export class LiveNumbers {
  readonly #kernel: Kernel;
  /** How many numbers there may be: all are below. */
  readonly room: number;
  /** Where the ranks are, a word for each number. */
  readonly ranks: number;
  /** The documents by number. */
  readonly #documents: (NamedDocument | undefined)[];
  /** Numbers in the order of their documents. */
  #order: number[];
  readonly #numbers: Map<string, number>;
  /** Numbers that no document has. */
  readonly #free: number[] = [];

  /** @param documents  in order; kept, and changed by `replace` */
  constructor(kernel: Kernel, documents: (NamedDocument | undefined)[]) {
    this.#kernel = kernel;
    this.room = 2 * documents.length + 1024;
    this.ranks = kernel.takeBlock(4 * this.room);
    this.#documents = documents;
    this.#order = documents.map((_, number) => number);
    this.#numbers = new Map(documents.map((document, number) => [keyOf(document!), number]));
    this.#writeRanks();
  }

  /** Gives the memory back. */
  drop(): void {
    this.#kernel.giveBlock(this.ranks, 4 * this.room);
  }

  /**
   * Numbers for what has changed, and their ranks. Documents that go keep their number and rank until `settle` is called.
   * Undefined when there is no room for so many: then it is of no more use.
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

  /** Lets others have the numbers of what is gone, of which nothing knows any more. */
  settle(replacements: readonly Replacement[]): void {
    const gone = replacements.filter(({ after }) => after === undefined).map(({ number }) => number);
    if (gone.length === 0) return;
    this.#free.push(...gone);
    this.#order = this.#order.filter((number) => this.#documents[number] !== undefined);
    this.#writeRanks();
  }

  #writeRanks(): void {
    const words = this.#kernel.words;
    this.#order.forEach((number, rank) => (words[(this.ranks >>> 2) + number] = rank));
  }
}

function keyOf({ path, part }: NamedDocument): string {
  return part === 'text' ? path : `${path}\0${part}`;
}

/** The changes of files, as files are compared as wholes: parts are none. */
export function wholesOf(replacements: readonly Replacement[]): FileChange[] {
  return replacements
    .filter(({ before, after }) => (before ?? after)!.part === 'text')
    .map(({ number, before, after }) => ({ number, before: before?.index, after: after?.index }));
}

/** The totals of all documents after changes. */
export function totalsAfter(totals: DocumentTotals, replacements: readonly Replacement[]): DocumentTotals {
  const before = totalsOf(replacements.flatMap((replacement) => replacement.before ?? []));
  const after = totalsOf(replacements.flatMap((replacement) => replacement.after ?? []));
  return {
    files: totals.files - before.files + after.files,
    lines: totals.lines - before.lines + after.lines,
    tokens: totals.tokens - before.tokens + after.tokens,
  };
}
