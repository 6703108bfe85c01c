/** The addresses of the servers that hold an index: `--database`, or the environment variable. */
import { DatabaseError } from './databaseError.ts';

/** The environment variable that is read when there is no `--database`: a password belongs there, and not in a command. */
export const databaseVariable = 'KINDRED_DATABASE';

/**
 * The addresses, in the order given, each once. Several servers are given by several values, or by commas in one.
 *
 * @param given        the values of `--database`; when there is none, the environment counts
 * @param environment  the value of `KINDRED_DATABASE`
 * @returns nothing when neither says anything
 * @throws DatabaseError for what is no address of a PostgreSQL server
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

function checkUrl(url: string, setting: string): void {
  if (/^postgres(ql)?:\/\/\S+$/.test(url)) return;
  // What it says instead is not repeated: it may hold a password.
  throw new DatabaseError(
    `${setting} is no address of a PostgreSQL server; write postgres://USER@HOST:PORT/DATABASE, and several with commas between them.`,
  );
}
