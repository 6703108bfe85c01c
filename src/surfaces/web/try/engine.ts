/** Client of the worker that runs the engine. Its script is embedded, so that the page is a single file. */
import type { Answer, WorkerMessage, Progress, Request } from './messages.ts';

let source: string | undefined;

function startWorker(): Worker {
  source ??= URL.createObjectURL(
    new Blob([document.getElementById('worker')!.textContent], { type: 'text/javascript' }),
  );
  return new Worker(source);
}

/** Sends requests to a worker, one at a time. If several are waiting, keeps only the newest. */
export class Engine {
  #worker: Worker | undefined;
  #isBusy = false;
  #waiting: Request | undefined;
  readonly #receive: (answer: Answer) => void;
  readonly #report: (progress: Progress) => void;

  constructor(receive: (answer: Answer) => void, report: (progress: Progress) => void = () => undefined) {
    this.#receive = receive;
    this.#report = report;
  }

  submit(request: Request): void {
    if (this.#isBusy) this.#waiting = request;
    else this.#send(request);
  }

  /** Terminates the worker. The current request gets no answer. */
  cancel(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isBusy = false;
    this.#waiting = undefined;
  }

  #send(request: Request): void {
    this.#isBusy = true;
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = startWorker();
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>): void => {
      if (data.type === 'progress') {
        this.#report(data.progress);
        return;
      }
      this.#isBusy = false;
      const next = this.#waiting;
      this.#waiting = undefined;
      if (next) this.#send(next);
      this.#receive(data);
    };
    worker.onerror = ({ message }): void => {
      this.cancel();
      this.#receive({ type: 'failed', message });
    };
    return worker;
  }
}
