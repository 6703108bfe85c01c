/**
 * The one way in which tests run the engine: a corpus of texts by name, and what it finds. Whoever changes a signature of
 * the engine's entry points changes it here.
 */
import { Corpus } from '../../src/engine/corpus.ts';
import { type DocumentIndex, DocumentIndexer } from '../../src/engine/indexDocument.ts';
import { createMemory, Kernel } from '../../src/engine/kernel.ts';
import { lexiconForPath } from '../../src/engine/lexicon.ts';
import { defaultOptions, type Options } from '../../src/engine/options.ts';
import type { Findings, Group, Passage } from '../../src/engine/report.ts';

/** Texts by name; the ending of a name decides the language. */
export type Documents = Readonly<Record<string, string>>;

/** Options that differ from the defaults. */
export type Changes = Partial<Options>;

/** The kernel that tests share. Its memory is given back after use but not cleared: what lies in it must not matter. */
const sharedKernel = new Kernel(createMemory());

/** A corpus that takes texts. */
export class TextCorpus {
  readonly #indexer: DocumentIndexer;
  readonly #corpus: Corpus;

  /** @param rarities  of another corpus, to weigh matches as it does */
  constructor(changes: Changes = {}, kernel = new Kernel(createMemory()), rarities?: Uint8Array) {
    const options = { ...defaultOptions, ...changes };
    this.#indexer = new DocumentIndexer(kernel, options);
    this.#corpus = new Corpus(kernel, options, rarities);
  }

  /** Adds a document or replaces the one of the same name. */
  put(path: string, text: string): void {
    const bytes = encoder.encode(text);
    this.#corpus.adopt(path, this.#index(path, bytes));
  }

  remove(path: string): void {
    this.#corpus.remove(path);
  }

  findings(): Findings {
    return this.#corpus.report(context);
  }

  /** The table by which matches are weighed. */
  rarities(): Uint8Array | undefined {
    return this.#corpus.rarities();
  }

  #index(path: string, bytes: Uint8Array): DocumentIndex {
    const room = this.#indexer.reserve(bytes.length);
    room.set(bytes);
    return this.#indexer.index(room.subarray(0, bytes.length), lexiconForPath(path));
  }
}

/** A corpus of texts that is kept: its findings are brought up to date with what changes. */
export class LiveTextCorpus {
  readonly kernel = new Kernel(createMemory());
  readonly #corpus: Corpus;
  /** How often the findings were made of changes alone. */
  updates = 0;

  constructor(documents: Documents, changes: Changes = {}) {
    const options = { ...defaultOptions, ...changes };
    const indexer = new DocumentIndexer(this.kernel, options);
    this.#corpus = new Corpus(this.kernel, options);
    for (const [path, text] of Object.entries(documents)) {
      const bytes = encoder.encode(text);
      const room = indexer.reserve(bytes.length);
      room.set(bytes);
      this.#corpus.adopt(path, indexer.index(room.subarray(0, bytes.length), lexiconForPath(path)));
    }
    this.#corpus.report(context);
    this.#corpus.keep();
  }

  put(path: string, text: string): void {
    const bytes = encoder.encode(text);
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    this.#corpus.put(path, room.subarray(0, bytes.length), lexiconForPath(path));
  }

  remove(path: string): void {
    this.#corpus.remove(path);
  }

  findings(): Findings {
    const findings = this.#corpus.update(context);
    if (findings) {
      this.updates++;
      return findings;
    }
    const whole = this.#corpus.report(context);
    this.#corpus.keep();
    return whole;
  }

  rarities(): Uint8Array | undefined {
    return this.#corpus.rarities();
  }
}

const encoder = new TextEncoder();
const context = { skipped: [], complete: true };

/** What a fresh corpus of these documents finds. */
export function findingsOf(documents: Documents, changes: Changes = {}, rarities?: Uint8Array): Findings {
  const mark = sharedKernel.mark();
  const corpus = new TextCorpus(changes, sharedKernel, rarities);
  for (const [path, text] of Object.entries(documents)) corpus.put(path, text);
  const findings = corpus.findings();
  sharedKernel.release(mark);
  return findings;
}

/** The groups of passages that a fresh corpus of these documents finds. */
export function groupsOf(documents: Documents, changes: Changes = {}): readonly Group[] {
  return findingsOf(documents, changes).groups.filter(({ kind }) => kind !== 'file');
}

/** The groups of whole files that it finds. */
export function fileGroupsOf(documents: Documents, changes: Changes = {}): readonly Group[] {
  return findingsOf(documents, changes).groups.filter(({ kind }) => kind === 'file');
}

/** The places of a group as a person reads them: `a.ts:3-24`, the lines from 1 and inclusive. */
export function placesOf(group: Group): string[] {
  return group.passages.map(placeOf);
}

export function placeOf({ path, startLine, endLine }: Passage): string {
  return `${path}:${startLine}-${endLine}`;
}
