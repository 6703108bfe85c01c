/** Settings for the fingerprints of windows. The kernel's memory has a record of them for each view of a document. */
import * as layout from '../../kernel/documents/windowingLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { Options } from '../options.ts';
import { constants } from '../constants.ts';
import { kindBits } from '../../kernel/lex/lexedLayout.ts';
import { tokenKinds } from '../languages/tokenKind.ts';

export class Windowings {
  /** Addresses of the votes of shingles, and of the weights of token kinds. */
  readonly #votes: number;
  readonly #weights: number;
  /** Addresses of the records for windows of prose, of code as written, and of code with abstracted names. */
  readonly prose: number;
  readonly written: number;
  readonly renamed: number;
  readonly #kernel: Kernel;

  constructor(kernel: Kernel, options: Options) {
    this.#kernel = kernel;
    this.#votes = kernel.exports.createVotes(kernel.allocate(kernel.exports.votesBytes()));
    this.#weights = kernel.allocate(weightCount * 2);
    this.prose = kernel.allocate(layout.windowingBytes);
    this.written = kernel.allocate(layout.windowingBytes);
    this.renamed = kernel.allocate(layout.windowingBytes);
    this.setOptions(options);
  }

  setOptions(options: Options): void {
    new Uint16Array(this.#kernel.memory.buffer, this.#weights, weightCount).set(weightSteps(options));
    const { windowWords } = constants.prose;
    const ofProse = { tokens: windowWords, minTokens: windowWords, minDistinct: 0 };
    this.#write(this.prose, { ...ofProse, shingleSize: options.prose.shingleSize });
    this.#write(this.written, { ...constants.written, shingleSize: options.shingleSize });
    this.#write(this.renamed, { ...constants.renamed, shingleSize: options.shingleSize });
  }

  #write(address: number, windowing: Readonly<Record<'tokens' | 'minTokens' | 'minDistinct' | 'shingleSize', number>>) {
    const words = new Uint32Array(this.#kernel.memory.buffer, address, layout.windowingBytes / 4);
    words[layout.windowingWindowTokensAt >>> 2] = windowing.tokens;
    words[layout.windowingShingleSizeAt >>> 2] = windowing.shingleSize;
    words[layout.windowingRenamedAt >>> 2] = Number(address === this.renamed);
    words[layout.windowingMinTokensAt >>> 2] = windowing.minTokens;
    words[layout.windowingMinDistinctAt >>> 2] = windowing.minDistinct;
    words[layout.windowingWeightsAt >>> 2] = this.#weights;
    words[layout.windowingVotesAt >>> 2] = this.#votes;
  }
}

/** Number of codes that a token kind could have. Some are unused. */
const weightCount = 1 << kindBits;

/**
 * Returns the weight of each kind code as an integer of at most 63. Only the ratios of weights matter, and each vote
 * has 16 bits. The weight of unused codes is 0; separator tokens have one of these codes.
 */
function weightSteps({ weights }: Options): number[] {
  const maxWeight = Math.max(...Object.values(weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / maxWeight);
  const steps = tokenKinds.map((kind) => Math.round(weights[kind] * scale));
  return [...steps, ...new Array<number>(weightCount - steps.length).fill(0)];
}
