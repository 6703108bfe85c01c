/**
 * `kindred org scan` finds near-duplicates across all repositories. The commands `pairs`, `align`, and `group` are its
 * steps.
 */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { IndexError } from '../../../organisation/folder/indexError.ts';
import type { Comparison, ComparisonTask } from '../../../organisation/repositories/comparisonSteps.ts';
import type { SparkPlan } from '../../../organisation/repositories/sparkPlan.ts';
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

export async function scanOrganisation(scanArguments: OrgScanArguments, session: OrgSession): Promise<OrgOutcome> {
  const compared = await session.index.compare({
    ...comparingOf(scanArguments.workers, session),
    onContinue: (step) => void session.writeMessages([continued[step]]),
    matchOnSpark:
      scanArguments.engine === 'spark' ? (plan: SparkPlan) => matchOnSpark(plan, scanArguments, session) : undefined,
  });
  return report(compared, scanArguments, session);
}

/** Messages about an interrupted scan that continues, by its last finished step. */
const continued = {
  pairs: 'an earlier scan of these repositories was interrupted; continuing with its candidate pairs.',
  matches: 'an earlier scan of these repositories was interrupted; continuing with its matches.',
};

/** Steps of the program that Spark runs, for the progress. */
const stepsOnSpark = 7;

function matchOnSpark(
  plan: SparkPlan,
  { master, worker }: OrgScanArguments,
  { progress, interrupted, env, version, writeMessages }: OrgSession,
): Promise<void> {
  return submit({
    program: fileURLToPath(new URL('./scanOnSpark.py', import.meta.url)),
    plan: { ...plan, version, worker: workerCommand(worker) },
    master,
    environment: env,
    onStep: (done) => progress({ phase: 'matching', done, total: stepsOnSpark }),
    onContinue: () => void writeMessages([continued.pairs]),
    onWaiting: () => void writeMessages(['Spark has no free executor; the scan waits for one.']),
    cancelled: interrupted,
  });
}

/** Returns the command that runs Kindred on the executors. */
function workerCommand(workerProgram: string | undefined): string[] {
  if (workerProgram === undefined) return [process.execPath, fileURLToPath(new URL('./cli.js', import.meta.url))];
  return workerProgram.endsWith('.js') ? ['node', workerProgram] : [workerProgram];
}

export async function writePairs({ file }: OrgPairsArguments, session: OrgSession): Promise<OrgOutcome> {
  checkFolderOf(file);
  await session.index.pairs(file, comparingOf(1, session));
  return 0;
}

export async function alignPairs(
  { pairs, matches, workers }: OrgAlignArguments,
  session: OrgSession,
): Promise<OrgOutcome> {
  checkFolderOf(matches);
  await session.index.align(parquetFiles(pairs), matches, comparingOf(workers, session));
  return 0;
}

export async function groupMatches(groupArguments: OrgGroupArguments, session: OrgSession): Promise<OrgOutcome> {
  const files = groupArguments.matches.flatMap(parquetFiles);
  const which = groupArguments.component ? 'component' : 'all';
  return report(await session.index.group(files, which, comparingOf(1, session)), groupArguments, session);
}

/**
 * Returns the file with the given name, or the Parquet files of the folder with this name and of its folders.
 *
 * @throws IndexError if there is neither
 */
function parquetFiles(name: string): string[] {
  const found = statSync(name, { throwIfNoEntry: false });
  if (found === undefined) throw new IndexError(`There is no file ${name}: check the path.`);
  if (!found.isDirectory()) return [name];
  const files = readdirSync(name, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.parquet'));
  return files.sort().map((file) => path.join(name, file));
}

/** @throws IndexError if the folder of a file to write does not exist */
function checkFolderOf(file: string): void {
  const folder = path.dirname(path.resolve(file));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new IndexError(`There is no folder ${folder}: create it first.`);
  }
}

function comparingOf(workers: number, { progress, interrupted }: OrgSession): ComparisonTask {
  return { scanThread, workers, monitor: { onProgress: progress, cancelled: interrupted } };
}

async function report(compared: Comparison, reportArguments: OrgReportArguments, session: OrgSession): Promise<number> {
  const all = { ...compared, version: session.version };
  await writeTo(
    session.stdout,
    reportArguments.format === 'json' ? renderAsJson(all) : renderAsText(all, reportArguments),
  );
  return 0;
}
