/** Queue of questions to the index of the last report. They wait until the index is up to date. */
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { SimilarPassages } from '../../core/engine/similar/findSimilar.ts';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import type { LiveScan } from '../../scan/indexer/liveScan.ts';
import type { ScanRequest as FullScan } from '../../scan/indexer/scan.ts';
import type { ScanInput, DocumentSearch } from '../../scan/indexer/scanInput.ts';
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

/** Searches an index for a text. `undefined` if there is no answer yet. */
export type Search = (text: SearchedText) => SimilarPassages | undefined | Promise<SimilarPassages | undefined>;

/** Function that answers a question by a search. If there is no index or no report, its arguments are `undefined`. */
type Searcher<Answer> = (search: Search | undefined, inputs: ReportInputs | undefined) => Promise<Answer>;

interface Question {
  readonly answer: Answerer<void>;
  /** Answers the question from documents that have not been compared yet. Returns false if that is not possible. */
  readonly answerEarly?: (search: DocumentSearch, inputs: ReportInputs) => Promise<boolean>;
}

export class IndexQuestions {
  #waiting: Question[] = [];
  readonly #onAdded: () => void;

  /** @param onAdded  called after a question was added to the queue */
  constructor(onAdded: () => void) {
    this.#onAdded = onAdded;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Queues a question. `answerNext` settles the returned promise. */
  add<Answer>(answer: Answerer<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#add({ answer: settling(answer, resolve, reject) });
    });
  }

  /** Queues a question that only needs a search. `answerNext` or `answerSearches` settles the returned promise. */
  addSearch<Answer>(searcher: Searcher<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer: Answerer<Answer> = (live, inputs) =>
        searcher(live && ((text) => live.findSimilar(text, text.query)), inputs);
      const answerEarly: Question['answerEarly'] = async (search, inputs) => {
        let isFound = true;
        const searchNow: Search = async (text) => {
          const found = await search(text);
          isFound = found !== undefined;
          return found;
        };
        try {
          const answered = await searcher(searchNow, inputs);
          if (isFound) resolve(answered);
          return isFound;
        } catch {
          // The question stays in the queue, and `answerNext` reports the error if it occurs again.
          return false;
        }
      };
      this.#add({ answer: settling(answer, resolve, reject), answerEarly });
    });
  }

  #add(question: Question): void {
    this.#waiting.push(question);
    this.#onAdded();
  }

  /** Answers the oldest question in the queue. Never rejects. */
  async answerNext(live: LiveScan | undefined, inputs: ReportInputs | undefined): Promise<void> {
    await this.#waiting.shift()?.answer(live, inputs);
  }

  /** Answers the questions in the queue that only need a search. If one cannot be answered, stops. */
  async answerSearches(search: DocumentSearch, inputs: ReportInputs): Promise<void> {
    for (const question of [...this.#waiting]) {
      if (question.answerEarly === undefined) continue;
      if (!(await question.answerEarly(search, inputs))) return;
      this.#waiting = this.#waiting.filter((other) => other !== question);
    }
  }
}

function settling<Answer>(
  answer: Answerer<Answer>,
  resolve: (answered: Answer) => void,
  reject: (error: Error) => void,
): Answerer<void> {
  return async (live, inputs) => {
    try {
      resolve(await answer(live, inputs));
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  };
}
