/**
 * A scan that is followed up: its index is kept, and takes in what has changed since. The findings are those of a new
 * scan, but for how telling tokens are: that stays as it was counted.
 */
import { setImmediate } from 'node:timers/promises';
import type { Corpus } from '../engine/corpus.ts';
import { hashBytes64 } from '../engine/hash64.ts';
import type { Kernel } from '../engine/kernel.ts';
import { fileLexicons, type FileLexicons, type Lexicon, lexiconForPath } from '../engine/lexicon.ts';
import { sliceSeeds } from '../engine/matches.ts';
import type { Options } from '../engine/options.ts';
import type { Findings, Skipped } from '../engine/report.ts';
import { judgeText, readSource } from '../io/readSource.ts';
import type { SourceFile, SourceOptions } from '../io/sources.ts';
import { type EarlierMatches, leaveKnown } from './earlierMatches.ts';
import { digestOfEpoch } from './epoch.ts';
import { digestOfContents, type IndexedFile, type IndexState } from './indexStore.ts';
import { matchSlices } from './matchSlices.ts';
import { proseIsOff, type ScanInput, type ScanMonitor, seedsOfSlice, type Text } from './scanInput.ts';

/** What a scan found, for it to be followed up. */
export interface Followed {
  readonly kernel: Kernel;
  readonly corpus: Corpus;
  readonly request: FollowedRequest;
  readonly files: readonly IndexedFile[];
  /** As in `IndexState`. */
  readonly changedFiles: number;
  readonly matches: EarlierMatches;
  readonly findings: Findings;
}

interface FollowedRequest extends ScanInput {
  readonly options: Options;
  readonly sources: SourceOptions;
  readonly lexicons: readonly Lexicon[];
}

export class LiveScan {
  readonly #kernel: Kernel;
  readonly #corpus: Corpus;
  readonly #options: Options;
  readonly #sources: SourceOptions;
  readonly #lexicons: FileLexicons;
  readonly #files: Map<string, IndexedFile>;
  #input: ScanInput;
  #findings: Findings;
  /** Those of the time when all documents were compared: which of them hold is seen when they are needed. */
  #matches: EarlierMatches;
  #changedFiles: number;
  /** What is left to do until changes can be taken in. */
  #keeping: Iterator<void> | undefined;

  constructor({ kernel, corpus, request, files, changedFiles, matches, findings }: Followed) {
    this.#kernel = kernel;
    this.#corpus = corpus;
    this.#options = request.options;
    this.#sources = request.sources;
    this.#lexicons = fileLexicons(request.lexicons);
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#input = { listing: request.listing, texts: request.texts };
    this.#findings = findings;
    this.#matches = matches;
    this.#changedFiles = changedFiles;
    this.#keeping = corpus.keeping();
  }

  /** Gets ready for changes, which takes a while; when `stop` says so, the rest is left for later. */
  async prepare(stop: () => boolean): Promise<void> {
    while (this.#keeping !== undefined && !stop()) {
      if (this.#keeping.next().done === true) this.#keeping = undefined;
      await setImmediate();
    }
  }

  /**
   * The findings of what there is now; undefined when nothing is different. When the monitor cancels, they are incomplete,
   * and the scan cannot be followed any more.
   *
   * @param touched  paths whose text may be another one; all others that were there before are as they were
   */
  async update(input: ScanInput, touched: ReadonlySet<string>, monitor: ScanMonitor): Promise<Findings | undefined> {
    await this.prepare(() => false);
    const left = JSON.stringify(input.listing.skipped) !== JSON.stringify(this.#input.listing.skipped);
    const changed = this.#takeIn(input, touched);
    this.#input = input;
    if (changed === 0 && !left) return undefined;
    this.#changedFiles += changed;
    this.#findings = this.#corpus.update(this.#context()) ?? (await this.#compareAll(monitor));
    return this.#findings;
  }

  /** What is to be stored. The kernel's memory must not change until it is. */
  state(): IndexState {
    const files = [...this.#files.values()];
    return {
      kernel: this.#kernel,
      files,
      changedFiles: this.#changedFiles,
      matches: this.#matches,
      report: {
        contents: digestOfContents(files, this.#input.listing.skipped),
        rarities: digestOfEpoch(this.#matches.epoch),
        findings: this.#findings,
      },
      onWritten: () => (this.#changedFiles = 0),
    };
  }

  /** Reads what may be different; returns how many documents are. */
  #takeIn({ listing, texts }: ScanInput, touched: ReadonlySet<string>): number {
    const sources = new Map<string, SourceFile | Text>();
    if (listing === this.#input.listing) {
      const own = new Set(texts.map((text) => text.path));
      for (const file of listing.files) if (touched.has(file.path) && !own.has(file.path)) sources.set(file.path, file);
    } else for (const file of listing.files) sources.set(file.path, file);
    for (const text of texts) sources.set(text.path, text);
    let changed = 0;
    for (const [path, source] of sources) {
      if ((touched.has(path) || !this.#files.has(path)) && this.#read(path, source)) changed++;
    }
    const gone = listing === this.#input.listing ? touched : this.#files.keys();
    const listed = listing === this.#input.listing ? new Set(listing.files.map((file) => file.path)) : sources;
    for (const path of [...gone]) {
      if (sources.has(path) || listed.has(path) || !this.#files.delete(path)) continue;
      this.#corpus.remove(path);
      changed++;
    }
    return changed;
  }

  /** Takes a source as it is now; returns whether that is something else than before. */
  #read(path: string, source: SourceFile | Text): boolean {
    const before = this.#files.get(path);
    const now = 'bytes' in source ? this.#judge(source) : this.#readFile(source);
    if ('reason' in now.content) {
      this.#files.set(path, { path, content: now.content, digest: 0n, stamp: now.stamp });
      this.#corpus.remove(path);
      return before === undefined || !('reason' in before.content) || before.content.reason !== now.content.reason;
    }
    const digest = hashBytes64(now.content);
    if (before && !('reason' in before.content) && before.digest === digest) {
      this.#files.set(path, { ...before, stamp: now.stamp });
      return false;
    }
    const content = this.#corpus.put(path, now.content, lexiconForPath(path, this.#lexicons));
    this.#files.set(path, { path, content, digest, stamp: now.stamp });
    return true;
  }

  #readFile(file: SourceFile): { content: Uint8Array | Skipped; stamp: IndexedFile['stamp'] } {
    if (lexiconForPath(file.path, this.#lexicons).prose && !this.#options.prose.enabled) {
      return { content: proseIsOff(file.path), stamp: undefined };
    }
    const source = readSource(file, this.#sources, (size) => this.#corpus.reserve(size));
    return { content: 'skipped' in source ? source.skipped : source.bytes, stamp: source.stamp };
  }

  #judge({ path, bytes }: Text): { content: Uint8Array | Skipped; stamp: undefined } {
    const isOff = lexiconForPath(path, this.#lexicons).prose && !this.#options.prose.enabled;
    const refused = isOff ? proseIsOff(path) : judgeText(path, bytes, this.#sources);
    if (refused) return { content: refused, stamp: undefined };
    const room = this.#corpus.reserve(bytes.length);
    room.set(bytes);
    return { content: room, stamp: undefined };
  }

  /** Compares all documents with each other, when too much has changed. */
  async #compareAll(monitor: ScanMonitor): Promise<Findings> {
    const plan = this.#corpus.planMatching();
    const left = leaveKnown(this.#kernel, plan, this.#files.values(), this.#matches);
    const slices = sliceSeeds(this.#kernel, left.task.seeds, seedsOfSlice);
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const total = slices.length - 1;
    const found = await matchSlices(
      this.#kernel,
      { task: left.task, slices, options: this.#options, shared },
      async () => {
        monitor.onProgress({ phase: 'matching', done: Math.min(Atomics.load(shared, 0), total), total });
        await setImmediate();
        if (monitor.cancelled()) Atomics.store(shared, 1, 1);
      },
    );
    const complete = Atomics.load(shared, 1) === 0;
    const records = left.join([found]);
    if (complete) this.#matches = left.keep(records, this.#matches.epoch);
    const findings = this.#corpus.finish(plan, records, { ...this.#context(), complete });
    this.#keeping = this.#corpus.keeping();
    return findings;
  }

  #context(): { readonly skipped: readonly Skipped[]; readonly complete: boolean } {
    const skipped = [...this.#input.listing.skipped];
    for (const { content } of this.#files.values()) if ('reason' in content) skipped.push(content);
    skipped.sort((x, y) => (x.path < y.path ? -1 : x.path > y.path ? 1 : 0));
    return { skipped, complete: true };
  }
}
