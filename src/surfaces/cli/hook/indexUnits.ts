/** Makes the index of a tree for the hook, and removes what old sessions and trees left in the cache. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { isTestPath } from '../../../core/engine/rows/testPaths.ts';
import { listSources } from '../../../scan/io/listSources.ts';
import { readSource } from '../../../scan/io/readSource.ts';
import { limitsAt, type ListedFile, type SourceOptions } from '../../../scan/io/sources.ts';
import { removeAbandoned } from '../../../scan/io/temporaryFile.ts';
import { readSettings } from '../settings.ts';
import { hookCache, marksOf, unitsOf } from './runHook.ts';
import { type Source, storeUnits } from './unitIndex.ts';

/** Age of files in the cache that are removed. A session that pauses for longer may get a second reminder. */
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
  const { files } = await listSources([root], sources);
  storeUnits(unitsOf(cache, root), textsOf(files, sources));
}

function* textsOf(files: readonly ListedFile[], sources: SourceOptions): Generator<Source> {
  for (const file of files) {
    if (isTestPath(file.path)) continue;
    const source = readSource(file, limitsAt(file.path, sources), (size) => Buffer.alloc(size));
    if ('bytes' in source) yield { path: file.path, text: Buffer.from(source.bytes).toString('utf8') };
  }
}

/** Removes files of a folder that have not been written for a long time. */
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
