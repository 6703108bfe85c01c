/**
 * Last valid options of the configuration files, stored by the extension. A window that opens with an invalid file uses
 * them, just as a window in which the file becomes invalid.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beginTemporary } from '../../scan/io/temporaryFile.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import type { ScanRequest } from '../protocol/messages.ts';
import { configure, type ConfiguredScan } from './configure.ts';
import type { VirtualFiles } from './virtualFiles.ts';

interface Stored {
  /** The settings that were the base. The entry is not used with other settings. */
  readonly asked: string;
  readonly decided: Pick<ConfiguredScan, 'options' | 'roots' | 'decided'>;
}

const maxBytes = 2 ** 22;

/** Request with the configuration files applied, or with their last valid options; and their current problems. */
export type Configured =
  | { readonly configured: ConfiguredScan; readonly refused: Refused | undefined }
  | { readonly configured: undefined; readonly refused: Refused };

type Refused = Exclude<Awaited<ReturnType<typeof configure>>, ConfiguredScan>;

/**
 * Applies the configuration files to the settings.
 *
 * @param isGoingOn  true if there is an index, which keeps the last options in force
 */
export async function configureOrGoOn(
  request: ScanRequest,
  elsewhere: VirtualFiles,
  isGoingOn: boolean,
): Promise<Configured> {
  const configured = await configure(request, elsewhere);
  if (!('problems' in configured)) {
    keep(request, configured);
    return { configured, refused: undefined };
  }
  const last = isGoingOn ? undefined : lastOf(request);
  return { configured: last, refused: configured };
}

/** Stores the result of a request. A failure only affects the next window. */
function keep(request: ScanRequest, { options, roots, decided }: ConfiguredScan): void {
  if (request.storage === undefined) return;
  const stored: Stored = { asked: askedBy(request), decided: { options, roots, ...(decided && { decided }) } };
  const text = JSON.stringify(stored);
  if (textIn(request.storage) === text) return;
  try {
    mkdirSync(request.storage, { recursive: true });
    const file = beginTemporary(fileIn(request.storage));
    try {
      writeFileSync(file.descriptor, text);
      file.commit();
    } finally {
      file.discard();
    }
  } catch {
    // The store of the index is in the same folder and reports the problem.
  }
}

/** Returns the last result for such a request; `undefined` if the settings were different or nothing is stored. */
function lastOf(request: ScanRequest): ConfiguredScan | undefined {
  const text = request.storage === undefined ? undefined : textIn(request.storage);
  if (text === undefined) return undefined;
  try {
    const { asked, decided } = JSON.parse(text) as Stored;
    return asked === askedBy(request) ? { ...request, ...decided } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a key of the settings that a configuration is applied to. */
function askedBy({ options, preset, roots }: ScanRequest): string {
  return JSON.stringify([options, preset, roots]);
}

function fileIn(storage: string): string {
  return path.join(storage, 'configured.json');
}

function textIn(storage: string): string | undefined {
  const read = readTextFile(fileIn(storage), maxBytes);
  return 'text' in read ? read.text : undefined;
}
