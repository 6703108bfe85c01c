/**
 * Location of an index of many repositories: a folder that is given by `--index`, an environment variable, or the
 * default in the user's data folder.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { IndexError } from './indexError.ts';

/** Environment variable with the index's location, read if `--index` is missing. */
export const indexVariable = 'KINDRED_INDEX';
/** Its older name, which still has an effect. */
const olderVariable = 'KINDRED_DATABASE';

/**
 * Returns the folder that a setting or the environment specifies, exactly as written. If neither does, returns the
 * default folder if it exists.
 *
 * @param folderSetting  value of the setting, which has precedence over the environment
 */
export function indexFolder(folderSetting: string | undefined, environment: NodeJS.ProcessEnv): string | undefined {
  const named = (folderSetting ?? environment[variableIn(environment)] ?? '').trim();
  if (named !== '') return named;
  const own = defaultFolder(environment);
  return existsSync(own) ? own : undefined;
}

/** Returns the name under which the environment contains the index's location, or would contain it. */
export function variableIn(environment: NodeJS.ProcessEnv): string {
  return environment[indexVariable] === undefined && environment[olderVariable] !== undefined
    ? olderVariable
    : indexVariable;
}

/** Returns the default folder of an index, which `kindred org add` creates. */
export function defaultFolder(environment: NodeJS.ProcessEnv): string {
  return path.join(dataFolder(environment), 'index');
}

/**
 * Returns the absolute path of a folder that a setting names. Expands `~`, because no shell does so for settings and
 * environment variables.
 *
 * @param setting  name of the setting, for messages
 * @throws IndexError if the value is a database URL
 */
export function checkedFolder(value: string, setting: string): string {
  // The value is not repeated because it may contain a password.
  if (/^postgres(?:ql)?:/i.test(value)) {
    throw new IndexError(
      `${setting} is the address of a PostgreSQL server, which is no longer supported: run "kindred org add PATH... --index FOLDER" to store the repositories in a folder, and name that folder.`,
    );
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) {
    throw new IndexError(
      `${setting} is not a folder: name one, such as ./index. Object storage needs to be mounted as a file system.`,
    );
  }
  return path.resolve(value.replace(/^~(?=$|[/\\])/, homedir()));
}

/** Returns the absolute path of Kindred's folder in the user's data folder. It may not exist yet. */
export function dataFolder({ XDG_DATA_HOME: xdg, LOCALAPPDATA: local }: NodeJS.ProcessEnv): string {
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'kindred');
  if (process.platform === 'win32' && local) return path.join(local, 'kindred');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'kindred');
  return path.join(homedir(), '.local', 'share', 'kindred');
}
