/** Sources once more, where they are asked for: their lines, and the comments in them that set copies aside. */
import { readFileSync } from 'node:fs';
import type { Text } from '../indexer/scanInput.ts';
import { type IgnoredRegion, ignoredRegions, ignoreMarkers } from '../gate/ignoreComments.ts';
import type { LinesOf } from '../gate/movedTexts.ts';
import { textOfBytes } from '../io/decode.ts';
import type { Listing } from '../io/sources.ts';

const none: readonly IgnoredRegion[] = [];

/** The lines of the files of a listing, and of texts that count instead of some. */
export function linesOf({ files }: Pick<Listing, 'files'>, texts: readonly Text[]): LinesOf {
  const fileOf = new Map(files.map(({ path, file }) => [path, file]));
  const textOf = new Map(texts.map(({ path, bytes }) => [path, bytes]));
  const known = new Map<string, readonly string[] | undefined>();
  return (path) => {
    if (!known.has(path)) {
      known.set(
        path,
        textIn(textOf.get(path) ?? bytesOf(fileOf.get(path)))
          ?.toString('utf8')
          .split(/\r\n|\n|\r/),
      );
    }
    return known.get(path);
  };
}

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
  const text = textIn(given);
  // Native, and most files have none.
  const has = text !== undefined && ignoreMarkers.some((marker) => text.includes(marker));
  return has ? ignoredRegions(text.toString('utf8')) : none;
}

function textIn(given: Uint8Array | undefined): Buffer | undefined {
  return given && textOfBytes(given);
}
