/** The port of the worker thread: one message in, one call, answers out. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ExplainRequest, FileSystemAnswer, LookRequest, Request, WorkerData } from '../protocol/messages.ts';
import { explainMatch } from './explainMatch.ts';
import { Session } from './session.ts';

const port = parentPort;
if (port) {
  const session = new Session((workerData as WorkerData).wanted, (response) => port.postMessage(response));
  port.on('message', (message: Request | ExplainRequest | LookRequest | FileSystemAnswer) => {
    switch (message.type) {
      case 'scan':
      case 'update':
        session.handle(message);
        return;
      case 'explain':
        port.postMessage(explainMatch(message));
        return;
      case 'look':
        void session.look(message);
        return;
      case 'folder':
      case 'file':
      case 'unreadable':
        session.answered(message);
    }
  });
}
