/**
 * Enumerates the windows of contents from which matches can start, and their lines of code with phrases
 * (src/core/kernel/seeds/phrases.ts). Lines in different languages with the same phrase are seeds.
 */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { documentParts, partsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { familyOf } from '../../core/engine/languages/languageHash.ts';
import { hasPhrases } from '../../core/engine/seeds/phrases.ts';
import { renamedView, writtenView, proseView } from '../../core/kernel/documents/documentLayout.ts';
import { type ListView, phraseView } from './blocks.ts';

/** A window, or a line with a phrase. */
export interface Window {
  readonly view: ListView;
  /**
   * Upper half of the fingerprint; `low` is the lower half. In `phraseView`, halves of a key: the phrase, as the kernel
   * writes it, whose lower bits contain the language instead of zeros.
   */
  readonly high: number;
  readonly low: number;
  /** Part of the content, as an index into `documentParts`. */
  readonly part: number;
  /** Index of the first token in the part. */
  readonly position: number;
}

/** Calls a function for each window of a content that has a fingerprint or a phrase, part by part. */
export function forEachWindow(kernel: Kernel, content: DocumentIndex, receive: (window: Window) => void): void {
  for (const { index, part: name } of partsOf('', content)) {
    const { tokens, tokenCount, windows, windowStride, windowCount, prose, written, renamed, languageHash } = index;
    const part = documentParts.indexOf(name);
    const mark = kernel.mark();
    const lists: [view: ListView, address: number, language: number][] = prose
      ? [[proseView, written, 0]]
      : [
          [writtenView, written, 0],
          [renamedView, renamed, 0],
        ];
    if (hasPhrases(index)) {
      const phrases = kernel.allocate(8 * windowCount);
      kernel.exports.writePhrases(tokens, tokenCount, windows, windowStride, windowCount, phrases);
      lists.push([phraseView, phrases, familyOf(languageHash)]);
    }
    const { words } = kernel;
    for (const [view, list, language] of lists) {
      if (list === 0) continue;
      for (let i = 0; i < windowCount; i++) {
        const [low, high] = [words[(list >>> 2) + 2 * i]!, words[(list >>> 2) + 2 * i + 1]!];
        if (high === 0 && low === 0) continue;
        receive({
          view,
          high,
          low: (low | language) >>> 0,
          part,
          position: words[(windows + i * windowStride) >>> 2]!,
        });
      }
    }
    kernel.release(mark);
  }
}

/** Returns the hash of the language's family (see `familyOf`), given the lower half of a key. */
export function languageOfKey(low: number): number {
  return low & 0xff;
}
