/**
 * Manages epochs: periods during which an index uses the same token weights. An epoch ends when all documents are
 * compared again, or when the documents have changed too much.
 */
import { deflateRawSync } from 'node:zlib';
import { staleShare } from '../../scan/indexer/epoch.ts';
import type { DuckDB } from '../folder/duckdb.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';
import { type Measured, measureRarity } from './rarity.ts';
import { type Partitions, readDocuments } from './folderContents.ts';

/**
 * Measures token weights if there are none, or if the total number of tokens has changed by more than a fifth since
 * they were measured.
 */
export async function renewEpoch(index: IndexFolder, duckdb: DuckDB, partitions: Partitions): Promise<void> {
  const epoch = index.epoch();
  const states = index.repositories();
  const now = tokensOfStates(states);
  if (epoch !== undefined && Math.abs(now - epoch.tokens) <= staleShare * epoch.tokens) return;
  const source = partitions.contentsOf(states);
  beginEpoch(index, states, { source, stored: await readDocuments(index, duckdb, states, source) });
}

/** Starts an epoch: measures and stores the token weights over all documents of the given states. Returns them. */
export function beginEpoch(index: IndexFolder, states: readonly RepositoryState[], measured: Measured): Uint8Array {
  const weights = measureRarity(measured);
  index.beginEpoch({ tokens: tokensOfStates(states) }, deflateRawSync(weights));
  return weights;
}

function tokensOfStates(states: readonly RepositoryState[]): number {
  return states.reduce((sum, { tokens }) => sum + tokens, 0);
}
