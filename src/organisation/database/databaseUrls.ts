/** Addresses of an index, from `--database` or the environment variable: of servers, or of a folder. */
import path from 'node:path';
import { DatabaseError } from './databaseError.ts';

/** Environment variable that is read if there is no `--database`. Passwords belong there, not in a command. */
export const databaseVariable = 'KINDRED_DATABASE';

/**
 * Returns the addresses in the order given, without repetitions. Several servers are given by several values, or by one
 * value with commas.
 *
 * @param given        values of `--database`; if empty, the environment variable is used
 * @param environment  value of `KINDRED_DATABASE`
 * @returns an empty array if neither is set
 * @throws DatabaseError if a value is not the address of a PostgreSQL server
 */
export function databaseUrls(given: readonly string[], environment: string | undefined): readonly string[] {
  const values = given.length > 0 ? given : [environment ?? ''];
  const urls = values
    .flatMap((value) => value.split(/,(?=\s*postgres(?:ql)?:)/))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  for (const url of urls) checkUrl(url, given.length > 0 ? '--database' : databaseVariable);
  return [...new Set(urls)];
}

/**
 * Returns the absolute path of a folder, if that is the only address given.
 *
 * @param given, environment  see `databaseUrls`
 */
export function databaseFolder(given: readonly string[], environment: string | undefined): string | undefined {
  const [value, ...others] = given.length > 0 ? given : [environment ?? ''];
  return others.length === 0 && isFolder(value!.trim()) ? path.resolve(value!.trim()) : undefined;
}

/** True for paths such as ./index, /srv/index, and C:\index. Other texts may contain a password. */
function isFolder(value: string): boolean {
  return /^\.{0,2}[/\\]|^\.{1,2}$/.test(value) || path.isAbsolute(value);
}

function checkUrl(url: string, setting: string): void {
  if (/^postgres(ql)?:\/\/\S+$/.test(url)) return;
  // The value is not repeated because it may contain a password.
  throw new DatabaseError(
    `${setting} is not the address of a PostgreSQL server or a folder; use postgres://USER@HOST:PORT/DATABASE, and separate several with commas, or use a folder such as ./index.`,
  );
}
