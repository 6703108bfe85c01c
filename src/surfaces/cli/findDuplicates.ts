/** The scan of a command: lists the files, applies the settings, and shows the progress. */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { CheckRun } from '../../review/check/checkRun.ts';
import type { ScannedTree } from '../../review/check/scannedTree.ts';
import type { IndexStore } from '../../scan/indexer/indexStore.ts';
import type { ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { endStage } from '../../scan/indexer/stages.ts';
import { listSources } from '../../scan/io/listSources.ts';
import type { Listing } from '../../scan/io/sources.ts';
import type { Streams } from './output.ts';
import { noProgress, showProgress } from './progress.ts';
import type { ScanArguments } from './scanArguments.ts';
import { requestFor } from './scanRequest.ts';
import type { Settings } from './settings.ts';

/** True if this V8 has the flags for optimization budgets, as in Node 20. */
export const knowsBudgets = Number.parseInt(process.versions.v8, 10) < 12;

/**
 * Below this number of files, optimizing the kernel takes longer than it saves: for 900 Python files, a tenth of the
 * time.
 */
const fewFiles = 1_000;

/** Context of a scan. */
export interface Surroundings {
  readonly cancelled: () => boolean;
  /** True if a file, by absolute path, is a report or a cache file. */
  readonly isOwn: (file: string) => boolean;
  /** Path of the index; `undefined` if it is not stored. */
  readonly place: string | undefined;
  readonly warn: (problem: string) => void;
  /** The check that selects the files; `undefined` to scan all. */
  readonly run: CheckRun | undefined;
}

/** Scans the tree. The store keeps the index; `undefined` if it is not stored. */
export async function findDuplicates(
  given: ScanArguments,
  settings: Settings,
  streams: Streams,
  surroundings: Surroundings,
): Promise<{ scanned: ScannedTree; store: IndexStore | undefined }> {
  const progress = given.progress ? await showProgress(streams.stderr) : noProgress;
  try {
    const { request, listing, store } = await requestOf(given, settings, surroundings);
    const { scanToFollow } = await import('../../scan/indexer/scan.ts');
    const { cancelled } = surroundings;
    // Folders are derived from the contents of all their files.
    const scope = given.scope === 'files' ? 'files' : 'all';
    const monitor: ScanMonitor = { onProgress: (state) => progress.update(state), cancelled };
    const scoped: ScanRequest = { ...request, scope };
    const { findings, idfTable, withoutSought } = await scanToFollow(scoped, monitor, 'findings');
    // Lets the event loop deliver an interrupt that arrived while the thread was busy.
    await setImmediate();
    return {
      scanned: {
        findings,
        idfTable: () => idfTable?.(),
        commentless: withoutSought,
        listing,
        request: scoped,
        monitor,
      },
      store,
    };
  } finally {
    progress.stop();
  }
}

/** Returns the scan request: the listed files and their store. */
export async function requestOf(
  given: Pick<ScanArguments, 'roots' | 'workers' | 'memoryMB'>,
  { options, sources }: Settings,
  { cancelled, isOwn, place, warn, run }: Surroundings,
): Promise<{ request: ScanRequest; listing: Listing; store: IndexStore | undefined }> {
  const listed = await listSources(given.roots, sources, cancelled);
  const own: Listing = { ...listed, files: listed.files.filter(({ file }) => !isOwn(file)) };
  const { listing, texts } = run ? await run.input(own) : { listing: own, texts: [] };
  endStage({ stage: 'listed' });
  // Must be set before the kernel is created. V8 optimizes after 1.8 million executed bytes, which costs a sixth of the
  // CPU time for ninety files.
  if (knowsBudgets && listing.files.length <= fewFiles) setFlagsFromString('--wasm-tiering-budget=60000000');
  const configured = [{ prefix: '', categories: sources.categories, overrides: sources.overrides }];
  const storage = place === undefined ? undefined : { place, warn };
  const request = await requestFor(given, { options, sources }, { listing, texts, configured }, storage);
  return { request, listing, store: request.store };
}
