/** The worker of the page: answers one request at a time, so that the page stays responsive. */
import { compareTwoTexts } from './compareTwoTexts.ts';
import type { Answer, Request } from './messages.ts';

/** The global scope of a worker has the methods of a worker seen from the other side. */
const page = globalThis as unknown as Pick<Worker, 'postMessage' | 'onmessage'>;

page.onmessage = ({ data }: MessageEvent<Request>): void => {
  let answer: Answer;
  try {
    answer = answerTo(data);
  } catch (error) {
    answer = { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  page.postMessage(answer);
};

function answerTo(request: Request): Answer {
  return { type: 'compared', comparison: compareTwoTexts(request.pair) };
}
