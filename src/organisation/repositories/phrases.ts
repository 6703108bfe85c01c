/**
 * Lines of contents by their phrases (src/core/kernel/seeds/phrases.ts). Lines in different languages with the same
 * phrase are seeds.
 */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { documentParts, partsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { familyOf } from '../../core/engine/languages/languageHash.ts';
import { hasPhrases } from '../../core/engine/seeds/phrases.ts';
import { phraseShift } from '../../core/kernel/seeds/phrasesLayout.ts';
import type { Window } from './windows.ts';

/** A line with its phrase, of which `high` has the upper 8 bits, and `low` the lower 32. */
export interface PhraseLine extends Omit<Window, 'view'> {
  /** Hash of the language's family, 0 to 255: see `familyOf`. */
  readonly language: number;
}

/** Calls a function for each line of a content that has a phrase, part by part. */
export function forEachPhrase(kernel: Kernel, content: DocumentIndex, receive: (line: PhraseLine) => void): void {
  for (const { index, part: name } of partsOf('', content)) {
    if (!hasPhrases(index)) continue;
    const { tokens, tokenCount, windows, windowStride, windowCount, languageHash } = index;
    const part = documentParts.indexOf(name);
    const language = familyOf(languageHash);
    const mark = kernel.mark();
    const phrases = kernel.allocate(8 * windowCount);
    kernel.exports.writePhrases(tokens, tokenCount, windows, windowStride, windowCount, phrases);
    const { words } = kernel;
    for (let i = 0; i < windowCount; i++) {
      const [low, high] = [words[(phrases >>> 2) + 2 * i]!, words[(phrases >>> 2) + 2 * i + 1]!];
      if (high === 0 && low === 0) continue;
      const position = words[(windows + i * windowStride) >>> 2]!;
      receive({ high: high >>> phraseShift, low: shiftedLow(high, low), part, position, language });
    }
    kernel.release(mark);
  }
}

/** Returns the lower half of 64 bits that are shifted to the right by `phraseShift`. */
function shiftedLow(high: number, low: number): number {
  return ((high << (32 - phraseShift)) | (low >>> phraseShift)) >>> 0;
}
