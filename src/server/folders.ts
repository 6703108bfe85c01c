/** The folders that a server follows, and the names that files have in its reports. */
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { defaultSourceOptions, type SourceOptions } from '../io/sources.ts';
import { causeOf, isSystemError } from '../io/systemErrors.ts';
import type { DiskRoot } from '../protocol/messages.ts';

export class Folders {
  readonly roots: readonly DiskRoot[];

  /** @param folders  absolute and real, each once */
  constructor(folders: readonly string[], sources: SourceOptions = defaultSourceOptions) {
    const prefixes = prefixesOf(folders);
    this.roots = folders.map((folder, place) => ({ folder, prefix: prefixes[place]!, sources, isConfined: true }));
  }

  /** Where a file of a report is: absolute. */
  fileOf(name: string): string | undefined {
    const root = this.roots.find(({ prefix }) => name.startsWith(prefix));
    return root && path.join(root.folder, ...name.slice(root.prefix.length).split('/'));
  }

  /** The file or folder of a name, without links; undefined if it lies in no root, or links lead out of the roots. */
  realFileOf(name: string): string | undefined {
    const file = this.fileOf(name);
    const real = file && realPath(file);
    return real !== undefined && this.nameOf(real) !== undefined ? real : undefined;
  }

  /** The name that a file, or a folder, has in a report: that of the innermost root; undefined when it lies in none. */
  nameOf(file: string): string | undefined {
    const [inner] = this.roots
      .filter(({ folder }) => isWithin(folder, file))
      .sort((x, y) => y.folder.length - x.folder.length);
    return inner && inner.prefix + path.relative(inner.folder, file).split(path.sep).join('/');
  }

  /**
   * The name of what somebody has written: absolute, as in a report, or relative to the only root. Undefined when it leads
   * out of the roots.
   */
  nameOfWritten(written: string): string | undefined {
    if (path.isAbsolute(written)) return this.nameOf(realPath(path.resolve(written)));
    const name = path.posix.normalize(written.split(path.sep).join('/')).replace(/\/$/, '');
    if (name === '..' || name.startsWith('../')) return undefined;
    return name === '.' ? '' : name;
  }
}

/** Real folders by what somebody has written, each once; or what is wrong with the first one that is none. */
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

/** What the names of files begin with: nothing in a single folder, else the name of the folder and a slash, which are all different. */
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

/** Without links, as far as it is there. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
