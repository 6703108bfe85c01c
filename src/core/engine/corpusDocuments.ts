/**
 * The documents of a corpus, and the memory of their arrays. Keeps the current version of each document, and the
 * version in the last report if it differs. An old version is released once no report is made from it.
 */
import { documentBytes, type DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import type { PathChange } from './documents/liveNumbers.ts';
import { compareNames, type NamedDocument, partsOf } from './documents/namedDocument.ts';
import type { Blocks, Kernel } from './kernel.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { changesDocument } from './optionChanges.ts';
import type { Options } from './options.ts';

const windowsOfStep = 10_000;

export class CorpusDocuments {
  readonly #kernel: Kernel;
  readonly #optionsNow: () => Options;
  readonly #onRelease: (index: DocumentIndex) => void;
  readonly #documents = new Map<string, DocumentIndex>();
  /** For each document that has changed since the last report: its version in that report, if it was there. */
  readonly #before = new Map<string, DocumentIndex | undefined>();
  #indexer: DocumentIndexer | undefined;
  /** Blocks for documents. `undefined` if the memory of documents can only be released as a whole. */
  #blocks: Blocks | undefined;
  /** Documents whose memory was allocated as a block. */
  readonly #inBlocks = new WeakSet<DocumentIndex>();

  /** @param onRelease  called with each version that is no longer used */
  constructor(kernel: Kernel, optionsNow: () => Options, onRelease: (index: DocumentIndex) => void) {
    this.#kernel = kernel;
    this.#optionsNow = optionsNow;
    this.#onRelease = onRelease;
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

  /** Returns all documents, including those of comments and quoted code, sorted by name. */
  sorted(): NamedDocument[] {
    return [...this.#documents].flatMap(([path, index]) => partsOf(path, index)).sort(compareNames);
  }

  /** Replaces the document of a path, or removes it if `index` is `undefined`. */
  replace(path: string, index: DocumentIndex | undefined): void {
    const before = this.#documents.get(path);
    // The last report contains an older version of this document, which `#before` keeps. The version that is being
    // replaced was never in a report, so release it now.
    if (this.#before.has(path)) this.release(before);
    else this.#before.set(path, before);
    if (index) this.#documents.set(path, index);
    else this.#documents.delete(path);
  }

  /** From now on, allocates documents as blocks that can be released one by one, not only all at once. */
  keepBlocks(): Blocks {
    return (this.#blocks ??= this.#kernel.keepBlocks());
  }

  /**
   * Returns a view of `size` bytes. The caller fills it with the text of the next document and calls `put` or `index`.
   * Precondition: `keepBlocks` was called.
   */
  reserve(size: number): Uint8Array {
    return this.#ownIndexer().reserve(size);
  }

  /** Indexes the text in memory from `reserve`, and adds the document. Replacing the document releases its memory. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.index(text, lexicon);
    this.replace(path, index);
    return index;
  }

  /** Indexes the text in memory from `reserve` without adding the document. The caller must release its memory. */
  index(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.#ownIndexer().index(text, lexicon);
    this.#inBlocks.add(index);
    return index;
  }

  /**
   * After an option change, rebuilds the affected documents from their tokens, in steps. Precondition: no document has
   * changed since the last report, or that report is no longer needed.
   *
   * @param before     the previous options
   * @param lexiconOf  returns the lexicon with which the document at a path was lexed
   */
  *remakeSteps(before: Options, lexiconOf: (path: string) => Lexicon): Generator<void, void> {
    const options = this.#optionsNow();
    const indexer = this.#ownIndexer();
    indexer.setOptions(options);
    let windowsLeft = windowsOfStep;
    for (const [path, index] of this.#documents) {
      if (!changesDocument(before, options, index)) continue;
      const made = indexer.remake(index, lexiconOf(path));
      this.#inBlocks.add(made);
      this.#documents.set(path, made);
      this.release(index);
      windowsLeft -= index.windowCount;
      if (windowsLeft > 0) continue;
      windowsLeft = windowsOfStep;
      yield;
    }
  }

  /**
   * Returns all documents, including those of comments and quoted code, as they would be with other options, sorted by
   * name, in steps. Affected documents are rebuilt in new memory, which the caller must release. The others are
   * returned unchanged.
   *
   * @param lexiconOf  returns the lexicon with which the document at a path was lexed
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

  /**
   * Returns up to `limit` documents that have changed since the last report, each with its old and new version.
   * Afterwards, the new versions are treated as if the last report had contained them.
   */
  takeChanges(limit: number): PathChange[] {
    const paths = [...this.#before.keys()].slice(0, limit);
    return paths.map((path) => {
      const change = { path, before: this.#before.get(path), after: this.#documents.get(path) };
      this.#before.delete(path);
      return change;
    });
  }

  /** Releases the memory of all old versions. Precondition: no more reports are made from them. */
  releaseOldVersions(): void {
    for (const index of this.#before.values()) this.release(index);
    this.#before.clear();
  }

  /** Releases the memory of a version that is no longer used. */
  release(index: DocumentIndex | undefined): void {
    if (index === undefined) return;
    this.#onRelease(index);
    if (!this.#blocks) return;
    const size = documentBytes(index);
    if (this.#inBlocks.delete(index)) this.#blocks.free(index.tokens, size);
    else this.#blocks.donate(index.tokens, size);
  }

  #ownIndexer(): DocumentIndexer {
    if (!this.#blocks) throw new Error('Documents can only be added to a live corpus.');
    return (this.#indexer ??= new DocumentIndexer(this.#kernel, this.#optionsNow(), this.#blocks));
  }
}
