/**
 * Rows in the binary format of COPY (PostgreSQL manual, COPY, "Binary Format"). Rows are written into one buffer, which
 * is sent when it is full, without an object per row or value. Numbers are big-endian.
 *
 *   "PGCOPY\n\xff\r\n\0" | flags i32 | extension i32        once
 *   columns i16 | (length i32 | bytes)…                    each row; length -1 is NULL
 *   -1 i16                                                 end
 */

/** Larger chunks are not faster (measured from 16 KiB to 1 MiB: no gain above 64 KiB). */
const chunkBytes = 1 << 16;
const signature = Buffer.from([0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00]);

/** Writer of rows, value by value: call `begin`, then one method for each column, in order. */
export class CopyRows {
  /** Number of rows begun. */
  count = 0;
  readonly #columns: number;
  readonly #send: (chunk: Buffer) => Promise<void>;
  #buffer = Buffer.allocUnsafe(2 * chunkBytes);
  #end = 0;
  /** Full buffers that have not been flushed yet. */
  #full: Buffer[] = [];

  /**
   * @param columns  number of values in each row
   * @param send     sends a chunk, which is never changed afterwards; resolves when it accepts more
   */
  constructor(columns: number, send: (chunk: Buffer) => Promise<void>) {
    this.#columns = columns;
    this.#send = send;
    this.#end = signature.copy(this.#buffer);
    this.#buffer.fill(0, this.#end, this.#end + 8);
    this.#end += 8;
  }

  /** True if `flush` should be called before the next row. Memory grows until then. */
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

  /** Accepts signed and unsigned values of 32 bits. `integer` is signed, so 0xffffffff is stored as -1. */
  int4(value: number): void {
    this.#reserve(8);
    this.#end = this.#buffer.writeInt32BE(4, this.#end);
    this.#end = this.#buffer.writeInt32BE(value | 0, this.#end);
  }

  /** Accepts the two halves of a 64-bit value, each signed or unsigned. */
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

  /** PostgreSQL cannot store U+0000 in text, so it is removed. */
  text(value: string): void {
    this.bytes(Buffer.from(value.replaceAll('\0', '')));
  }

  bytes(value: Uint8Array): void {
    this.#reserve(4 + value.length);
    this.#end = this.#buffer.writeInt32BE(value.length, this.#end);
    this.#buffer.set(value, this.#end);
    this.#end += value.length;
  }

  /** Sends the buffered rows and waits until more can be sent. */
  async flush(): Promise<void> {
    this.#turn(chunkBytes);
    const chunks = this.#full;
    this.#full = [];
    for (const chunk of chunks) await this.#send(chunk);
  }

  /** Sends the remaining rows and the end marker. */
  async finish(): Promise<void> {
    this.#reserve(2);
    this.#end = this.#buffer.writeInt16BE(-1, this.#end);
    await this.flush();
  }

  #reserve(size: number): void {
    if (this.#end + size > this.#buffer.length) this.#turn(size);
  }

  /** Queues the buffer and starts another one of at least this size in bytes. */
  #turn(size: number): void {
    if (this.#end > 0) this.#full.push(this.#buffer.subarray(0, this.#end));
    this.#buffer = Buffer.allocUnsafe(2 * Math.max(chunkBytes, size));
    this.#end = 0;
  }
}

/**
 * Yields the values of each row as bytes; `undefined` is NULL.
 *
 * @param copied  the complete output of COPY TO
 */
export function* copiedRows(copied: Buffer): Generator<readonly (Buffer | undefined)[]> {
  // The flags are followed by the length of a header extension, which has no row data.
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
