/** Where text goes: a stream that may be slow or closed, or a file that is replaced whole or not at all. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { causeOf } from '../io/systemErrors.ts';
import { beginTemporary, removeAbandoned, type TemporaryFile } from '../io/temporaryFile.ts';

/** Pieces are gathered up to this size: a write for every line would be slow, one for all could be too large. */
const writeSize = 65_536;

/**
 * Writes pieces of text to a stream, as fast as it takes them. When the reader is gone (`| head`), the rest is dropped:
 * it has what it wanted. Rejects for any other error.
 */
export async function writeTo(stream: Writable, pieces: Iterable<string>): Promise<void> {
  const descriptor = fileBehind(stream);
  if (descriptor !== undefined) {
    writeAll(descriptor, pieces);
    return;
  }
  for (const text of gather(pieces)) {
    // Once the reader is gone, there is no sense in making more.
    if (!(await write(stream, text))) return;
  }
}

/**
 * The descriptor of a stream that writes to a file. Node's stream for files ignores how much a write has written: on a disk
 * that becomes full, the rest is lost without an error.
 */
function fileBehind(stream: Writable): number | undefined {
  const { fd } = stream as Partial<NodeJS.WriteStream & { readonly fd: number }>;
  return fd !== undefined && fstatSync(fd).isFile() ? fd : undefined;
}

function write(stream: Writable, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // The event follows the callback; without a listener it would end the program.
    const onError = (): void => undefined;
    stream.once('error', onError);
    stream.write(text, (error) => {
      if (!error) {
        stream.off('error', onError);
        resolve(true);
      } else if (isGone(stream, error)) {
        resolve(false);
      } else {
        reject(error);
      }
    });
  });
}

/** Whether an error says that nobody reads any more: the other end of the pipe, or of the terminal. */
function isGone(stream: Writable, { code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || (code === 'EIO' && (stream as Partial<WriteStream>).isTTY === true);
}

/** A file under way: it lies beside its place until it is whole. */
export interface PendingFile extends Omit<TemporaryFile, 'descriptor'> {
  readonly write: (pieces: Iterable<string>) => void;
}

/** Begins a file; the problem says, before any work is lost, why the place cannot be written to. */
export function beginFile(file: string): PendingFile | { readonly problem: string } {
  const folder = path.dirname(file);
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) {
      return { problem: `${file} is not a file; specify a file.` };
    }
    const temporary = beginTemporary(file);
    removeAbandoned(folder);
    return { ...temporary, write: (pieces) => writeAll(temporary.descriptor, pieces) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { problem: `there is no folder ${folder}; create it first.` };
    const place = code === 'ENAMETOOLONG' ? `cannot write ${file}` : `cannot write to ${folder}`;
    return { problem: `${place} (${causeOf(error)}).` };
  }
}

function writeAll(descriptor: number, pieces: Iterable<string>): void {
  for (const text of gather(pieces)) {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
  }
}

function* gather(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < writeSize) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
