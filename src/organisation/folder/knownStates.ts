/**
 * States of repositories for programs that read them often. Only files that were replaced are read again: there may be
 * thousands.
 */
import { statSync } from 'node:fs';
import { explaining, type IndexFolder, type RepositoryState } from './indexFolder.ts';

export class KnownStates {
  readonly #index: IndexFolder;
  /** By file. A state is valid as long as the file has the version. */
  #statesByFile = new Map<string, { readonly version: string; readonly state: RepositoryState }>();

  constructor(index: IndexFolder) {
    this.#index = index;
  }

  /** Same as `IndexFolder.repositories`. */
  read(): RepositoryState[] {
    const read = new Map<string, { readonly version: string; readonly state: RepositoryState }>();
    const states = this.#index.statesIn((file) => {
      const version = versionOf(file);
      const knownState = this.#statesByFile.get(file);
      const state = knownState?.version === version ? knownState?.state : this.#index.stateIn(file);
      // If the file is replaced between the two calls, its version differs the next time.
      if (state && version !== undefined) read.set(file, { version, state });
      return state;
    });
    this.#statesByFile = read;
    return states;
  }
}

/** Returns a text that differs after a file was replaced; `undefined` if the file does not exist. */
function versionOf(file: string): string | undefined {
  const found = explaining(file, () => statSync(file, { bigint: true, throwIfNoEntry: false }));
  return found && [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}
