/** `kindred org scan` and `kindred org work`: find near-duplicates across all repositories, using several processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { databaseVariable } from '../../../organisation/database/databaseUrls.ts';
import type { Database } from '../../../organisation/database/openDatabase.ts';
import type { RunMonitor } from '../../../organisation/repositories/run.ts';
import { joinRun } from '../../../organisation/repositories/work.ts';
import type { OrgScanArguments } from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { renderAsJson, renderAsText } from './renderScan.ts';
import type { OrgOutcome } from './runOrg.ts';
import { type OrgSession, scanThread } from './session.ts';

export async function scanOrganisation(given: OrgScanArguments, session: OrgSession): Promise<OrgOutcome> {
  const { index, progress, interrupted } = session;
  const compared = await index.compare({
    scanThread,
    monitor: { onProgress: progress, cancelled: interrupted },
    workers: given.workers,
    startWorkers: () => startWorkers(given.workers - 1, session),
  });
  if (compared === undefined) {
    await session.tell([
      index.database === undefined
        ? 'interrupted; the index is unchanged.'
        : 'interrupted; the next scan continues this one, unless repositories change.',
    ]);
    return session.interruptedCode();
  }
  const report = { ...compared, version: session.version };
  await writeTo(session.stdout, given.format === 'json' ? renderAsJson(report) : renderAsText(report, given));
  return 0;
}

/** Joins the current scan. */
export async function helpScan(database: Database, session: OrgSession): Promise<OrgOutcome> {
  const isDone = await joinRun(database, scanThread, monitorOf(session));
  if (isDone === undefined) return { problem: 'there is no scan in progress; start one with kindred org scan.' };
  return isDone ? 0 : session.interruptedCode();
}

function monitorOf({ progress, interrupted }: OrgSession): RunMonitor {
  return { onProgress: ({ done, total }) => progress({ phase: 'matching', done, total }), cancelled: interrupted };
}

/**
 * Starts additional processes that perform tasks. Their failure is harmless, because other workers take over their
 * tasks.
 */
function startWorkers(workers: number, { urls, env }: OrgSession): () => void {
  const cli = fileURLToPath(new URL('./cli.js', import.meta.url));
  const children: ChildProcess[] = Array.from({ length: workers }, () =>
    spawn(process.execPath, [cli, 'org', 'work', '--no-progress'], {
      // Addresses may contain passwords, and process arguments are visible to others.
      env: { ...env, [databaseVariable]: urls.join(',') },
      stdio: 'ignore',
    }),
  );
  for (const child of children) child.on('error', () => undefined);
  return () => {
    for (const child of children) child.kill();
  };
}
