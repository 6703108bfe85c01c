/**
 * Run: the comparison of all documents in one state of the repositories, divided into tasks for any number of workers.
 * A task's result is written in the transaction that marks it as done, so a crashed worker loses nothing and duplicates
 * nothing. Its tasks become available to others when their leases expire.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DatabaseError } from '../database/databaseError.ts';
import type { Server } from '../database/server.ts';
import type { Asked } from './catalogue.ts';

/**
 * Stages of tasks. A stage begins when all stages it depends on are done:
 *
 *   near     a part of the keys: pairs of distinct fingerprints within k bits
 *   rarity   token weights, of all documents
 *   seeds    a part of the fingerprints: seeds of equal and near ones
 *   matches  some pairs of documents: their matches
 */
export const stages = ['near', 'rarity', 'seeds', 'matches'] as const;
export type Stage = (typeof stages)[number];

/** `near` and `rarity` do not depend on each other. */
const orderOf: Readonly<Record<Stage, number>> = { near: 0, rarity: 0, seeds: 1, matches: 2 };
/** Offset that keeps the numbers of tasks with the same order distinct. */
const rarityNumber = 1_000_000;

export interface Task {
  readonly stage: Stage;
  readonly number: number;
}

/** Output of a task for a task of a later stage. */
export interface Piece {
  /** Number of the receiving task. */
  readonly target: number;
  readonly bytes: Uint8Array;
}

export interface TaskResult {
  readonly pieces: readonly Piece[];
  /** Plain data, for all later tasks. */
  readonly result?: unknown;
}

/** Duration of a lease without renewal, and interval of renewals. */
export const leaseMs = 30_000;
const beatMs = leaseMs / 5;
/** Interval at which a worker polls for tasks of others that it depends on. */
const lookMs = 100;

/** Another worker took the task because this one did not renew its lease in time. */
class LeaseLost extends Error {}

export class Run {
  readonly id: number;
  readonly #home: Server;
  readonly #worker = randomUUID();

  constructor(home: Server, id: number) {
    this.#home = home;
    this.id = id;
  }

  /** Performs tasks until all are done, by this worker or others. Returns false if cancelled. */
  async work(perform: (task: Task) => Promise<TaskResult>, monitor: RunMonitor): Promise<boolean> {
    for (;;) {
      if (monitor.cancelled()) return false;
      const task = await this.#take();
      if (task !== undefined) {
        await this.#do(task, perform);
        monitor.onProgress(await this.#progress());
        continue;
      }
      const progress = await this.#progress();
      monitor.onProgress(progress);
      if (progress.done === progress.total) return true;
      await setTimeout(lookMs);
    }
  }

  async #do(task: Task, perform: (task: Task) => Promise<TaskResult>): Promise<void> {
    const beating = setInterval(() => void this.#beat(task), beatMs);
    try {
      await this.#finish(task, await perform(task));
    } catch (error) {
      if (error instanceof LeaseLost) return;
      // Releases the task immediately, so that it can be retried before the lease expires.
      await this.#giveBack(task).catch(() => {});
      throw error;
    } finally {
      clearInterval(beating);
    }
  }

  /** Renews a lease. An occasional failure is harmless. */
  async #beat(task: Task): Promise<void> {
    await this.#home
      .query(
        `UPDATE kindred.task SET lease_until = now() + $5 * interval '1 millisecond'
         WHERE run = $1 AND stage = $2 AND number = $3 AND worker = $4 AND NOT done`,
        [...this.#keyOf(task), this.#worker, leaseMs],
      )
      .catch(() => {});
  }

  async #take(): Promise<Task | undefined> {
    const [row] = await this.#home.query<{ stage: number; number: number }>(
      `UPDATE kindred.task SET worker = $2, lease_until = now() + $3 * interval '1 millisecond'
       WHERE (run, stage, number) = (
         SELECT run, stage, number FROM kindred.task
         WHERE run = $1 AND NOT done AND (lease_until IS NULL OR lease_until < now())
         AND stage = (SELECT min(stage) FROM kindred.task WHERE run = $1 AND NOT done)
         ORDER BY number DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING stage, number`,
      [this.id, this.#worker, leaseMs],
    );
    if (row === undefined) return undefined;
    const { stage, number } = row;
    if (stage === orderOf.rarity && number === rarityNumber) return { stage: 'rarity', number: 0 };
    return { stage: stages.find((name) => orderOf[name] === stage)!, number };
  }

  async #finish(task: Task, { pieces, result }: TaskResult): Promise<void> {
    await this.#home.transaction(async (connection) => {
      const [own] = await connection.query(
        `UPDATE kindred.task SET done = true, lease_until = NULL, result = $5
         WHERE run = $1 AND stage = $2 AND number = $3 AND worker = $4 AND NOT done RETURNING true`,
        [...this.#keyOf(task), this.#worker, JSON.stringify(result ?? null)],
      );
      if (own === undefined) throw new LeaseLost();
      await connection.copyIn('kindred.piece', ['run', 'stage', 'target', 'source', 'bytes'], async (to) => {
        for (const { target, bytes } of pieces) {
          to.begin();
          to.int4(this.id);
          to.int2(stages.indexOf(task.stage));
          to.int4(target);
          to.int4(task.number);
          to.bytes(bytes);
          if (to.isFull) await to.flush();
        }
      });
    });
  }

  async #giveBack(task: Task): Promise<void> {
    await this.#home.query(
      `UPDATE kindred.task SET lease_until = NULL, worker = NULL
       WHERE run = $1 AND stage = $2 AND number = $3 AND worker = $4 AND NOT done`,
      [...this.#keyOf(task), this.#worker],
    );
  }

  /** Returns the pieces of a stage for a target, in the order of the tasks that wrote them. */
  async pieces(stage: Stage, target: number): Promise<Buffer[]> {
    const rows = await this.#home.query<{ bytes: Buffer }>(
      'SELECT bytes FROM kindred.piece WHERE run = $1 AND stage = $2 AND target = $3 ORDER BY source',
      [this.id, stages.indexOf(stage), target],
    );
    return rows.map(({ bytes }) => bytes);
  }

  /** Returns the results of a completed stage, in the order of tasks. */
  async results<Result>(stage: Exclude<Stage, 'rarity'>): Promise<Result[]> {
    const rows = await this.#home.query<{ result: Result }>(
      'SELECT result FROM kindred.task WHERE run = $1 AND stage = $2 AND number < $3 ORDER BY number',
      [this.id, orderOf[stage], rarityNumber],
    );
    return rows.map(({ result }) => result);
  }

  async #progress(): Promise<RunProgress> {
    const [row] = await this.#home.query<{ done: number; total: number }>(
      'SELECT count(*) FILTER (WHERE done)::int AS done, count(*)::int AS total FROM kindred.task WHERE run = $1',
      [this.id],
    );
    if (row!.total === 0) throw runGone();
    return row!;
  }

  #keyOf({ stage, number }: Task): [run: number, stage: number, number: number] {
    return [this.id, orderOf[stage], stage === 'rarity' ? rarityNumber : number];
  }
}

export interface RunProgress {
  readonly done: number;
  readonly total: number;
}

export interface RunMonitor {
  readonly onProgress: (progress: RunProgress) => void;
  readonly cancelled: () => boolean;
}

/** Creates the error for a run that was replaced by a scan of another state. */
export function runGone(): DatabaseError {
  return new DatabaseError(
    'Repositories have changed while the scan ran, and another scan has begun: repeat the command.',
  );
}

export type TaskCounts = Readonly<Record<Exclude<Stage, 'rarity'>, number>>;

/**
 * Returns the run for a state of the repositories: the existing one with its completed tasks, or a new one. Runs of
 * other states are removed.
 *
 * @param generations  plain data that tells workers which documents to compare
 */
export async function beginRun(
  home: Server,
  state: string,
  generations: unknown,
  counts: TaskCounts,
): Promise<{ readonly run: Run; readonly isNew: boolean }> {
  return home.transaction(async (connection) => {
    const [made] = await connection.query<{ id: number }>(
      `INSERT INTO kindred.run (state, generations) VALUES ($1, $2) ON CONFLICT (state) DO NOTHING RETURNING id`,
      [state, JSON.stringify(generations)],
    );
    if (made === undefined) {
      const [there] = await connection.query<{ id: number }>('SELECT id FROM kindred.run WHERE state = $1', [state]);
      return { run: new Run(home, there!.id), isNew: false };
    }
    await connection.query('DELETE FROM kindred.run WHERE id <> $1', [made.id]);
    for (const stage of ['near', 'seeds', 'matches'] as const) {
      await connection.query(
        'INSERT INTO kindred.task (run, stage, number) SELECT $1, $2, generate_series(0, $3::int - 1)',
        [made.id, orderOf[stage], counts[stage]],
      );
    }
    await connection.query('INSERT INTO kindred.task (run, stage, number) VALUES ($1, $2, $3)', [
      made.id,
      orderOf.rarity,
      rarityNumber,
    ]);
    return { run: new Run(home, made.id), isNew: true };
  });
}

/** Returns the unfinished run with its inputs; `undefined` if there is none. */
export async function currentRun(
  home: Asked & Server,
): Promise<{ readonly run: Run; readonly state: string; readonly generations: unknown } | undefined> {
  const [row] = await home.query<{ id: number; state: string; generations: unknown }>(
    `SELECT id, state, generations FROM kindred.run
     WHERE EXISTS (SELECT FROM kindred.task WHERE task.run = run.id AND NOT done) ORDER BY id DESC LIMIT 1`,
  );
  return row && { run: new Run(home, row.id), state: row.state, generations: row.generations };
}
