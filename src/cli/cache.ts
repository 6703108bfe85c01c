/** The folder of `--cache`: where the index of the scanned folders is kept from one call to the next. */
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { removeAbandoned } from '../io/checkedFile.ts';

export interface Cache {
  /** The files of the index without their endings: absolute, others for other folders that are scanned. */
  readonly place: string;
  /** Whether a file, by its absolute path, lies in the folder: such a one is no source. */
  readonly has: (file: string) => boolean;
}

/** Makes the folder if need be; the problem says, before any work is done, why it cannot be used. */
export function beginCache(folder: string, roots: readonly string[]): Cache | { readonly problem: string } {
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    return { problem: `${folder} is a file; name a folder.` };
  }
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const denied = code === 'EACCES' || code === 'EPERM' || code === 'EROFS';
    const reason = denied ? 'permission denied' : code === 'ENOTDIR' ? 'a file is in its way' : code;
    return { problem: `${folder} cannot be written to (${reason}); name another folder.` };
  }
  removeAbandoned(folder);
  const names = roots.map((root) => path.resolve(root)).sort();
  const name = createHash('sha256').update(names.join('\0')).digest('hex').slice(0, 16);
  const starts = [path.resolve(folder), realpathSync(folder)].map((start) => start + path.sep);
  return {
    place: path.join(path.resolve(folder), name),
    has: (file) => starts.some((start) => file.startsWith(start)),
  };
}
