/**
 * Finds ignore comments in source files: in all files with passages of a report, and again in files that may have
 * changed. After an edit, only the groups that have changed are examined.
 */
import { regionsIn } from '../../review/check/regionsIn.ts';
import { changeOfGroups } from '../../core/collections/listedGroups.ts';
import type { Findings, Group, Passage } from '../../core/engine/report/report.ts';
import type { IgnoredRegion } from '../../review/gate/ignoreComments.ts';
import type { CommentlessFiles } from '../../scan/indexer/commentlessFiles.ts';
import { type FileStamp, isSameStamp, settled } from '../../scan/io/sources.ts';
import type { Root } from '../protocol/messages.ts';
import type { Disk } from './disk.ts';

const filesAtOnce = 16;

const none: readonly IgnoredRegion[] = [];

/** Function that returns the bytes of a text, or `disk` for a file on disk; `undefined` if it is not available. */
export type TextSource = (path: string) => Uint8Array | 'disk' | undefined;

export class IgnoreTexts {
  readonly #disk: Disk | undefined;
  /** For each path, the stamp of the file on disk; `undefined` for texts that are not on disk, and removed files. */
  readonly #stamps = new Map<string, FileStamp | undefined>();
  /** For each file with ignore comments, the regions that they ignore. */
  readonly #regions = new Map<string, readonly IgnoredRegion[]>();
  /** The last report, and for each path the number of its passages. */
  #findings: Pick<Findings, 'groups'> = { groups: [] };
  readonly #passageCounts = new Map<string, number>();
  /** Paths of files that must be read again before their comments are used. */
  readonly #unread = new Set<string>();
  /** Resolves when the last call of `read` has ended. */
  #lastRead: Promise<void> = Promise.resolve();

  constructor(disk: Disk | undefined) {
    this.#disk = disk;
  }

  get isEmpty(): boolean {
    return this.#regions.size === 0;
  }

  /** Returns the sorted paths of the files with ignore comments. */
  paths(): string[] {
    return [...this.#regions.keys()].sort();
  }

  regionsOf(name: string): readonly IgnoredRegion[] {
    return this.#regions.get(name) ?? none;
  }

  /** Forgets the comments of texts that may have changed. */
  forget(paths: Iterable<string>): void {
    for (const name of paths) this.#drop(name);
  }

  /** Forgets the comments of all texts that are not on disk. Stamps show if files on disk have changed. */
  forgetOthers(roots: readonly Root[]): void {
    for (const [name, stamp] of this.#stamps) {
      const file = this.#fileOf(name, roots);
      const now = file === undefined ? undefined : this.#disk?.stampOf({ path: name, file });
      if (!isSameStamp(stamp, now)) this.#drop(name);
    }
  }

  /**
   * Reads the files that contain passages of groups, unless their comments are already known. Calls run one after
   * another, so all comments are known when a call ends.
   *
   * @param commentless  cache of files without ignore comments, which need not be read; more such files are added to it
   * @param isUnchecked  true to use this cache without checking for changes of the files; the next call checks them
   */
  read(
    findings: Pick<Findings, 'groups'>,
    roots: readonly Root[],
    textOf: TextSource,
    commentless: CommentlessFiles | undefined,
    isUnchecked = false,
  ): Promise<void> {
    const read = this.#lastRead.then(() => this.#readUnread(findings, roots, textOf, commentless, isUnchecked));
    this.#lastRead = read.catch(() => undefined);
    return read;
  }

  async #readUnread(...args: Parameters<IgnoreTexts['read']>): Promise<void> {
    const [findings, roots, textOf, commentless, isUnchecked] = args;
    this.#count(findings);
    const left = [...this.#unread]
      .filter((name) => this.#passageCounts.has(name))
      .filter((name) => !(isUnchecked && textOf(name) === 'disk' && commentless?.contains(name)))
      .values();
    const readNext = async (): Promise<void> => {
      for (const name of left) {
        this.#unread.delete(name);
        await this.#readOne(name, this.#fileOf(name, roots), textOf(name), commentless);
      }
    };
    await Promise.all(Array.from({ length: Math.min(filesAtOnce, this.#unread.size) }, readNext));
  }

  #count(findings: Pick<Findings, 'groups'>): void {
    const { added, removed } = changeOfGroups(this.#findings, findings);
    for (const { path: name } of passagesOf(added)) {
      const count = this.#passageCounts.get(name) ?? 0;
      this.#passageCounts.set(name, count + 1);
      if (count === 0 && !this.#stamps.has(name)) this.#unread.add(name);
    }
    for (const { path: name } of passagesOf(removed)) {
      const count = this.#passageCounts.get(name)! - 1;
      if (count > 0) this.#passageCounts.set(name, count);
      else this.#passageCounts.delete(name);
    }
    this.#findings = findings;
  }

  async #readOne(
    name: string,
    file: string | undefined,
    source: ReturnType<TextSource>,
    commentless: CommentlessFiles | undefined,
  ): Promise<void> {
    if (source !== 'disk') {
      this.#stamps.set(name, undefined);
      this.#take(name, source);
      return;
    }
    if (file === undefined) {
      this.#unread.add(name);
      return;
    }
    // Only read a file that has a stamp. Removed files have no stamp. Neither have pipes, on which reading could block.
    const stamp = this.#disk?.stampOf({ path: name, file });
    this.#stamps.set(name, stamp);
    if (stamp === undefined || commentless?.has(name, stamp)) return;
    const bytes = await this.#disk?.readBytes(file);
    const hasRegions = this.#take(name, bytes);
    if (bytes && !hasRegions) commentless?.add(name, settled(stamp));
  }

  /** Returns the path on disk for a path in the report. */
  #fileOf(name: string, roots: readonly Root[]): string | undefined {
    const root = roots.find(({ prefix }) => name.startsWith(prefix));
    return root && 'folder' in root ? this.#disk?.fileIn(root, name.slice(root.prefix.length)) : undefined;
  }

  /** Stores the regions that the ignore comments of a file mark. Returns true if there are any. */
  #take(name: string, bytes: Uint8Array | undefined): boolean {
    const regions = regionsIn(bytes);
    if (regions.length > 0) this.#regions.set(name, regions);
    // The file may no longer contain comments, or may have been forgotten while an earlier call was reading it.
    else this.#regions.delete(name);
    return regions.length > 0;
  }

  #drop(name: string): void {
    this.#stamps.delete(name);
    this.#regions.delete(name);
    this.#unread.add(name);
  }
}

function passagesOf(groups: readonly Group[]): Passage[] {
  return groups.flatMap(({ passages }) => passages);
}
