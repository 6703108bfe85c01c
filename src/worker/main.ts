/** The port of the worker thread: one message in, one call, answers out. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Request, WorkerData } from '../protocol/messages.ts';
import { Session } from './session.ts';

const port = parentPort;
if (port) {
  const session = new Session((workerData as WorkerData).wanted, (response) => port.postMessage(response));
  port.on('message', (request: Request) => session.handle(request));
}
