/**
 * Loaded into a program that leads a process group (node --import): ends the whole group as soon as the process that
 * started it is gone, in whatever way that went. Nothing is left running by a test that is killed.
 */
import { isMainThread } from 'node:worker_threads';

// Node hands --import on to the program's own processes, which may well watch too, and to their threads, which need not.
if (isMainThread) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(0, 'SIGKILL');
  }, 1000).unref();
}
