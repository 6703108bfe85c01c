/** Where text goes: a stream that may be slow or closed, or a file that is replaced whole or not at all. */
import { closeSync, existsSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';

/** Pieces are gathered up to this size: a write for every line would be slow, one for all could be too large. */
const writeSize = 65_536;

/**
 * Writes pieces of text to a stream, as fast as it takes them. When the reader is gone (`| head`), the rest is dropped:
 * it has what it wanted. Rejects for any other error.
 */
export async function writeTo(stream: Writable, pieces: Iterable<string>): Promise<void> {
  for (const text of gather(pieces)) {
    // Once the reader is gone, there is no sense in making more.
    if (!(await write(stream, text))) return;
  }
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
      } else if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
        resolve(false);
      } else {
        reject(error);
      }
    });
  });
}

/** A file under way: it lies beside its place until it is whole. */
export interface PendingFile {
  /** Where it lies meanwhile: absolute. */
  readonly temporary: string;
  readonly write: (pieces: Iterable<string>) => void;
  /** Puts the file in its place, over what was there. */
  readonly commit: () => void;
  /** Leaves no trace. Does nothing after `commit`. */
  readonly discard: () => void;
}

/** Begins a file; the problem says, before any work is lost, why the place cannot be written to. */
export function beginFile(file: string): PendingFile | { readonly problem: string } {
  if (existsSync(file) && !statSync(file).isFile()) return { problem: `${file} is not a file; name one.` };
  try {
    return beginBeside(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    if (code === 'ENOENT') return { problem: `there is no folder ${path.dirname(file)}; make it first.` };
    const denied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
    return { problem: `${path.dirname(file)} cannot be written to (${denied ? 'permission denied' : code}).` };
  }
}

function beginBeside(file: string): PendingFile {
  const temporary = path.join(path.dirname(path.resolve(file)), `.${path.basename(file)}.${process.pid}.tmp`);
  let descriptor: number | undefined = openSync(temporary, 'wx');
  return {
    temporary,
    write: (pieces) => {
      for (const text of gather(pieces)) {
        const bytes = Buffer.from(text);
        for (let done = 0; done < bytes.length;) done += writeSync(descriptor ?? -1, bytes, done);
      }
    },
    commit: () => {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      try {
        renameSync(temporary, file);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    },
    discard: () => {
      if (descriptor === undefined) return;
      closeSync(descriptor);
      descriptor = undefined;
      rmSync(temporary, { force: true });
    },
  };
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
