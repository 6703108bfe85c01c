/** A set of tokens for fast scans of whole texts. One array access rules out nearly all other tokens. */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';

export class TokenSet {
  readonly #tokens: ReadonlySet<number>;
  /** For each slot, 1 if it is the slot of a token in the set. */
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
