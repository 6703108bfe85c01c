/**
 * Filters standard input for the MCP SDK, which reads one message per line. A line that is too long would clear the
 * SDK's buffer and end the connection without a response. Such lines are removed and rejected here.
 */
import { Transform, type TransformCallback } from 'node:stream';

/** Id of a request; null if it is unknown. */
export type MessageId = string | number | null;

/** Number of bytes at each end of a line in which to look for the request id. */
const endBytes = 1024;

/**
 * Passes on each line as one chunk, including the line feed.
 *
 * @param maxBytes  maximum length of a line, including the line feed
 * @param refuse    called with the request id of a longer line
 */
export function messageLines(maxBytes: number, refuse: (id: MessageId) => void): Transform {
  let parts: Buffer[] = [];
  let bytes = 0;
  /** First bytes and most recent bytes of the current line, if it is too long. */
  let long: { readonly head: Buffer; tail: Buffer } | undefined;

  /** Appends bytes to the current line. If the line becomes too long, keeps only its two ends. */
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (long === undefined) {
      parts.push(part);
      if (bytes <= maxBytes) return;
      const all = Buffer.concat(parts);
      long = { head: all.subarray(0, endBytes), tail: Buffer.from(all.subarray(-endBytes)) };
      parts = [];
    } else long.tail = Buffer.concat([long.tail, part]).subarray(-endBytes);
  };

  const end = (): Buffer | undefined => {
    const line = long === undefined ? Buffer.concat(parts) : undefined;
    if (long !== undefined) refuse(idBetween(long.head.toString('utf8'), long.tail.toString('utf8')));
    [parts, bytes, long] = [[], 0, undefined];
    return line;
  };

  return new Transform({
    transform(chunk: Buffer, _, done: TransformCallback) {
      let start = 0;
      for (let feed = chunk.indexOf(0x0a); feed >= 0; feed = chunk.indexOf(0x0a, start)) {
        take(chunk.subarray(start, feed + 1));
        const line = end();
        if (line !== undefined) this.push(line);
        start = feed + 1;
      }
      if (start < chunk.length) take(chunk.subarray(start));
      done();
    },
    flush(done: TransformCallback) {
      // Ignore a last message without a line feed, because it is incomplete.
      done();
    },
  });
}

const member = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;
const idMember = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`;
const atStart = new RegExp(String.raw`^\s*\{\s*(?:${member}\s*,\s*)*${idMember}\s*,`);
const atEnd = new RegExp(String.raw`,\s*${idMember}\s*(?:,\s*${member}\s*)*\}\s*$`);

/** Finds the request id at the beginning or end of a message. Clients write it before or after the parameters. */
function idBetween(head: string, tail: string): MessageId {
  const [, id] = atStart.exec(head) ?? atEnd.exec(tail) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
