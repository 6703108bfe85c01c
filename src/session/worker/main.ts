/** Entry point of the worker thread: implements the methods that its clients call. */
import { type MessagePort, parentPort, setEnvironmentData, workerData } from 'node:worker_threads';
import { config } from '@vscode/l10n';
import { defaultOptions } from '../../core/engine/options.ts';
import { translationsKey } from '../../scan/indexer/scanThread.ts';
import { changeConfiguration } from '../../scan/io/changeConfiguration.ts';
import { newConfiguration } from '../../scan/io/newConfiguration.ts';
import { Channel } from '../protocol/channel.ts';
import type { HostMethods, WorkerData, WorkerMethods } from '../protocol/messages.ts';
import { changedFiles } from './changedFiles.ts';
import { checkFindings } from './checkFindings.ts';
import { explainMatch } from './explainMatch.ts';
import { findInOrganisation } from './findInOrganisation.ts';
import { findSimilar } from './findSimilar.ts';
import { Session } from './session.ts';

if (parentPort) listen(parentPort);

function listen(port: MessagePort): void {
  const { wanted, translations } = workerData as WorkerData;
  if (translations) {
    config({ contents: translations });
    // Translations for the scan threads.
    setEnvironmentData(translationsKey, translations);
  }
  const channel = new Channel<WorkerMethods, HostMethods>(port);
  const session = new Session(wanted, channel);
  channel.serve({
    run: (request) => session.run(request),
    ignore: (ignored) => session.ignore(ignored),
    tune: (request) => session.tune(request),
    explain: explainMatch,
    newConfiguration: (folder) => newConfiguration(folder, defaultOptions),
    changeConfiguration,
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
    findHiding: (path) => session.findHiding(path),
  });
}
