/** Answers an agent in the hook's own process, from the stored index. Used if no server is running. */
import { statSync } from 'node:fs';
import { answerHook, renewIndex } from './answerHook.ts';
import type { AgentEvent } from './hookEvent.ts';
import { hookCache, unitsOf } from './hookFiles.ts';
import { withStoredUnits } from './unitIndex.ts';

/**
 * Maximum age of the index. If it is older after a write, the hook renews it, which takes up to a second of processor
 * time in a large tree.
 */
const maxAgeMs = 60_000;

export function answerHere(event: AgentEvent, env: NodeJS.ProcessEnv): Promise<string> {
  return answerHook(event, env, {
    withUnits: withStoredUnits,
    renew: async (root, when) => {
      if (when === 'now' || isOld(unitsOf(hookCache(env), root))) await renewIndex(root);
    },
  });
}

function isOld(place: string): boolean {
  const time = statSync(place, { throwIfNoEntry: false })?.mtimeMs;
  return time === undefined || Date.now() - time > maxAgeMs;
}
