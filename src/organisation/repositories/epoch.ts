/**
 * Manages epochs: periods during which an index uses the same token weights. An epoch ends when all documents are
 * compared again, or when the documents have changed too much.
 */
import { deflateRawSync } from 'node:zlib';
import { sum } from '../../core/collections/lists.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { IdfCounts } from '../../core/engine/matches/idf.ts';
import { writeDocuments } from '../../core/engine/seeds/seeds.ts';
import { Pace } from '../../core/engine/steps.ts';
import { staleShare } from '../../scan/indexer/epoch.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { resultOf } from './resultOf.ts';
import type { Epoch, RepositoryState } from '../folder/indexFolder.ts';
import {
  ArrayReader,
  type FolderContents,
  readDocuments,
  type ReadIndex,
  type StoredDocuments,
} from './folderContents.ts';

/**
 * Measures token weights if there are none, or if the total number of tokens has changed by more than a fifth since
 * they were measured.
 */
export async function renewEpoch(read: ReadIndex): Promise<void> {
  const epoch = read.index.epoch();
  const now = tokensOfStates(read.states);
  if (epoch !== undefined && Math.abs(now - epoch.tokens) <= staleShare * epoch.tokens) return;
  await beginEpoch(read, await readDocuments(read));
}

/** Starts an epoch: measures and stores the token weights over all documents. Reports the documents read. */
export async function beginEpoch(
  read: ReadIndex,
  stored: StoredDocuments,
  onProgress?: ScanMonitor['onProgress'],
): Promise<Epoch> {
  const weights = await resultOf(weightsSteps(read.source, stored, onProgress), read);
  return read.index.beginEpoch({ tokens: tokensOfStates(read.states) }, deflateRawSync(weights));
}

function tokensOfStates(states: readonly RepositoryState[]): number {
  return sum(states.map(({ tokens }) => tokens));
}

/** Returns the table of inverse document frequencies. Loads one document after the other, in their order. */
function* weightsSteps(
  source: FolderContents,
  { documents, shapes }: StoredDocuments,
  onProgress?: ScanMonitor['onProgress'],
): Generator<void, Uint8Array> {
  const kernel = new Kernel(createMemory());
  const counts = new IdfCounts(kernel);
  const reader = new ArrayReader(kernel, source);
  const pace = new Pace();
  try {
    for (const [done, { content, part }] of documents.entries()) {
      const shape = shapes.get(content)!;
      // Skip prose, because the weights of words in prose are never used.
      if (part === 'comments' || (part === 'text' && shape.prose)) continue;
      const inside = kernel.mark();
      const text = reader.load(content, shape);
      counts.add(writeDocuments(kernel, [part === 'text' ? text : text[part]!]), 1);
      kernel.release(inside);
      if (pace.endsStep(20 + shape.tokenCount / 10)) {
        onProgress?.({ phase: 'reading', done, total: documents.length });
        yield;
      }
    }
    onProgress?.({ phase: 'reading', done: documents.length, total: documents.length });
    return counts.table();
  } finally {
    reader.close();
  }
}
