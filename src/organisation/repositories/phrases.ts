/**
 * Lines of contents by their phrases (src/core/kernel/seeds/phrases.ts). Lines in different languages with the same
 * phrase are seeds.
 */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { documentParts, partsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { familyOf } from '../../core/engine/languages/languageHash.ts';
import { hasPhrases } from '../../core/engine/seeds/phrases.ts';
import type { Window } from './windows.ts';

/**
 * A line with its phrase. `high` and `low` are the halves of a key: the phrase, as the kernel writes it, whose lower
 * bits contain the language instead of zeros.
 */
export type PhraseLine = Omit<Window, 'view'>;

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
      receive({ high, low: (low | language) >>> 0, part, position: words[(windows + i * windowStride) >>> 2]! });
    }
    kernel.release(mark);
  }
}

/** Returns the hash of the language's family (see `familyOf`), given the lower half of a key. */
export function languageOfKey(low: number): number {
  return low & 0xff;
}
