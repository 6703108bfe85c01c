/** What tools are answered from, when a server asks. */
import { linesOf } from '../check/sourceTexts.ts';
import type { Access, IndexCondition } from '../tools/access.ts';
import type { Workspace } from './workspace.ts';

/** Less than clients wait for an answer; and for those that are not told meanwhile how far it is. */
const mostWaitMs = 25_000;
const mostSilenceMs = 10_000;

/** How often a client that waits is told. */
const tellEveryMs = 1_000;

export function accessTo(workspace: Workspace): Access {
  return {
    settle: async (how, onWait) => {
      const tell = (): void => {
        if (workspace.state.type === 'indexing') onWait?.(conditionOf(workspace));
      };
      tell();
      const telling = setInterval(tell, tellEveryMs);
      try {
        if (how !== 'heard') await workspace.lookNow();
        await workspace.upToDate(onWait ? mostWaitMs : mostSilenceMs, how === 'stored' ? 'stored' : 'ready');
      } finally {
        clearInterval(telling);
      }
      return conditionOf(workspace);
    },
    report: () => workspace.report,
    prefixes: workspace.folders.roots.map(({ prefix }) => prefix),
    pathOf: (written) => workspace.folders.nameOfWritten(written),
    fileOf: (path) => workspace.folders.realFileOf(path),
    find: (request) => workspace.find(request),
    check: (prefix, gate) => workspace.check({ prefix, gate }),
    changedSince: (since) => workspace.changedSince(since),
    textOf: (path) => Promise.resolve(textIn(workspace, path)),
  };
}

function conditionOf({ state }: Workspace): IndexCondition {
  switch (state.type) {
    case 'ready':
      return { state: 'ready' };
    case 'indexing': {
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

/** The text of a file that is compared, as it is now: that of an editor, or the file's. */
export function textIn(workspace: Workspace, path: string): string | undefined {
  const own = workspace.textOf(path);
  if (own !== undefined) return own;
  return linesOf({ files: filesOf(workspace, [path]) }, [])(path)?.join('\n');
}

/** Those of some files that are compared: no other is read. */
function filesOf(workspace: Workspace, paths: readonly string[]): { readonly path: string; readonly file: string }[] {
  return paths.flatMap((path) => {
    const file = workspace.isListed(path) ? workspace.folders.fileOf(path) : undefined;
    return file === undefined ? [] : [{ path, file }];
  });
}
