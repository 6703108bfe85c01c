/**
 * Standard input as the transport of the SDK reads it: one message a line. A line that is too long would empty the buffer of
 * the SDK and end the connection without an answer, so it is taken out here, and refused.
 */
import { Transform, type TransformCallback } from 'node:stream';

/** The identifier of a request; null if it cannot be told. */
export type MessageId = string | number | null;

/** Bytes at each end of a line in which its identifier is looked for. */
const endBytes = 1024;

/**
 * Passes on each line as one chunk, with its line feed.
 *
 * @param mostBytes  longest line, with its line feed
 * @param refuse     takes the identifier of a message that is longer
 */
export function messageLines(mostBytes: number, refuse: (id: MessageId) => void): Transform {
  let parts: Buffer[] = [];
  let bytes = 0;
  /** The first bytes of a line that is too long, and the last ones so far. */
  let long: { readonly head: Buffer; tail: Buffer } | undefined;

  /** Takes a part of a line, and keeps no more of it than needed. */
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (long === undefined) {
      parts.push(part);
      if (bytes <= mostBytes) return;
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
      // A message without an end is none.
      done();
    },
  });
}

const member = String.raw`"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`;
const idMember = String.raw`"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")`;
const atStart = new RegExp(String.raw`^\s*\{\s*(?:${member}\s*,\s*)*${idMember}\s*,`);
const atEnd = new RegExp(String.raw`,\s*${idMember}\s*(?:,\s*${member}\s*)*\}\s*$`);

/** The identifier of a message of which both ends are known: clients write it before the parameters, or behind them. */
function idBetween(head: string, tail: string): MessageId {
  const [, id] = atStart.exec(head) ?? atEnd.exec(tail) ?? [];
  return id === undefined ? null : (JSON.parse(id) as string | number);
}
