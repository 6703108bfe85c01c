/**
 * Method of an index. Its arrays are comparable only if the same program made them with the same options. The first
 * repository determines the method; commands with another one are rejected.
 */
import { readFileSync } from 'node:fs';
import { hash64, hashBytes64 } from '../../core/methods/hash64.ts';
import type { Options } from '../../core/engine/options.ts';
import { DatabaseError } from '../database/databaseError.ts';
import type { Asked } from './catalogue.ts';
import { distanceOf, maxIndexDistance, views } from './blockKeys.ts';

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

/** Returns the reason why options cannot be used for an index in a database; `undefined` if they can. */
export function problemOfOptions(options: Options): string | undefined {
  const tooFar = views.some((view) => distanceOf(view, options) > maxIndexDistance);
  return tooFar
    ? `an index in a database finds fingerprints within ${maxIndexDistance} bits; set k to ${maxIndexDistance} or less.`
    : undefined;
}

/** Reads the method of the index; `undefined` if it has no repository yet. */
export async function storedMethod(home: Asked): Promise<Method | undefined> {
  const [row] = await home.query<Method>('SELECT key, options FROM kindred.method');
  return row;
}

/**
 * Stores the method of a new index, or checks it against the stored one.
 *
 * @throws DatabaseError if they differ
 */
export async function beginMethod(home: Asked, method: Method): Promise<void> {
  await home.query('INSERT INTO kindred.method (key, options) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    method.key,
    JSON.stringify(method.options),
  ]);
  const stored = await storedMethod(home);
  if (stored?.key === method.key) return;
  const [row] = await home.query<{ there: boolean }>(
    'SELECT EXISTS (SELECT FROM kindred.content) OR EXISTS (SELECT FROM kindred.repository) AS there',
  );
  if (row?.there === false) {
    await home.query('UPDATE kindred.method SET key = $1, options = $2', [method.key, JSON.stringify(method.options)]);
    return;
  }
  throw otherMethod();
}

/** @throws DatabaseError if this program would index differently with the stored options */
export function checkMethod(stored: Method, scanThread: URL): void {
  if (methodOf(stored.options, scanThread).key !== stored.key) throw otherMethod();
}

export function otherMethod(): DatabaseError {
  return new DatabaseError(
    'The index was made by another version of Kindred or with other options, so nothing new can be compared with it: use that version and those options, or drop all repositories (kindred org drop --all) and add them again.',
  );
}
