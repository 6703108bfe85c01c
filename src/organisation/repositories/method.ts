/**
 * Method with which an index is built: the program version and the options. Token arrays are comparable only if version
 * and options are equal. The first repository determines the method; commands that would use a different one are
 * rejected.
 */
import { readFileSync } from 'node:fs';
import { hash64, hashBytes64 } from '../../core/methods/hash64.ts';
import type { Options } from '../../core/engine/options.ts';
import { IndexError } from '../folder/indexError.ts';
import { distanceOf, maxIndexDistance, views } from './blocks.ts';

export interface Method {
  readonly options: Options;
  /** Hash of the method. Equal keys mean that the arrays are comparable. */
  readonly key: string;
}

/** @param scanThread  URL of the script that tokenizes files: dist/scanThread.js */
export function methodOf(options: Options, scanThread: URL): Method {
  const program = hashBytes64(readFileSync(scanThread)).toString(16);
  return { options, key: hash64(JSON.stringify([program, options])).toString(16) };
}

/** Returns why the given options cannot be used for an index of many repositories; `undefined` if they can. */
export function problemOfOptions(options: Options): string | undefined {
  const tooFar = views.some((view) => distanceOf(view, options) > maxIndexDistance);
  return tooFar
    ? `an index of many repositories finds fingerprints within ${maxIndexDistance} bits; set k to ${maxIndexDistance} or less.`
    : undefined;
}

/** @throws IndexError if this program would build different arrays with the stored options */
export function checkMethod(stored: Method, scanThread: URL): void {
  if (methodOf(stored.options, scanThread).key !== stored.key) throw otherMethod();
}

export function otherMethod(): IndexError {
  return new IndexError(
    'The index was made by another version of Kindred or with other options, so nothing new can be compared with it: use that version and those options, or drop all repositories (kindred org drop --all) and add them again.',
  );
}
