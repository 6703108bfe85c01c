/** Writes to streams that may be slow or closed, and to files that are replaced atomically. */
import { fstatSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import type { WriteStream } from 'node:tty';
import { causeOf } from '../../scan/io/systemErrors.ts';
import { beginTemporary, removeAbandoned, type TemporaryFile } from '../../scan/io/temporaryFile.ts';

/** Output stream, possibly a terminal. */
export type Output = Writable & Partial<Pick<WriteStream, 'isTTY' | 'columns'>>;

/** Output streams and environment variables of a command. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Number of characters to buffer before writing. Writing line by line would be slow, and all lines together may exceed
 * the maximum length of a string.
 */
const writeSize = 65_536;

/**
 * Writes text to a stream, and waits if its buffer is full. If the reader has closed the stream (`| head`), discards
 * the rest without an error. Rejects if any other error occurs.
 */
export async function writeTo(stream: Output, pieces: Iterable<string>): Promise<void> {
  const descriptor = fileBehind(stream);
  if (descriptor !== undefined) {
    writeAll(descriptor, pieces);
    return;
  }
  for (const text of gather(pieces)) {
    // The reader has closed the stream.
    if (!(await write(stream, text))) return;
  }
}

/**
 * Returns the file descriptor if a stream writes to a file; otherwise `undefined`. Node's file streams ignore short
 * writes, so if the disk is full, the rest would be lost without an error.
 */
function fileBehind(stream: Writable): number | undefined {
  const { fd } = stream as Partial<NodeJS.WriteStream & { readonly fd: number }>;
  return fd !== undefined && fstatSync(fd).isFile() ? fd : undefined;
}

function write(stream: Output, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // Node emits `error` after the callback. Without a listener, it would end the program.
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

/** Returns true if the reader has closed the stream: the other end of a pipe, or the terminal. */
function isGone(stream: Output, { code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || (code === 'EIO' && stream.isTTY === true);
}

/** A file that is still being written. It has a temporary name until it is committed. */
export interface PendingFile extends Omit<TemporaryFile, 'descriptor'> {
  readonly write: (pieces: Iterable<string>) => void;
}

/** Creates a temporary file. Returns an error message if the location is not writable, before other work is done. */
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
