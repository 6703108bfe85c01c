/**
 * By what method an index is made: its arrays are comparable only when the same program made them with the same options. The
 * first repository decides; who adds or asks with another one is refused.
 */
import { readFileSync } from 'node:fs';
import { hash64, hashBytes64 } from '../methods/hash64.ts';
import type { Options } from '../engine/options.ts';
import { DatabaseError } from '../database/databaseError.ts';
import type { Asked } from './catalogue.ts';
import { distanceOf, mostDistance, views } from './blockKeys.ts';

/** What an index is made by. */
export interface Method {
  readonly options: Options;
  /** Equal for what can be compared. */
  readonly key: string;
}

/** @param scanThread  the script that indexes files: dist/scanThread.js */
export function methodOf(options: Options, scanThread: URL): Method {
  const program = hashBytes64(readFileSync(scanThread)).toString(16);
  return { options, key: hash64(JSON.stringify([program, options])).toString(16) };
}

/** What is wrong with options for an index in a database; undefined when they can be used. */
export function problemOfOptions(options: Options): string | undefined {
  const tooFar = views.some((view) => distanceOf(view, options) > mostDistance);
  return tooFar
    ? `an index in a database finds fingerprints within ${mostDistance} bits; set k to ${mostDistance} or less.`
    : undefined;
}

/** The options of the index; undefined when it has no repository yet. */
export async function storedMethod(home: Asked): Promise<Method | undefined> {
  const [row] = await home.query<Method>('SELECT key, options FROM kindred.method');
  return row;
}

/**
 * Makes sure that what is written or asked is comparable with what is there.
 *
 * @throws DatabaseError when it is not
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

/** @throws DatabaseError when this program would make another index with the options that are stored */
export function checkMethod(stored: Method, scanThread: URL): void {
  if (methodOf(stored.options, scanThread).key !== stored.key) throw otherMethod();
}

function otherMethod(): DatabaseError {
  return new DatabaseError(
    'The index was made by another version of Kindred or with other options, so nothing new can be compared with it: use that version and those options, or drop all repositories (kindred org drop --all) and add them again.',
  );
}
