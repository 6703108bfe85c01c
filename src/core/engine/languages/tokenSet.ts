/** A set of tokens for scans of whole texts: nearly all tokens that are not in it are excluded by one load. */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';

export class TokenSet {
  readonly #tokens: ReadonlySet<number>;
  /** 1 for each slot of a token. */
  readonly #filter = new Uint8Array(slotCount);

  constructor(tokens: Iterable<number>) {
    this.#tokens = new Set(tokens);
    for (const token of this.#tokens) this.#filter[slotOf(token)] = 1;
  }

  has(token: number): boolean {
    return this.#filter[slotOf(token)] === 1 && this.#tokens.has(token);
  }
}

/** A power of two. */
const slotCount = 1024;

function slotOf(token: number): number {
  return (token >>> kindBits) & (slotCount - 1);
}
