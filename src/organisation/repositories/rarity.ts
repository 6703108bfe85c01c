/** Measures token weights over all documents, one after the other, in document order. */
import { IdfCounts } from '../../core/engine/matches/idf.ts';
import { writeDocuments } from '../../core/engine/seeds/seeds.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import { ArrayReader } from './arrayReader.ts';
import type { StoredDocuments } from './catalogue.ts';
import type { FolderContents } from './folderContents.ts';

export interface Measured {
  readonly source: FolderContents;
  readonly stored: StoredDocuments;
}

/** Returns the table of inverse document frequencies, which are the token weights. */
export function measureRarity({ source, stored }: Measured): Uint8Array {
  const kernel = new Kernel(createMemory());
  const counts = new IdfCounts(kernel);
  const reader = new ArrayReader(kernel, source);
  try {
    for (const { content, part } of stored.documents) {
      const shape = stored.shapes.get(content)!;
      // Skip prose, because the weights of words in prose are never used.
      if (part === 'comments' || (part === 'text' && shape.prose)) continue;
      const inside = kernel.mark();
      const text = reader.load(content, shape);
      counts.add(writeDocuments(kernel, [part === 'text' ? text : text[part]!]), 1);
      kernel.release(inside);
    }
    return counts.table();
  } finally {
    reader.close();
  }
}
