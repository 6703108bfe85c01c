/**
 * Duplicates that the user has ignored for themselves only. They are stored in the workspace state, as entries like
 * those of a baseline.
 */
import * as vscode from 'vscode';
import type { BaselineEntry } from '../../../review/gate/baseline.ts';

const key = 'ignored';

/** An entry as stored: its contents are an object instead of a map. */
interface StoredEntry extends Omit<BaselineEntry, 'contents' | 'reason'> {
  readonly contents: Readonly<Record<string, number>>;
  readonly reason?: string;
}

export class OwnIgnoreList implements vscode.Disposable {
  readonly #store: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #entries: readonly BaselineEntry[];

  constructor(store: vscode.Memento) {
    this.#store = store;
    this.#entries = store
      .get<readonly StoredEntry[]>(key, [])
      .map(({ contents, reason, ...others }) => ({ ...others, contents: new Map(Object.entries(contents)), reason }));
  }

  get entries(): readonly BaselineEntry[] {
    return this.#entries;
  }

  async add(entries: readonly BaselineEntry[]): Promise<void> {
    await this.#replace([...this.#entries, ...entries]);
  }

  async remove(entries: readonly BaselineEntry[]): Promise<void> {
    // Imported on demand, because most users ignore nothing.
    const { isSameEntry } = await import('../../../review/gate/baseline.ts');
    await this.#replace(
      this.#entries.filter((entry) => !entries.some((removedEntry) => isSameEntry(entry, removedEntry))),
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }

  async #replace(entries: readonly BaselineEntry[]): Promise<void> {
    this.#entries = entries;
    this.#changed.fire();
    await this.#store.update(
      key,
      entries.map(({ contents, reason, ...others }) => ({
        ...others,
        contents: Object.fromEntries(contents),
        ...(reason !== undefined && { reason }),
      })),
    );
  }
}
