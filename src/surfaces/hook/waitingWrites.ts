/**
 * Records the writes of an agent session to a tree that has no index yet. They are looked up at a later event of the
 * session, because the index, once it is there, contains what was written.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FileWrite } from './hookEvent.ts';
import { hashOf, marksOf } from './hookFiles.ts';

/** Maximum size of the recorded writes of a session. Later ones are not recorded. */
const maxBytes = 500_000;

export function recordWaiting(cache: string, session: string, root: string, write: FileWrite): void {
  const file = waitingOf(cache, session, root);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxBytes) return;
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(write)}\n`);
}

/** Returns the recorded writes whose files still exist, the latest first, and forgets them. */
export function takeWaiting(cache: string, session: string, root: string): FileWrite[] {
  const file = waitingOf(cache, session, root);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  rmSync(file, { force: true });
  return lines
    .map((line) => JSON.parse(line) as FileWrite)
    .filter((write) => existsSync(write.file))
    .reverse();
}

function waitingOf(cache: string, session: string, root: string): string {
  return path.join(marksOf(cache), `${hashOf(JSON.stringify([session, root]))}.waiting`);
}
