/** The comments in sources that set copies aside, read where they are asked for. */
import { readFileSync } from 'node:fs';
import type { Text } from '../../indexer/scanInput.ts';
import { type IgnoredRegion, ignoredRegions, ignoreMarkers } from '../../gate/ignoreComments.ts';
import { decodeText } from '../../io/decode.ts';
import type { Listing } from '../../io/sources.ts';

const none: readonly IgnoredRegion[] = [];

/** The regions of the files of a listing, each read once. @param texts  what counts instead of a file */
export function commentsIn(
  { files }: Pick<Listing, 'files'>,
  texts: readonly Text[],
): (path: string) => readonly IgnoredRegion[] {
  const fileOf = new Map(files.map(({ path, file }) => [path, file]));
  const textOf = new Map(texts.map(({ path, bytes }) => [path, bytes]));
  const known = new Map<string, readonly IgnoredRegion[]>();
  return (path) => {
    let regions = known.get(path);
    if (regions === undefined) known.set(path, (regions = regionsIn(textOf.get(path) ?? bytesOf(fileOf.get(path)))));
    return regions;
  };
}

function bytesOf(file: string | undefined): Uint8Array | undefined {
  try {
    return file === undefined ? undefined : readFileSync(file);
  } catch {
    // It went after it was scanned: nothing in it sets anything aside.
    return undefined;
  }
}

function regionsIn(given: Uint8Array | undefined): readonly IgnoredRegion[] {
  const decoded = given && decodeText(given, (size) => new Uint8Array(size));
  if (decoded === undefined || !('bytes' in decoded)) return none;
  const { bytes } = decoded;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Native, and most files have none.
  return ignoreMarkers.some((marker) => view.includes(marker)) ? ignoredRegions(view.toString('utf8')) : none;
}
