/** Folders that a server follows, and the names of their files in reports. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { defaultSourceOptions, type SourceOptions } from '../../scan/io/sources.ts';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';
import type { DiskRoot } from '../../session/protocol/messages.ts';

export class Folders {
  readonly roots: readonly DiskRoot[];

  /** @param folders  absolute real paths, without repetitions */
  constructor(folders: readonly string[], sources: SourceOptions = defaultSourceOptions) {
    const prefixes = prefixesOf(folders);
    this.roots = folders.map((folder, place) => ({ folder, prefix: prefixes[place]!, sources, isConfined: true }));
  }

  /** Returns the absolute path of a file in a report. */
  fileOf(name: string): string | undefined {
    const root = this.roots.find(({ prefix }) => name.startsWith(prefix));
    return root && path.join(root.folder, ...name.slice(root.prefix.length).split('/'));
  }

  /**
   * Returns the real path of a file or folder in a report; `undefined` if it is in no root, or links lead out of the
   * roots.
   */
  realFileOf(name: string): string | undefined {
    const file = this.fileOf(name);
    const real = file && realPath(file);
    return real !== undefined && this.nameOf(real) !== undefined ? real : undefined;
  }

  /** Returns the name of a file or folder in a report, relative to the innermost root; `undefined` if it is in none. */
  nameOf(file: string): string | undefined {
    const [inner] = this.roots
      .filter(({ folder }) => isWithin(folder, file))
      .sort((x, y) => y.folder.length - x.folder.length);
    return inner && inner.prefix + path.relative(inner.folder, file).split(path.sep).join('/');
  }

  /**
   * Returns the name for a path written by the user: absolute, as in a report, or relative to a single root. Returns
   * `undefined` if it leads out of the roots.
   */
  nameOfWritten(written: string): string | undefined {
    if (path.isAbsolute(written)) return this.nameOf(realPath(path.resolve(written)));
    const name = path.posix.normalize(written.split(path.sep).join('/')).replace(/\/$/, '');
    if (name === '..' || name.startsWith('../')) return undefined;
    return name === '.' ? '' : name;
  }
}

/** Returns the distinct real paths of folders, or an error message about the first invalid one. */
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

/**
 * Returns the prefixes of file names: empty for a single folder, otherwise the folder name, made unique, and a slash.
 */
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

/** Resolves links in the existing part of a path. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
