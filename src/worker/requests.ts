/** Requests for scans and updates: what one of them asks for, and what two have in common. */
import { changesBetween, withCategories, withOverrides } from '../engine/optionChanges.ts';
import { configuredChanges, type ConfiguredRoot } from '../indexer/configuredPaths.ts';
import type { LiveScan } from '../indexer/liveScan.ts';
import type { FolderLimits } from '../io/sources.ts';
import type { Request, ScanRequest } from '../protocol/messages.ts';

/** What the folders decide for their files. */
export function configuredRoots({ roots }: ScanRequest): ConfiguredRoot[] {
  return roots.map(({ prefix, sources: { categories, overrides } }) => ({ prefix, categories, overrides }));
}

/** The limits of the folders; those of the first one hold for open documents in none. */
export function limitsOf({ roots }: ScanRequest): FolderLimits {
  const inFolders = roots.map(({ prefix, sources: { maxFileSizeBytes, generated } }) => ({
    ...{ prefix, maxFileSizeBytes, generated },
  }));
  const [{ maxFileSizeBytes, generated }] = inFolders as [(typeof inFolders)[number]];
  const areSame = inFolders.every((it) => it.maxFileSizeBytes === maxFileSizeBytes && it.generated === generated);
  return { maxFileSizeBytes, generated, inFolders: areSame ? undefined : inFolders };
}

/** The newer request, with what the waiting one asked for and the newer one does not do anyway. */
export function overtake(waiting: Request, newer: Request): Request {
  if (newer.type === 'scan') return newer;
  const gone = new Set([...newer.dropped, ...newer.overlays.map(({ path }) => path)]);
  const overlays = [...waiting.overlays.filter(({ path }) => !gone.has(path)), ...newer.overlays];
  if (waiting.type === 'scan') return { ...waiting, generation: newer.generation, overlays };
  const dropped = [...waiting.dropped.filter((path) => !gone.has(path)), ...newer.dropped];
  return { ...newer, paths: [...waiting.paths, ...newer.paths], overlays, dropped };
}

/** Whether a file that both requests compare is read alike for both, whatever the options are. */
function readsAlike(before: ScanRequest, after: ScanRequest): boolean {
  const [x, y] = [before, after].map((request) => {
    const { languages, memoryMB, storage } = request;
    return JSON.stringify([limitsOf(request), languages, memoryMB, storage]);
  });
  return x === y;
}

/** What of the index of a scan there is to turn for a request; undefined when it has to be scanned for it. */
export function turnOf(last: ScanRequest, live: LiveScan, request: ScanRequest) {
  if (!readsAlike(last, request)) return undefined;
  const ofOptions = changesBetween(live.options, request.options);
  const { categories, overrides } = configuredChanges(live.configured, configuredRoots(request));
  const changes = overrides ? withOverrides(ofOptions) : categories ? withCategories(ofOptions) : ofOptions;
  const isListedAlike = JSON.stringify(last.roots) === JSON.stringify(request.roots);
  if ((changes.work === 'nothing' && isListedAlike) || changes.work === 'tokens') return undefined;
  return { changes, isListedAlike };
}
