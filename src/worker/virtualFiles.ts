/**
 * The files of roots that are not on disk. Their bytes are kept as long as size and time of the file say that they are the
 * same, and so are the members of folders until something in them is said to have changed: what is far away is asked for
 * as little as possible. A file that the stored index has under the same size and time is not read at all until somebody
 * wants its bytes. Which files count is decided here, by the rules that hold on disk; the host only reads.
 */
import type { Skipped } from '../engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import { listTree, type TreeListing } from '../io/listTree.ts';
import { decidesListing } from '../io/pathRules.ts';
import { mostBytesOf, tooLarge } from '../io/judgeContent.ts';
import { settled } from '../io/readSource.ts';
import { mostRuleBytes } from '../io/ruleFiles.ts';
import type { FileStamp, RemoteFile, ScanListing } from '../io/sources.ts';
import type { Entry } from '../io/walk.ts';
import type { EntryKind, FileSystemAnswer, FileSystemQuestion, VirtualRoot } from '../protocol/messages.ts';

/** Takes a question; its answer comes later, to `answered`. */
type Ask = (question: FileSystemQuestion) => void;

/** Told while files are read: how many are, of how many. */
type OnRead = (done: number, total: number) => void;

/** The stamp under which a file is known, by its path. */
export type StampOf = (path: string) => FileStamp | undefined;

/** Files that are asked for at the same time. */
const filesAtOnce = 16;

export class VirtualFiles {
  readonly #ask: Ask;
  #lastQuestion = 0;
  readonly #questions = new Map<number, (answer: FileSystemAnswer) => void>();
  #folders: readonly VirtualFolder[] = [];
  #listing: ScanListing = { files: [], skipped: [] };

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** The files of all roots, and what was left out: both sorted by path. The same object as long as nothing has changed. */
  get listing(): ScanListing {
    return this.#listing;
  }

  /** What is not obeyed of the rules in the roots, a sentence each. */
  get warnings(): readonly string[] {
    return this.#folders.flatMap((folder) => folder.warnings());
  }

  /** Takes the host's answer to a question. */
  answered(answer: FileSystemAnswer): void {
    const take = this.#questions.get(answer.id);
    this.#questions.delete(answer.id);
    take?.(answer);
  }

  /** Whether a path of a report is in one of the roots. */
  owns(path: string): boolean {
    return this.#folders.some((folder) => folder.pathOf(path) !== undefined);
  }

  /** The bytes of a file as they were read; undefined when they were not. */
  contentOf(path: string): Uint8Array | undefined {
    for (const folder of this.#folders) {
      const own = folder.pathOf(path);
      if (own !== undefined) return folder.contentOf(own);
    }
    return undefined;
  }

  /** The text of the first of these files that a root has, with its name; undefined when it has none of them. */
  async firstOf(
    { uri }: VirtualRoot,
    names: readonly string[],
  ): Promise<{ readonly name: string; readonly text: string } | undefined> {
    for (const name of names) {
      const answer = await this.#question({
        type: 'readFile',
        uri,
        path: name,
        known: undefined,
        maxSizeBytes: 2 ** 20,
      });
      if (answer.type === 'file' && answer.bytes) return { name, text: textIn(answer.bytes) };
    }
    return undefined;
  }

  /**
   * Lists the roots, and reads what is not known of them. Roots that are no longer named are forgotten. When `cancelled`
   * says so, it ends early.
   *
   * @param stored  of roots that are new
   */
  async list(roots: readonly VirtualRoot[], stored: StampOf, onRead: OnRead, cancelled: () => boolean): Promise<void> {
    const before = new Map(this.#folders.map((folder) => [folder.root.uri, folder]));
    const ask = (question: NewQuestion): Promise<FileSystemAnswer> => this.#question(question);
    this.#folders = roots.map((root) => new VirtualFolder(root, ask, before.get(root.uri), stored));
    const done = this.#folders.map(() => [0, 0]);
    await Promise.all(
      this.#folders.map((folder, place) =>
        folder.list((...progress) => {
          done[place] = progress;
          onRead(sum(done.map((it) => it[0]!)), sum(done.map((it) => it[1]!)));
        }, cancelled),
      ),
    );
    this.#gather();
  }

  /**
   * Looks at paths of a report that may have changed, come or gone; those that are in no root are passed over. A listing that
   * was cancelled is made up for. Returns the paths whose text may be another one now.
   */
  async follow(touched: Iterable<string>, cancelled: () => boolean): Promise<readonly string[]> {
    const concerned = this.#sortByFolder(touched).filter(({ folder, paths }) => paths.length > 0 || !folder.isWhole);
    if (concerned.length === 0) return [];
    const changed = await Promise.all(concerned.map(({ folder, paths }) => folder.follow(paths, cancelled)));
    this.#gather();
    return changed.flat();
  }

  /** Files with their bytes, or with why there are none; when `cancelled` says so, fewer. */
  async fetch(files: readonly RemoteFile[], cancelled: () => boolean): Promise<readonly RemoteFile[]> {
    const concerned = this.#sortByFolder(files.map(({ path }) => path));
    const fetched = await Promise.all(concerned.map(({ folder, paths }) => folder.fetch(paths, cancelled)));
    this.#gather();
    return fetched.flat();
  }

  /** All folders, and which of some paths of a report are in each: their paths there. */
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

  #question(question: NewQuestion): Promise<FileSystemAnswer> {
    const id = ++this.#lastQuestion;
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      this.#ask({ ...question, id });
    });
  }
}

type NewQuestion = FileSystemQuestion extends infer Question
  ? Question extends FileSystemQuestion
    ? Omit<Question, 'id'>
    : never
  : never;

/** One root. Paths in here are relative to it; those of files are as a report names them. */
class VirtualFolder {
  readonly root: VirtualRoot;
  readonly #ask: (question: NewQuestion) => Promise<FileSystemAnswer>;
  readonly #files: Map<string, RemoteFile>;
  /** The members of folders, and the texts of files with rules, as last heard. */
  readonly #entries = new Map<string, readonly Entry[] | { readonly reason: string }>();
  readonly #rules = new Map<string, string>();
  readonly #stored: StampOf;
  #listing: TreeListing = { paths: [], skipped: [], warnings: [] };
  #listed: ReadonlySet<string> = new Set();
  #isWhole = false;

  /**
   * @param before  the same root in an earlier listing, whose files may still hold
   * @param stored  what is stored of files: counts without that
   */
  constructor(
    root: VirtualRoot,
    ask: (question: NewQuestion) => Promise<FileSystemAnswer>,
    before: VirtualFolder | undefined,
    stored: StampOf,
  ) {
    this.root = root;
    this.#ask = ask;
    this.#stored = before === undefined ? stored : () => undefined;
    const known = [...(before === undefined ? [] : before.#files)];
    this.#files = new Map(
      before?.root.prefix === root.prefix
        ? known
        : known.map(([path, file]) => [path, { ...file, path: root.prefix + path }]),
    );
  }

  /** Whether the last listing ran to its end, and so did reading what it has. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The path that a path of the report has in here; undefined when it is not one of this root. */
  pathOf(path: string): string | undefined {
    if (!path.startsWith(this.root.prefix)) return undefined;
    const own = path.slice(this.root.prefix.length);
    return this.root.inner.some((inner) => own.startsWith(inner)) ? undefined : own;
  }

  contentOf(path: string): Uint8Array | undefined {
    const content = this.#files.get(path)?.content;
    return content instanceof Uint8Array ? content : undefined;
  }

  /** Files that have been looked at: with the same bytes the same objects as before. */
  files(): RemoteFile[] {
    return this.#listing.paths.flatMap((path) => this.#files.get(path) ?? []);
  }

  skipped(): Skipped[] {
    return this.#listing.skipped.map((it) => ({ ...it, path: this.root.prefix + it.path }));
  }

  warnings(): string[] {
    return this.#listing.warnings.map((warning) => this.root.prefix + warning);
  }

  async list(onRead: OnRead, cancelled: () => boolean): Promise<void> {
    await this.#walk(cancelled);
    const known = new Map(this.#listing.paths.map((path) => [path, this.#stampOf(path)]));
    const isTelling = areTimesTelling([...known.values()]);
    await this.#read(this.#listing.paths, (path) => (isTelling ? known.get(path) : undefined), onRead, cancelled);
    this.#isWhole = !cancelled();
  }

  /** Files with their bytes; those that are known already are not read again. */
  async fetch(paths: readonly string[], cancelled: () => boolean): Promise<RemoteFile[]> {
    // Those that are not read, since it is cancelled, stay as they are.
    const unread = paths.filter((path) => this.#files.get(path)?.content === undefined);
    await this.#readAnew(unread, cancelled);
    return paths.flatMap((path) => this.#files.get(path) ?? []);
  }

  /** Under which stamp a file is known: its bytes, or those that are stored. */
  #stampOf(path: string): FileStamp | undefined {
    const known = this.#files.get(path);
    if (known === undefined) return this.#stored(this.root.prefix + path);
    // What was left out may be let in by other settings.
    return known.content && 'reason' in known.content ? undefined : known.stamp;
  }

  /** Returns the paths, as a report has them, of files whose text is another one now. */
  async follow(touched: readonly string[], cancelled: () => boolean): Promise<string[]> {
    const before = new Map(this.#listing.paths.map((path) => [path, this.#files.get(path)]));
    const known = touched.filter((path) => this.#listed.has(path));
    // A time of before says nothing of a file that is said to have changed.
    for (const path of known) this.#files.delete(path);
    await this.#readAnew(known, cancelled);
    const gone = known.filter((path) => this.#files.get(path)?.stamp === undefined);
    const moved = [...touched.filter((path) => !this.#listed.has(path) || decidesListing(path)), ...gone];
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
      .filter((path) => !saysTheSame(now(path), before.get(path)))
      .map((path) => this.root.prefix + path);
  }

  /** Forgets what folders have that a path may have come into or gone from, and what is below it. */
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
    this.#listing = {
      paths: listing.paths.filter((path) => own({ path })),
      skipped: listing.skipped.filter(own),
      warnings: listing.warnings,
    };
    this.#listed = new Set(this.#listing.paths);
    if (cancelled()) return;
    for (const path of this.#files.keys()) if (!this.#listed.has(path)) this.#files.delete(path);
  }

  async #readFolder(path: string): Promise<readonly Entry[] | { readonly reason: string }> {
    const known = this.#entries.get(path);
    if (known !== undefined) return known;
    const answer = await this.#ask({ type: 'readFolder', uri: this.root.uri, path });
    if (answer.type === 'folder') {
      const entries = answer.entries.map(([name, kind]) => entryOf(name, kind));
      this.#entries.set(path, entries);
      return entries;
    }
    // Not remembered: the next time it may be there again.
    return { reason: answer.type === 'unreadable' ? answer.reason : 'not a folder' };
  }

  async #readRules(path: string): Promise<string> {
    const known = this.#rules.get(path);
    if (known !== undefined) return known;
    const question = { type: 'readFile', uri: this.root.uri, path, known: undefined } as const;
    const answer = await this.#ask({ ...question, maxSizeBytes: mostRuleBytes });
    const text = answer.type === 'file' && answer.bytes ? textIn(answer.bytes) : '';
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

  /** @param stampOf  under which stamp a file need not be read */
  async #read(paths: readonly string[], stampOf: StampOf, onRead: OnRead, cancelled: () => boolean): Promise<void> {
    let next = 0;
    const take = async (): Promise<void> => {
      while (next < paths.length && !cancelled()) {
        const path = paths[next++]!;
        await this.#readFile(path, stampOf(path));
        onRead(Math.min(next, paths.length), paths.length);
      }
    };
    await Promise.all(Array.from({ length: filesAtOnce }, take));
  }

  async #readFile(path: string, known: FileStamp | undefined): Promise<void> {
    const { uri, prefix, sources } = this.root;
    const maxSizeBytes = mostBytesOf(path, sources.maxFileSizeBytes);
    const answer = await this.#ask({ type: 'readFile', uri, path, known, maxSizeBytes });
    const name = prefix + path;
    if (answer.type !== 'file') {
      const reason = answer.type === 'unreadable' ? answer.reason : 'not a file';
      this.#files.set(path, { path: name, stamp: undefined, content: { reason } });
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

/** Whether times tell files apart: a file system that keeps none may say the same one of all. */
function areTimesTelling(stamps: readonly (FileStamp | undefined)[]): boolean {
  const [first, ...others] = stamps.flatMap((stamp) => stamp?.mtimeMs ?? []);
  return others.length === 0 || others.some((mtimeMs) => mtimeMs !== first);
}

/** A copy in memory that threads share. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

function saysTheSame(left: RemoteFile | undefined, right: RemoteFile | undefined): boolean {
  if (left === right) return true;
  const [x, y] = [left?.content, right?.content];
  if (x instanceof Uint8Array && y instanceof Uint8Array) return Buffer.compare(x, y) === 0;
  // Of bytes that were never asked for nobody knows whether they are the same.
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

function textIn(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
