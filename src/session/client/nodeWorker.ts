/** Starts the worker thread in Node. */
import { Worker } from 'node:worker_threads';
import type { WorkerData } from '../protocol/messages.ts';
import type { WorkerThread } from './engineClient.ts';

/** Maximum MB of the worker's young generation. V8's default, 48, uses more memory as long as the window is open. */
const youngMB = 12;

/** @param script  absolute path of the worker's bundle */
export function nodeWorker(script: string): (data: WorkerData) => WorkerThread {
  return (workerData) => new Worker(script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: youngMB } });
}
