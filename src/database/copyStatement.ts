/**
 * COPY FROM STDIN as a statement of the client, which takes chunks as fast as the server does. (`pg-copy-streams` writes on
 * after the server has refused the rows, and ends the process by that: a full disk must not.)
 */
import { once } from 'node:events';
import type { Connection as Wire, Submittable } from 'pg';
import type { Duplex } from 'node:stream';

/** Of the protocol (PostgreSQL's manual, "Message Formats"): a byte that says what it is, and the length with itself. */
const copyData = 0x64;
const copyDone = Buffer.from([0x63, 0, 0, 0, 4]);

/** What the client has and its types do not tell. */
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
  /** The server takes chunks. */
  readonly #begun = new Promise<void>((resolve) => (this.#begin = resolve));
  /** The server is ready for the next statement. */
  readonly #ended: Promise<void>;
  #refused: Error | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#refuse = reject;
    });
    // The answer may come while nothing waits for it.
    this.#ended.catch(() => {});
  }

  /** Gives the server a chunk, and resolves when it takes more. */
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
    // What remains of the race has nobody to tell.
    drained.catch(() => {});
    await Promise.race([drained, this.#ended]).finally(() => patience.abort());
  }

  /** Says that there is no more, and resolves when the rows are stored. */
  async finish(): Promise<void> {
    await this.#taking();
    this.#connection!.stream.write(copyDone);
    await this.#ended;
  }

  /** Breaks the statement off: nothing of it is stored. */
  async cancel(): Promise<void> {
    try {
      await this.#taking();
      this.#connection!.sendCopyFail('broken off');
      await this.#ended;
    } catch {
      // The server answers with an error.
    }
  }

  async #taking(): Promise<void> {
    await Promise.race([this.#begun, this.#ended]);
    if (this.#refused !== undefined) throw this.#refused;
  }

  // Called by the client.

  submit(connection: Wire): void {
    this.#connection = connection as Connected;
    this.#connection.query(this.#text);
  }

  handleCopyInResponse(): void {
    this.#begin();
  }

  handleCommandComplete(): void {
    // The answer that counts follows.
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  handleError(error: Error): void {
    this.#refused = error;
    this.#refuse(error);
  }
}
