/** Scan and update requests: their options, and the comparison of two requests. */
import { changesBetween, withCategories, withOverrides } from '../../core/engine/optionChanges.ts';
import { configuredChanges, type ConfiguredRoot } from '../../scan/indexer/configuredPaths.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { FolderLimits } from '../../scan/io/sources.ts';
import { remedyFor } from '../../scan/io/systemLimits.ts';
import type { FailedResponse, Request, ScanRequest, UpdateRequest } from '../protocol/messages.ts';

/** Returns the configuration of each folder. */
export function configuredRoots({ roots }: ScanRequest): ConfiguredRoot[] {
  return roots.map(({ prefix, sources: { categories, overrides } }) => ({ prefix, categories, overrides }));
}

/** Returns the limits of the folders. Open documents outside all folders use those of the first one. */
export function limitsOf({ roots }: ScanRequest): FolderLimits {
  const inFolders = roots.map(({ prefix, sources: { maxFileSizeBytes, generated } }) => ({
    prefix,
    maxFileSizeBytes,
    generated,
  }));
  const [{ maxFileSizeBytes, generated }] = inFolders as [(typeof inFolders)[number]];
  const areSame = inFolders.every((it) => it.maxFileSizeBytes === maxFileSizeBytes && it.generated === generated);
  return { maxFileSizeBytes, generated, inFolders: areSame ? undefined : inFolders };
}

/** A request to be run, with the paths that overtaken updates named: a scan need not read every file again. */
export type WaitingRequest = UpdateRequest | (ScanRequest & { readonly touched?: readonly string[] });

/** Returns the newer request, extended by what the waiting one requires in addition. */
export function overtake(waiting: WaitingRequest, newer: Request): WaitingRequest {
  if (newer.type === 'scan') return { ...newer, touched: touchedBy(waiting) };
  const gone = new Set([...newer.dropped, ...newer.overlays.map(({ path }) => path)]);
  const overlays = [...waiting.overlays.filter(({ path }) => !gone.has(path)), ...newer.overlays];
  if (waiting.type === 'scan') {
    const touched = [...touchedBy(waiting), ...touchedBy(newer)];
    return { ...waiting, generation: newer.generation, overlays, touched };
  }
  const dropped = [...waiting.dropped.filter((path) => !gone.has(path)), ...newer.dropped];
  return { ...newer, paths: [...waiting.paths, ...newer.paths], overlays, dropped };
}

/** Returns the paths whose text a request may have changed. */
export function touchedBy(request: WaitingRequest): readonly string[] {
  if (request.type === 'scan') return request.touched ?? [];
  return [...request.paths, ...request.overlays.map(({ path }) => path), ...request.dropped];
}

/** Describes what a request threw: a limit of the system by its remedy, anything else as a bug. */
export function failureOf(error: unknown): FailedResponse {
  const limit = remedyFor(error);
  if (limit !== undefined) return { type: 'failed', message: limit, stack: '' };
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { type: 'failed', message, stack };
}

/** True if a file in both requests is read in the same way, whatever the options are. */
function readsAlike(before: ScanRequest, after: ScanRequest): boolean {
  const [x, y] = [before, after].map((request) => {
    const { languages, memoryMB, storage } = request;
    return JSON.stringify([limitsOf(request), languages, memoryMB, storage]);
  });
  return x === y;
}

/** Returns the difference between the index of a scan and a request; `undefined` if a new scan is needed. */
export function turnOf(last: ScanRequest, live: LiveScan, request: ScanRequest) {
  if (!readsAlike(last, request)) return undefined;
  const ofOptions = changesBetween(live.options, request.options);
  const { categories, overrides } = configuredChanges(live.configured, configuredRoots(request));
  const changes = overrides ? withOverrides(ofOptions) : categories ? withCategories(ofOptions) : ofOptions;
  const isListedAlike = JSON.stringify(last.roots) === JSON.stringify(request.roots);
  if ((changes.work === 'nothing' && isListedAlike) || changes.work === 'tokens') return undefined;
  return { changes, isListedAlike };
}
