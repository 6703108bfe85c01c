/**
 * The documents of a corpus: those that there are, what they were when the last report was made, and whose memory is whose.
 * The memory of what a document was is given back when no report is made of it any more.
 */
import { documentBytes, type DocumentIndex } from './documents/documents.ts';
import { DocumentIndexer } from './documents/indexDocument.ts';
import type { PathChange } from './documents/liveNumbers.ts';
import { compareNames, type NamedDocument, partsOf } from './documents/namedDocument.ts';
import type { Kernel } from './kernel.ts';
import type { Lexicon } from './languages/lexicalRules.ts';
import { changesDocument } from './optionChanges.ts';
import type { Options } from './options.ts';

/** Windows that are made anew at a time. */
const windowsOfStep = 10_000;

export class CorpusDocuments {
  readonly #kernel: Kernel;
  readonly #optionsNow: () => Options;
  readonly #documents = new Map<string, DocumentIndex>();
  /** What documents were that have changed since the last report; undefined: not there. */
  readonly #before = new Map<string, DocumentIndex | undefined>();
  #indexer: DocumentIndexer | undefined;
  /** Whether memory is taken and given back in blocks. */
  #keepsBlocks = false;
  /** Documents whose memory was taken as a block. */
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

  /** How many have changed since the last report. */
  get changedCount(): number {
    return this.#before.size;
  }

  /** All parts of all, in the order of names. */
  sorted(): NamedDocument[] {
    return [...this.#documents].flatMap(([path, index]) => partsOf(path, index)).sort(compareNames);
  }

  /** Takes a document, or undefined to take one away, in the place of the one of the same path. */
  replace(path: string, index: DocumentIndex | undefined): void {
    const before = this.#documents.get(path);
    // What was never in a report is of no use any more.
    if (this.#before.has(path)) this.giveBack(before);
    else this.#before.set(path, before);
    if (index) this.#documents.set(path, index);
    else this.#documents.delete(path);
  }

  /** From now on memory is taken and given back in blocks; before, all is given back at once. */
  keepBlocks(): void {
    if (!this.#keepsBlocks) this.#kernel.keepBlocks();
    this.#keepsBlocks = true;
  }

  /** A view of `size` bytes to put the text of a document into that is `put` next. Only after `keepBlocks`. */
  reserve(size: number): Uint8Array {
    return this.#ownIndexer().reserve(size);
  }

  /** Indexes a text that lies in `reserve`d memory and takes it, in memory that is given back when it is replaced. */
  put(path: string, text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.index(text, lexicon);
    this.replace(path, index);
    return index;
  }

  /** Indexes a text that lies in `reserve`d memory and does not take it: whoever asks gives its memory back. */
  index(text: Uint8Array, lexicon: Lexicon): DocumentIndex {
    const index = this.#ownIndexer().index(text, lexicon);
    this.#blocks.add(index);
    return index;
  }

  /**
   * Makes the documents anew for which the options have changed, of the tokens there are, in steps. Nothing may have changed
   * since the last report, or no report be made of it any more.
   *
   * @param before     the options until now
   * @param lexiconOf  of a path, as it was lexed
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
   * All parts of all as they would be with other options, in the order of names and in steps. Those for which the options
   * change something are made anew in memory that is allocated here, which whoever asks releases; the others are themselves.
   *
   * @param lexiconOf  of a path, as it was lexed
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

  /** What has become of some documents, at most so many. From here on they are as they are now when they change once more. */
  takeChanges(most: number): PathChange[] {
    const paths = [...this.#before.keys()].slice(0, most);
    return paths.map((path) => {
      const change = { path, before: this.#before.get(path), after: this.#documents.get(path) };
      this.#before.delete(path);
      return change;
    });
  }

  /** Gives the memory back of all that documents were: no report is made of it any more. */
  settle(): void {
    for (const index of this.#before.values()) this.giveBack(index);
    this.#before.clear();
  }

  /** Gives the memory back of what a document was. */
  giveBack(index: DocumentIndex | undefined): void {
    if (index === undefined || !this.#keepsBlocks) return;
    const size = documentBytes(index);
    if (this.#blocks.delete(index)) this.#kernel.giveBlock(index.tokens, size);
    else this.#kernel.donateBlock(index.tokens, size);
  }

  #ownIndexer(): DocumentIndexer {
    if (!this.#keepsBlocks) throw new Error('Documents are put into a corpus that is kept only.');
    return (this.#indexer ??= new DocumentIndexer(this.#kernel, this.#optionsNow(), 'blocks'));
  }
}
