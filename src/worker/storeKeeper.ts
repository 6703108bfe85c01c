/**
 * Keeps the index of the scanned folders in the extension's storage: opens it for a scan, and writes it when nothing else
 * is to be done. What is written lags behind, which costs no more than reading some files again.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { IndexStore, type StoreIdentity } from '../indexer/indexStore.ts';
import { removeAbandoned } from '../io/temporaryFile.ts';

/** A changed index is written when nothing was asked for this long: not while the user types. A new one is written at once. */
const quietMs = 3_000;

/** What is stored of files is written again when this share of them has changed, and so many at least: it is large. */
const changedShare = 0.02;
const changedFiles = 100;

export class StoreKeeper {
  readonly #warn: (problem: string) => void;
  #key = '';
  #store: IndexStore | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHeld = false;
  /** The store that has been written since it was opened. */
  #written: IndexStore | undefined;
  #saving: Promise<void> = Promise.resolve();

  /** @param warn  takes a sentence about a store that cannot be used */
  constructor(warn: (problem: string) => void) {
    this.#warn = warn;
  }

  /** The store in a folder, the same as long as it belongs to the same; undefined when there is no folder. */
  open(folder: string | undefined, identity: StoreIdentity): IndexStore | undefined {
    if (folder === undefined) return undefined;
    const key = JSON.stringify([folder, identity]);
    if (this.#store === undefined || key !== this.#key) {
      try {
        // Another user who may write to the folder could plant an index in it.
        mkdirSync(folder, { recursive: true, mode: 0o700 });
      } catch (error) {
        this.#warn(`Cannot store the index in ${folder}: ${String(error)}.`);
      }
      removeAbandoned(folder);
      this.#store = new IndexStore(path.join(folder, 'index'), identity, this.#warn);
      this.#key = key;
    }
    return this.#store;
  }

  /** Writes what is new when it has been quiet for a while; for the first time, at once. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    this.#isHeld = false;
    const delayMs = this.#written === this.#store ? quietMs : 0;
    this.#timer = setTimeout(() => void (this.#saving = this.#save()), delayMs);
  }

  /** Writes what is new, and resolves when that is done. Never rejects. */
  async saveNow(): Promise<void> {
    try {
      await this.hold();
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

  /** Stops writing; resolves when it has stopped. Nothing is written until `saveSoon`. */
  async hold(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isHeld = true;
    await this.#saving;
  }
}
