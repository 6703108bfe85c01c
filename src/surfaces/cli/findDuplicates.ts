/** Runs the scan of a command: lists the files, applies the settings, and shows progress. */
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

/** True if V8 has the flags for optimization budgets, as in Node 20. */
export const knowsBudgets = Number.parseInt(process.versions.v8, 10) < 12;

/**
 * Minimum number of files for optimizing the WebAssembly kernel. For fewer files, this takes longer than it saves; for
 * 900 Python files, it takes a tenth of the total time.
 */
const fewFiles = 1_000;

/** Context of a scan. */
export interface Surroundings {
  readonly cancelled: () => boolean;
  /** Returns true if an absolute path is a report or cache file, which must not be scanned. */
  readonly isOwn: (file: string) => boolean;
  /** Path of the stored index; `undefined` to store none. */
  readonly place: string | undefined;
  readonly warn: (problem: string) => void;
  /** Check that selects the files to scan; `undefined` to scan all. */
  readonly run: CheckRun | undefined;
}

/** Scans the tree. If an index is stored, uses and updates it. */
export async function findDuplicates(
  scanArguments: ScanArguments,
  settings: Settings,
  streams: Streams,
  surroundings: Surroundings,
): Promise<{ scanned: ScannedTree; store: IndexStore | undefined }> {
  const progress = scanArguments.progress ? await showProgress(streams.stderr) : noProgress;
  try {
    const { request, listing, store } = await requestOf(scanArguments, settings, surroundings);
    const { scanToFollow } = await import('../../scan/indexer/scan.ts');
    const { cancelled } = surroundings;
    // Similar folders are derived from all passages, so `scope` 'folders' scans for passages, too.
    const scope = scanArguments.scope === 'files' ? 'files' : 'all';
    const monitor: ScanMonitor = { onProgress: (state) => progress.update(state), cancelled };
    const scoped: ScanRequest = { ...request, scope };
    const { findings, idfTable, withoutSought } = await scanToFollow(scoped, monitor, 'findings');
    // Yield to the event loop, so that an interrupt that arrived in the meantime is handled.
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

/** Returns the scan request for the listed files, including where to store the index. */
export async function requestOf(
  scanArguments: Pick<ScanArguments, 'roots' | 'workers' | 'memoryMB'>,
  { options, sources }: Settings,
  { cancelled, isOwn, place, warn, run }: Surroundings,
): Promise<{ request: ScanRequest; listing: Listing; store: IndexStore | undefined }> {
  const listed = await listSources(scanArguments.roots, sources, cancelled);
  const own: Listing = { ...listed, files: listed.files.filter(({ file }) => !isOwn(file)) };
  const { listing, texts } = run ? await run.input(own) : { listing: own, texts: [] };
  endStage({ stage: 'listed' });
  // Set this flag before the kernel is compiled. By default, V8 starts to optimize after 1.8 million executed bytes,
  // which costs a sixth of the CPU time for ninety files.
  if (knowsBudgets && listing.files.length <= fewFiles) setFlagsFromString('--wasm-tiering-budget=60000000');
  const configured = [{ prefix: '', categories: sources.categories, overrides: sources.overrides }];
  const storage = place === undefined ? undefined : { place, warn };
  const request = await requestFor(scanArguments, { options, sources }, { listing, texts, configured }, storage);
  return { request, listing, store: request.store };
}
