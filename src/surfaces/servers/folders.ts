/** Folders that a server follows. Converts between their files' absolute paths and report paths. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { defaultSourceOptions } from '../../scan/io/sources.ts';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';
import type { DiskRoot } from '../../session/protocol/messages.ts';

export class Folders {
  readonly roots: readonly DiskRoot[];

  /** @param folders  absolute real paths without duplicates */
  constructor(folders: readonly string[]) {
    const prefixes = prefixesOf(folders);
    const shared = { sources: defaultSourceOptions, isConfined: true };
    this.roots = folders.map((folder, place) => ({ folder, prefix: prefixes[place]!, ...shared }));
  }

  /** Returns the absolute path for a report path; `undefined` if it is in no root. */
  fileOf(name: string): string | undefined {
    const root = this.roots.find(({ prefix }) => name.startsWith(prefix));
    return root && path.join(root.folder, ...name.slice(root.prefix.length).split('/'));
  }

  /** Returns the real path for a report path; `undefined` if it is in no root, or if symbolic links lead outside. */
  realFileOf(name: string): string | undefined {
    const file = this.fileOf(name);
    const real = file && realPath(file);
    return real !== undefined && this.nameOf(real) !== undefined ? real : undefined;
  }

  /** Returns the report path of a file or folder, relative to the innermost root around it, if there is one. */
  nameOf(file: string): string | undefined {
    const [inner] = this.roots
      .filter(({ folder }) => isWithin(folder, file))
      .sort((x, y) => y.folder.length - x.folder.length);
    return inner && inner.prefix + path.relative(inner.folder, file).split(path.sep).join('/');
  }

  /**
   * Returns the report path for a path that a user or agent wrote: an absolute path, a report path, or a path relative
   * to the only root. Returns `undefined` if the path is outside of all roots.
   */
  nameOfWritten(written: string): string | undefined {
    if (path.isAbsolute(written)) return this.nameOf(realPath(path.resolve(written)));
    const name = path.posix.normalize(written.split(path.sep).join('/')).replace(/\/$/, '');
    if (name === '..' || name.startsWith('../')) return undefined;
    return name === '.' ? '' : name;
  }
}

/** Returns the real paths of folders without duplicates, or an error message about the first invalid folder. */
export function findFolders(written: readonly string[]): readonly string[] | { readonly problem: string } {
  const folders = new Set<string>();
  for (const name of written) {
    try {
      if (!statSync(name).isDirectory()) return { problem: `${name} is a file; specify a folder.` };
      folders.add(realpathSync(path.resolve(name)));
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
      return {
        problem: isMissing ? `there is no folder ${name}; check the path.` : `cannot read ${name} (${causeOf(error)}).`,
      };
    }
  }
  return [...folders];
}

/** Returns the prefix of report paths for each folder: '' for a single one; otherwise a unique name and a slash. */
function prefixesOf(folders: readonly string[]): string[] {
  if (folders.length === 1) return [''];
  const taken = new Set<string>();
  return folders.map((folder) => {
    const base = path.basename(folder) || 'root';
    let prefix = `${base}/`;
    for (let count = 2; taken.has(prefix); count++) prefix = `${base}-${count}/`;
    taken.add(prefix);
    return prefix;
  });
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === '' || (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative));
}

/** Resolves symbolic links in a path. If the path does not exist, resolves the links in the part that exists. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
