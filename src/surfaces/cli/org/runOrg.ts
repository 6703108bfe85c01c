/**
 * `kindred org`: opens the database, runs one action, and closes it. It is a separate bundle, because no other command
 * needs the PostgreSQL client.
 */
import { openEmbeddedServer } from '../../../organisation/database/embedded/embeddedServer.ts';
import { DatabaseError } from '../../../organisation/database/databaseError.ts';
import { databaseUrls, databaseVariable } from '../../../organisation/database/databaseUrls.ts';
import { openDatabase } from '../../../organisation/database/openDatabase.ts';
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
    const urls = databaseUrls(given, call.env[databaseVariable]);
    const embedded = urls.length > 0 ? undefined : await openEmbeddedServer(call.env);
    const bar = request.progress ? await showProgress(call.stderr) : undefined;
    try {
      const opened = embedded === undefined ? urls : [embedded.url];
      // Queries need only read access. The embedded server has a single user.
      const reads = request.action === 'find' || request.action === 'status';
      const access = request.action === 'rebalance' ? 'join' : reads && embedded === undefined ? 'read' : 'write';
      const database = await openDatabase(opened, access);
      try {
        const progress = (state: Parameters<OrgSession['progress']>[0]): void => bar?.update(state);
        return await perform(request, { ...call, database, urls: opened, progress });
      } finally {
        bar?.stop();
        await database.close();
      }
    } finally {
      await embedded?.close();
    }
  } catch (error) {
    if (error instanceof DatabaseError) return { problem: sentence(error.message) };
    throw error;
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
      return helpScan(session);
    case 'rebalance':
      return rebalanceServers(session);
  }
}

/** Adds the usual prefix of command-line messages, unless the message begins with a name. */
function sentence(message: string): string {
  return /^[A-Z][a-z]* [a-z]/.test(message) ? message.charAt(0).toLowerCase() + message.slice(1) : message;
}
