/**
 * COPY FROM STDIN as a statement of the client, with backpressure. `pg-copy-streams` keeps writing after the server has
 * rejected the rows, and that ends the process, for instance when the disk is full.
 */
import { once } from 'node:events';
import type { Connection as Wire, Submittable } from 'pg';
import type { Duplex } from 'node:stream';

/** PostgreSQL manual, "Message Formats": a type byte, then the length, which includes itself. */
const copyData = 0x64;
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/** Members of the client's connection that its types lack. */
interface Connected extends Wire {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFail(reason: string): void;
}

export class CopyStatement implements Submittable {
  readonly #text: string;
  #connection: Connected | undefined;
  #begin!: () => void;
  #end!: () => void;
  #refuse!: (error: Error) => void;
  /** Resolves when the server accepts chunks. */
  readonly #begun = new Promise<void>((resolve) => (this.#begin = resolve));
  /** Resolves when the server is ready for the next statement. */
  readonly #ended: Promise<void>;
  #refused: Error | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#refuse = reject;
    });
    // The error may arrive before anything awaits it.
    this.#ended.catch(() => {});
  }

  /** Sends a chunk; resolves when the connection accepts more. */
  async send(chunk: Buffer): Promise<void> {
    await this.#taking();
    const header = Buffer.allocUnsafe(5);
    header.writeUInt8(copyData, 0);
    header.writeInt32BE(chunk.length + 4, 1);
    const { stream } = this.#connection!;
    stream.cork();
    stream.write(header);
    const takesMore = stream.write(chunk);
    stream.uncork();
    if (takesMore) return;
    const patience = new AbortController();
    const drained = once(stream, 'drain', { signal: patience.signal });
    // The loser of the race may reject later, without a handler.
    drained.catch(() => {});
    await Promise.race([drained, this.#ended]).finally(() => patience.abort());
  }

  /** Ends the data; resolves when the rows are stored. */
  async finish(): Promise<void> {
    await this.#taking();
    this.#connection!.stream.write(copyDone);
    await this.#ended;
  }

  /** Cancels the statement. No rows are stored. */
  async cancel(): Promise<void> {
    try {
      await this.#taking();
      this.#connection!.sendCopyFail('broken off');
      await this.#ended;
    } catch {
      // The server responds with an error.
    }
  }

  async #taking(): Promise<void> {
    await Promise.race([this.#begun, this.#ended]);
    if (this.#refused !== undefined) throw this.#refused;
  }

  submit(connection: Wire): void {
    this.#connection = connection as Connected;
    this.#connection.query(this.#text);
  }

  handleCopyInResponse(): void {
    this.#begin();
  }

  handleCommandComplete(): void {
    // The final response follows.
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  handleError(error: Error): void {
    this.#refused = error;
    this.#refuse(error);
  }
}
