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

  constructor(changes: Changes = {}, kernel = new Kernel(createMemory())) {
    const options = { ...defaultOptions, ...changes };
    this.#indexer = new DocumentIndexer(kernel, options);
    this.#corpus = new Corpus(kernel, options);
  }

  /** Adds a document or replaces the one of the same name. */
  put(path: string, text: string): void {
    const bytes = new TextEncoder().encode(text);
    this.#corpus.adopt(path, this.#index(path, bytes));
  }

  remove(path: string): void {
    this.#corpus.remove(path);
  }

  findings(): Findings {
    return this.#corpus.report({ skipped: [], complete: true });
  }

  #index(path: string, bytes: Uint8Array): DocumentIndex {
    const room = this.#indexer.reserve(bytes.length);
    room.set(bytes);
    return this.#indexer.index(room.subarray(0, bytes.length), lexiconForPath(path));
  }
}

/** What a fresh corpus of these documents finds. */
export function findingsOf(documents: Documents, changes: Changes = {}): Findings {
  const mark = sharedKernel.mark();
  const corpus = new TextCorpus(changes, sharedKernel);
  for (const [path, text] of Object.entries(documents)) corpus.put(path, text);
  const findings = corpus.findings();
  sharedKernel.release(mark);
  return findings;
}

/** The groups that a fresh corpus of these documents finds. */
export function groupsOf(documents: Documents, changes: Changes = {}): readonly Group[] {
  return findingsOf(documents, changes).groups;
}

/** The places of a group as a person reads them: `a.ts:3-24`, the lines from 1 and inclusive. */
export function placesOf(group: Group): string[] {
  return group.passages.map(placeOf);
}

export function placeOf({ path, startLine, endLine }: Passage): string {
  return `${path}:${startLine}-${endLine}`;
}
