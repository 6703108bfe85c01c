/**
 * The epoch of an index: how rare tokens are stays as it was measured, for all who ask, until the next comparison of all
 * documents or until the documents are no longer those it was measured of.
 */
import { deflateRawSync } from 'node:zlib';
import { createMemory, Kernel } from '../engine/kernel.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Server } from '../database/server.ts';
import { staleShare } from '../indexer/epoch.ts';
import { type Asked, readDocuments, readRepositories, type StoredDocuments } from './catalogue.ts';
import { keepingContents } from './locks.ts';
import { type Method } from './method.ts';
import { measureRarity } from './rarityTask.ts';
import { stateOf } from './work.ts';

/** The tokens of all documents, by which an epoch is told to be over. */
export function tokensOf({ documents, shapes }: StoredDocuments): number {
  return documents.reduce((sum, { content }) => sum + shapes.get(content)!.tokenCount, 0);
}

/** What a look-up has to know of the index before it begins. */
export interface StoredEpoch {
  readonly method: Method;
  readonly epoch: number;
  /** The idf table, deflated; undefined when the epoch is the one that is known. */
  readonly deflated: Buffer | undefined;
}

/** The epoch and the method of the index, in one statement; undefined before anything was measured. */
export async function storedEpoch(home: Asked, known?: number): Promise<StoredEpoch | undefined> {
  const [row] = await home.query<Method & { epoch: number; deflated: Buffer | null }>(
    `SELECT key, options, epoch, CASE WHEN epoch IS DISTINCT FROM $1 THEN deflated END AS deflated
     FROM kindred.method, kindred.rarity ORDER BY epoch DESC LIMIT 1`,
    [known ?? null],
  );
  if (row === undefined) return undefined;
  const { key, options, epoch, deflated } = row;
  return { method: { key, options }, epoch, deflated: deflated ?? undefined };
}

/** Begins an epoch, unless this one was measured in the same state. */
export async function keepRarity(home: Server, state: string, tokens: number, weights: Uint8Array): Promise<void> {
  await home.transaction(async (connection) => {
    await connection.query('LOCK TABLE kindred.rarity IN EXCLUSIVE MODE');
    const [same] = await connection.query('SELECT true FROM kindred.rarity WHERE state = $1', [state]);
    if (same !== undefined) return;
    await connection.query('DELETE FROM kindred.rarity');
    await connection.query('INSERT INTO kindred.rarity (state, tokens, deflated) VALUES ($1, $2, $3)', [
      state,
      tokens,
      deflateRawSync(weights),
    ]);
  });
}

/** Measures how rare tokens are when nobody has, or when a fifth of the tokens has come or gone since. */
export async function renewRarity(database: Database, method: Method): Promise<void> {
  const { home } = database;
  const [epoch] = await home.query<{ tokens: bigint }>('SELECT tokens FROM kindred.rarity');
  await keepingContents(home, async () => {
    const repositories = await readRepositories(home);
    const stored = await readDocuments(
      home,
      repositories.map((repository) => [repository, repository.generation] as const),
    );
    const [before, now] = [Number(epoch?.tokens ?? 0), tokensOf(stored)];
    if (epoch !== undefined && Math.abs(now - before) <= staleShare * before) return;
    const weights = await measureRarity({ database, kernel: new Kernel(createMemory()), stored });
    await keepRarity(home, stateOf(method, stored), now, weights);
  });
}
