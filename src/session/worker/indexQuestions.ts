/** Queue of questions to the index of the last report. They wait until the index is up to date. */
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { ScanRequest as FullScan } from '../../scan/indexer/scan.ts';
import type { ScanInput } from '../../scan/indexer/scanInput.ts';
import type { ScanRequest } from '../protocol/messages.ts';

export interface ReportInputs {
  readonly request: ScanRequest;
  readonly input: ScanInput;
  readonly lexicons: readonly Lexicon[];
  /** A scan request that would produce the same report. */
  readonly scan: FullScan;
}

/** Function that answers a question. If there is no index or no report, its arguments are `undefined`. */
type Answerer<Answer> = (live: LiveScan | undefined, inputs: ReportInputs | undefined) => Answer | Promise<Answer>;

export class IndexQuestions {
  readonly #waiting: Answerer<void>[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  /** Queues a question. `answerNext` settles the returned promise. */
  add<Answer>(answer: Answerer<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(async (live, inputs) => {
        try {
          resolve(await answer(live, inputs));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
    });
  }

  /** Answers the oldest question in the queue. Never rejects. */
  async answerNext(...given: Parameters<Answerer<void>>): Promise<void> {
    await this.#waiting.shift()?.(...given);
  }
}
