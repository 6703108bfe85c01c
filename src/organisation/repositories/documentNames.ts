/**
 * File with the paths of a repository's documents, sorted by content, so that a search can read only the paths it
 * needs. The file has for each partition:
 *
 * contents  u32 × documents, ascending
 * ends      u32 × documents: the end of each path in the following bytes
 * paths     UTF-8
 */
import { writeFileSync } from 'node:fs';
import { append, firstPlace, groupBy, sum } from '../../core/collections/lists.ts';
import { checkSize, explaining, readFully, readingFile } from '../folder/folderFiles.ts';
import type { IndexFolder, RepositoryState, StatePartition } from '../folder/indexFolder.ts';
import { type FolderContents, prefixOf } from './folderContents.ts';

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
    position += sum(all.map(({ length }) => length));
  }
  explaining(file, () => writeFileSync(file, Buffer.concat(parts)));
  return partitions;
}

/** Names of the documents of one repository whose contents are in one partition. */
interface Names {
  readonly file: string;
  readonly prefix: string;
  readonly contents: Uint32Array;
  readonly ends: Uint32Array;
  /** Position of the paths in the file. */
  readonly position: number;
}

/** The documents of repository states. Their names are read when they are needed. */
export class NamedContents {
  readonly #index: IndexFolder;
  readonly #source: FolderContents;
  readonly #states = new Map<string, { readonly state: RepositoryState; readonly section: StatePartition }[]>();
  readonly #names = new Map<string, readonly Names[]>();

  constructor(index: IndexFolder, source: FolderContents, states: readonly RepositoryState[]) {
    [this.#index, this.#source] = [index, source];
    for (const state of states)
      for (const section of state.partitions) append(this.#states, section.id, { state, section });
  }

  /** Returns the number of documents with a content: 0 if no state uses it any more. */
  count(content: number): number {
    return sum(this.#rangesOf(content).map(({ from, to }) => to - from));
  }

  /** Returns the paths of the documents with a content. They begin with the name of the repository. */
  paths(content: number): string[] {
    return this.#rangesOf(content).flatMap(({ names: { file, prefix, ends, position }, from, to }) =>
      readingFile(file, (opened) =>
        Array.from(ends.subarray(from, to), (end, i) => {
          const start = ends[from + i - 1] ?? 0;
          const path = Buffer.alloc(end - start);
          readFully(opened, path, position + start);
          return prefix + path.toString();
        }),
      ),
    );
  }

  /** Returns the documents [from, to) with a content. */
  #rangesOf(content: number): { readonly names: Names; readonly from: number; readonly to: number }[] {
    const { partition, place } = this.#source.placeOf(content);
    return this.#namesOf(partition.id)
      .map((names) => {
        const { contents } = names;
        const to = firstPlace(contents.length, (i) => contents[i]! <= place);
        return { names, from: firstPlace(to, (i) => contents[i]! < place), to };
      })
      .filter(({ from, to }) => from < to);
  }

  #namesOf(partition: string): readonly Names[] {
    let names = this.#names.get(partition);
    if (names === undefined) {
      names = this.#states.get(partition)!.map(({ state, section: { documents, position } }) => {
        const file = this.#index.file('documents', `${state.documents}.names`);
        checkSize(file, state.nameBytes);
        const words = new Uint32Array(2 * documents);
        readingFile(file, (opened) => readFully(opened, new Uint8Array(words.buffer), position));
        const [contents, ends] = [words.subarray(0, documents), words.subarray(documents)];
        return { file, prefix: prefixOf(state), contents, ends, position: position + words.byteLength };
      });
      this.#names.set(partition, names);
    }
    return names;
  }
}
