#!/usr/bin/env node
/** The command line: kindred scan, kindred files, kindred explain. READ THIS FIRST; what each step does is in the file it comes from. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Findings } from '../engine/report.ts';
import type { IndexStore } from '../indexer/indexStore.ts';
import { endStage } from '../indexer/stages.ts';
import { commonFolderOf, listSources } from '../io/listSources.ts';
import { type ExplainArguments, parseArguments, type ScanArguments } from './arguments.ts';
import { coloursFor, plain } from './colours.ts';
import { beginCache } from './cache.ts';
import { beginFile, type PendingFile, writeTo } from './output.ts';
import { noProgress, showProgress } from './progress.ts';
import { renderJson } from './renderJson.ts';
import { renderSummary, renderText, type TextView } from './renderText.ts';
import type { ScanReport } from './scanReport.ts';
import { describeSettings, readSettings, type Settings } from './settings.ts';

/** The exit codes, beside 0: could not run, and interrupted (128 + SIGINT, as shells have it). */
const couldNotRun = 2;
const interrupted = 130;

/** Where a call writes, and what it knows of the world around it. */
export type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

/** Runs the command line with the arguments after `kindred`; answers with the exit code. Ctrl+C is honoured meanwhile. */
export async function run(given: readonly string[], streams: Streams): Promise<number> {
  const version = readVersion();
  const request = parseArguments(given, version);
  switch (request.type) {
    case 'text':
      await writeTo(streams.stdout, [request.text]);
      return 0;
    case 'problem':
      return refuse(streams, request.problem);
    case 'scan':
      return runScan(request, streams, version);
    case 'explain':
      return runExplain(request, streams);
  }
}

async function runExplain(given: ExplainArguments, streams: Streams): Promise<number> {
  const { explainPlaces, parsePlace, renderExplanation } = await import('./runExplain.ts');
  const [a, b] = given.places;
  const places = [parsePlace(a), parsePlace(b)] as const;
  const missing = places.find(({ file }) => !existsSync(file));
  if (missing !== undefined) return refuse(streams, `there is no file ${missing.file}; check the path.`);
  const settings = readSettings(given, commonFolderOf(places.map(({ file }) => file)));
  if (settings.type === 'problem') return refuse(streams, settings.problem);
  const explanation = explainPlaces(places, settings.options, given.most);
  if ('problem' in explanation) return refuse(streams, explanation.problem);
  const text =
    given.format === 'json'
      ? `${JSON.stringify(explanation, undefined, 2)}\n`
      : renderExplanation(explanation, settings.options);
  await writeTo(streams.stdout, [text]);
  return 0;
}

async function runScan(given: ScanArguments, streams: Streams, version: string): Promise<number> {
  const missing = given.roots.find((root) => !existsSync(root));
  if (missing !== undefined) return refuse(streams, `there is no file or folder ${missing}; check the path.`);
  const settings = readSettings(given, commonFolderOf(given.roots));
  if (settings.type === 'problem') return refuse(streams, settings.problem);

  const file = given.output === undefined ? undefined : beginFile(given.output);
  if (file && 'problem' in file) return refuse(streams, `--output: ${file.problem}`);
  const cache = given.cache === undefined ? undefined : beginCache(given.cache, given.roots);
  if (cache && 'problem' in cache) {
    file?.discard();
    return refuse(streams, `--cache: ${cache.problem}`);
  }
  const written = new Set(file && given.output !== undefined ? [path.resolve(given.output), file.temporary] : []);
  const interrupt = catchInterrupt(() => file?.discard());
  const warnings: string[] = [];
  try {
    const { findings, root, store } = await findDuplicates(given, settings, streams, {
      cancelled: interrupt.seen,
      // What is or was written into the folder is none of its sources.
      isOwn: (name) => written.has(name) || cache?.has(name) === true,
      place: cache?.place,
      warn: (problem) => warnings.push(problem),
    });
    const report: ScanReport = {
      scope: given.scope,
      tool: { name: 'kindred', version },
      root,
      options: describeSettings(settings),
      findings,
      // Since the program started, which is what a person waits for.
      elapsedMs: performance.now(),
    };
    await deliver(report, given, streams, file);
    endStage({ stage: 'written' });
    await store?.save(interrupt.seen);
    await writeTo(
      streams.stderr,
      warnings.map((problem) => `kindred: ${problem}\n`),
    );
    if (!interrupt.seen()) return 0;
    const result = findings.complete ? 'the result was complete by then' : 'the result is partial';
    await writeTo(streams.stderr, [`kindred: interrupted; ${result}.\n`]);
    return interrupted;
  } finally {
    file?.discard();
    interrupt.release();
  }
}

/** What the scan has to know of the call. */
interface Surroundings {
  readonly cancelled: () => boolean;
  /** Whether a file, by its absolute path, is one of ours. */
  readonly isOwn: (file: string) => boolean;
  /** Where the index is kept; undefined when it is not. */
  readonly place: string | undefined;
  readonly warn: (problem: string) => void;
}

async function findDuplicates(
  given: ScanArguments,
  { options, sources }: Settings,
  streams: Streams,
  { cancelled, isOwn, place, warn }: Surroundings,
): Promise<{ findings: Findings; root: string; store: IndexStore | undefined }> {
  const progress = given.progress && streams.stderr.isTTY ? await showProgress(streams.stderr) : noProgress;
  try {
    const listing = await listSources(given.roots, sources, cancelled);
    endStage({ stage: 'listed' });
    // Loaded when there is something to do: help, the version and a mistake are answered without the engine.
    const [{ scan }, { IndexStore }] = await Promise.all([
      import('../indexer/scan.ts'),
      import('../indexer/indexStore.ts'),
    ]);
    const lane = new URL('./lane.js', import.meta.url);
    const identity = {
      options,
      sources,
      lexicons: [],
      files: JSON.stringify([sources, given.memoryMB]),
      lane,
    };
    const store = place === undefined ? undefined : new IndexStore(place, identity, warn);
    const findings = await scan(
      {
        listing: { ...listing, files: listing.files.filter(({ file }) => !isOwn(file)) },
        texts: [],
        options,
        sources,
        workers: given.workers,
        scope: given.scope,
        memoryMB: given.memoryMB,
        lane,
        lexicons: [],
        store,
        // The same findings with a cache and without.
        weighing: 'measured',
        whenCancelled: 'group',
      },
      { onProgress: (state) => progress.update(state), cancelled },
    );
    // A turn of the event loop, which brings an interrupt that came while the thread was busy.
    await setImmediate();
    return { findings, root: listing.root, store };
  } finally {
    progress.stop();
  }
}

/** Writes the report where it was asked for; of one that goes to a file, the summary is shown. */
async function deliver(
  report: ScanReport,
  given: ScanArguments,
  streams: Streams,
  file: PendingFile | undefined,
): Promise<void> {
  const toStream: TextView = {
    colours: coloursFor(streams.stdout, streams.env),
    width: streams.stdout.columns || 100,
    top: given.top,
    from: process.cwd(),
  };
  const render = (view: TextView): Iterable<string> =>
    given.format === 'json' ? renderJson(report) : renderText(report, view);
  if (file === undefined) {
    await writeTo(streams.stdout, render(toStream));
    return;
  }
  file.write(render({ ...toStream, colours: plain, width: 100 }));
  file.commit();
  await writeTo(streams.stdout, [...renderSummary(report, toStream), `The report is in ${given.output}.\n`]);
}

async function refuse(streams: Streams, problem: string): Promise<number> {
  await writeTo(streams.stderr, [`kindred: ${problem}\n`]);
  return couldNotRun;
}

/** The first Ctrl+C lets the scan end with what it has; the second ends the program at once, and leaves no trace. */
function catchInterrupt(cleanUp: () => void): { readonly seen: () => boolean; readonly release: () => void } {
  let count = 0;
  const onInterrupt = (): void => {
    if (++count < 2) return;
    cleanUp();
    process.exit(interrupted);
  };
  process.on('SIGINT', onInterrupt);
  return { seen: () => count > 0, release: () => process.off('SIGINT', onInterrupt) };
}

function readVersion(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

// What is hot for longer than some dozens of milliseconds is in the kernel. V8's own patience before it optimises a function
// is a third of this: it spends a tenth of a scan's time on compiling what has nearly ended.
setFlagsFromString('--interrupt-budget=400000');
try {
  process.exitCode = await run(process.argv.slice(2), process);
} catch (error) {
  // A bug, and the stack is what helps to find it.
  process.stderr.write(`kindred: this should not have happened; please report it.\n${(error as Error).stack}\n`);
  process.exitCode = couldNotRun;
}
