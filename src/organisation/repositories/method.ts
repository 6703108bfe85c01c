/**
 * Method of an index. Its arrays are comparable only if the same program made them with the same options. The first
 * repository determines the method; commands with another one are rejected.
 */
import { readFileSync } from 'node:fs';
import { hash64, hashBytes64 } from '../../core/methods/hash64.ts';
import type { Options } from '../../core/engine/options.ts';
import { IndexError } from '../folder/indexError.ts';
import { distanceOf, maxIndexDistance, views } from './blocks.ts';

export interface Method {
  readonly options: Options;
  /** Equal keys mean comparable arrays. */
  readonly key: string;
}

/** @param scanThread  path of the script that indexes files: dist/scanThread.js */
export function methodOf(options: Options, scanThread: URL): Method {
  const program = hashBytes64(readFileSync(scanThread)).toString(16);
  return { options, key: hash64(JSON.stringify([program, options])).toString(16) };
}

/** Returns the reason why options cannot be used for an index of many repositories; `undefined` if they can. */
export function problemOfOptions(options: Options): string | undefined {
  const tooFar = views.some((view) => distanceOf(view, options) > maxIndexDistance);
  return tooFar
    ? `an index of many repositories finds fingerprints within ${maxIndexDistance} bits; set k to ${maxIndexDistance} or less.`
    : undefined;
}

/** @throws IndexError if this program would index differently with the stored options */
export function checkMethod(stored: Method, scanThread: URL): void {
  if (methodOf(stored.options, scanThread).key !== stored.key) throw otherMethod();
}

export function otherMethod(): IndexError {
  return new IndexError(
    'The index was made by another version of Kindred or with other options, so nothing new can be compared with it: use that version and those options, or drop all repositories (kindred org drop --all) and add them again.',
  );
}
