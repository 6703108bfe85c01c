/** Worker of a run: performs tasks with its own kernel, and knows the names of all documents. */
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { Options } from '../../core/engine/options.ts';
import { hash64 } from '../../core/methods/hash64.ts';
import type { Database } from '../database/openDatabase.ts';
import { defaultParts } from '../database/parts.ts';
import { type Asked, type Generations, readDocuments, type StoredDocuments } from './catalogue.ts';
import { HeldContents } from './heldContents.ts';
import { type MatchContext, matchSeeds } from './matchTask.ts';
import { checkMethod, type Method, storedMethod } from './method.ts';
import { findNear } from './nearTask.ts';
import { payloadsOf } from './payloads.ts';
import { measureRarity } from './rarityTask.ts';
import { currentRun, type Run, runGone, type RunMonitor, type Task, type TaskResult } from './run.ts';
import { makeSeeds, type SeedContext } from './seedTask.ts';

/** Data that all workers of a run share. */
export interface RunContents {
  readonly stored: StoredDocuments;
  /** Contents in the database that belong to no document of the run. */
  readonly hidden: readonly number[];
  /** Number of tasks that divide the parts, and number of match tasks. */
  readonly partTasks: number;
  readonly matchTasks: number;
}

/** Reads the documents of the generations that a run compares. */
export async function readRunContents(home: Asked, generations: Generations): Promise<RunContents> {
  const stored = await readDocuments(home, generations);
  const contents = await home.query<{ id: bigint }>('SELECT id FROM kindred.content');
  const hidden = contents.map(({ id }) => Number(id)).filter((id) => !stored.shapes.has(id));
  return { stored, hidden, ...tasksFor(stored) };
}

/** Approximate number of document tokens in a task: a few seconds of work where much is alike. */
const tokensOfTask = { near: 100_000, matches: 500_000 };

function tasksFor({ documents, shapes }: StoredDocuments): Pick<RunContents, 'partTasks' | 'matchTasks'> {
  const tokens = documents.reduce((sum, { content }) => sum + shapes.get(content)!.tokenCount, 0);
  const tasks = (each: number, most: number): number => Math.max(1, Math.min(most, Math.ceil(tokens / each)));
  return { partTasks: tasks(tokensOfTask.near, defaultParts), matchTasks: tasks(tokensOfTask.matches, 4_096) };
}

/** Returns a key that identifies the compared state of the repositories. */
export function stateOf({ key }: Method, { documents, skipped }: StoredDocuments): string {
  const lines = documents.map(({ path, part, content }) => `${path}\0${part}\0${content}`);
  return hash64([key, ...lines, ...skipped.map(({ path, reason }) => `${path}\0${reason}`)].join('\n')).toString(16);
}

/** Performs tasks until all are done. Returns false if cancelled. */
export async function workOn(
  database: Database,
  options: Options,
  run: Run,
  { stored, hidden, matchTasks, partTasks }: RunContents,
  monitor: RunMonitor,
): Promise<boolean> {
  const context: SeedContext = { database, run, options, kernel: new Kernel(createMemory()), stored, matchTasks };
  const source = payloadsOf(database);
  const taskOf = (part: number): number => part % partTasks;
  const partsOf = (task: number): number[] =>
    Array.from({ length: database.parts }, (_, part) => part).filter((part) => taskOf(part) === task);
  let matching: MatchContext | undefined;
  const perform = async ({ stage, number }: Task): Promise<TaskResult> => {
    switch (stage) {
      case 'near':
        return findNear({ database, kernel: context.kernel, options, parts: partsOf(number), taskOf, hidden });
      case 'rarity':
        return { pieces: [{ target: 0, bytes: await measureRarity({ source, kernel: context.kernel, stored }) }] };
      case 'seeds':
        return makeSeeds(context, number, partsOf(number));
      case 'matches':
        matching ??= {
          ...context,
          idfTable: await rarityOf(run),
          held: new HeldContents(source, context.kernel, stored.shapes),
        };
        return matchSeeds(matching, number);
    }
  };
  // If a part was moved to another server meanwhile, the task is repeated.
  return run.work((task) => database.stable(() => perform(task)), monitor);
}

/** Returns the idf table of a run after it was measured. */
export async function rarityOf(run: Run): Promise<Uint8Array> {
  const [bytes] = await run.pieces('rarity', 0);
  if (bytes === undefined) throw runGone();
  return bytes;
}

/**
 * Joins the current run as an additional worker, and performs tasks until all are done. Returns `undefined` if there is
 * none.
 *
 * @param scanThread  see `methodOf`
 */
export async function joinRun(database: Database, scanThread: URL, monitor: RunMonitor): Promise<boolean | undefined> {
  const { home } = database;
  const method = await storedMethod(home);
  const current = method && (await currentRun(home));
  if (current === undefined) return undefined;
  checkMethod(method!, scanThread);
  const contents = await readRunContents(home, current.generations as Generations);
  if (stateOf(method!, contents.stored) !== current.state) throw runGone();
  return workOn(database, method!.options, current.run, contents, monitor);
}
