/**
 * Opens the stored index of the scanned folders for a scan, and writes it while the worker is idle. If the stored index
 * is out of date, the only consequence is that the next scan reads some files again.
 */
import { IndexStore, type StoreIdentity } from '../../scan/indexer/indexStore.ts';
import type { Storage } from './system.ts';

/**
 * Idle time in milliseconds before a changed index is written, so that this does not happen while the user types. A new
 * index is written immediately.
 */
const quietMs = 3_000;

/** Share of changed documents, or `changedFiles` of them, at which the large stored documents are written again. */
const changedShare = 0.02;
const changedFiles = 100;

export class StoreKeeper {
  readonly #storage: Storage;
  readonly #warn: (problem: string) => void;
  #key = '';
  #store: IndexStore | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHeld = false;
  /** Store to which data was last written; `undefined` before the first write. */
  #written: IndexStore | undefined;
  #saving: Promise<void> = Promise.resolve();

  /** @param warn  called with a message if a store cannot be used */
  constructor(storage: Storage, warn: (problem: string) => void) {
    this.#storage = storage;
    this.#warn = warn;
  }

  /** Returns the store in a folder, if there is one: the same object as before if the identity is the same. */
  open(folder: string | undefined, identity: StoreIdentity): IndexStore | undefined {
    if (folder === undefined) return undefined;
    const key = JSON.stringify([folder, identity]);
    if (this.#store === undefined || key !== this.#key) {
      this.#store = new IndexStore(this.#storage.indexIn(folder), identity, this.#warn);
      this.#key = key;
    }
    return this.#store;
  }

  /** Schedules a write after some idle time. The first write is immediate. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    this.#isHeld = false;
    const delayMs = this.#written === this.#store ? quietMs : 0;
    this.#timer = setTimeout(() => void (this.#saving = this.#save()), delayMs);
  }

  /** Writes changes. Resolves when they have been written. Never rejects. */
  async saveNow(): Promise<void> {
    try {
      await this.stopWriting();
      this.#isHeld = false;
      await (this.#saving = this.#save());
    } catch (error) {
      this.#warn(`Cannot store the index: ${String(error)}`);
    }
  }

  async #save(): Promise<void> {
    const store = this.#store;
    await store?.save(() => this.#isHeld, { share: changedShare, files: changedFiles });
    if (!this.#isHeld) this.#written = store;
  }

  /** Stops writing. Resolves when writing has stopped. Nothing is written until `saveSoon` is called. */
  async stopWriting(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isHeld = true;
    await this.#saving;
  }
}
