/** Advisory locks on the home of an index, and what each is for. Whoever loses its connection loses its locks. */
import { lockSpace } from '../database/schema.ts';
import type { Server } from '../database/server.ts';

/** Shared by those who need that contents stay: who adds, who compares. Held alone by who removes what nobody refers to. */
const contentsLock = 4;
/** A lock for each repository, which has one writer at a time. */
const repositorySpace = lockSpace + 1;

/** Does something while all contents stay that are there. */
export function keepingContents<T>(home: Server, work: () => Promise<T>): Promise<T> {
  return home.session(async (connection) => {
    await connection.query('SELECT pg_advisory_lock_shared($1, $2)', [lockSpace, contentsLock]);
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock_shared($1, $2)', [lockSpace, contentsLock]).catch(() => {});
    }
  });
}

/** Does something while nobody needs contents to stay; undefined, and nothing is done, when somebody does. */
export function aloneWithContents<T>(home: Server, work: () => Promise<T>): Promise<T | undefined> {
  return home.session(async (connection) => {
    const [taken] = await connection.query<{ is: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS is', [
      lockSpace,
      contentsLock,
    ]);
    if (taken?.is !== true) return undefined;
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1, $2)', [lockSpace, contentsLock]).catch(() => {});
    }
  });
}

/** Does something as the only writer of a repository, when others have ended. */
export function writingRepository<T>(home: Server, repository: number, work: () => Promise<T>): Promise<T> {
  return home.session(async (connection) => {
    await connection.query('SELECT pg_advisory_lock($1, $2)', [repositorySpace, repository]);
    try {
      return await work();
    } finally {
      await connection.query('SELECT pg_advisory_unlock($1, $2)', [repositorySpace, repository]).catch(() => {});
    }
  });
}
