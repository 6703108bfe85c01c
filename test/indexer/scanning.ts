/** Scans for tests of the indexer. Defaults of the request are defined here. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/project.mjs';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import type { IndexStore } from '../../src/scan/indexer/indexStore.ts';
import { nodeSystem } from '../../src/scan/indexer/nodeSystem.ts';
import * as scans from '../../src/scan/indexer/scan.ts';
import type { Findings } from '../../src/core/engine/report/report.ts';
import type { ScanInput, ScanMonitor } from '../../src/scan/indexer/scanInput.ts';
import { openIndexStore } from '../../src/scan/indexer/storeOnDisk.ts';
import { listSources } from '../../src/scan/io/listSources.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { textOfFile } from '../cli/kindred.ts';
import { sound, textOfBytes } from '../reportProblems.ts';

/** URL of the script of a scan thread. */
export const scanThreadScript = pathToFileURL(path.join(root, 'dist/scanThread.js'));

/** A monitor that never cancels. */
export const patient: ScanMonitor = { onProgress: () => undefined, cancelled: () => false };

/** A monitor that cancels from the n-th check on, with the number of checks. */
export function impatient(n: number): ScanMonitor & { checks: number } {
  const monitor = { checks: 0, onProgress: () => undefined, cancelled: (): boolean => ++monitor.checks > n };
  return monitor;
}

/** Returns all sources of a folder, without overlaid texts. */
export async function inputOf(folder: string): Promise<ScanInput> {
  return { listing: await listSources([folder], defaultSourceOptions, () => false), texts: [] };
}

/** Scans and checks the consistency of the findings. */
export async function scan(request: scans.ScanRequest, monitor: ScanMonitor): Promise<Findings> {
  return (await scanToFollow(request, monitor, 'findings')).findings;
}

/** Like `scan`, but also keeps the state for following changes. */
export const scanToFollow: typeof scans.scanToFollow = async (request, monitor, keeping) => {
  const scanned = await scans.scanToFollow(request, monitor, keeping);
  soundScan(scanned.findings, request);
  return scanned;
};

/** Returns the findings for an input after checking their consistency. */
export function soundScan(findings: Findings, { listing, texts }: ScanInput): Findings {
  const openTexts = new Map(texts.map(({ path, bytes }) => [path, textOfBytes(bytes)]));
  const files = new Map(listing.files.map((file) => [file.path, file]));
  return sound(findings, (name) => {
    const file = files.get(name);
    return openTexts.get(name) ?? (file && 'file' in file ? textOfFile(file.file) : undefined);
  });
}

/** Changes of a request. `scanThread` is the script of the threads. */
type RequestChanges = Partial<scans.ScanRequest> & { readonly scanThread?: URL };

/** Returns the request of a complete scan on this thread only, like the editor's except for the changes. */
export function requestOf(
  input: ScanInput,
  { scanThread = scanThreadScript, ...changes }: RequestChanges = {},
): scans.ScanRequest {
  return {
    ...input,
    options: defaultOptions,
    sources: defaultSourceOptions,
    lexicons: [],
    scope: 'all',
    workers: 1,
    memoryMB: 0,
    system: nodeSystem(scanThread),
    store: undefined,
    weighing: 'kept',
    whenCancelled: 'stop',
    configured: [],
    ...changes,
  };
}

/**
 * Returns the index store of a scan with some options.
 *
 * @param warn   receives messages about unusable files; `undefined` if there must be none
 * @param files  additional identity
 */
export function storeAt(
  place: string,
  options: Options,
  warn: (problem: string) => void = (problem) => assert.fail(problem),
  files = '',
): IndexStore {
  const scripts = { scanThread: scanThreadScript, program: scanThreadScript };
  const identity = { options, sources: defaultSourceOptions, lexicons: [], files };
  return openIndexStore(place, identity, scripts, warn);
}
