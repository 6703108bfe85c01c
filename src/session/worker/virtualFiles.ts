/**
 * Files of roots that are not on disk. Requests to the host are slow, so their results are cached: the content of a
 * file as long as its size and time are the same, and the members of a folder until a change is reported. If the size
 * and time of a file match the stored index, it is read only when its bytes are needed. The rules for excluding files
 * are applied here; the host only reads.
 */
import { sum } from '../../core/collections/lists.ts';
import { sharedBytes } from '../../core/collections/threads.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import { areEqual } from '../../core/collections/bytes.ts';
import { byPath } from '../../scan/io/byPath.ts';
import { listTree, type TreeListing } from '../../scan/io/listTree.ts';
import { decidesListing, maxRuleBytes } from '../../scan/io/pathRules.ts';
import { beyondLimit, maxBytesOf, tooLarge } from '../../scan/io/judgeContent.ts';
import { type FileStamp, type RemoteFile, type ScanListing, settled } from '../../scan/io/sources.ts';
import type { Entry } from '../../scan/io/walk.ts';
import type { EntryKind, FileSystem, VirtualRoot } from '../protocol/messages.ts';
import { isSmallText, SmallTexts } from './smallTexts.ts';

/** Called with the number of files read so far. */
type ReadListener = (done: number, total: number) => void;

/** Function that returns the stamp of the content that is known for a path. */
export type StampSource = (path: string) => FileStamp | undefined;

const filesAtOnce = 16;

export class VirtualFiles {
  readonly #files: FileSystem;
  readonly #texts: SmallTexts;
  #folders: readonly VirtualFolder[] = [];
  #listing: ScanListing = { files: [], skipped: [] };

  constructor(files: FileSystem) {
    this.#files = files;
    this.#texts = new SmallTexts(files);
  }

  /** All files and all skipped files, sorted by path. Stays the same object as long as nothing has changed. */
  get listing(): ScanListing {
    return this.#listing;
  }

  /** Returns warnings about ignored rules in the roots. */
  warnings(): readonly string[] {
    return this.#folders.flatMap((folder) => folder.warnings());
  }

  /** Returns true if a path of the report is in one of the roots. */
  owns(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  /** Returns the bytes of a file, or `undefined` if it was not read. */
  contentOf(path: string): Uint8Array | undefined {
    const found = this.#find(path);
    return found?.folder.contentOf(found.own);
  }

  /** Returns the root that contains a file of the report, and the path of the file in it. */
  #find(path: string): { readonly folder: VirtualFolder; readonly own: string } | undefined {
    for (const folder of this.#folders) {
      const own = folder.pathOf(path);
      if (own !== undefined) return { folder, own };
    }
    return undefined;
  }

  /** Returns the name and text of the first of the files that exists in a root; `undefined` if none does. */
  async firstOf(
    root: VirtualRoot,
    names: readonly string[],
  ): Promise<{ readonly name: string; readonly text: string } | undefined> {
    for (const name of names) {
      const text = await this.#texts.read(root, name, 2 ** 20);
      if (text !== undefined) return { name, text };
    }
    return undefined;
  }

  /**
   * Drops the cached texts of those configurations, baselines, and rule files that were reported as changed. Otherwise,
   * a change would be noticed only if the size or modification time is different.
   */
  forgetTexts(touched: Iterable<string>): void {
    for (const path of touched) this.#texts.forget(path);
  }

  /**
   * Returns a copy of the bytes of a listed file, or of any file until its root has been listed: the stored findings
   * are shown before that. Reads the file if necessary. Returns `undefined` if it cannot be read.
   */
  async read(path: string): Promise<Uint8Array | undefined> {
    const found = this.#find(path);
    return (await found?.folder.read(found.own))?.slice();
  }

  /**
   * Lists the roots, and reads the files whose content is not known. Drops the data of all other roots. Stops early if
   * `cancelled` returns true.
   *
   * @param stored   returns the stamp that the stored index has for a path; used for new roots
   * @param touched  paths of files that were reported as changed, and are read again
   */
  async list(
    roots: readonly VirtualRoot[],
    { stored, touched }: { readonly stored: StampSource; readonly touched: ReadonlySet<string> },
    onRead: ReadListener,
    cancelled: () => boolean,
  ): Promise<void> {
    const before = new Map(this.#folders.map((folder) => [folder.root.uri, folder]));
    this.#texts.keepIn(roots);
    const host = { files: this.#files, texts: this.#texts };
    this.#folders = roots.map((root) => new VirtualFolder(root, host, before.get(root.uri), stored));
    const done = this.#folders.map(() => [0, 0]);
    await Promise.all(
      this.#folders.map((folder, place) =>
        folder.list(
          touched,
          (...progress) => {
            done[place] = progress;
            onRead(sum(done.map((it) => it[0]!)), sum(done.map((it) => it[1]!)));
          },
          cancelled,
        ),
      ),
    );
    this.#gather();
  }

  /**
   * Checks the files at paths that may have changed. Ignores paths outside of all roots. If the last listing was
   * canceled, completes it. Returns the paths of files whose text may have changed.
   */
  async follow(touched: Iterable<string>, cancelled: () => boolean): Promise<readonly string[]> {
    const concerned = this.#sortByFolder(touched).filter(({ folder, paths }) => paths.length > 0 || !folder.isWhole);
    if (concerned.length === 0) return [];
    const changed = await Promise.all(concerned.map(({ folder, paths }) => folder.follow(paths, cancelled)));
    this.#gather();
    return changed.flat();
  }

  /** Returns files with their bytes, or why they cannot be read. If `cancelled` returns true, some are missing. */
  async fetch(files: readonly RemoteFile[], cancelled: () => boolean): Promise<readonly RemoteFile[]> {
    const concerned = this.#sortByFolder(files.map(({ path }) => path));
    const fetched = await Promise.all(concerned.map(({ folder, paths }) => folder.fetch(paths, cancelled)));
    this.#gather();
    return fetched.flat();
  }

  /** Returns, for each folder, the given paths that are in it, relative to the folder. */
  #sortByFolder(paths: Iterable<string>): { folder: VirtualFolder; paths: string[] }[] {
    const all = [...paths];
    return this.#folders.map((folder) => ({
      folder,
      paths: all.map((path) => folder.pathOf(path)).filter((path) => path !== undefined),
    }));
  }

  #gather(): void {
    const files = this.#folders.flatMap((folder) => folder.files()).sort(byPath);
    const skipped = this.#folders.flatMap((folder) => folder.skipped()).sort(byPath);
    const before = this.#listing;
    const isSame = {
      files: files.length === before.files.length && files.every((file, place) => file === before.files[place]),
      skipped: JSON.stringify(skipped) === JSON.stringify(before.skipped),
    };
    if (isSame.files && isSame.skipped) return;
    this.#listing = {
      files: isSame.files ? before.files : files,
      skipped: isSame.skipped ? before.skipped : skipped,
    };
  }
}

/** A single root. Paths are relative to it, but `files` have their paths in the report. */
class VirtualFolder {
  readonly root: VirtualRoot;
  readonly #fileSystem: FileSystem;
  readonly #texts: SmallTexts;
  readonly #files: Map<string, RemoteFile>;
  /** Cached members of folders, and cached texts of files that contain rules. */
  readonly #entries = new Map<string, readonly Entry[] | { readonly reason: string }>();
  readonly #rules = new Map<string, string>();
  readonly #stored: StampSource;
  #listing: TreeListing = { paths: [], skipped: [], warnings: [] };
  #listed: ReadonlySet<string> = new Set();
  #isListed = false;
  /** Reads in progress that other callers may join. */
  readonly #reading = new Map<string, Promise<void>>();
  #isWhole = false;

  /**
   * @param before  the same root in an earlier listing; its unchanged files need not be read
   * @param stored  returns the stamp that the stored index has for a path; used if there is no earlier listing
   */
  constructor(
    root: VirtualRoot,
    { files, texts }: { readonly files: FileSystem; readonly texts: SmallTexts },
    before: VirtualFolder | undefined,
    stored: StampSource,
  ) {
    this.root = root;
    this.#fileSystem = files;
    this.#texts = texts;
    this.#stored = before === undefined ? stored : () => undefined;
    const earlierFiles = [...(before === undefined ? [] : before.#files)];
    this.#files = new Map(
      before?.root.prefix === root.prefix
        ? earlierFiles
        : earlierFiles.map(([path, file]) => [path, { ...file, path: root.prefix + path }]),
    );
  }

  /** True if the last listing was completed, and all files in it have been read. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns a path relative to this root, or `undefined` if it is not inside the root. */
  pathOf(path: string): string | undefined {
    if (!path.startsWith(this.root.prefix)) return undefined;
    const own = path.slice(this.root.prefix.length);
    return this.root.inner.some((inner) => own.startsWith(inner)) ? undefined : own;
  }

  contentOf(path: string): Uint8Array | undefined {
    const content = this.#files.get(path)?.content;
    return content instanceof Uint8Array ? content : undefined;
  }

  /** Returns the listed files. Reuses the object of a file while its bytes are unchanged. */
  files(): RemoteFile[] {
    return this.#listing.paths.flatMap((path) => this.#files.get(path) ?? []);
  }

  skipped(): SkippedFile[] {
    return this.#listing.skipped.map((it) => ({ ...it, path: this.root.prefix + it.path }));
  }

  warnings(): string[] {
    return this.#listing.warnings.map((warning) => this.root.prefix + warning);
  }

  async list(touched: ReadonlySet<string>, onRead: ReadListener, cancelled: () => boolean): Promise<void> {
    await this.#walk(cancelled);
    const { paths } = this.#listing;
    const held = paths.filter((path) => this.contentOf(path) && !touched.has(this.root.prefix + path));
    const changed = new Set(await this.#changedAmong(held, cancelled));
    const unchanged = new Set(held.filter((path) => !changed.has(path)));
    const knownStamps = new Map(paths.map((path) => [path, this.contentOf(path) ? undefined : this.#stampOf(path)]));
    const isTelling = areTimesUsable([...knownStamps.values()]);
    const unread = paths.filter((path) => !unchanged.has(path));
    await this.#read(unread, (path) => (isTelling ? knownStamps.get(path) : undefined), onRead, cancelled);
    this.#isWhole = !cancelled();
  }

  /**
   * Returns the files whose content may differ from that in memory, although no change was reported. Reads no contents.
   * If the times of all files differ, the file system has no times, or reports the current time: then only files of
   * another size are returned.
   */
  async #changedAmong(held: readonly string[], cancelled: () => boolean): Promise<readonly string[]> {
    const others: string[] = [];
    const otherSizes: string[] = [];
    await inParallel(held, cancelled, async (path) => {
      const before = this.#files.get(path)!.stamp;
      const answer = await this.#fileSystem.readFile({
        uri: this.root.uri,
        path,
        knownStamp: before,
        maxSizeBytes: -1,
      });
      const stamp = 'reason' in answer ? undefined : answer.stamp;
      if (stamp?.sizeBytes !== before?.sizeBytes) otherSizes.push(path);
      else if (stamp?.mtimeMs !== before?.mtimeMs) others.push(path);
    });
    const areTimesMadeUp = held.length > 1 && others.length + otherSizes.length === held.length;
    return areTimesMadeUp ? otherSizes : [...otherSizes, ...others];
  }

  /** Returns files with their bytes. Does not read known contents again. */
  async fetch(paths: readonly string[], cancelled: () => boolean): Promise<RemoteFile[]> {
    // After a cancellation, files that were not read are returned unchanged.
    const unread = paths.filter((path) => this.#files.get(path)?.content === undefined);
    await inParallel(unread, cancelled, (path) => this.#readOnce(path));
    return paths.flatMap((path) => this.#files.get(path) ?? []);
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    if (this.#isListed && !this.#listed.has(path)) return undefined;
    await this.fetch([path], () => false);
    return this.contentOf(path);
  }

  /** Reads a file. If it is being read for another caller, waits for that. */
  #readOnce(path: string): Promise<void> {
    let reading = this.#reading.get(path);
    if (reading === undefined) {
      reading = this.#readFile(path, undefined).finally(() => this.#reading.delete(path));
      this.#reading.set(path, reading);
    }
    return reading;
  }

  /** Returns the stamp of the content that is known or stored for a file. */
  #stampOf(path: string): FileStamp | undefined {
    const knownFile = this.#files.get(path);
    if (knownFile === undefined) return this.#stored(this.root.prefix + path);
    // If the file was skipped, read it again, because the current settings may include it.
    return knownFile.content && 'reason' in knownFile.content ? undefined : knownFile.stamp;
  }

  /** Checks files that may have changed. Returns the paths, as in the report, of those whose text has changed. */
  async follow(touched: readonly string[], cancelled: () => boolean): Promise<string[]> {
    const before = new Map(this.#listing.paths.map((path) => [path, this.#files.get(path)]));
    const listedPaths = touched.filter((path) => this.#listed.has(path));
    // If a file is reported as changed, read it even if its time is the same.
    for (const path of listedPaths) this.#files.delete(path);
    await this.#readAnew(listedPaths, cancelled);
    const removedPaths = listedPaths.filter((path) => this.#files.get(path)?.stamp === undefined);
    const moved = [...touched.filter((path) => !this.#listed.has(path) || decidesListing(path)), ...removedPaths];
    if (moved.length > 0 || !this.#isWhole) {
      for (const path of moved) this.#forget(path);
      await this.#walk(cancelled);
      const unread = this.#listing.paths.filter((path) => !this.#files.has(path));
      await this.#readAnew(unread, cancelled);
      this.#isWhole = !cancelled();
    }
    const paths = new Set([...before.keys(), ...this.#listing.paths]);
    const now = (path: string): RemoteFile | undefined => (this.#listed.has(path) ? this.#files.get(path) : undefined);
    return [...paths]
      .filter((path) => !hasSameContent(now(path), before.get(path)))
      .map((path) => this.root.prefix + path);
  }

  /** Drops cached data below a path, and the cached members of the folders that may have gained or lost it. */
  #forget(path: string): void {
    for (const folder of this.#entries.keys()) {
      if (path.startsWith(folder) || folder.startsWith(`${path}/`)) this.#entries.delete(folder);
    }
    if (decidesListing(path)) this.#rules.delete(path);
  }

  async #walk(cancelled: () => boolean): Promise<void> {
    const listing = await listTree(
      { readFolder: (path) => this.#readFolder(path), readText: (path) => this.#readRules(path) },
      this.root.sources,
      cancelled,
    );
    const own = ({ path }: { readonly path: string }): boolean =>
      !this.root.inner.some((inner) => path.startsWith(inner));
    const paths = listing.paths.filter((path) => own({ path }));
    const { maxFiles = paths.length } = this.root;
    const unread = paths.slice(maxFiles).map((path) => ({ path, ...beyondLimit(maxFiles) }));
    this.#listing = {
      paths: paths.slice(0, maxFiles),
      skipped: [...listing.skipped.filter(own), ...unread],
      warnings: listing.warnings,
    };
    this.#listed = new Set(this.#listing.paths);
    if (cancelled()) return;
    this.#isListed = true;
    for (const path of this.#files.keys()) if (!this.#listed.has(path)) this.#files.delete(path);
  }

  async #readFolder(path: string): Promise<readonly Entry[] | { readonly reason: string }> {
    const storedEntries = this.#entries.get(path);
    if (storedEntries !== undefined) return storedEntries;
    const answer = await this.#fileSystem.readFolder(this.root.uri, path);
    // Do not cache the failure, because the next attempt may succeed.
    if ('reason' in answer) return answer;
    const entries = answer.entries.map(([name, kind]) => entryOf(name, kind));
    this.#entries.set(path, entries);
    return entries;
  }

  async #readRules(path: string): Promise<string> {
    const storedRules = this.#rules.get(path);
    if (storedRules !== undefined) return storedRules;
    const text = (await this.#texts.read(this.root, path, maxRuleBytes)) ?? '';
    this.#rules.set(path, text);
    return text;
  }

  #readAnew(paths: readonly string[], cancelled: () => boolean): Promise<void> {
    return this.#read(
      paths,
      () => undefined,
      () => undefined,
      cancelled,
    );
  }

  /** @param stampOf  returns the known stamp of a file; if the file still has it, it need not be read */
  async #read(
    paths: readonly string[],
    stampOf: StampSource,
    onRead: ReadListener,
    cancelled: () => boolean,
  ): Promise<void> {
    await inParallel(paths, cancelled, async (path, begun) => {
      await this.#readFile(path, stampOf(path));
      onRead(begun(), paths.length);
    });
  }

  async #readFile(path: string, knownStamp: FileStamp | undefined): Promise<void> {
    const { uri, prefix, sources } = this.root;
    const maxSizeBytes = maxBytesOf(path, sources.maxFileSizeBytes);
    const answer = await (isSmallText(path)
      ? this.#texts.fetch(this.root, path, maxSizeBytes)
      : this.#fileSystem.readFile({ uri, path, knownStamp, maxSizeBytes }));
    const name = prefix + path;
    if ('reason' in answer) {
      this.#files.set(path, { path: name, stamp: undefined, content: answer });
      return;
    }
    const stamp = settled(answer.stamp);
    if (answer.stamp.sizeBytes > maxSizeBytes) {
      this.#files.set(path, { path: name, stamp, content: tooLarge(answer.stamp.sizeBytes, maxSizeBytes) });
    } else if (answer.bytes) {
      this.#files.set(path, { path: name, stamp, content: shared(answer.bytes) });
    } else if (!this.#files.has(path)) this.#files.set(path, { path: name, stamp, content: undefined });
  }
}

/** Returns true if the times of files are usable. A file system without times may report one time for all. */
function areTimesUsable(stamps: readonly (FileStamp | undefined)[]): boolean {
  const [first, ...others] = stamps.flatMap((stamp) => stamp?.mtimeMs ?? []);
  return others.length === 0 || others.some((mtimeMs) => mtimeMs !== first);
}

/**
 * Requests files, several at a time, until `cancelled` returns true.
 *
 * @param request  receives a path, and a function that returns the number of files requested so far
 */
async function inParallel(
  paths: readonly string[],
  cancelled: () => boolean,
  request: (path: string, begun: () => number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const requestNext = async (): Promise<void> => {
    while (next < paths.length && !cancelled()) await request(paths[next++]!, () => next);
  };
  await Promise.all(Array.from({ length: filesAtOnce }, requestNext));
}

/** Copies bytes to memory that threads can share. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(sharedBytes(bytes.length));
  copy.set(bytes);
  return copy;
}

function hasSameContent(left: RemoteFile | undefined, right: RemoteFile | undefined): boolean {
  if (left === right) return true;
  const [x, y] = [left?.content, right?.content];
  if (x instanceof Uint8Array && y instanceof Uint8Array) return areEqual(x, y);
  // Missing bytes never count as equal.
  return x !== undefined && JSON.stringify(x) === JSON.stringify(y);
}

function entryOf(name: string, kind: EntryKind): Entry {
  return {
    name,
    isFile: () => kind === 'file',
    isDirectory: () => kind === 'folder',
    isSymbolicLink: () => kind === 'link',
  };
}
