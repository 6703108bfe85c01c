/** `kindred org rebalance`: moves a share of the index to added servers. */
import type { Database } from '../../../organisation/database/openDatabase.ts';
import { rebalance } from '../../../organisation/database/rebalance.ts';
import type { OrgOutcome } from './runOrg.ts';
import type { OrgSession } from './session.ts';

export async function rebalanceServers(
  database: Database,
  { progress, tell, interrupted, interruptedCode }: OrgSession,
): Promise<OrgOutcome> {
  let done = 0;
  const moved = await rebalance(database, {
    onMove: ({ left }) => progress({ phase: 'matching', done: ++done, total: done + left }),
    cancelled: interrupted,
  });
  if (interrupted()) {
    await tell([`interrupted after ${moved} parts; the next kindred org rebalance continues.`]);
    return interruptedCode();
  }
  const shares = database.servers.map((server) => `${server.name} ${database.partsOf(server).length}`);
  await tell([`${moved} of ${database.parts} parts moved; now ${shares.join(', ')}.`]);
  return 0;
}
