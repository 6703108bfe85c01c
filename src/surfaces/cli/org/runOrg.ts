/**
 * `kindred org`: opens the index, runs one action, and closes it. It is a separate bundle, because no other command
 * needs the PostgreSQL client.
 */
import { openEmbeddedServer } from '../../../organisation/database/embedded/embeddedServer.ts';
import { DatabaseError } from '../../../organisation/database/databaseError.ts';
import { databaseFolder, databaseUrls, databaseVariable } from '../../../organisation/database/databaseUrls.ts';
import { openDatabase } from '../../../organisation/database/openDatabase.ts';
import { openFolder } from '../../../organisation/repositories/inFolder/indexInFolder.ts';
import { indexInDatabase } from '../../../organisation/repositories/organisationIndex.ts';
import type { OrgArguments } from '../orgArguments.ts';
import { showProgress } from '../progress.ts';
import { addRepositories } from './addRepositories.ts';
import { findInOrganisation } from './findInOrganisation.ts';
import { rebalanceServers } from './rebalanceServers.ts';
import { dropByName, tellStatus } from './repositories.ts';
import { helpScan, scanOrganisation } from './scanOrganisation.ts';
import type { OrgCall, OrgSession } from './session.ts';

/** Exit code, or an error message. */
export type OrgOutcome = number | { readonly problem: string };

export async function runOrg(request: OrgArguments, call: OrgCall): Promise<OrgOutcome> {
  const given = request.databases;
  try {
    const folder = databaseFolder(given, call.env[databaseVariable]);
    if (folder !== undefined) return await runInFolder(request, folder, call);
    const urls = databaseUrls(given, call.env[databaseVariable]);
    const embedded = urls.length > 0 ? undefined : await openEmbeddedServer(call.env);
    const bar = request.progress ? await showProgress(call.stderr) : undefined;
    try {
      const opened = embedded === undefined ? urls : [embedded.url];
      // Queries need only read access. The embedded server has a single user.
      const reads = request.action === 'find' || request.action === 'status';
      const access = request.action === 'rebalance' ? 'join' : reads && embedded === undefined ? 'read' : 'write';
      const index = indexInDatabase(await openDatabase(opened, access));
      try {
        const progress = (state: Parameters<OrgSession['progress']>[0]): void => bar?.update(state);
        return await perform(request, { ...call, index, urls: opened, progress });
      } finally {
        bar?.stop();
        await index.close();
      }
    } finally {
      await embedded?.close();
    }
  } catch (error) {
    if (error instanceof DatabaseError) return { problem: sentence(error.message) };
    throw error;
  }
}

/** Runs an action on an index in a folder, which needs no server. */
async function runInFolder(request: OrgArguments, folder: string, call: OrgCall): Promise<OrgOutcome> {
  const index = openFolder(folder, request.action === 'add' ? 'write' : 'read', call.env);
  const bar = request.progress ? await showProgress(call.stderr) : undefined;
  try {
    return await perform(request, { ...call, index, urls: [], progress: (state) => bar?.update(state) });
  } finally {
    bar?.stop();
    await index.close();
  }
}

function perform(request: OrgArguments, session: OrgSession): Promise<OrgOutcome> {
  switch (request.action) {
    case 'add':
      return addRepositories(request, session);
    case 'find':
      return findInOrganisation(request, session);
    case 'scan':
      return scanOrganisation(request, session);
    case 'status':
      return tellStatus(request, session);
    case 'drop':
      return dropByName(request, session);
    case 'work':
    case 'rebalance':
      return performInDatabase(request.action, session);
  }
}

async function performInDatabase(action: 'work' | 'rebalance', session: OrgSession): Promise<OrgOutcome> {
  const { database } = session.index;
  if (database === undefined) {
    return { problem: `kindred org ${action} is for an index in PostgreSQL; an index in a folder does not need it.` };
  }
  return action === 'work' ? helpScan(database, session) : rebalanceServers(database, session);
}

/** Adds the usual prefix of command-line messages, unless the message begins with a name. */
function sentence(message: string): string {
  return /^[A-Z][a-z]* [a-z]/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
}
