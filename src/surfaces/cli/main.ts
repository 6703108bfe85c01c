/**
 * Entry point of the command line: kindred scan, files, folders, check, baseline, ignored, find, history, explain, org,
 * mcp, lsp, hook, and init. Start reading here; each step is documented in its own file.
 */
import { statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import { endStage } from '../../scan/indexer/stages.ts';
import { commonFolderOf } from '../../scan/io/listSources.ts';
import { GitFailure } from '../../scan/io/gitFailure.ts';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';
import { remedyFor } from '../../scan/io/systemLimits.ts';
import type { BaselineArguments, CheckArguments } from './gateArguments.ts';
import {
  type ExplainArguments,
  type FindArguments,
  type HookArguments,
  type InitArguments,
  parseArguments,
} from './arguments.ts';
import type { ScanArguments } from './scanArguments.ts';
import type { TextToFind } from './runFind.ts';
import type { beginCache, Cache } from './cache.ts';
import type { CheckRun } from '../../review/check/checkRun.ts';
import type { JudgedReport, readProjectBaseline } from '../../review/check/ignoring.ts';
import type { ScannedTree } from '../../review/check/scannedTree.ts';
import type { BaselineEntry } from '../../review/gate/baseline.ts';
import type { CompareArguments } from './compareArguments.ts';
import type { HistoryArguments } from './historyArguments.ts';
import type { OrgArguments } from './orgArguments.ts';
import { beginFiles, deliver, discardFiles, isReport } from './deliver.ts';
import { catchInterrupts, hungUp, type Interruption, closeTerminal } from './interruption.ts';
import { type Streams, writeTo } from './output.ts';
import { printable, printableJson } from '../../presentation/wording/printable.ts';
import { noProgress, showProgress } from './progress.ts';
import { isChecked, type ScanReport } from './scanReport.ts';
import { requestFor } from './scanRequest.ts';
import { findDuplicates, knowsBudgets, requestOf, type Surroundings } from './findDuplicates.ts';
import { describeSettings, readSettings, type Settings } from './settings.ts';
import { readVersion } from './version.ts';

/** Exit code if the command failed. After a signal, the exit code is 128 plus the signal's number, as in shells. */
const couldNotRun = 2;

/**
 * Sets V8 flags for the process. The hot functions are in the WebAssembly kernel, so JavaScript need not be optimized
 * early. V8's default budget is a sixth of this budget. With it, a tenth of a scan would be spent on compiling code
 * that is almost finished. V8 versions after Node 20's count calls instead, and would warn about unknown flags.
 */
export function prepareProcess(): void {
  if (knowsBudgets) setFlagsFromString('--interrupt-budget=400000');
  // The functions that write to these streams handle errors. Without a listener, an error would end the program, for
  // example if the terminal is closed while a progress bar is drawn.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Runs the command line with the arguments after `kindred`. Reports errors, handles signals, returns the exit code. */
export async function runCommandLine(commandArguments: readonly string[], streams: Streams): Promise<number> {
  try {
    return await run(commandArguments, streams);
  } catch (error) {
    const cause = outsideCauseOf(error);
    if (isSystemError(error) && error.syscall === 'write') {
      // This error is about standard output. Errors of other destinations were already reported.
      streams.stderr.write(`kindred: cannot write to standard output (${causeOf(error)}).\n`);
    } else if (cause !== undefined) {
      await writeMessages(streams, [cause]);
    } else {
      // This is a bug, so print the stack trace.
      const lines = String((error as Error).stack)
        .split('\n')
        .map(printable);
      streams.stderr.write(`kindred: internal error; report it with the lines below.\n${lines.join('\n')}\n`);
    }
    return couldNotRun;
  }
}

async function run(commandArguments: readonly string[], streams: Streams): Promise<number> {
  const version = readVersion();
  const request = parseArguments(commandArguments, version);
  switch (request.type) {
    case 'text':
      await writeTo(streams.stdout, [request.text]);
      return 0;
    case 'problem':
      return refuse(streams, request.problem);
    case 'scan':
      return runScan(request, streams, version);
    case 'compare':
      return runCompare(request, streams, version);
    case 'check':
      return runCheck(request, streams, version);
    case 'baseline':
      return runBaseline(request, streams);
    case 'explain':
      return runExplain(request, streams);
    case 'find':
      return runFind(request, streams, version);
    case 'history':
      return runHistory(request, streams, version);
    case 'mcp':
    case 'lsp': {
      const { runServer } = await import('./runServer.ts');
      const problem = await runServer(request, version, (line) => void writeTo(streams.stderr, [line]));
      return problem === undefined ? 0 : refuse(streams, problem);
    }
    case 'org':
      return runOrganisation(request, streams, version);
    case 'hook':
      return runHook(request, streams);
    case 'init':
      return runInit(request, streams);
  }
}

async function runInit({ folder: givenFolder, agents }: InitArguments, streams: Streams): Promise<number> {
  const { createConfiguration, folderForAgents, setUpAgents } = await import('./runInit.ts');
  if (agents === undefined) return endInit(createConfiguration(givenFolder ?? '.'), streams);
  const { folder, note } = folderForAgents(givenFolder);
  const scan = { ...agents.scan, roots: [folder] };
  const interrupt = catchInterrupts();
  try {
    const outcome = await setUpAgents(folder, agents.isDryRun, streams.env, async (isOwn) => {
      const settings = settingsFor(scan);
      if (settings.type === 'problem') return settings;
      const { scanned } = await findDuplicates(scan, settings, streams, {
        cancelled: interrupt.seen,
        isOwn,
        place: undefined,
        warn: () => undefined,
        run: undefined,
      });
      await writeMessages(streams, scanned.listing.warnings);
      return interrupt.seen() ? undefined : scanned;
    });
    if (outcome !== undefined) {
      if ('notes' in outcome) await writeMessages(streams, [...(note === undefined ? [] : [note]), ...outcome.notes]);
      return await endInit(outcome, streams);
    }
    await writeMessages(streams, ['interrupted; nothing was changed.']);
    return interrupt.code();
  } finally {
    interrupt.release();
  }
}

async function endInit(
  outcome: { readonly text: string } | { readonly problem: string },
  streams: Streams,
): Promise<number> {
  if ('problem' in outcome) return refuse(streams, outcome.problem);
  await writeTo(streams.stdout, [outcome.text]);
  return 0;
}

async function runExplain(explainArguments: ExplainArguments, streams: Streams): Promise<number> {
  const [{ explainPlaces, renderExplanation }, { parsePlace }] = await Promise.all([
    import('./runExplain.ts'),
    import('./readPlace.ts'),
  ]);
  const a = parsePlace(explainArguments.places[0]);
  if ('problem' in a) return refuse(streams, a.problem);
  const b = parsePlace(explainArguments.places[1]);
  if ('problem' in b) return refuse(streams, b.problem);
  const files = [a.file, b.file];
  const missing = missingAmong(files, 'file');
  if (missing !== undefined) return refuse(streams, missing);
  const settings = readSettings(explainArguments, commonFolderOf(files));
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const explanation = explainPlaces([a, b], settings.options, explainArguments.limit);
  if ('problem' in explanation) return refuse(streams, explanation.problem);
  const text =
    explainArguments.format === 'json'
      ? `${printableJson(explanation, 2)}\n`
      : renderExplanation(explanation, settings.options);
  await writeTo(streams.stdout, [text]);
  return 0;
}

async function runFind(findArguments: FindArguments, streams: Streams, version: string): Promise<number> {
  const { findIn, queryOf, readTexts, renderFound } = await import('./runFind.ts');
  const missing = missingAmong(findArguments.roots, 'file or folder');
  if (missing !== undefined) return refuse(streams, missing);
  const searchedTexts = readTexts(findArguments);
  if ('problem' in searchedTexts) return refuse(streams, searchedTexts.problem);
  const settings = readSettings(findArguments, commonFolderOf(findArguments.roots));
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const cache = await cacheOf(findArguments);
  if (cache && 'problem' in cache) return refuse(streams, `--cache: ${cache.problem}`);
  const interrupt = catchInterrupts();
  const progress = findArguments.progress ? await showProgress(streams.stderr) : noProgress;
  const warnings: string[] = [];
  try {
    const { request, listing, store } = await requestOf(
      findArguments,
      settings,
      surroundingsOf(interrupt.seen, cache, warnings),
    );
    const queryFor = (one: TextToFind): SimilarQuery => queryOf(findArguments, one, listing.root);
    const found = await findIn({ ...request, whenCancelled: 'stop' }, searchedTexts, queryFor, {
      onProgress: (state) => progress.update(state),
      cancelled: interrupt.seen,
    });
    progress.stop();
    await setImmediate();
    if (interrupt.seen()) {
      await writeMessages(streams, ['interrupted; there is no result.']);
      return interrupt.code();
    }
    if (found === undefined) return await refuse(streams, 'there is no index to search.');
    if ('problem' in found) return await refuse(streams, found.problem);
    const report = { tool: { name: 'kindred', version } as const, root: listing.root, ...found };
    await writeTo(streams.stdout, [renderFound(report, findArguments, process.cwd())]);
    await store?.save(interrupt.seen);
    await writeMessages(streams, [...listing.warnings, ...warnings]);
    return 0;
  } finally {
    progress.stop();
    interrupt.release();
  }
}

async function runHistory(historyArguments: HistoryArguments, streams: Streams, version: string): Promise<number> {
  const settings = settingsFor(historyArguments.scan);
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const { openHistory } = await import('./history/runHistory.ts');
  const history = await openHistory(historyArguments);
  if ('problem' in history) return refuse(streams, history.problem);
  const cache = await cacheOf(historyArguments.scan);
  if (cache && 'problem' in cache) return refuse(streams, `--cache: ${cache.problem}`);
  const interrupt = catchInterrupts();
  const warnings: string[] = [];
  try {
    const { scanned, store } = await findDuplicates(
      historyArguments.scan,
      settings,
      streams,
      surroundingsOf(interrupt.seen, cache, warnings),
    );
    await store?.save(interrupt.seen);
    const text = interrupt.seen() ? undefined : await history.report(scanned, version, interrupt.seen);
    await writeMessages(streams, [...scanned.listing.warnings, ...warnings]);
    if (text !== undefined) {
      await writeTo(streams.stdout, [text]);
      return 0;
    }
    await writeMessages(streams, ['interrupted; there is no result.']);
    return interrupt.code();
  } finally {
    interrupt.release();
  }
}

/** Answers an agent's hook call, or indexes the folder for later ones. Reports no errors: they disturb agents. */
async function runHook({ isIndex, timeoutMs }: HookArguments, { stdout, env }: Streams): Promise<number> {
  if (isIndex) {
    const { indexUnits } = await import('./indexUnits.ts');
    await indexUnits(process.cwd(), env).catch(() => undefined);
    return 0;
  }
  const { answerInTime } = await import('../hook/answerInTime.ts');
  await writeTo(stdout, [await answerInTime(timeoutMs, env)]);
  return 0;
}

async function runOrganisation(orgArguments: OrgArguments, streams: Streams, version: string): Promise<number> {
  const { loadOrg } = await import('./loadOrg.ts');
  const runOrg = await loadOrg();
  if (runOrg === undefined) {
    return refuse(streams, 'the extension does not include kindred org; install the command line from npm.');
  }
  const interrupt = catchInterrupts();
  try {
    const outcome = await runOrg(orgArguments, {
      stdout: streams.stdout,
      stderr: streams.stderr,
      env: streams.env,
      version,
      interrupted: interrupt.seen,
      interruptedCode: interrupt.code,
      writeMessages: (sentences) => writeMessages(streams, sentences),
    });
    return typeof outcome === 'number' ? outcome : await refuse(streams, outcome.problem);
  } finally {
    interrupt.release();
  }
}

async function runScan(scanArguments: ScanArguments, streams: Streams, version: string): Promise<number> {
  const settings = settingsFor(scanArguments);
  return settings.type === 'problem'
    ? refuse(streams, settings.problem)
    : scanAndReport(scanArguments, settings, streams, version);
}

/** Returns the settings of a scan, or an error message about the settings or paths. */
function settingsFor(scanArguments: ScanArguments): ReturnType<typeof readSettings> {
  const missing = missingAmong(scanArguments.roots, 'file or folder');
  if (missing !== undefined) return { type: 'problem', problem: missing };
  return readSettings(scanArguments, commonFolderOf(scanArguments.roots));
}

async function runCheck({ scan, gate }: CheckArguments, streams: Streams, version: string): Promise<number> {
  const settings = settingsFor(scan);
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const { beginCheck } = await import('../../review/check/checkRun.ts');
  const { sources, boundaries } = settings;
  const tree = { root: commonFolderOf(scan.roots), roots: scan.roots, sources, boundaries };
  const run = await beginCheck(gate, tree, streams.env);
  if ('problem' in run) return refuse(streams, run.problem);
  return scanAndReport(scan, settings, streams, version, run);
}

async function runCompare(compareArguments: CompareArguments, streams: Streams, version: string): Promise<number> {
  const { scan } = compareArguments;
  const missing = missingAmong(compareArguments.folders, 'folder');
  if (missing !== undefined) return refuse(streams, missing);
  const { compareTrees, readFolders } = await import('./compare/compareTrees.ts');
  const folders = readFolders(compareArguments.folders);
  if ('problem' in folders) return refuse(streams, folders.problem);
  const settings = readSettings(scan, folders[0]);
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const begun = beginFiles(scan.destinations);
  if ('problem' in begun) return refuse(streams, begun.problem);
  const interrupt = catchInterrupts();
  const progress = scan.progress ? await showProgress(streams.stderr) : noProgress;
  try {
    const { comparison, warnings } = await compareTrees(folders, {
      sources: settings.sources,
      requestFor: (input) => requestFor(scan, settings, input, undefined),
      isOwn: (name) => isReport(begun, name),
      monitor: { onProgress: (state) => progress.update(state), cancelled: interrupt.seen },
    });
    progress.stop();
    await setImmediate();
    const { deliverComparison } = await import('./compare/deliverComparison.ts');
    const making = { tool: { name: 'kindred', version } as const, options: describeSettings(settings) };
    const problem = await deliverComparison(comparison, making, begun, scan.extent, streams);
    await writeMessages(streams, warnings);
    if (problem !== undefined) return await refuse(streams, problem);
    return interrupt.seen() ? await endInterrupted(streams, interrupt, comparison.complete) : 0;
  } finally {
    progress.stop();
    discardFiles(begun);
    interrupt.release();
  }
}

async function runBaseline(baselineArguments: BaselineArguments, streams: Streams): Promise<number> {
  const settings = settingsFor(baselineArguments.scan);
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const cache = await cacheOf(baselineArguments.scan);
  if (cache && 'problem' in cache) return refuse(streams, `--cache: ${cache.problem}`);
  const { maintainBaseline } = await import('./check/runBaseline.ts');
  const interrupt = catchInterrupts();
  const warnings: string[] = [];
  try {
    const outcome = await maintainBaseline(baselineArguments, async () => {
      const { scanned, store } = await findDuplicates(
        baselineArguments.scan,
        settings,
        streams,
        surroundingsOf(interrupt.seen, cache, warnings),
      );
      await store?.save(interrupt.seen);
      return interrupt.seen() ? undefined : scanned;
    });
    await writeMessages(streams, warnings);
    if (outcome === undefined) return interrupt.code();
    if ('problem' in outcome) return await refuse(streams, outcome.problem);
    await writeTo(streams.stdout, outcome.text);
    return outcome.code;
  } finally {
    interrupt.release();
  }
}

/**
 * Returns the context for scanning all files.
 *
 * @param warnings  receives warnings
 */
function surroundingsOf(cancelled: () => boolean, cache: Cache | undefined, warnings: string[]): Surroundings {
  return {
    cancelled,
    isOwn: (name) => cache?.has(name) === true,
    place: cache?.place,
    warn: (problem) => warnings.push(problem),
    run: undefined,
  };
}

async function cacheOf({
  cache,
  roots,
}: Pick<ScanArguments, 'cache' | 'roots'>): Promise<ReturnType<typeof beginCache> | undefined> {
  return cache === undefined ? undefined : (await import('./cache.ts')).beginCache(cache, roots);
}

/** Exit code if a limit of the check is exceeded. */
const limitBroken = 1;

/** @param run  check that judges the findings; `undefined` for none */
async function scanAndReport(
  scanArguments: ScanArguments,
  settings: Settings,
  streams: Streams,
  version: string,
  run?: CheckRun,
): Promise<number> {
  const cache = await cacheOf(scanArguments);
  if (cache && 'problem' in cache) return refuse(streams, `--cache: ${cache.problem}`);
  const entries = run || scanArguments.showsIgnored ? undefined : await ignoringEntries(scanArguments);
  if (entries && 'problem' in entries) return refuse(streams, entries.problem);
  const interrupt = catchInterrupts();
  const begun = beginFiles(scanArguments.destinations);
  if ('problem' in begun) return refuse(streams, begun.problem);
  const warnings: string[] = [];
  try {
    const { scanned, store } = await findDuplicates(scanArguments, settings, streams, {
      cancelled: interrupt.seen,
      // Reports and cache files are not scanned.
      isOwn: (name) => isReport(begun, name) || cache?.has(name) === true,
      place: cache?.place,
      warn: (problem) => warnings.push(problem),
      run,
    });
    const { listing } = scanned;
    const judged = await judgeUnless(interrupt.seen, scanned, run, entries);
    const report: ScanReport = {
      scope: scanArguments.scope,
      tool: { name: 'kindred', version },
      root: listing.root,
      options: describeSettings(settings),
      ...judged,
      hidden: listing.hidden,
      // Time since the start of the program, because that is how long the user has waited.
      elapsedMs: performance.now(),
    };
    const problem = await deliver(report, begun, scanArguments.extent, streams);
    endStage({ stage: 'written' });
    await store?.save(interrupt.seen);
    await writeMessages(streams, [...listing.warnings, ...warnings]);
    if (problem !== undefined) return await refuse(streams, problem);
    if (!interrupt.seen()) return await endChecked(streams, report);
    return await endInterrupted(streams, interrupt, report.findings.complete);
  } finally {
    discardFiles(begun);
    interrupt.release();
  }
}

/** Returns the exit code after a report was written. Prints a warning if the check was incomplete. */
async function endChecked(streams: Streams, report: ScanReport): Promise<number> {
  if (!isChecked(report)) return 0;
  const { holds, limits, uncompared } = report.check;
  if (uncompared !== undefined) {
    const help = holds ? '' : '; raise --memory, exclude the files, or accept it with --allow-incomplete';
    await writeMessages(streams, [`the comparison is incomplete: ${uncompared}${help}.`]);
  }
  if (holds) return 0;
  return limits.every((limit) => limit.holds) ? couldNotRun : limitBroken;
}

/** Returns the project's entries about groups to ignore, or an error message about their file. */
async function ignoringEntries({ roots }: ScanArguments): Promise<ReturnType<typeof readProjectBaseline>> {
  return (await import('../../review/check/ignoring.ts')).readProjectBaseline(commonFolderOf(roots));
}

/**
 * Judges the findings with a check, or with the entries about groups to ignore. Returns the findings unchanged if there
 * is neither, or if interrupted.
 */
async function judgeUnless(
  cancelled: () => boolean,
  scanned: ScannedTree,
  run: CheckRun | undefined,
  entries: readonly BaselineEntry[] | undefined,
): Promise<JudgedReport & Pick<ScanReport, 'check'>> {
  const { findings } = scanned;
  const asItIs = { findings, shown: findings, ignoredGroups: 0 };
  if (cancelled()) return asItIs;
  if (entries) return (await import('../../review/check/ignoring.ts')).judgeScan(scanned, entries);
  if (run === undefined) return asItIs;
  const judged = await run.judge(scanned);
  // Yield to the event loop, so that an interrupt that arrived in the meantime is handled.
  await setImmediate();
  return judged ?? asItIs;
}

async function endInterrupted(streams: Streams, interrupt: Interruption, complete: boolean): Promise<number> {
  const result = complete ? 'the result was complete by then' : 'the result is partial';
  await writeMessages(streams, [`interrupted; ${result}.`]);
  if (interrupt.code() === hungUp) closeTerminal();
  return interrupt.code();
}

/** Returns an error message about the first path that does not exist; `undefined` if all exist. */
function missingAmong(paths: readonly string[], pathKind: string): string | undefined {
  for (const name of paths) {
    if (name === '') return `the name of the ${pathKind} is empty.`;
    try {
      statSync(name);
    } catch (error) {
      const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (isMissing) return `there is no ${pathKind} ${name}; check the path.`;
      return `${name} cannot be accessed (${causeOf(error)}).`;
    }
  }
  return undefined;
}

async function refuse(streams: Streams, problem: string): Promise<number> {
  await writeMessages(streams, [problem]);
  return couldNotRun;
}

/** Maximum number of characters of a message, which may contain long paths, globs, or keys. */
const longestSentence = 1_000;

async function writeMessages({ stderr }: Streams, sentences: readonly string[]): Promise<void> {
  const short = (text: string): string =>
    text.length <= longestSentence ? text : `${text.slice(0, longestSentence)}…`;
  try {
    await writeTo(
      stderr,
      sentences.map((sentence) => `kindred: ${short(printable(sentence))}\n`),
    );
  } catch (error) {
    // Ignore the error. The exit code still tells the caller the result.
    if (!isSystemError(error)) throw error;
  }
}

/** Returns a message for an error that is not a bug: a system limit, or a failure of git. */
function outsideCauseOf(error: unknown): string | undefined {
  if (error instanceof GitFailure) return error.message;
  return remedyFor(error);
}
