/**
 * Runs an action of `kindred org`: opens the index, runs the action, and closes the index. This is a separate bundle.
 */
import { MemoryExhaustedError } from '../../../core/engine/kernel.ts';
import { CancellationError } from '../../../organisation/folder/cancellation.ts';
import { IndexError } from '../../../organisation/folder/indexError.ts';
import { checkedFolder, defaultFolder, indexFolder, variableIn } from '../../../organisation/folder/indexPlace.ts';
import { openIndex } from '../../../organisation/repositories/organisationIndex.ts';
import type { OrgArguments } from '../orgArguments.ts';
import { showProgress } from '../progress.ts';
import { addRepositories } from './addRepositories.ts';
import { findInOrganisation } from './findInOrganisation.ts';
import { dropByName, printStatus } from './repositories.ts';
import { alignPairs, groupMatches, scanOrganisation, writePairs } from './scanOrganisation.ts';
import type { OrgCall, OrgSession } from './session.ts';

/** Exit code, or an error message. */
export type OrgOutcome = number | { readonly problem: string };

export async function runOrg(request: OrgArguments, call: OrgCall): Promise<OrgOutcome> {
  try {
    const setting = request.folder === undefined ? variableIn(call.env) : '--index';
    const folder = checkedFolder(indexFolder(request.folder, call.env) ?? defaultFolder(call.env), setting);
    const index = openIndex(folder, request.action === 'add' ? 'write' : 'read', call.env);
    const bar = request.progress ? await showProgress(call.stderr) : undefined;
    try {
      return await actions[request.action](request as never, {
        ...call,
        index,
        progress: (state) => bar?.update(state),
      });
    } finally {
      bar?.stop();
      await index.close();
    }
  } catch (error) {
    if (error instanceof CancellationError) {
      const repositories = request.action === 'add' ? 'the other repositories' : 'the stored repositories';
      await call.writeMessages([`interrupted; ${repositories} are unchanged.`]);
      return call.interruptedCode();
    }
    if (error instanceof IndexError) return { problem: sentence(error.message) };
    if (error instanceof MemoryExhaustedError) {
      const remedy = 'drop repositories from the index, or search for single passages with kindred org find';
      return { problem: `there is not enough memory for this index: ${remedy}.` };
    }
    throw error;
  }
}

const actions: {
  readonly [Action in OrgArguments['action']]: (
    request: Extract<OrgArguments, { readonly action: Action }>,
    session: OrgSession,
  ) => Promise<OrgOutcome>;
} = {
  add: addRepositories,
  find: findInOrganisation,
  scan: scanOrganisation,
  pairs: writePairs,
  align: alignPairs,
  group: groupMatches,
  status: printStatus,
  drop: dropByName,
};

/**
 * Changes the first letter to lower case, because the message follows "kindred: ". Keeps it if the first word is a
 * name.
 */
function sentence(message: string): string {
  return /^[A-Z][a-z]* [a-z]/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
}
