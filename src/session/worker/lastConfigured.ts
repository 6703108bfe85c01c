/**
 * Stores the last valid options from configuration files. If a configuration file is invalid when a window opens, the
 * window uses these options. Likewise, an open window keeps its options when a file becomes invalid.
 */
import type { ScanRequest } from '../protocol/messages.ts';
import { configure, type ConfiguredScan, type Folders } from './configure.ts';
import type { Storage } from './system.ts';

interface StoredOptions {
  /** Key of the editor settings with the configuration files. The stored options are used only with the same key. */
  // eslint-disable-next-line no-restricted-syntax -- The name is in stored files.
  readonly asked: string;
  readonly decided: Pick<ConfiguredScan, 'options' | 'roots' | 'decided'>;
}

/** Name of the stored file. */
export const configuredName = 'configured.json';

/**
 * A request to which configuration files were applied. If the current files are invalid, their last valid options were
 * applied instead, and `refused` has the problems.
 */
export type ConfiguredRequest =
  | { readonly configured: ConfiguredScan; readonly refused: RefusedScan | undefined }
  | { readonly configured: undefined; readonly refused: RefusedScan };

type RefusedScan = Exclude<Awaited<ReturnType<typeof configure>>, ConfiguredScan>;

/**
 * Applies the configuration files to the settings.
 *
 * @param hasIndex  true if there is an index, whose options stay in effect if a file is invalid
 */
export async function configureOrKeepLast(
  request: ScanRequest,
  folders: Folders,
  storage: Storage,
  hasIndex: boolean,
): Promise<ConfiguredRequest> {
  const configured = await configure(request, folders);
  if (!('problems' in configured)) {
    storeOptions(request, configured, storage);
    return { configured, refused: undefined };
  }
  const last = hasIndex ? undefined : lastOf(request, storage);
  return { configured: last, refused: configured };
}

/** Stores the options for the next window. */
function storeOptions(request: ScanRequest, { options, roots, decided }: ConfiguredScan, storage: Storage): void {
  if (request.storage === undefined) return;
  const stored: StoredOptions = {
    asked: requestKey(request),
    decided: { options, roots, decided },
  };
  const text = JSON.stringify(stored);
  if (storage.readText(request.storage, configuredName) !== text)
    storage.writeText(request.storage, configuredName, text);
}

/** Returns the stored result for this request; `undefined` if there is none with the same settings. */
function lastOf(request: ScanRequest, storage: Storage): ConfiguredScan | undefined {
  const text = request.storage === undefined ? undefined : storage.readText(request.storage, configuredName);
  if (text === undefined) return undefined;
  try {
    const { asked: requestedKey, decided } = JSON.parse(text) as StoredOptions;
    return requestedKey === requestKey(request) ? { ...request, ...decided } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a key of the settings to which configuration files are applied. */
function requestKey({ options, preset, roots }: ScanRequest): string {
  return JSON.stringify([options, preset, roots]);
}
