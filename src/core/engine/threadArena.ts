/**
 * Memory that one thread reserves for itself, in blocks ("pieces") of the shared arena. The thread can release and
 * reuse its pieces while other threads allocate. It cannot release the arena itself, because all threads share the end
 * of the arena.
 *
 *   arena  … | piece of this thread | of another | piece of this thread | …
 */

/** Factor for encoding a mark: the index of a piece times this factor, plus an address in the piece. */
const pieceStep = 2 ** 32;

export class ThreadArena {
  readonly #allocate: (size: number) => number;
  readonly #minBytes: number;
  readonly #pieces: { readonly start: number; readonly end: number }[] = [];
  /** Index of the current piece, and the next free address in it. Pieces with a greater index are free. */
  #place = -1;
  #next = 0;

  /**
   * @param allocate  allocates bytes in the shared arena, and returns their address, a multiple of 16
   * @param minBytes  minimum size of a piece in bytes. A piece should serve several allocations, because small pieces
   *   fragment the memory. Untouched bytes cost only address space
   */
  constructor(allocate: (size: number) => number, minBytes: number) {
    this.#allocate = allocate;
    this.#minBytes = minBytes;
  }

  /** Allocates `size` bytes, and returns their address, which is a multiple of 16. */
  allocate(size: number): number {
    const rounded = Math.ceil(size / 16) * 16;
    if (this.#place < 0 || this.#next + rounded > this.#pieces[this.#place].end) this.#switchPiece(rounded);
    const address = this.#next;
    this.#next += rounded;
    return address;
  }

  mark(): number {
    return this.#place * pieceStep + this.#next;
  }

  /** Releases everything that was allocated since `mark`. */
  release(mark: number): void {
    this.#place = Math.floor(mark / pieceStep);
    this.#next = mark - this.#place * pieceStep;
  }

  /** Makes another piece the current one: the smallest free piece that is large enough, or a new one. */
  #switchPiece(size: number): void {
    const pieces = this.#pieces;
    this.#place++;
    let best = -1;
    for (let i = this.#place; i < pieces.length; i++) {
      const room = pieces[i].end - pieces[i].start;
      if (room >= size && (best < 0 || room < pieces[best].end - pieces[best].start)) best = i;
    }
    if (best < 0) {
      const taken = Math.max(size, this.#minBytes);
      const start = this.#allocate(taken);
      best = pieces.push({ start, end: start + taken }) - 1;
    }
    [pieces[this.#place], pieces[best]] = [pieces[best], pieces[this.#place]];
    this.#next = pieces[this.#place].start;
  }
}
