/**
 * Child processes with their own children. Each is started as the leader of a process group, and the group is ended as
 * a whole.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Starts a program as the leader of a new process group. (Windows has no groups, so only the program is ended there.)
 *
 * @param {string} program
 * @param {readonly string[]} programArguments
 * @param {import('node:child_process').SpawnOptions} options
 */
export function startGroup(program, programArguments, options) {
  return spawn(program, programArguments, { ...options, detached: process.platform !== 'win32' });
}

/**
 * Ends a group with SIGTERM, then with SIGKILL after `patienceMs`. Resolves when its leader has ended.
 *
 * @param {import('node:child_process').ChildProcess} leader  from `startGroup`
 * @param {number} patienceMs
 */
export async function endGroup(leader, patienceMs) {
  const ended = hasEnded(leader) ? Promise.resolve() : once(leader, 'exit');
  signalGroup(leader, 'SIGTERM');
  const patience = new AbortController();
  await Promise.race([ended, delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})]);
  patience.abort();
  // Remaining members keep the id of the group reserved, so the signal cannot reach other processes.
  signalGroup(leader, 'SIGKILL');
  await ended;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 */
function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

/**
 * @param {import('node:child_process').ChildProcess} leader
 * @param {NodeJS.Signals} signal
 */
function signalGroup(leader, signal) {
  if (leader.pid === undefined) return;
  try {
    if (process.platform === 'win32') leader.kill(signal);
    else process.kill(-leader.pid, signal);
  } catch (error) {
    // ESRCH: the group has no members left.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * Runs `end` once when this process receives a signal to stop (Ctrl+C, a closed terminal, kill), then exits.
 *
 * @param {() => Promise<void>} end
 * @param {number} [exitCode]  130, the code of an interrupted program in a shell, unless a stop is the normal end
 */
export function onStop(end, exitCode = 130) {
  let stopping = false;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      end().then(
        () => process.exit(exitCode),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
