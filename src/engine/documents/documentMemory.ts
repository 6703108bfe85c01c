/** The memory of a corpus's documents: for good at first; from `keepBlocks` on, that of a document is given back when it is replaced. */
import type { Kernel } from '../kernel.ts';
import type { Lexicon } from '../languages/lexicon.ts';
import type { Options } from '../options.ts';
import { documentBytes, type DocumentIndex } from './documents.ts';
import { DocumentIndexer } from './indexDocument.ts';

export class DocumentMemory {
  readonly #kernel: Kernel;
  #indexer: DocumentIndexer | undefined;
  /** Whether memory is taken and given back in blocks: from the first `keepBlocks` on. */
  #keepsBlocks = false;
  /** Documents whose memory was taken as a block. */
  readonly #blocks = new WeakSet<DocumentIndex>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  keepBlocks(): void {
    if (!this.#keepsBlocks) this.#kernel.keepBlocks();
    this.#keepsBlocks = true;
  }

  /** The indexer of these options, whose documents lie in blocks. Only after `keepBlocks`. */
  indexer(options: Options): DocumentIndexer {
    if (!this.#keepsBlocks) throw new Error('Documents are put into a corpus that is kept only.');
    return (this.#indexer ??= new DocumentIndexer(this.#kernel, options, 'blocks'));
  }

  /** Indexes a text that lies in `reserve`d memory of the indexer. */
  index(text: Uint8Array, lexicon: Lexicon, options: Options): DocumentIndex {
    return this.own(this.indexer(options).index(text, lexicon));
  }

  /** Takes a document that the indexer has made. */
  own(index: DocumentIndex): DocumentIndex {
    this.#blocks.add(index);
    return index;
  }

  /** Gives the memory of what a document was back. */
  giveBack(index: DocumentIndex | undefined): void {
    // Before blocks are kept, all memory is given back at once.
    if (index === undefined || !this.#keepsBlocks) return;
    const size = documentBytes(index);
    if (this.#blocks.delete(index)) this.#kernel.giveBlock(index.tokens, size);
    else this.#kernel.donateBlock(index.tokens, size);
  }
}
