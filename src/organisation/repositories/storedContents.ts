/**
 * Keys of the texts that an index contains. They are read once for all repositories that a command stores, and then
 * updated. A text that another process adds meanwhile may be stored twice.
 */
import { firstPlace } from '../../core/collections/lists.ts';
import { type DuckDB, quoted } from '../folder/duckdb.ts';
import type { IndexFolder, RepositoryState } from '../folder/indexFolder.ts';

/** Sorted keys, and the number of the partition of each. There may be millions, so they are in typed arrays. */
interface Run {
  /** In shared memory, because scan threads read it. */
  readonly keys: BigUint64Array;
  readonly partitions: Uint32Array;
}

export class StoredContents {
  readonly #partitions: string[];
  /**
   * Each run has more than twice as many keys as the next one. So there are few runs to search, and adding keys rarely
   * copies older ones.
   */
  readonly #runs: Run[] = [];

  private constructor(partitions: string[], run: Run) {
    this.#partitions = partitions;
    this.#addRun(run);
  }

  static async read(index: IndexFolder, duckdb: DuckDB, states: readonly RepositoryState[]): Promise<StoredContents> {
    const ids = [...new Set(states.flatMap(({ partitions }) => partitions.map(({ id }) => id)))];
    if (ids.length === 0) return new StoredContents([], newRun(0));
    const files = ids.map((id) => quoted(index.contentsFile(id)));
    const [keys, partitions] = await duckdb.columns<[BigUint64Array, Uint32Array]>(
      `SELECT key, min(file_index)::UINTEGER FROM read_parquet([${files.join(', ')}]) GROUP BY key ORDER BY key`,
    );
    const run = { ...newRun(keys.length), partitions };
    run.keys.set(keys);
    return new StoredContents(ids, run);
  }

  /** Sorted lists. */
  keys(): readonly BigUint64Array[] {
    return this.#runs.map(({ keys }) => keys);
  }

  add(partition: string, keys: readonly bigint[]): void {
    if (keys.length === 0) return;
    const run = newRun(keys.length);
    run.keys.set(keys);
    run.keys.sort();
    run.partitions.fill(this.#partitions.push(partition) - 1);
    this.#addRun(run);
  }

  #addRun(added: Run): void {
    let run = added;
    for (let last = this.#runs.at(-1); last && last.keys.length <= 2 * run.keys.length; last = this.#runs.at(-1)) {
      run = merged(last, run);
      this.#runs.pop();
    }
    this.#runs.push(run);
  }

  /** Returns the id of a partition that contains the text with a key; `undefined` if there is none. */
  partitionOf(key: bigint): string | undefined {
    for (const { keys, partitions } of this.#runs) {
      const place = firstPlace(keys.length, (i) => keys[i]! < key);
      if (keys[place] === key) return this.#partitions[partitions[place]!];
    }
    return undefined;
  }
}

function newRun(count: number): Run {
  return { keys: new BigUint64Array(new SharedArrayBuffer(8 * count)), partitions: new Uint32Array(count) };
}

function merged(x: Run, y: Run): Run {
  const all = newRun(x.keys.length + y.keys.length);
  let [ofX, ofY] = [0, 0];
  for (let i = 0; i < all.keys.length; i++) {
    const takesX = ofY === y.keys.length || (ofX < x.keys.length && x.keys[ofX]! <= y.keys[ofY]!);
    const from = takesX ? x : y;
    const place = takesX ? ofX++ : ofY++;
    all.keys[i] = from.keys[place]!;
    all.partitions[i] = from.partitions[place]!;
  }
  return all;
}
