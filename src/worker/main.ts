/** The port of the worker thread: one message in, one call, answers out. */
import { defaultOptions } from '../engine/options.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { newConfiguration } from '../io/newConfiguration.ts';
import type {
  ChangedRequest,
  CheckRequest,
  ConfigurationRequest,
  ConfigurationResponse,
  ExplainRequest,
  FileSystemAnswer,
  FindRequest,
  HidingRequest,
  ListedRequest,
  LookRequest,
  Request,
  WorkerData,
} from '../protocol/messages.ts';
import { changedFiles } from './changedFiles.ts';
import { explainMatch } from './explainMatch.ts';
import { Session } from './session.ts';

const port = parentPort;
if (port) {
  const session = new Session((workerData as WorkerData).wanted, (response) => port.postMessage(response));
  port.on(
    'message',
    (
      message:
        | Request
        | ExplainRequest
        | ConfigurationRequest
        | ChangedRequest
        | FindRequest
        | CheckRequest
        | ListedRequest
        | LookRequest
        | HidingRequest
        | FileSystemAnswer,
    ) => {
      switch (message.type) {
        case 'scan':
        case 'update':
          session.handle(message);
          return;
        case 'explain':
          port.postMessage(explainMatch(message));
          return;
        case 'changed':
          void changedFiles(message).then((answer) => port.postMessage(answer));
          return;
        case 'newConfiguration': {
          const { type, id, folder } = message;
          port.postMessage({
            type,
            id,
            made: newConfiguration(folder, defaultOptions),
          } satisfies ConfigurationResponse);
          return;
        }
        case 'find':
        case 'check':
          session.ask(message);
          return;
        case 'listed':
          session.listed(message);
          return;
        case 'look':
          void session.look(message);
          return;
        case 'hiding':
          void session.whatHides(message);
          return;
        case 'folder':
        case 'file':
        case 'unreadable':
          session.answered(message);
      }
    },
  );
}
