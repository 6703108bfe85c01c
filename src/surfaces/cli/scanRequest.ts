/** Converts command-line settings into a scan request. */
import { ignoreMarkers } from '../../review/gate/ignoreComments.ts';
import type { IndexStore } from '../../scan/indexer/indexStore.ts';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanArguments } from './scanArguments.ts';
import type { Settings } from './settings.ts';

/** Path of the stored index, and a callback for warnings about it. */
export interface Storage {
  readonly place: string;
  readonly warn: (problem: string) => void;
}

/**
 * Returns the request for a full scan of files and texts.
 *
 * @param storage  `undefined` to store no index
 */
export async function requestFor(
  { workers, memoryMB }: Pick<ScanArguments, 'workers' | 'memoryMB'>,
  { options, sources }: Pick<Settings, 'options' | 'sources'>,
  input: Pick<ScanRequest, 'listing' | 'texts' | 'configured'>,
  storage: Storage | undefined,
): Promise<ScanRequest> {
  const scanThread = new URL('./scanThread.js', import.meta.url);
  return {
    ...input,
    options,
    sources,
    workers,
    memoryMB,
    system: nodeSystem(scanThread),
    scope: 'all',
    lexicons: [],
    soughtWords: ignoreMarkers,
    store: storage && (await openStore(storage, { options, sources, memoryMB }, scanThread)),
    // Measure the token weights again, so that the findings do not depend on the cache.
    weighing: 'measured',
    whenCancelled: 'group',
  };
}

async function openStore(
  { place, warn }: Storage,
  { memoryMB, ...others }: Pick<ScanRequest, 'options' | 'sources' | 'memoryMB'>,
  scanThread: URL,
): Promise<IndexStore> {
  // Load this on demand, because help, version, and error messages do not need it.
  const { openIndexStore } = await import('../../scan/indexer/storeOnDisk.ts');
  const identity = { ...others, lexicons: [], files: JSON.stringify([others.sources, memoryMB]) };
  return openIndexStore(place, identity, { scanThread, program: new URL('./cli.js', import.meta.url) }, warn);
}
