/**
 * The files of roots that are not on disk. Their texts are kept as long as size and time of the file say that they are the
 * same, and so are the members of folders until something in them is said to have changed: what is far away is asked for
 * as little as possible. Which files count is decided here, by the rules that hold on disk; the host only reads.
 */
import type { Skipped } from '../engine/report.ts';
import type { Text } from '../indexer/scanInput.ts';
import { listTree, type TreeListing } from '../io/listTree.ts';
import { decidesListing } from '../io/pathRules.ts';
import { decodeText, type Refusal, settled, tooLarge } from '../io/readSource.ts';
import type { FileStamp } from '../io/sources.ts';
import { byPath, type Entry } from '../io/walk.ts';
import type { EntryKind, FileSystemAnswer, FileSystemQuestion, VirtualRoot } from '../protocol/messages.ts';

/** Takes a question; its answer comes later, to `answered`. */
type Ask = (question: FileSystemQuestion) => void;

/** Told while files are read: how many are, of how many. */
type OnRead = (done: number, total: number) => void;

/** Files that are asked for at the same time. */
const filesAtOnce = 16;

export class VirtualFiles {
  readonly #ask: Ask;
  #lastQuestion = 0;
  readonly #questions = new Map<number, (answer: FileSystemAnswer) => void>();
  #folders: readonly VirtualFolder[] = [];
  #texts: readonly Text[] = [];
  #skipped: readonly Skipped[] = [];

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** The texts of all files, sorted by path. The same list as long as nothing has changed. */
  get texts(): readonly Text[] {
    return this.#texts;
  }

  /** What was left out, sorted by path. The same list as long as nothing has changed. */
  get skipped(): readonly Skipped[] {
    return this.#skipped;
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

  /** Lists the roots, and reads what is new or has another size or time than before. When cancelled, both end early. */
  async list(roots: readonly VirtualRoot[], onRead: OnRead, cancelled: () => boolean): Promise<void> {
    const before = new Map(this.#folders.map((folder) => [folder.root.uri, folder]));
    const ask = (question: NewQuestion): Promise<FileSystemAnswer> => this.#question(question);
    this.#folders = roots.map((root) => new VirtualFolder(root, ask, before.get(root.uri)));
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
   * Looks at paths of a report that may have changed, come or gone; those that are in no root are passed over. Returns the
   * paths whose text is another one now.
   */
  async follow(touched: Iterable<string>, cancelled: () => boolean): Promise<readonly string[]> {
    const all = [...touched];
    const concerned = this.#folders
      .map((folder) => ({ folder, paths: all.map((path) => folder.pathOf(path)).filter((path) => path !== undefined) }))
      .filter(({ paths }) => paths.length > 0);
    if (concerned.length === 0) return [];
    const changed = await Promise.all(concerned.map(({ folder, paths }) => folder.follow(paths, cancelled)));
    this.#gather();
    return changed.flat();
  }

  #gather(): void {
    this.#texts = this.#folders.flatMap((folder) => folder.texts()).sort(byPath);
    const skipped = this.#folders.flatMap((folder) => folder.skipped()).sort(byPath);
    if (JSON.stringify(skipped) !== JSON.stringify(this.#skipped)) this.#skipped = skipped;
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

/** What is known of a file: its text as UTF-8, or why there is none. */
interface KnownFile {
  readonly stamp: FileStamp | undefined;
  readonly content: Uint8Array | Refusal;
}

/** One root. Paths in here are relative to it. */
class VirtualFolder {
  readonly root: VirtualRoot;
  readonly #ask: (question: NewQuestion) => Promise<FileSystemAnswer>;
  readonly #files: Map<string, KnownFile>;
  /** The members of folders, and the texts of files with rules, as last heard. */
  readonly #entries = new Map<string, readonly Entry[] | { readonly reason: string }>();
  readonly #rules = new Map<string, string>();
  #listing: TreeListing = { paths: [], skipped: [] };
  #listed: ReadonlySet<string> = new Set();
  /** Whether the last listing ran to its end. */
  #isListed = false;

  /** @param before  the same root in an earlier listing, whose texts may still hold */
  constructor(
    root: VirtualRoot,
    ask: (question: NewQuestion) => Promise<FileSystemAnswer>,
    before: VirtualFolder | undefined,
  ) {
    this.root = root;
    this.#ask = ask;
    this.#files = before === undefined ? new Map<string, KnownFile>() : before.#files;
  }

  /** The path that a path of the report has in here; undefined when it is not one of this root. */
  pathOf(path: string): string | undefined {
    if (!path.startsWith(this.root.prefix)) return undefined;
    const own = path.slice(this.root.prefix.length);
    return this.root.inner.some((inner) => own.startsWith(inner)) ? undefined : own;
  }

  texts(): Text[] {
    return this.#listing.paths.flatMap((path) => {
      const content = this.#files.get(path)?.content;
      return content instanceof Uint8Array ? [{ path: this.root.prefix + path, bytes: content }] : [];
    });
  }

  skipped(): Skipped[] {
    const { prefix } = this.root;
    const unread = this.#listing.paths.flatMap((path) => {
      const content = this.#files.get(path)?.content;
      return content === undefined || content instanceof Uint8Array ? [] : [{ path: prefix + path, ...content }];
    });
    return [...this.#listing.skipped.map((it) => ({ ...it, path: prefix + it.path })), ...unread];
  }

  async list(onRead: OnRead, cancelled: () => boolean): Promise<void> {
    await this.#walk(cancelled);
    await this.#read(this.#listing.paths, onRead, cancelled);
  }

  /** Returns the paths, as a report has them, of files whose text is another one now. */
  async follow(touched: readonly string[], cancelled: () => boolean): Promise<string[]> {
    const before = new Map(this.#listing.paths.map((path) => [path, this.#files.get(path)?.content]));
    const known = touched.filter((path) => this.#listed.has(path));
    // A time of before says nothing of a file that is said to have changed.
    for (const path of known) this.#files.delete(path);
    await this.#read(known, () => undefined, cancelled);
    const gone = known.filter((path) => this.#files.get(path)?.stamp === undefined);
    const moved = [...touched.filter((path) => !this.#listed.has(path) || decidesListing(path)), ...gone];
    if (moved.length > 0 || !this.#isListed) {
      for (const path of moved) this.#forget(path);
      await this.#walk(cancelled);
      const unread = this.#listing.paths.filter((path) => !this.#files.has(path));
      await this.#read(unread, () => undefined, cancelled);
    }
    const paths = new Set([...before.keys(), ...this.#listing.paths]);
    const now = (path: string): KnownFile['content'] | undefined =>
      this.#listed.has(path) ? this.#files.get(path)?.content : undefined;
    return [...paths].filter((path) => !isSame(now(path), before.get(path))).map((path) => this.root.prefix + path);
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
    };
    this.#listed = new Set(this.#listing.paths);
    this.#isListed = !cancelled();
    if (this.#isListed) for (const path of this.#files.keys()) if (!this.#listed.has(path)) this.#files.delete(path);
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
    const answer = await this.#ask({ ...question, maxSizeBytes: this.root.sources.maxFileSizeBytes });
    const text = answer.type === 'file' && answer.bytes ? textIn(answer.bytes) : '';
    this.#rules.set(path, text);
    return text;
  }

  /** Reads files that are not what is known of them. */
  async #read(paths: readonly string[], onRead: OnRead, cancelled: () => boolean): Promise<void> {
    let next = 0;
    const take = async (): Promise<void> => {
      while (next < paths.length && !cancelled()) {
        await this.#readFile(paths[next++]!);
        onRead(Math.min(next, paths.length), paths.length);
      }
    };
    await Promise.all(Array.from({ length: filesAtOnce }, take));
  }

  async #readFile(path: string): Promise<void> {
    const known = this.#files.get(path);
    const { uri, sources } = this.root;
    const maxSizeBytes = sources.maxFileSizeBytes;
    // What was left out may be let in by other settings.
    const stampOfText = known?.content instanceof Uint8Array ? known.stamp : undefined;
    const answer = await this.#ask({ type: 'readFile', uri, path, known: stampOfText, maxSizeBytes });
    if (answer.type !== 'file') {
      const reason = answer.type === 'unreadable' ? answer.reason : 'not a file';
      this.#files.set(path, { stamp: undefined, content: { reason } });
      return;
    }
    const stamp = { ...answer.stamp, mtimeMs: settled(answer.stamp.mtimeMs) };
    if (answer.stamp.sizeBytes > maxSizeBytes) {
      this.#files.set(path, { stamp, content: tooLarge(answer.stamp.sizeBytes, maxSizeBytes) });
    } else if (answer.bytes) {
      const text = decodeText(answer.bytes, (size) => new Uint8Array(size));
      this.#files.set(path, { stamp, content: 'bytes' in text ? text.bytes : text });
    }
  }
}

function isSame(left: KnownFile['content'] | undefined, right: KnownFile['content'] | undefined): boolean {
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right) === 0;
  return left === right || (left !== undefined && JSON.stringify(left) === JSON.stringify(right));
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
