/**
 * A set of tokens for scans over whole texts. A single array access rules out nearly all tokens that are not in the
 * set.
 */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';

export class TokenSet {
  readonly #tokens: ReadonlySet<number>;
  /** 1 in each slot that a token of the set has. */
  readonly #filter = new Uint8Array(slotCount);

  constructor(tokens: Iterable<number>) {
    this.#tokens = new Set(tokens);
    for (const token of this.#tokens) this.#filter[slotOf(token)] = 1;
  }

  has(token: number): boolean {
    return this.#filter[slotOf(token)] === 1 && this.#tokens.has(token);
  }
}

/** Number of slots; a power of two. */
const slotCount = 1024;

function slotOf(token: number): number {
  return (token >>> kindBits) & (slotCount - 1);
}
