/**
 * Stores the last valid options of the configuration files. If a window opens while a configuration file is invalid, it
 * uses them, just as a window in which the file becomes invalid continues with its options.
 */
import type { ScanRequest } from '../protocol/messages.ts';
import { configure, type ConfiguredScan, type Folders } from './configure.ts';
import type { Storage } from './system.ts';

interface Stored {
  /**
   * Key of the editor settings to which the configuration files were applied. With other settings, the stored options
   * are not used.
   */
  readonly asked: string;
  readonly decided: Pick<ConfiguredScan, 'options' | 'roots' | 'decided'>;
}

/** Name of the stored file. */
export const configuredName = 'configured.json';

/**
 * A request with the configuration files applied, or with their last valid options; and the problems of the current
 * files.
 */
export type Configured =
  | { readonly configured: ConfiguredScan; readonly refused: Refused | undefined }
  | { readonly configured: undefined; readonly refused: Refused };

type Refused = Exclude<Awaited<ReturnType<typeof configure>>, ConfiguredScan>;

/**
 * Applies the configuration files to the settings.
 *
 * @param isGoingOn  true if there is an index, so that its options stay in effect
 */
export async function configureOrGoOn(
  request: ScanRequest,
  folders: Folders,
  storage: Storage,
  isGoingOn: boolean,
): Promise<Configured> {
  const configured = await configure(request, folders);
  if (!('problems' in configured)) {
    keep(request, configured, storage);
    return { configured, refused: undefined };
  }
  const last = isGoingOn ? undefined : lastOf(request, storage);
  return { configured: last, refused: configured };
}

/** Stores the result for the next window. */
function keep(request: ScanRequest, { options, roots, decided }: ConfiguredScan, storage: Storage): void {
  if (request.storage === undefined) return;
  const stored: Stored = { asked: askedBy(request), decided: { options, roots, ...(decided && { decided }) } };
  const text = JSON.stringify(stored);
  if (storage.readText(request.storage, configuredName) !== text)
    storage.writeText(request.storage, configuredName, text);
}

/**
 * Returns the last result for this request. Returns `undefined` if the settings were different, or if nothing is
 * stored.
 */
function lastOf(request: ScanRequest, storage: Storage): ConfiguredScan | undefined {
  const text = request.storage === undefined ? undefined : storage.readText(request.storage, configuredName);
  if (text === undefined) return undefined;
  try {
    const { asked, decided } = JSON.parse(text) as Stored;
    return asked === askedBy(request) ? { ...request, ...decided } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a key of the settings to which configuration files are applied. */
function askedBy({ options, preset, roots }: ScanRequest): string {
  return JSON.stringify([options, preset, roots]);
}
