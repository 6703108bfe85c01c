/** The comments in sources that set copies aside: read where a report has passages, and again when a text may be another one. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { regionsIn } from '../check/sourceTexts.ts';
import type { Passage } from '../engine/report/report.ts';
import type { IgnoredRegion } from '../gate/ignoreComments.ts';
import type { CommentlessFiles } from '../indexer/commentlessFiles.ts';
import { settled, stampOf } from '../io/readSource.ts';
import { type FileStamp, isSameStamp } from '../io/sources.ts';
import type { Root } from '../protocol/messages.ts';

/** Files that are read at once. */
const filesAtOnce = 16;

const none: readonly IgnoredRegion[] = [];

/** The bytes of a text that is not on disk; `disk` when it is, undefined when nobody has it. */
export type TextOf = (path: string) => Uint8Array | 'disk' | undefined;

export class IgnoreTexts {
  /** By path: the stamp of the file on disk; undefined for any other text, and for a file that has gone. */
  readonly #stamps = new Map<string, FileStamp | undefined>();
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
      const now = file === undefined ? undefined : stampOf({ path: name, file });
      if (!isSameStamp(stamp, now)) this.#drop(name);
    }
  }

  /**
   * Reads what is not known of the files of some passages.
   *
   * @param commentless  files that need not be read; takes those that turn out to be such
   */
  async read(
    passages: Iterable<Passage>,
    roots: readonly Root[],
    textOf: TextOf,
    commentless: CommentlessFiles | undefined,
  ): Promise<void> {
    const unread = new Set<string>();
    for (const { path: name } of passages) if (!this.#stamps.has(name)) unread.add(name);
    const left = [...unread].values();
    const take = async (): Promise<void> => {
      for (const name of left) await this.#readOne(name, fileOf(name, roots), textOf(name), commentless);
    };
    await Promise.all(Array.from({ length: Math.min(filesAtOnce, unread.size) }, take));
  }

  async #readOne(
    name: string,
    file: string | undefined,
    given: ReturnType<TextOf>,
    commentless: CommentlessFiles | undefined,
  ): Promise<void> {
    if (given !== 'disk') {
      this.#stamps.set(name, undefined);
      this.#take(name, given);
      return;
    }
    if (file === undefined) return;
    // One that has gone meanwhile sets nothing aside, and a pipe, which has no stamp, would be waited for.
    const stamp = stampOf({ path: name, file });
    this.#stamps.set(name, stamp);
    if (stamp === undefined || commentless?.has(name, stamp)) return;
    const bytes = await readFile(file).catch(() => undefined);
    const hasRegions = this.#take(name, bytes);
    if (bytes && !hasRegions) commentless?.add(name, settled(stamp));
  }

  /** Returns whether there are such comments. */
  #take(name: string, bytes: Uint8Array | undefined): boolean {
    const regions = regionsIn(bytes);
    if (regions.length > 0) this.#regions.set(name, regions);
    return regions.length > 0;
  }

  #drop(name: string): void {
    this.#stamps.delete(name);
    this.#regions.delete(name);
  }
}

/** Where a path of a report is on disk. */
function fileOf(name: string, roots: readonly Root[]): string | undefined {
  const root = roots.find(({ prefix }) => name.startsWith(prefix));
  return root && 'folder' in root ? path.join(root.folder, name.slice(root.prefix.length)) : undefined;
}
