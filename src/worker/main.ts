/** The port of the worker thread: one message in, one call, answers out. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ExplainRequest, Request, WorkerData } from '../protocol/messages.ts';
import { explainMatch } from './explainMatch.ts';
import { Session } from './session.ts';

const port = parentPort;
if (port) {
  const session = new Session((workerData as WorkerData).wanted, (response) => port.postMessage(response));
  port.on('message', (request: Request | ExplainRequest) => {
    if (request.type === 'explain') port.postMessage(explainMatch(request));
    else session.handle(request);
  });
}
