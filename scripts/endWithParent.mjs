/**
 * Loaded into the leader of a process group with node --import. Kills the whole group when the process that started it
 * has ended for any reason, so that an interrupted test leaves no processes behind.
 */
import { isMainThread } from 'node:worker_threads';

// Node passes --import on to child processes, which may watch as well, and to threads, which need not.
if (isMainThread) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(0, 'SIGKILL');
  }, 1000).unref();
}
