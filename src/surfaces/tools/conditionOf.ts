/** Formats descriptions of the index's state for the answers of tools. */
import type { FindResult } from '../../session/protocol/calls.ts';
import type { State } from '../../session/client/follower.ts';
import type { IndexCondition } from './access.ts';

export function conditionOf(
  state: State | { readonly type: 'rejected'; readonly problems: readonly string[] },
): IndexCondition {
  switch (state.type) {
    case 'idle':
      return { state: 'ready' };
    case 'scanning': {
      if (state.progress === undefined) return { state: 'indexing', detail: 'Looking for files.' };
      const { phase, done, total } = state.progress;
      return { state: 'indexing', detail: `${phase}: ${done} of ${total}.` };
    }
    case 'rejected':
      return { state: 'rejected', detail: state.problems.join(' ') };
    case 'failed':
      return { state: 'failed', detail: state.message };
  }
}

export const beingBuilt = 'The index is being built.';

/** Returns the answer of a search that did not finish within the time limit. */
export function lateSearch(condition: IndexCondition): FindResult {
  return { similar: undefined, reason: 'noIndex', problem: notYet(condition) };
}

/** Returns a sentence about the progress of the index that asks the agent to try again. */
export function notYet({ detail = beingBuilt }: IndexCondition): string {
  return `${detail} Try again in a few seconds.`;
}
