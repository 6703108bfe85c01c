/** The script of a lane's thread: it indexes files at once, and matches when it is told what. */
import { parentPort, workerData } from 'node:worker_threads';
import { Kernel } from '../engine/kernel.ts';
import { indexFiles, type LaneTask } from './indexFiles.ts';
import { type MatchingTask, matchSlices } from './matchSlices.ts';

const port = parentPort;
if (!port) throw new Error('This script runs as a thread of a scan only.');
const task = workerData as LaneTask;

port.on('message', (matching: MatchingTask) => {
  void matchSlices(new Kernel(task.memory), matching, () => Promise.resolve()).then((records) => {
    port.postMessage(records, [records.buffer as ArrayBuffer]);
  });
});
port.postMessage(await indexFiles(task, () => Promise.resolve()));
