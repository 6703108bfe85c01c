/** Find similar for the editor: what the index of the last scan has of a text. */
import { fileLexicons, unnamedLexicon } from '../engine/languages/lexicon.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { LiveScan } from '../indexer/liveScan.ts';
import type { FindRequest, FoundResponse } from '../protocol/messages.ts';
import { lexiconOfText } from './languages.ts';

const encoder = new TextEncoder();

/**
 * Never throws: a mistake of ours is told as one.
 *
 * @param live      the index; undefined when there is none
 * @param lexicons  for files that have no table of ours
 */
export function findSimilar(
  live: LiveScan | undefined,
  lexicons: readonly Lexicon[],
  { id, text, path, languageId, lines, maxDistance, minSimilarity, most }: FindRequest,
): FoundResponse {
  const started = performance.now();
  try {
    const lexicon = lexiconOfText(path, languageId, fileLexicons(lexicons)) ?? unnamedLexicon();
    const similar = live?.findSimilar(
      { bytes: encoder.encode(text), lexicon },
      {
        ...(maxDistance === undefined ? {} : { maxDistance }),
        ...(minSimilarity === undefined ? {} : { minSimilarity }),
        origin: lines && { path, startLine: lines.start, endLine: lines.end },
        most,
      },
    );
    if (similar === undefined) {
      return { type: 'found', id, similar, reason: 'noIndex', problem: 'There is no index of a completed scan.' };
    }
    return { type: 'found', id, similar, elapsedMs: performance.now() - started };
  } catch (error) {
    return { type: 'found', id, similar: undefined, reason: 'failed', problem: String(error) };
  }
}
