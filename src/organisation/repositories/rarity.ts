/** Measures token weights over all documents: in batches, in document order. */
import { IdfCounts } from '../../core/engine/matches/idf.ts';
import { writeDocuments } from '../../core/engine/seeds/seeds.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { StoredDocuments } from './catalogue.ts';
import type { FolderContents } from './folderContents.ts';
import { contentBytes, loadContents, partOfIndex } from './loadedContents.ts';

/** Maximum number of bytes in a batch. */
const bytesAtOnce = 2 ** 26;

export interface Measuring {
  readonly source: FolderContents;
  readonly kernel: Kernel;
  readonly stored: StoredDocuments;
}

/** Returns the table of inverse document frequencies, which are the token weights. */
export function measureRarity({ source, kernel, stored }: Measuring): Uint8Array {
  const mark = kernel.mark();
  const counts = new IdfCounts(kernel);
  // Skip prose, because the weights of words in prose are never used.
  const counted = stored.documents.filter(({ content, part }) => {
    const { prose, quoted } = stored.shapes.get(content)!;
    return part === 'quoted' ? quoted !== undefined : part === 'text' && !prose;
  });
  for (let from = 0; from < counted.length;) {
    let [to, bytes] = [from, 0];
    for (; to < counted.length && bytes < bytesAtOnce; to++) bytes += contentBytes(stored.shapes, counted[to]!.content);
    const some = counted.slice(from, to);
    const inside = kernel.mark();
    const loaded = loadContents(
      source,
      kernel,
      stored.shapes,
      some.map(({ content }) => content),
    );
    const indexes = some.map(({ content, part }) => partOfIndex(loaded.place(content), part));
    counts.add(writeDocuments(kernel, indexes), indexes.length);
    kernel.release(inside);
    from = to;
  }
  const table = counts.table();
  kernel.release(mark);
  return table;
}
