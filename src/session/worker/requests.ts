/** Reads the options of scan and update requests, and compares requests. */
import { changesBetween, withCategories, withOverrides } from '../../core/engine/optionChanges.ts';
import { configuredChanges, type ConfiguredRoot } from '../../scan/indexer/configuredPaths.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { FolderLimits } from '../../scan/io/sources.ts';
import { remedyFor } from '../../scan/io/systemLimits.ts';
import type { FailedResponse, Request, ScanRequest, UpdateRequest } from '../protocol/messages.ts';

export function configuredRoots({ roots }: ScanRequest): ConfiguredRoot[] {
  return roots.map(({ prefix, sources: { categories, overrides } }) => ({ prefix, categories, overrides }));
}

/** Returns the limits of the folders. For documents outside of all folders, the limits of the first folder apply. */
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

/** A request that has not been run yet. If a scan replaces updates, `touched` has their paths. */
export type WaitingRequest = UpdateRequest | (ScanRequest & { readonly touched?: readonly string[] });

/** Returns a newer request that includes everything that the older, waiting request requires. */
export function overtake(waiting: WaitingRequest, newer: Request): WaitingRequest {
  if (newer.type === 'scan') return { ...newer, touched: touchedBy(waiting) };
  const replacedPaths = new Set([...newer.dropped, ...newer.overlays.map(({ path }) => path)]);
  const overlays = [...waiting.overlays.filter(({ path }) => !replacedPaths.has(path)), ...newer.overlays];
  if (waiting.type === 'scan') {
    const touched = [...touchedBy(waiting), ...touchedBy(newer)];
    return { ...waiting, generation: newer.generation, overlays, touched };
  }
  const dropped = [...waiting.dropped.filter((path) => !replacedPaths.has(path)), ...newer.dropped];
  return { ...newer, paths: [...waiting.paths, ...newer.paths], overlays, dropped };
}

/** Returns the paths of texts that may have changed, according to a request. */
export function touchedBy(request: WaitingRequest): readonly string[] {
  if (request.type === 'scan') return request.touched ?? [];
  return [...request.paths, ...request.overlays.map(({ path }) => path), ...request.dropped];
}

/**
 * Returns the answer to a request that has thrown an error. If a limit of the system has caused the error, the message
 * states a remedy. Any other error is a bug.
 */
export function failureOf(error: unknown): FailedResponse {
  const limit = remedyFor(error);
  if (limit !== undefined) return { type: 'failed', message: limit, stack: '' };
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { type: 'failed', message, stack };
}

/** Returns true if two requests read each file in the same way, apart from the options. */
function readsAlike(before: ScanRequest, after: ScanRequest): boolean {
  const [x, y] = [before, after].map((request) => {
    const { languages, memoryMB, storage } = request;
    return JSON.stringify([limitsOf(request), languages, memoryMB, storage]);
  });
  return x === y;
}

/** Returns the differences between a request and an existing index. Returns `undefined` if a new scan is necessary. */
export function changesFor(last: ScanRequest, live: LiveScan, request: ScanRequest) {
  if (!readsAlike(last, request)) return undefined;
  const ofOptions = changesBetween(live.options, request.options);
  const { categories, overrides } = configuredChanges(live.configured, configuredRoots(request));
  const changes = overrides ? withOverrides(ofOptions) : categories ? withCategories(ofOptions) : ofOptions;
  const isListedAlike = JSON.stringify(last.roots) === JSON.stringify(request.roots);
  if ((changes.work === 'nothing' && isListedAlike) || changes.work === 'tokens') return undefined;
  return { changes, isListedAlike };
}
