/** A scan as the command line asks for it. */
import { ignoreMarkers } from '../gate/ignoreComments.ts';
import type { IndexStore } from '../indexer/indexStore.ts';
import type { ScanRequest } from '../indexer/scan.ts';
import type { ScanArguments } from './scanArguments.ts';
import type { Settings } from './settings.ts';

/** Where the index is kept, and who hears of what is wrong with it. */
export interface Storage {
  readonly place: string;
  readonly warn: (problem: string) => void;
}

/**
 * The request for a whole scan of files and texts.
 *
 * @param storage  undefined when the index is not kept
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
    ...{ options, sources, workers, memoryMB, scanThread },
    scope: 'all',
    lexicons: [],
    soughtWords: ignoreMarkers,
    store: storage && (await openStore(storage, { options, sources, memoryMB, scanThread })),
    // The same findings with a cache and without.
    weighing: 'measured',
    whenCancelled: 'group',
  };
}

async function openStore(
  { place, warn }: Storage,
  { memoryMB, ...others }: Pick<ScanRequest, 'options' | 'sources' | 'memoryMB' | 'scanThread'>,
): Promise<IndexStore> {
  // Loaded when there is something to do: help, the version and a mistake are answered without the engine.
  const { IndexStore } = await import('../indexer/indexStore.ts');
  const identity = {
    ...others,
    lexicons: [],
    files: JSON.stringify([others.sources, memoryMB]),
    program: new URL('./cli.js', import.meta.url),
  };
  return new IndexStore(place, identity, warn);
}
