/**
 * Memory that one thread has taken for itself, in pieces, so that it can give back and take again what it needs for a
 * while although others allocate at the same time: the arena that all share has one end, and releasing moves it.
 *
 *   arena  … | piece of this thread | of another | piece of this thread | …
 */

/** A mark is the place of a piece times this, and an address in it. */
const pieceStep = 2 ** 32;

export class ThreadArena {
  readonly #take: (size: number) => number;
  readonly #least: number;
  readonly #pieces: { readonly start: number; readonly end: number }[] = [];
  /** The piece that is handed out of, and from where on; those behind it are free. */
  #place = -1;
  #next = 0;

  /**
   * @param take   takes so many bytes of the arena, and returns their address, a multiple of 16
   * @param least  bytes of a piece, at least: what is allocated shares one. Those that nobody writes to cost nothing but
   *               addresses, while allocations that each have a piece do not fit into each other's when they are free.
   */
  constructor(take: (size: number) => number, least: number) {
    this.#take = take;
    this.#least = least;
  }

  /** The address of `size` bytes, a multiple of 16. */
  allocate(size: number): number {
    const rounded = Math.ceil(size / 16) * 16;
    if (this.#place < 0 || this.#next + rounded > this.#pieces[this.#place].end) this.#turnTo(rounded);
    const address = this.#next;
    this.#next += rounded;
    return address;
  }

  mark(): number {
    return this.#place * pieceStep + this.#next;
  }

  /** Frees all that was allocated since `mark`. */
  release(mark: number): void {
    this.#place = Math.floor(mark / pieceStep);
    this.#next = mark - this.#place * pieceStep;
  }

  /** Goes on in a piece with room for so many bytes: the smallest of the free ones that has it, or a new one. */
  #turnTo(size: number): void {
    const pieces = this.#pieces;
    this.#place++;
    let best = -1;
    for (let i = this.#place; i < pieces.length; i++) {
      const room = pieces[i].end - pieces[i].start;
      if (room >= size && (best < 0 || room < pieces[best].end - pieces[best].start)) best = i;
    }
    if (best < 0) {
      const taken = Math.max(size, this.#least);
      const start = this.#take(taken);
      best = pieces.push({ start, end: start + taken }) - 1;
    }
    [pieces[this.#place], pieces[best]] = [pieces[best], pieces[this.#place]];
    this.#next = pieces[this.#place].start;
  }
}
