/** Reads and writes the files of an index, and explains errors to the user. */
import { accessSync, closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { IndexError } from './indexError.ts';

/** Parses a JSON file, and checks its value. Returns `undefined` if the file does not exist. */
export function readJson<Value>(
  file: string,
  isValid: (value: Partial<Value>) => boolean = () => true,
): Value | undefined {
  try {
    return parseJson(readFileSync(file, 'utf8'), file, isValid);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw explained(error, file);
  }
}

/** Parses the JSON of an object in a file, and checks it. */
export function parseJson<Value>(text: string, file: string, isValid: (value: Partial<Value>) => boolean): Value {
  try {
    const value = JSON.parse(text) as Value;
    if (typeof value === 'object' && value !== null && isValid(value)) return value;
  } catch {
    // The error is thrown below.
  }
  throw damaged(file);
}

export function damaged(file: string): IndexError {
  return new IndexError(
    `${file} is damaged: restore it, or delete the folder of the index and add the repositories again.`,
  );
}

/** @throws IndexError if a file does not have the size with which it was written */
export function checkSize(file: string, bytes: number): void {
  const size = explaining(file, () => statSync(file).size);
  if (size !== bytes) throw damaged(file);
}

/** Thrown if a file no longer exists because its repository was changed after the caller read the file's name. */
export class MissingFileError extends Error {}

/** Runs an action on a file, and converts the errors it throws into IndexErrors with an explanation. */
export function explaining<Result>(file: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw explained(error, file);
  }
}

/** Opens a file, passes it to a function, and closes it. Explains errors like `explaining`. */
export function readingFile<Result>(name: string, action: (file: number) => Result): Result {
  return explaining(name, () => {
    const file = openSync(name, 'r');
    try {
      return action(file);
    } finally {
      closeSync(file);
    }
  });
}

/** Fills an array with the bytes at a file position. Precondition: the file has that many bytes. */
export function readFully(file: number, into: Uint8Array, position: number): void {
  for (let at = 0; at < into.length;) {
    const read = readSync(file, into, at, into.length - at, position + at);
    if (read === 0) throw new Error('The file ends before its contents.');
    at += read;
  }
}

/** Converts an error of the operating system or of DuckDB into an IndexError. Returns any other error unchanged. */
export function explained(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof IndexError || error instanceof MissingFileError) return error;
  const code = codeOf(error);
  return code === undefined ? explainedMessage(error, file) : explainedCode(error, code, file);
}

const noRights = 'There are no rights for FILE: change its permissions, or name another folder in --index.';
const isFull = 'The disk of FILE is full: free some space and repeat the command; the stored state is unchanged.';
const explanations: Readonly<Record<string, string>> = {
  EACCES: noRights,
  EPERM: noRights,
  EROFS: noRights,
  ENOSPC: isFull,
  EDQUOT: isFull,
  EFBIG:
    'FILE would be larger than the system allows: raise the limit (ulimit -f) and repeat the command; the stored state is unchanged.',
  EIO: 'FILE cannot be read or written: check the disk.',
  ENOTDIR: 'FILE is not a folder: name the folder of an index, or a new one, in --index.',
};

function explainedCode(error: Error, code: string, file: string): Error {
  if (code === 'ENOENT') return new MissingFileError(file);
  const explanation = explanations[code];
  if (explanation === undefined) return error;
  const named = explanation === noRights ? `${file} (${code})` : file;
  return new IndexError(
    explanation.replace('FILE', () => named),
    { cause: error },
  );
}

/** Kinds of messages of DuckDB, with the code of the operating system if there is one. */
const messages: readonly (readonly [RegExp, string])[] = [
  [/No files found|No such file/, 'ENOENT'],
  [/Permission denied/, 'EACCES'],
  [/File too large/, 'EFBIG'],
  [/No space left|out of disk|disk space/i, 'ENOSPC'],
  [/Out of Memory/, 'memory'],
  [/magic bytes|too small to be a Parquet|Parquet file|thrift|decompress|corrupt|Binder Error: .*column/i, 'damaged'],
];

function explainedMessage(error: Error, file: string): Error {
  const [, code] = messages.find(([pattern]) => pattern.test(error.message)) ?? [];
  const named = /["'](\/[^"']+|[A-Z]:\\[^"']+)["']/.exec(error.message)?.[1] ?? file;
  switch (code) {
    case undefined:
      return error;
    case 'damaged':
      return damaged(named);
    case 'memory':
      return new IndexError(
        `The memory of this machine is too small for ${file}: scan it on a larger one, or with --engine spark.`,
        { cause: error },
      );
    default:
      // DuckDB does not name the folder of its temporary files.
      if (error.message.includes('temp_directory')) return explainedCode(error, code, tmpdir());
      return explainedCode(error, code === 'ENOENT' ? codeOfReading(named) : code, named);
  }
}

/** Returns the reason why a file cannot be read. DuckDB finds no files in a folder without rights. */
function codeOfReading(file: string): string {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    return codeOf(error) ?? 'ENOENT';
  }
  return 'ENOENT';
}

export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : undefined;
}
