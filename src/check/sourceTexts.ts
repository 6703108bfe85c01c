/** Sources once more, where they are asked for: their lines, and the comments in them that set copies aside. */
import { closeSync, readFileSync } from 'node:fs';
import type { CommentlessFiles } from '../indexer/commentlessFiles.ts';
import type { Text } from '../indexer/scanInput.ts';
import { type IgnoredRegion, ignoredRegions, ignoreMarkers } from '../gate/ignoreComments.ts';
import type { LinesOf } from '../gate/movedTexts.ts';
import { textOfBytes } from '../io/decode.ts';
import { settled, stampOf } from '../io/readSource.ts';
import { openRegular } from '../io/regularFile.ts';
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

/**
 * The regions of the files of a listing, each read once.
 *
 * @param texts        what counts instead of a file
 * @param commentless  files that need not be read; takes those that turn out to be such
 * @param scanned      the paths of files in which the scan has seen none; not looked at beside `commentless`, which is to be told of all
 */
export function commentsIn(
  { files }: Pick<Listing, 'files'>,
  texts: readonly Text[],
  commentless?: CommentlessFiles,
  scanned?: ReadonlySet<string>,
): (path: string) => readonly IgnoredRegion[] {
  const fileOf = new Map(files.map(({ path, file }) => [path, file]));
  const textOf = new Map(texts.map(({ path, bytes }) => [path, bytes]));
  const known = new Map<string, readonly IgnoredRegion[]>();
  commentless?.keepAmong(new Set(fileOf.keys()));
  const isKnown = (path: string): boolean => commentless === undefined && scanned?.has(path) === true;
  return (path) => {
    let regions = known.get(path);
    if (regions === undefined) {
      const text = textOf.get(path);
      if (text) regions = regionsIn(text);
      else regions = isKnown(path) ? none : regionsOfFile(path, fileOf.get(path), commentless);
      known.set(path, regions);
    }
    return regions;
  };
}

function regionsOfFile(
  path: string,
  file: string | undefined,
  commentless: CommentlessFiles | undefined,
): readonly IgnoredRegion[] {
  if (file === undefined) return none;
  const stamp = commentless && stampOf({ path, file });
  if (stamp && commentless.has(path, stamp)) return none;
  const regions = regionsIn(bytesOf(file));
  if (stamp && regions.length === 0) commentless.add(path, settled(stamp));
  return regions;
}

/** Undefined when it went after it was scanned, or is no file any more: nothing in it sets anything aside. */
function bytesOf(file: string | undefined): Uint8Array | undefined {
  try {
    const opened = file === undefined ? undefined : openRegular(file);
    if (opened === undefined) return undefined;
    try {
      return readFileSync(opened.descriptor);
    } finally {
      closeSync(opened.descriptor);
    }
  } catch {
    return undefined;
  }
}

/** The regions of a file's bytes: none where it has gone, or is no text. */
export function regionsIn(given: Uint8Array | undefined): readonly IgnoredRegion[] {
  const text = textIn(given);
  // Native, and most files have none.
  const has = text !== undefined && ignoreMarkers.some((marker) => text.includes(marker));
  return has ? ignoredRegions(text.toString('utf8')) : none;
}

function textIn(given: Uint8Array | undefined): Buffer | undefined {
  return given && textOfBytes(given);
}
