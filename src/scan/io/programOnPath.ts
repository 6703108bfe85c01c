/** Finds programs as a shell does. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Returns the path of a program in a folder of `PATH`; `undefined` if there is none. */
export function programOnPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  const folders = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const endings = process.platform === 'win32' ? ['.cmd', '.exe', '.ps1', '.bat'] : [''];
  return folders
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => path.join(folder, program + ending)))
    .find((file) => existsSync(file));
}
