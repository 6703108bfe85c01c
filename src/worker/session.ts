/**
 * The worker's side of the conversation: owns what is scanned, runs one request at a time, and turns every request into
 * one answer. Only the newest waiting request is run; those it overtook get none, but what they asked for is done with it.
 */
import { availableParallelism } from 'node:os';
import { leastMemoryMB } from '../indexer/memoryBudget.ts';
import { scan, type ScanProgress, type Text } from '../indexer/scan.ts';
import type { Listing } from '../io/sources.ts';
import type { Answer, Overlay, Request, Response, ScanRequest, UpdateRequest } from '../protocol/messages.ts';
import type { Findings } from '../engine/report.ts';
import type { IndexStore } from '../indexer/indexStore.ts';
import { packFindings } from '../protocol/packedFindings.ts';
import { configure, isConfiguration } from './configure.ts';
import { Languages } from './languages.ts';
import { listRoots } from './listRoots.ts';
import { StoreKeeper } from './storeKeeper.ts';

/** Least time between two progress messages of a phase: ten a second are as many as a person can follow. */
const progressIntervalMs = 100;

/** The bundle of the threads that a scan starts, beside this one. */
const laneScript = new URL('lane.js', import.meta.url);

/** What is compared: files to read, and texts besides. */
interface Input {
  readonly listing: Listing;
  readonly texts: readonly Text[];
}

const encoder = new TextEncoder();

interface Scanned {
  /** The scan as it was asked for. */
  readonly asked: ScanRequest;
  /** What the last complete report was made of: the request with the folders' own options, and what was compared. */
  last: { readonly request: ScanRequest; readonly input: Input } | undefined;
}

export class Session {
  readonly #wanted: Int32Array;
  readonly #post: (response: Response, transfer?: readonly ArrayBuffer[]) => void;
  #next: Request | undefined;
  #running = false;
  #scanned: Scanned | undefined;
  /** Texts that count instead of what the disk has, by path. */
  readonly #overlays = new Map<string, Overlay>();
  /** Paths of updates that were cut short: their changes are in no report yet. */
  readonly #touched = new Set<string>();
  readonly #languages = new Languages();
  readonly #keeper = new StoreKeeper((message) => this.#post({ type: 'warning', message }));

  /**
   * @param wanted  one Int32, shared with the host: the generation that is wanted now
   * @param post    takes each answer, and what of it is to be handed over instead of copied
   */
  constructor(wanted: SharedArrayBuffer, post: (response: Response, transfer?: readonly ArrayBuffer[]) => void) {
    this.#wanted = new Int32Array(wanted);
    this.#post = post;
  }

  /** Takes a request, and runs it when the one before it has ended. Never throws. */
  handle(request: Request): void {
    this.#next = this.#next === undefined ? request : overtake(this.#next, request);
    if (!this.#running) void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#next !== undefined) {
      const request = this.#next;
      this.#next = undefined;
      await this.#keeper.hold();
      const answer = await this.#answer(request);
      this.#post(answer, answer.type === 'report' ? [answer.findings.numbers.buffer] : []);
    }
    this.#running = false;
    this.#keeper.saveSoon();
  }

  async #answer(request: Request): Promise<Answer> {
    try {
      return await (request.type === 'scan' ? this.#scan(request) : this.#update(request));
    } catch (error) {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      return { type: 'failed', generation: request.generation, message, stack };
    }
  }

  async #scan(request: ScanRequest): Promise<Answer> {
    this.#overlays.clear();
    for (const overlay of request.overlays) this.#overlays.set(overlay.path, overlay);
    return this.#scanAll(request);
  }

  async #scanAll(request: ScanRequest): Promise<Answer> {
    const { generation } = request;
    this.#scanned = { asked: request, last: undefined };
    const configured = configure(request);
    if ('problems' in configured) return { type: 'rejected', generation, problems: configured.problems };
    const recalled = request.recall ? this.#recall(configured) : undefined;
    return this.#compare(configured, await this.#list(configured), recalled);
  }

  /** Answers ahead with the findings of the last time; undefined when there are none. */
  #recall(request: ScanRequest): Findings | undefined {
    const started = performance.now();
    const findings = this.#storeOf(request)?.findings?.findings;
    if (findings === undefined) return undefined;
    const packed = packFindings(findings);
    const elapsedMs = Math.round(performance.now() - started);
    this.#post({ type: 'recalled', generation: request.generation, findings: packed, elapsedMs }, [
      packed.numbers.buffer,
    ]);
    return findings;
  }

  #storeOf({ storage, options, roots, languages, memoryMB }: ScanRequest): IndexStore | undefined {
    const lexicons = this.#languages.lexiconsFor(languages);
    const sources = roots[0]!.sources;
    const identity = { options, sources, lexicons, files: JSON.stringify([roots, memoryMB]), lane: laneScript };
    return this.#keeper.open(storage, identity);
  }

  /** Everything is read again, since no index is kept between requests, but only if something was touched that counts. */
  async #update({ generation, paths, overlays, dropped }: UpdateRequest): Promise<Answer> {
    if (this.#scanned === undefined) throw new Error('An update came before the first scan.');
    const { asked, last } = this.#scanned;
    for (const overlay of overlays) this.#overlays.set(overlay.path, overlay);
    for (const path of dropped) this.#overlays.delete(path);
    for (const path of [...paths, ...overlays.map((overlay) => overlay.path), ...dropped]) this.#touched.add(path);
    if (last === undefined || [...this.#touched].some(isConfiguration)) return this.#scanAll({ ...asked, generation });
    const input = await this.#list({ ...last.request, generation });
    if (!differs(last.input, input, this.#touched)) return { type: 'unchanged', generation };
    return this.#compare({ ...last.request, generation }, input);
  }

  /** The files of the roots, and the texts that count instead of some of them or besides. */
  async #list({ roots, generation }: ScanRequest): Promise<Input> {
    const listing = await listRoots(roots, () => this.#isStale(generation));
    const listed = new Set(listing.files.map((file) => file.path));
    const texts = [...this.#overlays.values()]
      .filter(({ path, overFile }) => !overFile || listed.has(path))
      .map(({ path, text }): Text => ({ path, bytes: encoder.encode(text) }));
    const files = listing.files.filter(({ path }) => !this.#overlays.has(path));
    return { listing: { ...listing, files }, texts };
  }

  /** @param shown  what the host shows already */
  async #compare(request: ScanRequest, input: Input, shown?: Findings): Promise<Answer> {
    const { generation, options, roots } = request;
    const started = performance.now();
    const findings = await scan(
      {
        ...input,
        options,
        sources: roots[0]!.sources,
        lexicons: this.#languages.lexiconsFor(request.languages),
        scope: 'all',
        lane: laneScript,
        store: this.#storeOf(request),
        memoryMB: request.memoryMB > 0 ? Math.max(leastMemoryMB, request.memoryMB) : 0,
        workers: request.workers > 0 ? request.workers : Math.max(1, availableParallelism() - 1),
      },
      { onProgress: this.#throttled(generation), cancelled: () => this.#isStale(generation) },
    );
    if (findings.complete && this.#scanned) {
      this.#scanned.last = { request, input };
      this.#touched.clear();
    }
    if (findings === shown) return { type: 'unchanged', generation };
    const elapsedMs = Math.round(performance.now() - started);
    return { type: 'report', generation, findings: packFindings(findings), elapsedMs };
  }

  #isStale(generation: number): boolean {
    return Atomics.load(this.#wanted, 0) !== generation;
  }

  /** Passes on the first progress of each phase, and then some of the others. */
  #throttled(generation: number): (progress: ScanProgress) => void {
    let phase = '';
    let next = 0;
    return (progress) => {
      const now = performance.now();
      if (progress.phase === phase && now < next) return;
      phase = progress.phase;
      next = now + progressIntervalMs;
      this.#post({ type: 'progress', generation, progress });
    };
  }
}

/** The newer request, with what the waiting one asked for and the newer one does not do anyway. */
function overtake(waiting: Request, newer: Request): Request {
  if (newer.type === 'scan') return newer;
  const gone = new Set([...newer.dropped, ...newer.overlays.map(({ path }) => path)]);
  const overlays = [...waiting.overlays.filter(({ path }) => !gone.has(path)), ...newer.overlays];
  if (waiting.type === 'scan') return { ...waiting, generation: newer.generation, overlays };
  const dropped = [...waiting.dropped.filter((path) => !gone.has(path)), ...newer.dropped];
  return { ...newer, paths: [...waiting.paths, ...newer.paths], overlays, dropped };
}

/** Whether a document came or went, or one that is in both was touched. */
function differs(before: Input, after: Input, touched: ReadonlySet<string>): boolean {
  if (before.listing.files.length !== after.listing.files.length) return true;
  if (before.listing.skipped.length !== after.listing.skipped.length) return true;
  if ([...before.texts, ...after.texts].some(({ path }) => touched.has(path))) return true;
  return after.listing.files.some(({ path }, i) => path !== before.listing.files[i]?.path || touched.has(path));
}
