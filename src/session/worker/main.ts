/** Entry point of the worker thread in Node. */
import { availableParallelism } from 'node:os';
import { type MessagePort, parentPort, setEnvironmentData, workerData } from 'node:worker_threads';
import { config } from '@vscode/l10n';
import { nodeSystem } from '../../scan/indexer/nodeSystem.ts';
import { translationsKey } from '../../scan/indexer/scanThread.ts';
import { Channel } from '../protocol/channel.ts';
import type { HostMethods, WorkerData, WorkerMethods } from '../protocol/messages.ts';
import { changedFiles } from './changedFiles.ts';
import { checkFindings } from './checkFindings.ts';
import { findInOrganisation } from './findInOrganisation.ts';
import { findInWorktrees } from './findInWorktrees.ts';
import { nodeDisk } from './nodeDisk.ts';
import { nodeStorage } from './nodeStorage.ts';
import { serve } from './serve.ts';
import { collectGarbage } from './spareHeap.ts';

/** Scripts of the scan threads and of the worker. Both are in the same folder as this one. */
const scanThread = new URL('scanThread.js', import.meta.url);
const program = new URL('worker.js', import.meta.url);

if (parentPort) listen(parentPort);

function listen(port: MessagePort): void {
  const { wantedGeneration, translations } = workerData as WorkerData;
  if (translations) {
    config({ contents: translations });
    // The scan threads need the translations, too.
    setEnvironmentData(translationsKey, translations);
  }
  const channel = new Channel<WorkerMethods, HostMethods>(port);
  const system = {
    disk: nodeDisk,
    scan: nodeSystem(scanThread),
    storage: nodeStorage({ scanThread, program }, (message) => channel.notify('warning', message)),
    processors: availableParallelism(),
    collectGarbage,
  };
  serve(channel, system, new Int32Array(wantedGeneration), {
    check: (session, params) =>
      session.addQuestion((live, inputs) =>
        checkFindings(live && inputs && { live, request: inputs.scan }, inputs?.request.roots ?? [], params),
      ),
    findInWorktrees: (session, params) =>
      session.addQuestion((_live, inputs) => findInWorktrees(inputs?.scan, inputs?.request.roots ?? [], params)),
    changedFiles,
    findInOrganisation,
  });
}
