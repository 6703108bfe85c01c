/**
 * What the configuration files of the folders came to when they could last be used, in the extension's storage: a window that
 * opens on a broken file goes on with that, as one does in which the file is broken.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beginTemporary } from '../io/temporaryFile.ts';
import { readTextFile } from '../io/textFile.ts';
import type { ScanRequest } from '../protocol/messages.ts';
import { configure, type ConfiguredScan } from './configure.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** As it is stored. */
interface Stored {
  /** The settings that it is laid over: with others, it is of no use. */
  readonly asked: string;
  readonly decided: Pick<ConfiguredScan, 'options' | 'roots' | 'decided'>;
}

const mostBytes = 2 ** 22;

/** A request as the configuration files want it, or as they did when they could last be used; what is wrong with them now. */
export type Configured =
  | { readonly configured: ConfiguredScan; readonly refused: Refused | undefined }
  | { readonly configured: undefined; readonly refused: Refused };

type Refused = Exclude<Awaited<ReturnType<typeof configure>>, ConfiguredScan>;

/**
 * Lays the configuration files over the settings.
 *
 * @param isGoingOn  whether there is an index with which the last options stay in force by themselves
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

/** Keeps what a request has become. Where that cannot be written, the next window has less to go on with. */
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
    // The store of the index is in the same folder, and says so.
  }
}

/** What such a request became last; undefined when the settings were others, or nothing is known. */
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

/** What the settings ask for, which a configuration is laid over. */
function askedBy({ options, preset, roots }: ScanRequest): string {
  return JSON.stringify([options, preset, roots]);
}

function fileIn(storage: string): string {
  return path.join(storage, 'configured.json');
}

function textIn(storage: string): string | undefined {
  const read = readTextFile(fileIn(storage), mostBytes);
  return 'text' in read ? read.text : undefined;
}
