/**
 * The built worker on a thread, and a host that sends requests and answers questions about files that only it can read.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { root } from '../../scripts/project.mjs';
import { defaultOptions } from '../../src/engine/options.ts';
import type { BaselineEntry } from '../../src/gate/baseline.ts';
import type { Group } from '../../src/engine/report/report.ts';
import type {
  Answer,
  FileSystemAnswer,
  FileSystemQuestion,
  IgnoreRequest,
  JudgedResponse,
  ReportResponse,
  Request,
  Response,
  Root,
  ScanRequest,
  TuneRequest,
  TuneResponse,
  UpdateRequest,
  WorkerData,
} from '../../src/protocol/messages.ts';
import { changeList } from '../../src/protocol/listDifference.ts';
import { type PackedFindings, unpackGroups, unpackSkipped } from '../../src/protocol/packedFindings.ts';
import { sound } from '../reportProblems.ts';

export class Conversation {
  readonly #answer: (question: FileSystemQuestion) => FileSystemAnswer;
  readonly #wanted = new Int32Array(new SharedArrayBuffer(4));
  #worker: Worker;
  #generation = 0;
  #askedAt = 0;
  #tunings = 0;

  /** @param answer answers the worker's questions to the host */
  constructor(answer: (question: FileSystemQuestion) => FileSystemAnswer) {
    this.#answer = answer;
    this.#worker = this.#start();
  }

  scan(roots: readonly Root[], storage: string | undefined): Promise<Response[]> {
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
    };
    return this.#ask({ ...request, generation: ++this.#generation });
  }

  update(paths: readonly string[], changes: Partial<UpdateRequest> = {}): Promise<Response[]> {
    const generation = ++this.#generation;
    return this.#ask({ type: 'update', generation, paths, overlays: [], dropped: [], ...changes });
  }

  /** Tries other settings. Returns the responses until they are enough. */
  tune(
    request: Pick<TuneRequest, 'values' | 'dial' | 'hide'>,
    isEnough: (told: readonly TuneResponse[]) => boolean,
  ): Promise<TuneResponse[]> {
    const told = this.toldOfTuning(isEnough);
    this.#worker.postMessage({ type: 'tune', id: ++this.#tunings, ...request } satisfies TuneRequest);
    return told;
  }

  /** Collects responses about other settings until they are enough. */
  toldOfTuning(isEnough: (told: readonly TuneResponse[]) => boolean): Promise<TuneResponse[]> {
    const worker = this.#worker;
    return new Promise((resolve) => {
      const told: TuneResponse[] = [];
      worker.on('message', function take(response: Response) {
        const { type } = response;
        if (type !== 'tunable' && type !== 'untunable' && type !== 'trying' && type !== 'tried' && type !== 'rowHiding')
          return;
        told.push(response);
        if (!isEnough(told)) return;
        worker.off('message', take);
        resolve(told);
      });
    });
  }

  /** Sends the user's own ignored entries. Returns the resulting judgment. */
  ignore(ignored: readonly BaselineEntry[]): Promise<JudgedResponse> {
    return new Promise((resolve) => {
      const worker = this.#worker;
      worker.on('message', function take(response: Response) {
        if (response.type !== 'judged') return;
        worker.off('message', take);
        resolve(response);
      });
      worker.postMessage({ type: 'ignore', ignored } satisfies IgnoreRequest);
    });
  }

  /** Ends the worker after it has written the last findings, and starts another one. */
  async restart(storage: string): Promise<void> {
    await untilStored(storage, this.#askedAt);
    await this.#worker.terminate();
    this.#worker = this.#start();
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #start(): Worker {
    const workerData: WorkerData = { wanted: this.#wanted.buffer };
    const worker = new Worker(path.join(root, 'dist', 'worker.js'), { workerData });
    worker.on('message', (response: Response) => {
      if (response.type === 'readFolder' || response.type === 'readFile') worker.postMessage(this.#answer(response));
    });
    return worker;
  }

  /** Returns all responses up to the answer, without progress and questions. */
  async #ask(request: Request): Promise<Response[]> {
    this.#askedAt = Date.now();
    Atomics.store(this.#wanted, 0, request.generation);
    const answered = answerTo(this.#worker, request.generation);
    this.#worker.postMessage(request);
    return (await answered).filter(({ type }) => type !== 'readFolder' && type !== 'readFile' && type !== 'progress');
  }
}

/** Returns all responses up to the answer for a generation. */
export function answerTo(worker: Worker, generation: number): Promise<Response[]> {
  return new Promise((resolve, reject) => {
    const responses: Response[] = [];
    worker.once('error', reject);
    worker.on('message', function take(response: Response) {
      responses.push(response);
      if (isAhead(response) || response.generation !== generation) return;
      worker.off('message', take);
      worker.off('error', reject);
      resolve(responses);
    });
  });
}

/** Checks the consistency of findings that are sent completely. */
function checkWhole(packed: PackedFindings): void {
  if (packed.base !== undefined) return;
  const { complete, totals } = packed;
  const groups = [...unpackGroups(packed)];
  const findings = {
    complete,
    totals,
    groups,
    files: changeList([], packed.files).items,
    folders: changeList([], packed.folders).items,
    skipped: [...unpackSkipped(packed)],
  };
  // Only the worker knows which texts count.
  sound(findings, () => undefined);
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

/** True if a response may precede the answer to its request. */
function isAhead(response: Response): response is Exclude<Response, Answer> {
  return !['report', 'unchanged', 'rejected', 'failed'].includes(response.type);
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
