/** Shows in the client the progress of slow operations on the index. */
import type { Connection, WorkDoneProgressServerReporter } from 'vscode-languageserver/node';
import type { State } from '../../../session/client/follower.ts';

/** Delay in milliseconds before progress is shown. Most updates finish sooner. */
const afterMs = 500;

const wordsOf = { reading: 'Reading files', matching: 'Comparing', grouping: 'Grouping' } as const;

export class IndexProgress {
  readonly #connection: Connection;
  /** True if the client supports progress. */
  isShown = false;
  #timer: NodeJS.Timeout | undefined;
  #state: State | undefined;
  #reporter: Promise<WorkDoneProgressServerReporter> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  show(state: State): void {
    if (!this.isShown) return;
    this.#state = state;
    if (state.type !== 'scanning') return this.#end();
    this.#timer ??= setTimeout(() => this.#begin(), afterMs);
    const { progress } = state;
    if (progress === undefined) return;
    const percentage = progress.total === 0 ? 0 : Math.floor((100 * progress.done) / progress.total);
    void this.#reporter?.then((reporter) => reporter.report(percentage, wordsOf[progress.phase]));
  }

  #begin(): void {
    if (this.#state?.type !== 'scanning') return;
    this.#reporter = this.#connection.window.createWorkDoneProgress();
    void this.#reporter.then((reporter) => reporter.begin('Kindred', 0, 'Looking for files'));
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    void this.#reporter?.then((reporter) => reporter.done());
    this.#reporter = undefined;
  }
}
