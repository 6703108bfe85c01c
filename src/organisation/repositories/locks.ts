/** Advisory locks at the home of an index. A lost connection releases its locks. */
import { lockSpace } from '../database/schema.ts';
import type { Server } from '../database/server.ts';

/** Shared by commands that add or compare, exclusive for the removal of unreferenced contents. */
const contentsLock = 4;
/** Lock space with one lock for each repository, which has one writer at a time. */
const repositorySpace = lockSpace + 1;

/** Runs work while no content can be removed. */
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

/** Runs work while no other command needs the contents. If one does, returns `undefined` without running it. */
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

/** Runs work as the only writer of a repository, after earlier writers have finished. */
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
