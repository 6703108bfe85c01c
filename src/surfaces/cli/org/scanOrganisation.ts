/**
 * `kindred org scan` finds near-duplicates across all repositories. The commands `pairs`, `align`, and `group` are its
 * steps.
 */
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import type { Compared } from '../../../organisation/repositories/compareAll.ts';
import { matchKind, pairKind, ReadRows, type RowKind } from '../../../organisation/repositories/comparisonRows.ts';
import type { Step } from '../../../organisation/folder/finishedSteps.ts';
import { submit } from '../../../organisation/spark/submit.ts';
import type {
  OrgAlignArguments,
  OrgGroupArguments,
  OrgPairsArguments,
  OrgReportArguments,
  OrgScanArguments,
} from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { renderAsJson, renderAsText } from './renderScan.ts';
import type { OrgOutcome } from './runOrg.ts';
import { type OrgSession, scanThread } from './session.ts';

export async function scanOrganisation(given: OrgScanArguments, session: OrgSession): Promise<OrgOutcome> {
  const compared = given.engine === 'spark' ? compareOnSpark(given, session) : compareHere(given, session);
  return report(await compared, given, session);
}

function compareHere({ workers }: OrgScanArguments, session: OrgSession): Promise<Compared | undefined> {
  const onContinue = (step: Step): void => void session.tell([continued[step]]);
  return session.index.compare({ ...comparingOf(workers, session), onContinue });
}

/** Messages about an interrupted scan that continues, by its last finished step. */
const continued = {
  pairs: 'an earlier scan of these repositories was interrupted; continuing with its candidate pairs.',
  matches: 'an earlier scan of these repositories was interrupted; continuing with its matches.',
};

/** Steps of the program that Spark runs, for the progress. */
const stepsOnSpark = 7;

/** Finds and aligns candidate pairs on Spark, and groups the matches here. */
async function compareOnSpark(given: OrgScanArguments, session: OrgSession): Promise<Compared | undefined> {
  const { master, worker, workers } = given;
  const { index, progress, interrupted, env, version } = session;
  const comparing = comparingOf(workers, session);
  const plan = await index.planForSpark(comparing);
  if (plan === undefined) return undefined;
  if (plan === 'matched') return compareHere(given, session);
  const lines = await submit({
    program: fileURLToPath(new URL('./scanOnSpark.py', import.meta.url)),
    plan: { ...plan, version, worker: workerCommand(worker) },
    master,
    environment: env,
    onStep: (done) => progress({ phase: 'matching', done, total: stepsOnSpark }),
    onContinue: () => void session.tell([continued.pairs]),
    onWaiting: () => void session.tell(['Spark has no free executor; the scan waits for one.']),
    cancelled: interrupted,
  });
  if (lines === undefined) return undefined;
  return index.group(await readRows(matchKind, lines), 'scan', comparing);
}

/** Returns the command that runs Kindred on the executors. */
function workerCommand(given: string | undefined): string[] {
  if (given === undefined) return [process.execPath, fileURLToPath(new URL('./cli.js', import.meta.url))];
  return given.endsWith('.js') ? ['node', given] : [given];
}

export async function writePairs(_: OrgPairsArguments, session: OrgSession): Promise<OrgOutcome> {
  return writeRows(await session.index.pairs(comparingOf(1, session)), session);
}

export async function alignPairs({ workers }: OrgAlignArguments, session: OrgSession): Promise<OrgOutcome> {
  const rows = await readRows(pairKind);
  return writeRows(await session.index.align(rows, comparingOf(workers, session)), session);
}

export async function groupMatches(given: OrgGroupArguments, session: OrgSession): Promise<OrgOutcome> {
  const rows = await readRows(matchKind);
  const which = given.component ? 'component' : 'all';
  return report(await session.index.group(rows, which, comparingOf(1, session)), given, session);
}

function comparingOf(
  workers: number,
  { progress, interrupted }: OrgSession,
): Parameters<OrgSession['index']['compare']>[0] {
  return { scanThread, workers, monitor: { onProgress: progress, cancelled: interrupted } };
}

async function report(
  compared: Compared | undefined,
  given: OrgReportArguments,
  session: OrgSession,
): Promise<OrgOutcome> {
  if (compared === undefined) return interrupted(session);
  const all = { ...compared, version: session.version };
  await writeTo(session.stdout, given.format === 'json' ? renderAsJson(all) : renderAsText(all, given));
  return 0;
}

async function interrupted({ tell, interruptedCode }: OrgSession): Promise<number> {
  await tell(['interrupted; the stored repositories are unchanged.']);
  return interruptedCode();
}

/** @param lines  standard input if omitted */
async function readRows<Field extends string>(
  kind: RowKind<Field>,
  lines: AsyncIterable<string> = createInterface({ input: process.stdin }),
): Promise<ReadRows<Field>> {
  const rows = new ReadRows(kind);
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line !== '') rows.add(line, number);
  }
  return rows;
}

async function writeRows(rows: Iterable<object> | undefined, session: OrgSession): Promise<OrgOutcome> {
  if (rows === undefined) return interrupted(session);
  await writeTo(session.stdout, linesOf(rows));
  return 0;
}

function* linesOf(rows: Iterable<object>): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(row)}\n`;
}
