/** Parts of the worker that differ between Node and a browser. */
import type { StoreFiles, StoreIdentity } from '../../scan/indexer/indexStore.ts';
import type { ScanSystem } from '../../scan/indexer/scanThread.ts';
import type { Root } from '../protocol/messages.ts';
import type { Disk } from './disk.ts';

export interface System {
  /** Access to folders on disk. `undefined` in a browser. */
  readonly disk: Disk | undefined;
  readonly scan: ScanSystem;
  readonly storage: Storage;
  /** Number of threads that can run at the same time, including this one. */
  readonly processors: number;
  /** Collects garbage, if possible and worthwhile. */
  collectGarbage(): void;
}

/** Stores files between sessions. The host determines the folder. */
export interface Storage {
  /** Returns the digests of the scripts on which stored files depend. */
  digests(): Pick<StoreIdentity, 'scanThread' | 'program'>;
  /**
   * Loads the files of a folder, so that the other methods can read them. Never rejects.
   *
   * @param roots  the folders that are indexed
   */
  load(folder: string | undefined, roots: readonly Root[]): Promise<void>;
  indexIn(folder: string): StoreFiles;
  /** Returns the text of a small file, or `undefined` if it does not exist. */
  readText(folder: string, name: string): string | undefined;
  /** Writes a small file. Ignores failures, because they only affect the next session. */
  writeText(folder: string, name: string, text: string): void;
}
