/** Reads source files again after a scan, for their lines and their ignore comments. */
import { closeSync, readFileSync } from 'node:fs';
import type { CommentlessFiles } from '../../scan/indexer/commentlessFiles.ts';
import type { Text } from '../../scan/indexer/scanInput.ts';
import type { IgnoredRegion } from '../gate/ignoreComments.ts';
import type { LineSource } from '../gate/movedTexts.ts';
import { textOfBytes } from '../../scan/io/decode.ts';
import { stampOf } from '../../scan/io/readSource.ts';
import { openRegular } from '../../scan/io/regularFile.ts';
import { type Listing, settled } from '../../scan/io/sources.ts';
import { regionsIn } from './regionsIn.ts';

const none: readonly IgnoredRegion[] = [];

/** Maximum number of files whose lines are kept in the cache. */
const maxKept = 200;

/** Returns a function that reads the lines of a listed file or its replacement. It caches those of a few files. */
export function linesOf({ files }: Pick<Listing, 'files'>, texts: readonly Text[]): LineSource {
  const fileOf = new Map(files.map(({ path, file }) => [path, file]));
  const textOf = new Map(texts.map(({ path, bytes }) => [path, bytes]));
  const linesByPath = new Map<string, readonly string[] | undefined>();
  return (path) => {
    if (!linesByPath.has(path)) {
      if (linesByPath.size >= maxKept) linesByPath.clear();
      linesByPath.set(
        path,
        textIn(textOf.get(path) ?? bytesOf(fileOf.get(path)))
          ?.toString('utf8')
          .split(/\r\n|\n|\r/),
      );
    }
    return linesByPath.get(path);
  };
}

/**
 * Returns a function that finds the regions of a listed file that its comments ignore. Each file is read only once.
 *
 * @param texts        texts that replace files
 * @param commentless  cache of files without ignore comments, which need not be read; more such files are added to it
 * @param scanned      files in which the scan has found no ignore comments. If `commentless` is given, this parameter
 *   is
 *                     ignored, so that all files are added to the cache
 */
export function commentsIn(
  { files }: Pick<Listing, 'files'>,
  texts: readonly Text[],
  commentless?: CommentlessFiles,
  scanned?: ReadonlySet<string>,
): (path: string) => readonly IgnoredRegion[] {
  const fileOf = new Map(files.map(({ path, file }) => [path, file]));
  const textOf = new Map(texts.map(({ path, bytes }) => [path, bytes]));
  const regionsByPath = new Map<string, readonly IgnoredRegion[]>();
  commentless?.keepAmong(new Set(fileOf.keys()));
  const isKnown = (path: string): boolean => commentless === undefined && scanned?.has(path) === true;
  return (path) => {
    let regions = regionsByPath.get(path);
    if (regions === undefined) {
      const text = textOf.get(path);
      if (text) regions = regionsIn(text);
      else regions = isKnown(path) ? none : regionsOfFile(path, fileOf.get(path), commentless);
      regionsByPath.set(path, regions);
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

/** Returns the bytes of a file; `undefined` if it was removed after the scan, or is no longer a regular file. */
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

function textIn(fileBytes: Uint8Array | undefined): Buffer | undefined {
  return fileBytes && textOfBytes(fileBytes);
}
