/**
 * The documents of a corpus: the current ones, those of the last report, and the owners of their memory. The memory of
 * an old version of a document is released when no more reports are made from it.
 */
import { documentBytes, type DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import type { PathChange } from './documents/liveNumbers.ts';
import { compareNames, type NamedDocument, partsOf } from './documents/namedDocument.ts';
import type { Kernel } from './kernel.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { changesDocument } from './optionChanges.ts';
import type { Options } from './options.ts';

/** Windows to rebuild in one step. */
const windowsOfStep = 10_000;

export class CorpusDocuments {
  readonly #kernel: Kernel;
  readonly #optionsNow: () => Options;
  readonly #documents = new Map<string, DocumentIndex>();
  /** Versions of the changed documents at the last report; `undefined` if a document did not exist. */
  readonly #before = new Map<string, DocumentIndex | undefined>();
  #indexer: DocumentIndexer | undefined;
  /** True if memory is allocated and released in blocks. */
  #keepsBlocks = false;
  /** Documents whose memory was allocated as a block. */
  readonly #blocks = new WeakSet<DocumentIndex>();

  constructor(kernel: Kernel, optionsNow: () => Options) {
    this.#kernel = kernel;
    this.#optionsNow = optionsNow;
  }

  get(path: string): DocumentIndex | undefined {
    return this.#documents.get(path);
  }

  get count(): number {
    return this.#documents.size;
  }

  /** Number of documents that have changed since the last report. */
  get changedCount(): number {
    return this.#before.size;
  }

  /** Returns all parts of all documents, sorted by name. */
  sorted(): NamedDocument[] {
    return [...this.#documents].flatMap(([path, index]) => partsOf(path, index)).sort(compareNames);
  }

  /** Replaces the document of a path, or removes it if `index` is `undefined`. */
  replace(path: string, index: DocumentIndex | undefined): void {
    const before = this.#documents.get(path);
    // A version that was never part of a report is not needed anymore.
    if (this.#before.has(path)) this.giveBack(before);
    else this.#before.set(path, before);
    if (index) this.#documents.set(path, index);
    else this.#documents.delete(path);
  }

  /** From now on, allocates and releases memory in blocks. Before this call, memory is only released all at once. */
  keepBlocks(): void {
    if (!this.#keepsBlocks) this.#kernel.keepBlocks();
    this.#keepsBlocks = true;
  }

  /** Returns a view of `size` bytes for the text of the next document to `put`. Requires `keepBlocks`. */
  reserve(size: number): Uint8Array {
    return this.#ownIndexer().reserve(size);
  }

  /** Indexes a text in `reserve`d memory and adds it. Its memory is released when the document is replaced. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.index(text, lexicon);
    this.replace(path, index);
    return index;
  }

  /** Indexes a text in `reserve`d memory without adding it. The caller has to release its memory. */
  index(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.#ownIndexer().index(text, lexicon);
    this.#blocks.add(index);
    return index;
  }

  /**
   * Rebuilds the documents that are affected by changed options from their tokens, in steps. The documents must not
   * have changed since the last report, unless that report is not needed anymore.
   *
   * @param before     the options until now
   * @param lexiconOf  lexicon that the document of a path was lexed with
   */
  *remakeSteps(before: Options, lexiconOf: (path: string) => Lexicon): Generator<void, void> {
    const options = this.#optionsNow();
    const indexer = this.#ownIndexer();
    indexer.turnTo(options);
    let windowsLeft = windowsOfStep;
    for (const [path, index] of this.#documents) {
      if (!changesDocument(before, options, index)) continue;
      const made = indexer.remake(index, lexiconOf(path));
      this.#blocks.add(made);
      this.#documents.set(path, made);
      this.giveBack(index);
      windowsLeft -= index.windowCount;
      if (windowsLeft > 0) continue;
      windowsLeft = windowsOfStep;
      yield;
    }
  }

  /**
   * Returns all parts of all documents as other options would produce them, sorted by name, in steps. Affected
   * documents are rebuilt in memory allocated here, which the caller has to release; the others are returned unchanged.
   *
   * @param lexiconOf  lexicon that the document of a path was lexed with
   */
  *remadeAsideSteps(options: Options, lexiconOf: (path: string) => Lexicon): Generator<void, NamedDocument[]> {
    const now = this.#optionsNow();
    const documents: NamedDocument[] = [];
    let indexer: DocumentIndexer | undefined;
    let windowsLeft = windowsOfStep;
    for (const [path, index] of this.#documents) {
      if (!changesDocument(now, options, index)) {
        documents.push(...partsOf(path, index));
        continue;
      }
      indexer ??= new DocumentIndexer(this.#kernel, options);
      documents.push(...partsOf(path, indexer.remake(index, lexiconOf(path))));
      windowsLeft -= index.windowCount;
      if (windowsLeft > 0) continue;
      windowsLeft = windowsOfStep;
      yield;
    }
    return documents.sort(compareNames);
  }

  /** Returns up to `most` changed documents. Their current versions become the versions of the last report. */
  takeChanges(most: number): PathChange[] {
    const paths = [...this.#before.keys()].slice(0, most);
    return paths.map((path) => {
      const change = { path, before: this.#before.get(path), after: this.#documents.get(path) };
      this.#before.delete(path);
      return change;
    });
  }

  /** Releases the memory of all old versions: no more reports are made from them. */
  settle(): void {
    for (const index of this.#before.values()) this.giveBack(index);
    this.#before.clear();
  }

  /** Releases the memory of an old version of a document. */
  giveBack(index: DocumentIndex | undefined): void {
    if (index === undefined || !this.#keepsBlocks) return;
    const size = documentBytes(index);
    if (this.#blocks.delete(index)) this.#kernel.giveBlock(index.tokens, size);
    else this.#kernel.donateBlock(index.tokens, size);
  }

  #ownIndexer(): DocumentIndexer {
    if (!this.#keepsBlocks) throw new Error('Documents can only be added to a live corpus.');
    return (this.#indexer ??= new DocumentIndexer(this.#kernel, this.#optionsNow(), 'blocks'));
  }
}
