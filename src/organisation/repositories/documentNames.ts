/**
 * File with the paths of a repository's documents, sorted by content, so that a search can read only the paths it
 * needs. The file has for each partition:
 *
 * contents  u32 × documents, ascending
 * ends      u32 × documents: the end of each path in the following bytes
 * paths     UTF-8
 */
import { writeFileSync } from 'node:fs';
import { firstPlace, groupBy } from '../../core/collections/lists.ts';
import { explaining, readFully, readingFile } from '../folder/folderFiles.ts';
import type { StatePartition } from '../folder/indexFolder.ts';

/** A document, with the location of its text in the index. */
export interface PlacedDocument {
  readonly path: string;
  readonly partition: string;
  readonly content: number;
}

/** Writes the paths of documents to a file, and returns the partitions that contain the documents' texts. */
export function writeNames(file: string, documents: readonly PlacedDocument[]): StatePartition[] {
  const partitions: StatePartition[] = [];
  const parts: Buffer[] = [];
  let position = 0;
  for (const [id, own] of groupBy(documents, ({ partition }) => partition)) {
    own.sort((x, y) => x.content - y.content || (x.path < y.path ? -1 : 1));
    const paths = own.map(({ path }) => Buffer.from(path));
    const [contents, ends] = [Uint32Array.from(own, ({ content }) => content), new Uint32Array(own.length)];
    for (const [i, { length }] of paths.entries()) ends[i] = (ends[i - 1] ?? 0) + length;
    partitions.push({ id, documents: own.length, position });
    const all = [Buffer.from(contents.buffer), Buffer.from(ends.buffer), ...paths];
    parts.push(...all);
    position += all.reduce((sum, { length }) => sum + length, 0);
  }
  explaining(file, () => writeFileSync(file, Buffer.concat(parts)));
  return partitions;
}

/** Returns the contents of a partition's documents, in ascending order. */
export function readContents(file: string, { documents, position }: StatePartition): Uint32Array {
  const contents = new Uint32Array(documents);
  readingFile(file, (opened) => readFully(opened, new Uint8Array(contents.buffer), position));
  return contents;
}

/**
 * Calls a function for each document whose text is one of the given contents of a partition. Precondition: the contents
 * are sorted in ascending order.
 */
export function forEachName(
  file: string,
  { documents, position }: StatePartition,
  wantedContents: readonly number[],
  receive: (content: number, path: string) => void,
): void {
  readingFile(file, (opened) => {
    const numbers = new Uint32Array(2 * documents);
    readFully(opened, new Uint8Array(numbers.buffer), position);
    const [contents, ends] = [numbers.subarray(0, documents), numbers.subarray(documents)];
    for (const content of wantedContents) {
      let document = firstPlace(documents, (place) => contents[place]! < content);
      for (; contents[document] === content; document++) {
        const start = document === 0 ? 0 : ends[document - 1]!;
        const path = new Uint8Array(ends[document]! - start);
        readFully(opened, path, position + 8 * documents + start);
        receive(content, Buffer.from(path).toString());
      }
    }
  });
}
