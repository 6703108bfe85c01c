/**
 * Entry point of threads in a browser: of the extension's worker, and of its scan threads. The first message determines
 * its role. Browsers have no disk, no Git, and no other programs.
 */
import { config } from '@vscode/l10n';
import { canShare } from '../../core/collections/threads.ts';
import type { KernelMemory } from '../../core/engine/kernel.ts';
import type { ScanSystem, Thread } from '../../scan/indexer/scanThread.ts';
import { serveScan } from '../../scan/indexer/serveScan.ts';
import { memoryReader } from '../../scan/io/sourceReader.ts';
import { Channel, type Message, type Port } from '../protocol/channel.ts';
import type { HostMethods, WebWorkerData, WorkerMethods } from '../protocol/messages.ts';
import { serve } from './serve.ts';
import type { System } from './system.ts';
import { webStorage } from './webStorage.ts';
import { WebThread, type WebWorker } from '../protocol/webThread.ts';

/** First message to a scan thread. */
interface ScanThreadData {
  readonly type: 'scanThread';
  readonly memory: KernelMemory;
  readonly translations: WebWorkerData['translations'];
}

/** The global scope inside a worker has the same methods as the worker object outside. */
const scope = globalThis as unknown as WebWorker & {
  readonly navigator: { readonly hardwareConcurrency: number; readonly userAgent: string };
  readonly Worker: new (script: string) => WebWorker;
};

scope.onmessage = ({ data }) => {
  const first = data as WebWorkerData | ScanThreadData;
  if (first.translations) config({ contents: first.translations });
  if (first.type === 'session') serveSession(first);
  else serveScan(portOf(scope), first.memory, memoryReader);
};

function serveSession({ script, digest, wantedGeneration, translations }: WebWorkerData): void {
  const channel = new Channel<WorkerMethods, HostMethods>(portOf<Message>(scope));
  const startThread = (memory: KernelMemory): Thread =>
    new WebThread(() => {
      const worker = new scope.Worker(script);
      worker.postMessage({ type: 'scanThread', memory, translations } satisfies ScanThreadData);
      return Promise.resolve(worker);
    });
  const scan: ScanSystem = {
    reader: memoryReader,
    threads: canShare ? () => Promise.resolve(startThread) : undefined,
  };
  const system: System = {
    disk: undefined,
    scan,
    // Add the browser to the key of stored files, because it determines the words of scripts without spaces.
    storage: webStorage(channel, `${digest} ${scope.navigator.userAgent}`),
    processors: scope.navigator.hardwareConcurrency,
    collectGarbage: () => undefined,
  };
  const noGit = 'there is no Git in a browser.';
  serve(channel, system, new Int32Array(wantedGeneration), {
    check: () => ({ check: undefined, reason: 'refused', problem: noGit }),
    changedFiles: () => ({ files: undefined, problem: noGit }),
    findInWorktrees: () => ({ similar: undefined, reason: 'refused', problem: noGit }),
    findInOrganisation: () => ({ problem: 'A browser cannot read the index of an organization.' }),
  });
}

/** Returns the message port to the thread that has started this one. */
function portOf<Received>(own: WebWorker): {
  postMessage: Port['postMessage'];
  on: (event: 'message', listener: (message: Received) => void) => void;
} {
  return {
    postMessage: (message: unknown, transfer?: readonly unknown[]) => own.postMessage(message, transfer ?? []),
    on: (_, listener) => {
      own.onmessage = ({ data }) => listener(data as Received);
    },
  };
}
