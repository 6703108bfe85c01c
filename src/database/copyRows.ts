/**
 * Rows in the binary format of COPY (PostgreSQL's manual, COPY, "Binary Format"): written into one buffer that is handed out
 * when it is full, without an object for a row or value, and read. Numbers are big-endian.
 *
 *   "PGCOPY\n\xff\r\n\0" | flags i32 | extension i32        once
 *   columns i16 | (length i32 | bytes)…                    each row; length -1 is NULL
 *   -1 i16                                                 end
 */

/** Larger chunks are not faster (measured at 16 KiB to 1 MiB: 64 KiB and more are the same). */
const chunkBytes = 1 << 16;
const signature = Buffer.from([0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00]);

/** Takes rows, value by value: `begin`, then one call for each column in order. */
export class CopyRows {
  /** Rows that were begun. */
  count = 0;
  readonly #columns: number;
  readonly #send: (chunk: Buffer) => Promise<void>;
  #buffer = Buffer.allocUnsafe(2 * chunkBytes);
  #end = 0;
  /** Full buffers that `flush` has not handed out yet. */
  #full: Buffer[] = [];

  /**
   * @param columns  how many values each row has
   * @param send     takes a chunk, which is never changed afterwards, and resolves when it takes more
   */
  constructor(columns: number, send: (chunk: Buffer) => Promise<void>) {
    this.#columns = columns;
    this.#send = send;
    this.#end = signature.copy(this.#buffer);
    this.#buffer.fill(0, this.#end, this.#end + 8);
    this.#end += 8;
  }

  /** Whether it is time to `flush`, between two rows: memory grows until then. */
  get isFull(): boolean {
    return this.#full.length > 0 || this.#end >= chunkBytes;
  }

  begin(): void {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(this.#columns, this.#end);
    this.count++;
  }

  null(): void {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(-1, this.#end);
  }

  bool(value: boolean): void {
    this.#reserve(5);
    this.#end = this.#buffer.writeInt32BE(1, this.#end);
    this.#end = this.#buffer.writeUInt8(value ? 1 : 0, this.#end);
  }

  int2(value: number): void {
    this.#reserve(6);
    this.#end = this.#buffer.writeInt32BE(2, this.#end);
    this.#end = this.#buffer.writeInt16BE(value, this.#end);
  }

  /** Of 32 bits, signed or not: `integer` has a sign, and 0xffffffff is stored as -1. */
  int4(value: number): void {
    this.#reserve(8);
    this.#end = this.#buffer.writeInt32BE(4, this.#end);
    this.#end = this.#buffer.writeInt32BE(value | 0, this.#end);
  }

  /** The two halves of 64 bits, each signed or not. */
  int8(high: number, low: number): void {
    this.#reserve(12);
    this.#end = this.#buffer.writeInt32BE(8, this.#end);
    this.#end = this.#buffer.writeInt32BE(high | 0, this.#end);
    this.#end = this.#buffer.writeInt32BE(low | 0, this.#end);
  }

  bigint(value: bigint): void {
    this.#reserve(12);
    this.#end = this.#buffer.writeInt32BE(8, this.#end);
    this.#end = this.#buffer.writeBigInt64BE(BigInt.asIntN(64, value), this.#end);
  }

  float4(value: number): void {
    this.#reserve(8);
    this.#end = this.#buffer.writeInt32BE(4, this.#end);
    this.#end = this.#buffer.writeFloatBE(value, this.#end);
  }

  /** PostgreSQL has no text with U+0000: such signs are left out. */
  text(value: string): void {
    this.bytes(Buffer.from(value.replaceAll('\0', '')));
  }

  bytes(value: Uint8Array): void {
    this.#reserve(4 + value.length);
    this.#end = this.#buffer.writeInt32BE(value.length, this.#end);
    this.#buffer.set(value, this.#end);
    this.#end += value.length;
  }

  /** Hands out what there is and waits until more is taken. */
  async flush(): Promise<void> {
    this.#turn(chunkBytes);
    const chunks = this.#full;
    this.#full = [];
    for (const chunk of chunks) await this.#send(chunk);
  }

  /** Hands out the rest, with the mark of the end. */
  async finish(): Promise<void> {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(-1, this.#end);
    await this.flush();
  }

  #reserve(size: number): void {
    if (this.#end + size > this.#buffer.length) this.#turn(size);
  }

  /** Puts the buffer aside and begins another, with room for so many bytes at least. */
  #turn(size: number): void {
    if (this.#end > 0) this.#full.push(this.#buffer.subarray(0, this.#end));
    this.#buffer = Buffer.allocUnsafe(2 * Math.max(chunkBytes, size));
    this.#end = 0;
  }
}

/** The values of each row, as bytes of what was copied; undefined is NULL. @param copied  all of it */
export function* copiedRows(copied: Buffer): Generator<readonly (Buffer | undefined)[]> {
  // Behind the flags is the length of an extension, which says nothing of rows.
  let at = signature.length + 8 + copied.readInt32BE(signature.length + 4);
  for (;;) {
    const columns = copied.readInt16BE(at);
    at += 2;
    if (columns === -1) return;
    yield Array.from({ length: columns }, () => {
      const length = copied.readInt32BE(at);
      at += 4;
      if (length === -1) return undefined;
      at += length;
      return copied.subarray(at - length, at);
    });
  }
}
