/** What is asked of the index of the last report, and the answers. */
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { LiveScan } from '../indexer/liveScan.ts';
import type { ScanRequest as WholeScan } from '../indexer/scan.ts';
import type { ScanInput } from '../indexer/scanInput.ts';
import type {
  CheckedResponse,
  CheckRequest,
  CountedFilesResponse,
  CountFilesRequest,
  FindRequest,
  FoundResponse,
  ScanRequest,
} from '../protocol/messages.ts';
import { checkFindings } from './checkFindings.ts';
import { findSimilar } from './findSimilar.ts';

export type Question = FindRequest | CheckRequest | CountFilesRequest;

/** What the last report was made of. */
export interface AskedIndex {
  readonly request: ScanRequest;
  readonly input: ScanInput;
  readonly lexicons: readonly Lexicon[];
  /** The scan that would make it again. */
  readonly whole: WholeScan;
}

/**
 * @param live   the index; undefined when there is none
 * @param asked  undefined when there is no report
 */
export async function answerOf(
  question: Question,
  live: LiveScan | undefined,
  asked: AskedIndex | undefined,
): Promise<FoundResponse | CheckedResponse | CountedFilesResponse> {
  switch (question.type) {
    case 'find':
      return findSimilar(live, asked?.lexicons ?? [], asked?.input, question);
    case 'check':
      return checkFindings(live && asked && { live, request: asked.whole }, asked?.request.roots ?? [], question);
    case 'countFiles':
      return { type: 'countedFiles', id: question.id, files: live?.countedFiles() };
  }
}
