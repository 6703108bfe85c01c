/**
 * Answers an agent after it has written to a file: with one short note if existing code already does what the new code
 * does. The answer never blocks the agent's action.
 */
import { statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { isTestPath } from '../../core/engine/rows/testPaths.ts';
import { existingFunction, type FoundFunction } from './existingFunction.ts';
import type { AgentEvent, Client, FileWrite } from './hookEvent.ts';
import { createMark, hashOf, hookCache, marksOf, nearestUnitsOf, rootOfEvent, unitsOf } from './hookFiles.ts';
import { noteText } from './noteText.ts';
import { remember, reminderOf } from './reminder.ts';
import type { UnitIndex } from './unitIndex.ts';
import { recordWaiting, takeWaiting } from './waitingWrites.ts';

/**
 * Time in milliseconds during which a write gets only one note, even if several hooks are called for it. A client may
 * wait ten seconds for one hook before it calls the next.
 */
const repeatMs = 20_000;

/** Access to the indexes, either for a process that exits after its answer or for a server. */
export interface Indexes {
  /** Passes the index stored in a file to a function; passes `undefined` if the file does not exist. */
  readonly withUnits: <T>(place: string, use: (units: UnitIndex | undefined) => T) => T;
  /** Renews the index of a tree. `later` lets the implementation delay or skip the renewal. */
  readonly renew: (root: string, when: 'now' | 'later') => Promise<void>;
  /** Calls a function, and may interrupt it by an exception if it takes too long. */
  readonly inTime: <T>(search: () => T) => T;
}

/** Returns the answer for the agent; an empty string if there is no note. */
export async function answerHook(agentEvent: AgentEvent, env: NodeJS.ProcessEnv, indexes: Indexes): Promise<string> {
  const { event, cwd } = agentEvent;
  const root = rootOfEvent(agentEvent);
  const cache = hookCache(env);
  if (event.type !== 'written') {
    await indexes.renew(root, 'now');
    // In Cursor and Copilot, any answer to this event would start another turn.
    if (event.type === 'start' || event.isContinued || event.client !== 'claude') return '';
    const reminder = indexes.inTime(() => {
      for (const found of waitingIn(cache, event.session, root, indexes)) remember(cache, event.session, root, found);
      return reminderOf(cache, event.session, cwd);
    });
    return reminder === undefined ? '' : JSON.stringify({ systemMessage: reminder });
  }
  const { session, write } = event;
  const [found, ...others] = indexes.inTime(() => {
    const place = nearestUnitsOf(cache, root);
    const own = indexes.withUnits(place, (units) => {
      // If the index was stored after the write, it may contain what was written.
      if (units !== undefined) return foundFor(write, root, isNewer(place, write.file) ? ofCommitted(units) : units);
      recordWaiting(cache, session, root, write);
      return undefined;
    });
    return own === undefined ? waitingIn(cache, session, root, indexes) : [own];
  });
  // A note is about one function. The reminder has the others, too.
  for (const other of others) remember(cache, session, root, other);
  await indexes.renew(root, 'later');
  if (found === undefined || !claim(cache, write)) return '';
  remember(cache, session, root, found);
  return asAnswer(event.client, noteText(found));
}

/** Returns what exists for the writes of a session that had to wait for the index of their tree. */
function waitingIn(cache: string, session: string, root: string, { withUnits }: Indexes): FoundFunction[] {
  return withUnits(unitsOf(cache, root), (units) => {
    if (units === undefined) return [];
    const committed = ofCommitted(units);
    return takeWaiting(cache, session, root).flatMap((write) => foundFor(write, root, committed) ?? []);
  });
}

/** Returns an index that contains the writes to be looked up, so that only committed functions count as older. */
function ofCommitted(units: UnitIndex): UnitIndex {
  return { ...units, has: units.hasCommitted };
}

function isNewer(file: string, other: string): boolean {
  const [time, otherTime] = [file, other].map((one) => statSync(one, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return time! >= otherTime!;
}

function foundFor(write: FileWrite, root: string, units: UnitIndex): FoundFunction | undefined {
  const own = path.relative(root, write.file).split(path.sep).join('/');
  // Skip tests, because they repeat code on purpose. Skip prose, because it has no functions.
  const lexicon = lexiconForPath(own);
  if (own.startsWith('../') || isTestPath(own) || lexicon.prose) return undefined;
  return existingFunction(write, { root, own, lexicon, units });
}

/** Renews the index of a tree in a separate process, which reads only changed files. */
export async function renewIndex(root: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const program = fileURLToPath(new URL('./cli.js', import.meta.url));
  const options = { cwd: root, detached: true, stdio: 'ignore', windowsHide: true } as const;
  const child = spawn(process.execPath, [program, 'hook', '--index'], options);
  // Ignore errors: without an index, agents just get no notes.
  child.on('error', () => undefined).unref();
}

function asAnswer(client: Client, note: string): string {
  switch (client) {
    case 'claude':
      return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } });
    case 'copilot':
      return JSON.stringify({ additionalContext: note });
    case 'cursor':
      return JSON.stringify({ additional_context: note });
  }
}

/**
 * Returns true for the first call for a write, and false for others that follow soon. Some clients read the hooks of
 * several clients, such as VS Code those in `.github/hooks` and `.claude`, and call each of them.
 *
 * Ids of calls do not help, because a client may use several formats, and not all of them have an id.
 */
function claim(cache: string, write: FileWrite): boolean {
  const mark = path.join(marksOf(cache), `${hashOf(JSON.stringify(write))}.write`);
  if (createMark(mark)) return true;
  const now = new Date();
  if (now.getTime() - statSync(mark).mtimeMs < repeatMs) return false;
  utimesSync(mark, now, now);
  return true;
}
