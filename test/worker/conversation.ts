/** The built worker on a thread, and a host that sends requests and records the responses. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { root } from '../../scripts/project.mjs';
import { Listeners } from '../../src/session/client/listeners.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { BaselineEntry } from '../../src/review/gate/baseline.ts';
import type { Findings, Group } from '../../src/core/engine/report/report.ts';
import { Channel } from '../../src/session/protocol/channel.ts';
import type {
  Answer,
  FileSystem,
  HostMethods,
  JudgedNotice,
  ProgressNotice,
  RecalledNotice,
  ReportResponse,
  Request,
  Root,
  ScanRequest,
  TuneRequest,
  TuneResponse,
  UpdateRequest,
  WorkerData,
  WorkerMethods,
} from '../../src/session/protocol/messages.ts';
import { changeList } from '../../src/core/collections/listDifference.ts';
import { unpackGroups } from '../../src/scan/io/packedGroups.ts';
import { type PackedFindings, unpackSkipped } from '../../src/session/protocol/packedFindings.ts';
import { sound } from '../reportProblems.ts';

/** Notifications of the worker, except findings of other settings. */
type Notice =
  | ({ readonly type: 'progress' } & ProgressNotice)
  | ({ readonly type: 'recalled' } & RecalledNotice)
  | ({ readonly type: 'foundFirst' } & RecalledNotice)
  | ({ readonly type: 'judged' } & JudgedNotice)
  | { readonly type: 'renewed' }
  | { readonly type: 'warning' | 'note'; readonly message: string };

export type Response = Notice | Answer;

type Connection = Channel<HostMethods, WorkerMethods>;

/** Files that the worker must not request. */
export const noFiles: FileSystem = {
  readFolder: () => assert.fail('The worker must not request a file.'),
  readFile: () => assert.fail('The worker must not request a file.'),
};

/** A worker on a thread. */
export class WorkerThread {
  readonly #thread: Worker;
  readonly #channel: Connection;
  readonly #notices = new Listeners<Notice>();
  readonly onDidSay = this.#notices.add;
  readonly #tuned = new Listeners<TuneResponse>();
  readonly onDidTune = this.#tuned.add;
  readonly #failed = new Listeners<Error>();
  readonly onDidFail = this.#failed.add;
  readonly call: Connection['call'];
  readonly notify: Connection['notify'];
  files = noFiles;

  /** @param thread  by default, the worker of Node */
  constructor(wantedGeneration: Int32Array, files = noFiles, thread = startThread(wantedGeneration)) {
    this.files = files;
    this.#thread = thread;
    this.#thread.on('error', (error) => this.#failed.fire(error));
    this.#channel = new Channel(this.#thread);
    this.call = (...call) => this.#channel.call(...call);
    this.notify = (...call) => this.#channel.notify(...call);
    this.#channel.serve({
      readFolder: async (uri, path) => this.files.readFolder(uri, path),
      readFile: async (question) => this.files.readFile(question),
      writeFile: async (uri, name, bytes) => this.files.writeFile?.(uri, name, bytes),
      progress: (it) => this.#notices.fire({ type: 'progress', ...it }),
      recalled: (it) => this.#notices.fire({ type: 'recalled', ...it }),
      foundFirst: (it) => this.#notices.fire({ type: 'foundFirst', ...it }),
      judged: (it) => this.#notices.fire({ type: 'judged', ...it }),
      renewed: () => this.#notices.fire({ type: 'renewed' }),
      tuned: (it) => this.#tuned.fire(it),
      warning: (message) => this.#notices.fire({ type: 'warning', message }),
      note: (message) => this.#notices.fire({ type: 'note', message }),
    });
  }

  /** Sends a request. Returns all responses up to the answer. */
  run(request: Request): Promise<Response[]> {
    return new Promise((resolve, reject) => {
      const responses: Response[] = [];
      const subscriptions = [this.onDidSay((notice) => responses.push(notice)), this.onDidFail(reject)];
      void this.call('run', request).then((answer) => {
        for (const subscription of subscriptions) subscription.dispose();
        resolve([...responses, answer]);
      });
    });
  }

  async terminate(): Promise<void> {
    await this.#thread.terminate();
  }
}

function startThread(wantedGeneration: Int32Array): Worker {
  const workerData: WorkerData = { wantedGeneration: wantedGeneration.buffer };
  return new Worker(path.join(root, 'dist', 'worker.js'), { workerData });
}

export class Conversation {
  readonly #files: FileSystem;
  readonly #wantedGeneration = new Int32Array(new SharedArrayBuffer(4));
  #worker: WorkerThread;
  #generation = 0;
  #askedAt = 0;

  /** @param files  files that only the host can read */
  constructor(files = noFiles) {
    this.#files = files;
    this.#worker = new WorkerThread(this.#wantedGeneration, files);
  }

  scan(roots: readonly Root[], storage: string | undefined, changes: Partial<ScanRequest> = {}): Promise<Response[]> {
    const request: Omit<ScanRequest, 'generation'> = {
      type: 'scan',
      roots,
      options: defaultOptions,
      languages: [],
      workers: 2,
      memoryMB: 0,
      overlays: [],
      storage,
      recall: true,
      ignored: [],
      ...changes,
    };
    return this.#ask({ ...request, generation: ++this.#generation });
  }

  update(paths: readonly string[], changes: Partial<UpdateRequest> = {}): Promise<Response[]> {
    const generation = ++this.#generation;
    return this.#ask({ type: 'update', generation, paths, overlays: [], dropped: [], ...changes });
  }

  /** Tries other settings. Returns the responses until they are enough. */
  tune(request: TuneRequest, isEnough: (told: readonly TuneResponse[]) => boolean): Promise<TuneResponse[]> {
    const told = this.toldOfTuning(isEnough);
    this.#worker.notify('tune', request);
    return told;
  }

  /** Collects responses about other settings until they are enough. */
  toldOfTuning(isEnough: (told: readonly TuneResponse[]) => boolean): Promise<TuneResponse[]> {
    return new Promise((resolve) => {
      const told: TuneResponse[] = [];
      const subscription = this.#worker.onDidTune((response) => {
        told.push(response);
        if (!isEnough(told)) return;
        subscription.dispose();
        resolve(told);
      });
    });
  }

  /** Sends the user's own ignored entries. Returns the resulting judgment. */
  ignore(ignored: readonly BaselineEntry[]): Promise<JudgedNotice> {
    return new Promise((resolve) => {
      const subscription = this.#worker.onDidSay((notice) => {
        if (notice.type !== 'judged') return;
        subscription.dispose();
        resolve(notice);
      });
      this.#worker.notify('ignore', ignored);
    });
  }

  /** Cancels the current request. */
  cancel(): void {
    Atomics.store(this.#wantedGeneration, 0, ++this.#generation);
  }

  /** Calls back with each notification of the worker. */
  onDidSay(heard: (notice: Notice) => void): { dispose(): void } {
    return this.#worker.onDidSay(heard);
  }

  /** Ends the worker after it has written the last findings, and starts another one. */
  async restart(storage: string): Promise<void> {
    await untilStored(storage, this.#askedAt);
    await this.#worker.terminate();
    this.#worker = new WorkerThread(this.#wantedGeneration, this.#files);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** Returns all responses up to the answer, without progress. */
  async #ask(request: Request): Promise<Response[]> {
    this.#askedAt = Date.now();
    Atomics.store(this.#wantedGeneration, 0, request.generation);
    return (await this.#worker.run(request)).filter(({ type }) => type !== 'progress');
  }
}

/** Returns findings that are sent completely. */
export function unpackWhole(packed: PackedFindings): Findings {
  assert.equal(packed.base, undefined);
  const { complete, totals } = packed;
  return {
    complete,
    totals,
    groups: [...unpackGroups(packed)],
    files: changeList([], packed.files).items,
    folders: changeList([], packed.folders).items,
    skipped: [...unpackSkipped(packed)],
  };
}

/** Checks the consistency of findings that are sent completely. */
function checkWhole(packed: PackedFindings): void {
  // Only the worker knows which texts count.
  if (packed.base === undefined) sound(unpackWhole(packed), () => undefined);
}

/** Waits until a worker has stored the result of a request that was sent at this time. */
export async function untilStored(storage: string, askedAtMs: number): Promise<void> {
  // The findings are written last.
  const written = async (): Promise<number> =>
    stat(path.join(storage, 'index.findings')).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
  while ((await written()) < askedAtMs) await setTimeout(50);
}

export function passageGroups(findings: PackedFindings): Group[] {
  return [...unpackGroups(findings)].filter(({ kind }) => kind !== 'file');
}

/** Returns the paths of each group of passages. */
export function pathsOf(findings: PackedFindings): string[][] {
  return passageGroups(findings).map(({ passages }) => passages.map((passage) => passage.path));
}

/** Returns the report at the end of a request. */
export function reportIn(responses: readonly Response[]): ReportResponse {
  const answer = responses.at(-1)!;
  assert.ok(answer.type === 'report', JSON.stringify(answer));
  checkWhole(answer.findings);
  return answer;
}
