/**
 * Candidate pairs and matches of a comparison that has not ended, so that one that was killed continues instead of
 * beginning again. DuckDB and Spark (spark/scan.py) write the same files:
 *
 *   STATE.steps/pairs/NAME.parquet     candidate pairs. The folder is renamed into place when it has all of them
 *   STATE.steps/matches/NAME.parquet   matches of the pairs in the file with the same name
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { explaining } from './folderFiles.ts';

export type Step = 'pairs' | 'matches';

export class SavedSteps {
  readonly folder: string;

  /**
   * @param parent  folder for the steps of all comparisons
   * @param state   id of the documents and the token weights, on which the results depend
   */
  constructor(parent: string, state: string) {
    this.folder = path.join(parent, `${state}.steps`);
  }

  file(step: Step, name: string): string {
    return path.join(this.folder, step, name);
  }

  /** Returns the names of the files with pairs; none if not all of them were written. */
  names(): string[] {
    const folder = path.join(this.folder, 'pairs');
    if (!existsSync(folder)) return [];
    return explaining(folder, () => readdirSync(folder))
      .filter((name) => name.endsWith('.parquet'))
      .sort();
  }

  isMatched(name: string): boolean {
    return existsSync(this.file('matches', name));
  }

  /** Calls `write` with a new folder for all files with pairs. */
  async writePairs(write: (folder: string) => Promise<void>): Promise<void> {
    const draft = path.join(this.folder, `pairs.${randomUUID()}`);
    explaining(draft, () => {
      mkdirSync(draft, { recursive: true });
      mkdirSync(path.join(this.folder, 'matches'), { recursive: true });
    });
    try {
      await write(draft);
      explaining(draft, () => renameSync(draft, path.join(this.folder, 'pairs')));
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }

  remove(): void {
    explaining(this.folder, () => rmSync(this.folder, { recursive: true, force: true }));
  }
}
