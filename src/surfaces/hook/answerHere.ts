/** Answers an agent from the stored index, in the process of the hook. */
import { statSync } from 'node:fs';
import { answerHook, renewIndex } from './answerHook.ts';
import type { AgentEvent } from './hookEvent.ts';
import { hookCache, unitsOf } from './hookFiles.ts';
import { withStoredUnits } from './unitIndex.ts';

/** Age of an index that is renewed after a write, which takes up to a second of processor time in a large tree. */
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
