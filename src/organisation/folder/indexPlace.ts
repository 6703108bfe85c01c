/** Place of an index of many repositories: a folder, from `--database`, the environment, or the user's data folder. */
import { homedir } from 'node:os';
import path from 'node:path';
import { IndexError } from './indexError.ts';

/** Environment variable that is read if there is no `--database`. */
export const databaseVariable = 'KINDRED_DATABASE';

/**
 * Returns the absolute path of the folder.
 *
 * @param given  value of `--database`
 * @throws IndexError if the value is the address of a server
 */
export function indexFolder(given: string | undefined, environment: NodeJS.ProcessEnv): string {
  const value = (given ?? environment[databaseVariable] ?? '').trim();
  const setting = given === undefined ? databaseVariable : '--database';
  return value === '' ? defaultFolder(environment) : checkedFolder(value, setting);
}

/** Returns the folder of an index that no setting names. */
export function defaultFolder(environment: NodeJS.ProcessEnv): string {
  return path.join(dataFolder(environment), 'index');
}

/**
 * Returns the absolute path of a folder. In settings and environments, no shell expands `~`.
 *
 * @param setting  name of the setting with the value, for messages
 * @throws IndexError if the value is the address of a server
 */
export function checkedFolder(value: string, setting: string): string {
  // The value is not repeated because it may contain a password.
  if (/^postgres(?:ql)?:/i.test(value)) {
    throw new IndexError(
      `${setting} is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH... --database FOLDER" to store the repositories in a folder, and name that folder.`,
    );
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) {
    throw new IndexError(`${setting} is not a folder: name one, such as ./index.`);
  }
  return path.resolve(value.replace(/^~(?=$|[/\\])/, homedir()));
}

/** Returns the absolute path of the user's folder for data of Kindred, which may not exist yet. */
export function dataFolder({ XDG_DATA_HOME: xdg, LOCALAPPDATA: local }: NodeJS.ProcessEnv): string {
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'kindred');
  if (process.platform === 'win32' && local) return path.join(local, 'kindred');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'kindred');
  return path.join(homedir(), '.local', 'share', 'kindred');
}
