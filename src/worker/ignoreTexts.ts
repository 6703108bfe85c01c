/** The comments in sources that set copies aside: read where a report has passages, and again when a text may be another one. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { regionsIn } from '../check/sourceTexts.ts';
import type { Passage } from '../engine/report/report.ts';
import type { IgnoredRegion } from '../gate/ignoreComments.ts';
import type { Root } from '../protocol/messages.ts';

/** Files that are read at once. */
const filesAtOnce = 16;

const none: readonly IgnoredRegion[] = [];

/** The bytes of a text that is not on disk; `disk` when it is, undefined when nobody has it. */
export type TextOf = (path: string) => Uint8Array | 'disk' | undefined;

export class IgnoreTexts {
  /** By path: the stamp of the file on disk, empty for any other text. */
  readonly #stamps = new Map<string, string>();
  /** Of the files that have such comments. */
  readonly #regions = new Map<string, readonly IgnoredRegion[]>();

  /** Whether no file has such a comment. */
  get isEmpty(): boolean {
    return this.#regions.size === 0;
  }

  /** The files that have such comments, by path. */
  get paths(): string[] {
    return [...this.#regions.keys()].sort();
  }

  regionsOf(name: string): readonly IgnoredRegion[] {
    return this.#regions.get(name) ?? none;
  }

  /** These texts may be others than before. */
  forget(paths: Iterable<string>): void {
    for (const name of paths) this.#drop(name);
  }

  /** All texts may be others than before: what the disk says of a file tells whether it is. */
  forgetOthers(roots: readonly Root[]): void {
    for (const [name, stamp] of this.#stamps) {
      const file = fileOf(name, roots);
      if (stamp === '' || file === undefined || stampOf(file) !== stamp) this.#drop(name);
    }
  }

  /** Reads what is not known of the files of some passages. */
  async read(passages: Iterable<Passage>, roots: readonly Root[], textOf: TextOf): Promise<void> {
    const unread = new Set<string>();
    for (const { path: name } of passages) if (!this.#stamps.has(name)) unread.add(name);
    const left = [...unread].values();
    const take = async (): Promise<void> => {
      for (const name of left) await this.#readOne(name, roots, textOf);
    };
    await Promise.all(Array.from({ length: Math.min(filesAtOnce, unread.size) }, take));
  }

  async #readOne(name: string, roots: readonly Root[], textOf: TextOf): Promise<void> {
    const given = textOf(name);
    if (given !== 'disk') {
      this.#stamps.set(name, '');
      this.#take(name, given);
      return;
    }
    const file = fileOf(name, roots);
    if (file === undefined) return;
    this.#stamps.set(name, stampOf(file));
    // One that has gone meanwhile sets nothing aside, and a pipe would be waited for.
    const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    this.#take(name, isFile ? await readFile(file).catch(() => undefined) : undefined);
  }

  #take(name: string, bytes: Uint8Array | undefined): void {
    const regions = regionsIn(bytes);
    if (regions.length > 0) this.#regions.set(name, regions);
  }

  #drop(name: string): void {
    this.#stamps.delete(name);
    this.#regions.delete(name);
  }
}

function stampOf(file: string): string {
  const status = statSync(file, { throwIfNoEntry: false });
  return status ? `${status.size} ${status.mtimeMs}` : 'gone';
}

/** Where a path of a report is on disk. */
function fileOf(name: string, roots: readonly Root[]): string | undefined {
  const root = roots.find(({ prefix }) => name.startsWith(prefix));
  return root && 'folder' in root ? path.join(root.folder, name.slice(root.prefix.length)) : undefined;
}
