/** Worker of the page, which processes one request at a time. It keeps the page responsive. */
import { find, type Scan } from '../../../library/scan.ts';
import { compareTwoTexts } from './compareTwoTexts.ts';
import type { Answer, WorkerMessage, Request } from './messages.ts';
import { scanSource } from './scanSource.ts';

/** Global scope of the worker, which has no type here, but the messaging methods of `Worker`. */
const page = globalThis as unknown as Pick<Worker, 'postMessage' | 'onmessage'>;

/** The last scan. Searches use its index. */
let done: Scan | undefined;

page.onmessage = async ({ data }: MessageEvent<Request>): Promise<void> => {
  let answer: Answer;
  try {
    answer = await answerTo(data);
  } catch (error) {
    answer = { type: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
  // Transfer the texts instead of copying them: the worker needs only its index.
  const buffers = answer.type === 'scanned' ? answer.result.texts.map(({ text }) => text.buffer as ArrayBuffer) : [];
  page.postMessage(answer, [...new Set(buffers)]);
};

async function answerTo(request: Request): Promise<Answer> {
  switch (request.type) {
    case 'compare':
      return { type: 'compared', comparison: compareTwoTexts(request.pair) };
    case 'scan': {
      done = undefined;
      const scanned = await scanSource(request.request, (progress) =>
        page.postMessage({ type: 'progress', progress } satisfies WorkerMessage),
      );
      if ('type' in scanned) return { type: 'refused', problem: scanned };
      done = scanned.scan;
      return { type: 'scanned', result: scanned.result };
    }
    case 'find':
      return { type: 'found', found: find(request.text, done ?? [], { language: request.language, limit: maxFound }) };
  }
}

/** Maximum number of passages that a search returns. */
const maxFound = 50;
