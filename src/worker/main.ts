/** The port of the worker thread: one message in, one call, answers out. */
import { parentPort, setEnvironmentData, workerData } from 'node:worker_threads';
import { config } from '@vscode/l10n';
import { defaultOptions } from '../engine/options.ts';
import { translationsKey } from '../indexer/scanThread.ts';
import { changeConfiguration } from '../io/changeConfiguration.ts';
import { newConfiguration } from '../io/newConfiguration.ts';
import type {
  ChangeConfigurationRequest,
  ChangedConfigurationResponse,
  ChangedRequest,
  CheckRequest,
  ConfigurationRequest,
  ConfigurationResponse,
  CountFilesRequest,
  ExplainRequest,
  FileSystemAnswer,
  FindInOrganisationRequest,
  FindRequest,
  HidingRequest,
  IgnoreRequest,
  LeaveOrganisationRequest,
  ListedRequest,
  LookRequest,
  Request,
  TuneRequest,
  UntuneRequest,
  WorkerData,
} from '../protocol/messages.ts';
import { changedFiles } from './changedFiles.ts';
import { explainMatch } from './explainMatch.ts';
import { findInOrganisation, leaveOrganisation } from './findInOrganisation.ts';
import { Session } from './session.ts';

type Message =
  | Request
  | ExplainRequest
  | ConfigurationRequest
  | ChangeConfigurationRequest
  | FindRequest
  | FindInOrganisationRequest
  | LeaveOrganisationRequest
  | CountFilesRequest
  | CheckRequest
  | ChangedRequest
  | ListedRequest
  | LookRequest
  | HidingRequest
  | IgnoreRequest
  | TuneRequest
  | UntuneRequest;

const port = parentPort;
if (port) {
  const { wanted, translations } = workerData as WorkerData;
  if (translations) {
    config({ contents: translations });
    // For the threads of a scan.
    setEnvironmentData(translationsKey, translations);
  }
  const session = new Session(wanted, (response) => port.postMessage(response));
  port.on('message', (message: Message | FileSystemAnswer) => {
    if (isAnswer(message)) return session.answered(message);
    switch (message.type) {
      case 'scan':
      case 'update':
        session.handle(message);
        return;
      case 'explain':
        port.postMessage(explainMatch(message));
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
      case 'changeConfiguration': {
        const { id, text, values } = message;
        const changed = { type: 'changedConfiguration', id, text: changeConfiguration(text, values) } as const;
        port.postMessage(changed satisfies ChangedConfigurationResponse);
        return;
      }
      case 'tune':
      case 'untune':
        session.tune(message);
        return;
      case 'find':
      case 'countFiles':
      case 'check':
        session.ask(message);
        return;
      case 'findInOrganisation':
        void findInOrganisation(message).then((answer) => port.postMessage(answer));
        return;
      case 'leaveOrganisation':
        leaveOrganisation(message);
        return;
      case 'changed':
        void changedFiles(message).then((answer) => port.postMessage(answer));
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
      case 'ignore':
        void session.ignore(message);
        return;
    }
  });
}

/** What the host says of a file system that the session has asked about. */
function isAnswer(message: Message | FileSystemAnswer): message is FileSystemAnswer {
  const { type } = message;
  return type === 'folder' || type === 'file' || type === 'unreadable';
}
