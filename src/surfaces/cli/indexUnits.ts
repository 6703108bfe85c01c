/** Creates or updates the hook's index of a tree, and deletes outdated files of other trees and agent sessions. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { isTestPath } from '../../core/engine/rows/testPaths.ts';
import { isMostlyAdded } from '../../review/check/homeFacts.ts';
import { listSources } from '../../scan/io/listSources.ts';
import { readSource, stampOf } from '../../scan/io/readSource.ts';
import { restamping } from '../../scan/indexer/restamp.ts';
import { limitsAt, type SourceFile, type SourceOptions } from '../../scan/io/sources.ts';
import { removeAbandoned } from '../../scan/io/temporaryFile.ts';
import { addedLines } from './addedLines.ts';
import { hookCache, marksOf, otherUnitsOf, unitsOf } from '../hook/hookFiles.ts';
import { type Source, storeUnits } from '../hook/unitIndex.ts';
import { readSettings } from './settings.ts';

/** Age in days at which cached files are deleted. An agent session that pauses longer may get a reminder twice. */
const maxAgeDays = 30;

export async function indexUnits(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings({ options: {}, sources: {}, configuration: undefined }, root);
  if (settings.type === 'problem') return;
  const cache = hookCache(env);
  mkdirSync(cache, { recursive: true });
  removeOld(cache);
  removeOld(marksOf(cache));
  removeAbandoned(cache);
  const { sources } = settings;
  const [{ files }, added] = await Promise.all([listSources([root], sources), addedLines(root)]);
  // The hook ignores tests and prose, so do not index them.
  const compared = files.filter(({ path: name }) => !isTestPath(name) && !lexiconForPath(name).prose);
  const place = unitsOf(cache, root);
  const other = existsSync(place) ? undefined : otherUnitsOf(cache, root);
  storeUnits(
    place,
    compared.map((file) => {
      const ranges = added.get(file.path) ?? [];
      const isNewAt = (line: number): boolean => isMostlyAdded(ranges, { startLine: line, endLine: line });
      return { ...sourceOf(file, sources), isNewAt };
    }),
    other && { place: other.place, stampFor: restamping(other.top, root) },
  );
}

function sourceOf(file: SourceFile, sources: SourceOptions): Omit<Source, 'isNewAt'> {
  return {
    path: file.path,
    stamp: stampOf(file),
    read: () => {
      const source = readSource(file, limitsAt(file.path, sources), (size) => Buffer.alloc(size));
      return { stamp: source.stamp, text: 'bytes' in source ? Buffer.from(source.bytes).toString('utf8') : undefined };
    },
  };
}

/** Deletes files in a folder that were not written for `maxAgeDays`. */
function removeOld(folder: string): void {
  const oldest = Date.now() - maxAgeDays * 86_400_000;
  for (const entry of readEntries(folder)) {
    const file = path.join(folder, entry);
    const status = statSync(file, { throwIfNoEntry: false });
    if (status?.isFile() && status.mtimeMs < oldest) rmSync(file, { force: true });
  }
}

function readEntries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
