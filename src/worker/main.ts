/** Entry point of the worker thread: dispatches messages to calls, and posts the answers. */
import { type MessagePort, parentPort, setEnvironmentData, workerData } from 'node:worker_threads';
import { config } from '@vscode/l10n';
import { defaultOptions } from '../engine/options.ts';
import { translationsKey } from '../indexer/scanThread.ts';
import { changeConfiguration } from '../io/changeConfiguration.ts';
import { newConfiguration } from '../io/newConfiguration.ts';
import type { CallName, CallRequest, CallResponse, Params, Result } from '../protocol/calls.ts';
import type { Message, WorkerData } from '../protocol/messages.ts';
import { changedFiles } from './changedFiles.ts';
import { checkFindings } from './checkFindings.ts';
import { explainMatch } from './explainMatch.ts';
import { findInOrganisation } from './findInOrganisation.ts';
import { findSimilar } from './findSimilar.ts';
import { Session } from './session.ts';

/** Implementations of the calls. `signal` is aborted if the caller cancels the call. */
type Implementations = {
  readonly [Name in CallName]: (params: Params<Name>, signal: AbortSignal) => Result<Name> | Promise<Result<Name>>;
};

if (parentPort) listen(parentPort);

function listen(port: MessagePort): void {
  const { wanted, translations } = workerData as WorkerData;
  if (translations) {
    config({ contents: translations });
    // Translations for the scan threads.
    setEnvironmentData(translationsKey, translations);
  }
  const session = new Session(wanted, (response) => port.postMessage(response));
  const implementations = implement(session);
  /** Controllers of the calls in progress, by id. */
  const controllers = new Map<number, AbortController>();
  const answer = async (call: CallRequest): Promise<void> => {
    const controller = new AbortController();
    controllers.set(call.id, controller);
    port.postMessage(await run(implementations, call, controller.signal));
    controllers.delete(call.id);
  };
  port.on('message', (message: Message) => {
    switch (message.type) {
      case 'scan':
      case 'update':
        session.handle(message);
        return;
      case 'call':
        void answer(message);
        return;
      case 'cancelCall':
        controllers.get(message.id)?.abort();
        return;
      case 'tune':
      case 'untune':
        session.tune(message);
        return;
      case 'ignore':
        void session.ignore(message);
        return;
      case 'folder':
      case 'file':
      case 'unreadable':
        session.answered(message);
        return;
    }
  });
}

function implement(session: Session): Implementations {
  return {
    explain: explainMatch,
    newConfiguration: ({ folder }) => newConfiguration(folder, defaultOptions),
    changeConfiguration: ({ text, values }) => changeConfiguration(text, values),
    find: (params) => session.ask((live, inputs) => findSimilar(live, inputs?.lexicons ?? [], inputs?.input, params)),
    findInOrganisation,
    check: (params) =>
      session.ask((live, inputs) =>
        checkFindings(live && inputs && { live, request: inputs.scan }, inputs?.request.roots ?? [], params),
      ),
    changedFiles,
    listFiles: () => session.listFiles(),
    countFiles: () => session.ask((live) => live?.countedFiles()),
    pollDisk: () => session.pollDisk(),
    store: () => session.store(),
    findHiding: ({ path }) => session.findHiding(path),
  };
}

/** Never rejects. */
async function run(implementations: Implementations, call: CallRequest, signal: AbortSignal): Promise<CallResponse> {
  const { id, name, params } = call;
  const implementation = implementations[name] as (params: unknown, signal: AbortSignal) => Promise<Result<CallName>>;
  try {
    return { type: 'returned', id, result: await implementation(params, signal) };
  } catch (error) {
    return { type: 'threw', id, message: error instanceof Error ? error.message : String(error) };
  }
}
