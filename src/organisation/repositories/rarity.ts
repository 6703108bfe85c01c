/**
 * Epoch of an index: a period with constant token weights. It ends with the next comparison of all documents, or when
 * the documents have changed too much.
 */
import { deflateRawSync } from 'node:zlib';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Database } from '../database/openDatabase.ts';
import type { Server } from '../database/server.ts';
import { staleShare } from '../../scan/indexer/epoch.ts';
import { type Asked, readDocuments, readRepositories, type StoredDocuments } from './catalogue.ts';
import { keepingContents } from './locks.ts';
import { type Method } from './method.ts';
import { payloadsOf } from './payloads.ts';
import { measureRarity } from './rarityTask.ts';
import { stateOf } from './work.ts';

/** Counts the tokens of all documents, which determine when an epoch ends. */
export function tokensOf({ documents, shapes }: StoredDocuments): number {
  return documents.reduce((sum, { content }) => sum + shapes.get(content)!.tokenCount, 0);
}

/** State of the index that a search needs first. */
export interface StoredEpoch {
  readonly method: Method;
  readonly epoch: number;
  /** The deflated idf table; `undefined` if the known epoch is still current. */
  readonly deflated: Buffer | undefined;
}

/** Reads the epoch and the method of the index in one statement; `undefined` if nothing was measured yet. */
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

/** Starts an epoch, unless the current one was measured in the same state. */
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

/** Measures token weights if there are none, or if a fifth of the tokens were added or removed since. */
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
    const weights = await measureRarity({
      source: payloadsOf(database),
      kernel: new Kernel(createMemory()),
      stored,
    });
    await keepRarity(home, stateOf(method, stored), now, weights);
  });
}
