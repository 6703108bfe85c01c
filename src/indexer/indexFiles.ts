/** One lane's share of reading and indexing: it takes the next files, as all lanes do, until none are left. */
import { DocumentIndexer, type DocumentIndex } from '../engine/indexDocument.ts';
import { Kernel, type KernelMemory } from '../engine/kernel.ts';
import { lexiconForPath } from '../engine/lexicon.ts';
import type { Options } from '../engine/options.ts';
import type { Skipped } from '../engine/report.ts';
import { readSource } from '../io/readSource.ts';
import type { SourceFile, SourceOptions } from '../io/sources.ts';

/** What a lane needs to know. It is cloned to the thread; memory and counters are shared. */
export interface LaneTask {
  readonly memory: KernelMemory;
  readonly options: Options;
  readonly sources: SourceOptions;
  readonly files: readonly SourceFile[];
  /** Words shared by all lanes: [0] the next file to take, [1] not 0 when cancelled. */
  readonly shared: Int32Array;
}

/** What a lane found, by place in `files`. */
export interface LaneResult {
  readonly indexed: readonly (readonly [place: number, index: DocumentIndex])[];
  readonly skipped: readonly Skipped[];
}

/** Files taken at a time: few enough that lanes end together, enough that taking costs nothing. */
const takeFiles = 16;

/** Indexes files until none are left or it is cancelled; `onTaken` is called now and then with how many were taken. */
export async function indexFiles(task: LaneTask, onTaken: (taken: number) => Promise<void>): Promise<LaneResult> {
  const { options, sources, files, shared } = task;
  const indexer = new DocumentIndexer(new Kernel(task.memory), options);
  const indexed: [number, DocumentIndex][] = [];
  const skipped: Skipped[] = [];
  for (;;) {
    const first = Atomics.add(shared, 0, takeFiles);
    if (first >= files.length || Atomics.load(shared, 1) !== 0) return { indexed, skipped };
    const end = Math.min(first + takeFiles, files.length);
    for (let place = first; place < end; place++) {
      const file = files[place]!;
      const lexicon = lexiconForPath(file.path);
      if (lexicon.prose && !options.prose.enabled) {
        skipped.push({ path: file.path, reason: 'prose', setting: 'prose' });
        continue;
      }
      const source = readSource(file, sources, (size) => indexer.reserve(size));
      if ('skipped' in source) skipped.push(source.skipped);
      else indexed.push([place, indexer.index(source.bytes, lexicon)]);
    }
    await onTaken(end);
  }
}
