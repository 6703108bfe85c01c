/** Answers an agent in the hook's own process, from the stored index. Used if no server is running. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { answerHook, renewIndex } from './answerHook.ts';
import type { AgentEvent } from './hookEvent.ts';
import { hookCache, unitsOf } from './hookFiles.ts';
import { withStoredUnits } from './unitIndex.ts';

/** Maximum age of the index after a write. Renewing it takes up to a second of processor time in a large tree. */
const maxAgeMs = 60_000;

/** @param limitMs  time since the start of the process after which the search is interrupted */
export function answerHere(event: AgentEvent, env: NodeJS.ProcessEnv, limitMs: number): Promise<string> {
  return answerHook(event, env, {
    withUnits: withStoredUnits,
    inTime: (search) => callInTime(limitMs - performance.now(), search),
    renew: async (root, when) => {
      const place = unitsOf(hookCache(env), root);
      if (mayIndex(root, place) && (when === 'now' || isOld(place))) await renewIndex(root);
    },
  });
}

/**
 * Calls a function. If it takes too long, interrupts it, even in a loop, and throws. Node has such a limit for scripts
 * only, so a script calls the function.
 */
export function callInTime<T>(limitMs: number, call: () => T): T {
  // The limit must be a positive integer.
  return runInNewContext('call()', { call }, { timeout: Math.max(1, Math.floor(limitMs)) }) as T;
}

/** Returns true if the tree is a Git repository or has an index. Some clients call the hook in the home folder. */
function mayIndex(root: string, place: string): boolean {
  return existsSync(path.join(root, '.git')) || existsSync(place);
}

function isOld(place: string): boolean {
  const time = statSync(place, { throwIfNoEntry: false })?.mtimeMs;
  return time === undefined || Date.now() - time > maxAgeMs;
}
