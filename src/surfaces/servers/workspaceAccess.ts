/** Gives tools access to the workspace of a server. */
import { existsSync } from 'node:fs';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { linesOf } from '../../review/check/sourceTexts.ts';
import type { Gate } from '../../review/check/gate.ts';
import { within } from '../../session/client/within.ts';
import type { CheckAnswer } from '../../session/protocol/calls.ts';
import type { Access, WaitListener } from '../tools/access.ts';
import { beingBuilt, conditionOf, lateSearch, notYet } from '../tools/conditionOf.ts';
import type { Workspace } from './workspace.ts';

/**
 * Maximum time in milliseconds that an answer waits for the index. These times are below the timeouts of clients,
 * including clients that do not show progress.
 */
export const patienceMs = { withProgress: 25_000, without: 10_000 };

/** Interval in milliseconds at which a waiting client receives progress. */
const progressEveryMs = 1_000;

type FollowedWorkspace = Pick<Workspace, keyof Workspace>;

/** Checks in progress. Concurrent calls for the same check share one. */
const checks = new WeakMap<FollowedWorkspace, { readonly key: string; readonly answer: Promise<CheckAnswer> }>();

/**
 * Creates the access for one call of a tool. All waits of the call share one deadline.
 *
 * @param onWait  called while the call waits. If it is given, the deadline is later, because the client shows progress
 * @param search  searches an index of many repositories; `undefined` if there is none
 */
export function accessTo(
  workspace: FollowedWorkspace,
  onWait?: WaitListener,
  search?: Access['findInOrganisation'],
  patience = patienceMs,
): Access {
  const deadline = Date.now() + (onWait ? patience.withProgress : patience.without);

  /** Resolves to the answer, or to `late()` if the deadline passes first. */
  const inTime = <T, Late>(answer: Promise<T>, late: () => Late): Promise<T | Late> =>
    within(answer, deadline - Date.now(), late);

  return {
    waitForChanges: async (changes) => {
      const reportProgress = (): void => {
        if (workspace.state.type === 'scanning') onWait?.(conditionOf(workspace.state));
      };
      reportProgress();
      const timer = setInterval(reportProgress, progressEveryMs);
      try {
        const isLate = changes !== 'reported' && (await inTime(workspace.poll(), () => true)) === true;
        await workspace.upToDate(Math.max(0, deadline - Date.now()), changes === 'stored' ? 'stored' : 'ready');
        const condition = conditionOf(workspace.state);
        return isLate && condition.state === 'ready' ? { state: 'indexing', detail: beingBuilt } : condition;
      } finally {
        clearInterval(timer);
      }
    },
    report: () => workspace.report,
    prefixes: () => workspace.folders.roots.map(({ prefix }) => prefix),
    pathOf: (written) => workspace.folders.nameOfWritten(written),
    exists: (path) => {
      const file = workspace.folders.realFileOf(path);
      return Promise.resolve(file !== undefined && existsSync(file));
    },
    leadsOutside: (path) =>
      workspace.folders.fileOf(path) !== undefined && workspace.folders.realFileOf(path) === undefined,
    whyNotCompared: (path) => inTime(workspace.whyNotCompared(path), () => undefined),
    fileOf: (path) => workspace.folders.realFileOf(path),
    find: (request) => inTime(workspace.find(request), () => lateSearch(conditionOf(workspace.state))),
    findInWorktrees: (request) =>
      inTime(workspace.findInWorktrees(request), () => lateSearch(conditionOf(workspace.state))),
    findInOrganisation:
      search &&
      ((request) =>
        inTime(search(request), () => ({ problem: 'It did not answer in time; try again in a few seconds.' }))),
    check: (prefix, gate) =>
      inTime(checkOnce(workspace, prefix, gate), () => ({
        ...({ check: undefined, reason: 'noIndex' } as const),
        problem: `the check is not complete yet. ${notYet(conditionOf(workspace.state))}`,
      })),
    changedSince: (since) =>
      inTime(workspace.changedSince(since), () => ({ problem: 'Git did not answer in time. Try again.' })),
    textOf: (path) => Promise.resolve(textIn(workspace, path)),
    languageOf: (path) => lexiconForPath(path).id,
  };
}

/** Runs a check. If the same check of the same report is already running, waits for it instead. */
function checkOnce(workspace: FollowedWorkspace, prefix: string, gate: Gate): Promise<CheckAnswer> {
  const { since, baseline, worktrees } = gate;
  const key = JSON.stringify([prefix, since, baseline, worktrees, workspace.report?.generation]);
  const before = checks.get(workspace);
  if (before?.key === key) return before.answer;
  const answer = workspace.check({ prefix, gate });
  const own = { key, answer };
  checks.set(workspace, own);
  const forget = (): void => {
    if (checks.get(workspace) === own) checks.delete(workspace);
  };
  answer.then(forget, forget);
  return answer;
}

/** Returns the current text of a compared file: from an open editor, or else from disk. */
export function textIn(workspace: FollowedWorkspace, path: string): string | undefined {
  const own = workspace.textOf(path);
  if (own !== undefined) return own;
  return linesOf({ files: filesOf(workspace, [path]) }, [])(path)?.join('\n');
}

/** Returns the files that are compared, out of the given ones. Files that are not compared must never be read. */
function filesOf(
  workspace: FollowedWorkspace,
  paths: readonly string[],
): { readonly path: string; readonly file: string }[] {
  return paths.flatMap((path) => {
    const file = workspace.isListed(path) ? workspace.folders.realFileOf(path) : undefined;
    return file === undefined ? [] : [{ path, file }];
  });
}
