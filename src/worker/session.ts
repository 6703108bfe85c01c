/**
 * The worker's side of the conversation: owns what is scanned, runs one request at a time, and turns every request into
 * one answer. Only the newest waiting request is run; those it overtook get none, but what they asked for is done with it.
 */
import { availableParallelism } from 'node:os';
import { scan, type ScanProgress } from '../indexer/scan.ts';
import type { Listing } from '../io/sources.ts';
import type { Request, Response, ScanRequest, UpdateRequest } from '../protocol/messages.ts';
import { packFindings } from '../protocol/packedFindings.ts';
import { configure, isConfiguration } from './configure.ts';
import { listRoots } from './listRoots.ts';

/** Least time between two progress messages of a phase: ten a second are as many as a person can follow. */
const progressIntervalMs = 100;

/** The bundle of the threads that a scan starts, beside this one. */
const laneScript = new URL('lane.js', import.meta.url);

interface Scanned {
  /** The scan as it was asked for. */
  readonly asked: ScanRequest;
  /** What the last complete report was made of: the request with the folders' own options, and the files. */
  last: { readonly request: ScanRequest; readonly listing: Listing } | undefined;
}

export class Session {
  readonly #wanted: Int32Array;
  readonly #post: (response: Response, transfer?: readonly ArrayBuffer[]) => void;
  #next: Request | undefined;
  #running = false;
  #scanned: Scanned | undefined;
  /** Paths of updates that were cut short: their changes are in no report yet. */
  readonly #touched = new Set<string>();

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
      const answer = await this.#answer(request);
      this.#post(answer, answer.type === 'report' ? [answer.findings.numbers.buffer] : []);
    }
    this.#running = false;
  }

  async #answer(request: Request): Promise<Response> {
    try {
      return await (request.type === 'scan' ? this.#scan(request) : this.#update(request));
    } catch (error) {
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      return { type: 'failed', generation: request.generation, message, stack };
    }
  }

  async #scan(request: ScanRequest): Promise<Response> {
    const { generation } = request;
    this.#scanned = { asked: request, last: undefined };
    const configured = configure(request);
    if ('problems' in configured) return { type: 'rejected', generation, problems: configured.problems };
    return this.#compare(configured, await listRoots(configured.roots, () => this.#isStale(generation)));
  }

  /** Everything is read again, since no index is kept between requests, but only if something was touched that counts. */
  async #update({ generation, paths }: UpdateRequest): Promise<Response> {
    if (this.#scanned === undefined) throw new Error('An update came before the first scan.');
    const { asked, last } = this.#scanned;
    for (const path of paths) this.#touched.add(path);
    if (last === undefined || [...this.#touched].some(isConfiguration)) return this.#scan({ ...asked, generation });
    const listing = await listRoots(last.request.roots, () => this.#isStale(generation));
    if (!differs(last.listing, listing, this.#touched)) return { type: 'unchanged', generation };
    return this.#compare({ ...last.request, generation }, listing);
  }

  async #compare(request: ScanRequest, listing: Listing): Promise<Response> {
    const { generation, options, roots } = request;
    const started = performance.now();
    const findings = await scan(
      {
        listing,
        options,
        sources: roots[0]!.sources,
        lane: laneScript,
        workers: request.workers > 0 ? request.workers : Math.max(1, availableParallelism() - 1),
      },
      { onProgress: this.#throttled(generation), cancelled: () => this.#isStale(generation) },
    );
    if (findings.complete && this.#scanned) {
      this.#scanned.last = { request, listing };
      this.#touched.clear();
    }
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
  if (waiting.type === 'scan') return { ...waiting, generation: newer.generation };
  return { ...newer, paths: [...waiting.paths, ...newer.paths] };
}

/** Whether a file came or went between two listings, or one that is in both was touched. */
function differs(before: Listing, after: Listing, touched: ReadonlySet<string>): boolean {
  if (before.files.length !== after.files.length || before.skipped.length !== after.skipped.length) return true;
  return after.files.some(({ path }, place) => path !== before.files[place]?.path || touched.has(path));
}
