/** The script of a lane's thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { indexFiles, type LaneTask } from './indexFiles.ts';

parentPort?.postMessage(await indexFiles(workerData as LaneTask, () => Promise.resolve()));
