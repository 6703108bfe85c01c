/** Enumerates the windows of contents from which matches can start. */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { documentParts, partsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { renamedView, writtenView, proseView } from '../../core/kernel/documents/documentLayout.ts';
import type { View } from './blocks.ts';

export interface Window {
  readonly view: View;
  /** Upper half of the fingerprint; `low` is the lower half. */
  readonly high: number;
  readonly low: number;
  /** Part of the content, as an index into `documentParts`. */
  readonly part: number;
  /** Index of the window's first token in the part. */
  readonly position: number;
}

/** Calls a function for each window of a content that has a fingerprint, part by part. */
export function forEachWindow(
  { words }: Pick<Kernel, 'words'>,
  index: DocumentIndex,
  receive: (window: Window) => void,
): void {
  for (const named of partsOf('', index)) {
    const part = documentParts.indexOf(named.part);
    const { windows, windowStride, windowCount, prose, written, renamed } = named.index;
    const lists: (readonly [View, number])[] = prose
      ? [[proseView, written]]
      : [
          [writtenView, written],
          [renamedView, renamed],
        ];
    for (const [view, list] of lists) {
      if (list === 0) continue;
      for (let i = 0; i < windowCount; i++) {
        const [low, high] = [words[(list >>> 2) + 2 * i]!, words[(list >>> 2) + 2 * i + 1]!];
        if (high === 0 && low === 0) continue;
        receive({ view, high, low, part, position: words[(windows + i * windowStride) >>> 2]! });
      }
    }
  }
}
