/**
 * Faults around the command line: it is killed, its disk is full, or its files belong to others or change meanwhile.
 * Each function tries one kind of fault. It returns the loss, if any: a wrong report, a damaged cache or output, a
 * hang, a stack trace, or silence.
 */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  giveToPlainUser,
  type JsonReport,
  type Outcome,
  outcomeOf,
  plainUser,
  start,
  textOfFile,
} from '../cli/kindred.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { originsOf } from '../fuzz/cases.ts';
import { reportProblems } from '../reportProblems.ts';

/** Returns the next pseudorandom number in [0, 1). */
export type Chance = () => number;

/** Tries a fault. Returns the loss, or undefined if there is none. */
type Try = (place: Place, chance: Chance) => Promise<string | undefined>;

/** Time on a busy machine after which a call counts as hanging. */
const limitMs = 550_000;

/** A tree to scan, an output, and a folder for a cache, created for each kind of fault. */
export class Place {
  readonly folder = makeFolder({});
  readonly tree = path.join(this.folder, 'tree');
  readonly cache = path.join(this.folder, 'cache');
  readonly output = path.join(this.folder, 'report.json');
  /** User that runs the calls. If undefined, the user of the tests. */
  readonly user: number | undefined;
  /** Duration of a call without a cache. Faults are spread over it. */
  wholeMs = 0;

  private constructor(user: number | undefined) {
    this.user = user;
  }

  /** Gives the contents of the folder to the user that runs the calls. */
  handOver(): void {
    if (this.user !== undefined) giveToPlainUser(this.folder);
  }

  /** Creates the tree again. */
  fill(): void {
    rmSync(this.tree, { recursive: true, force: true });
    const origins = originsOf(undefined);
    for (const [i, { name, bytes }] of [...origins, ...origins].entries()) {
      const file = path.join(this.tree, `${i % 7}`, `${i}${name}`);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, i % 3 === 0 ? bytes.subarray(bytes.length >> 2) : bytes);
    }
    this.handOver();
  }

  static async make(user?: number): Promise<Place> {
    const place = new Place(user);
    place.fill();
    const started = performance.now();
    await place.scan('--cache', place.cache, '--output', place.output);
    place.wholeMs = performance.now() - started;
    rmSync(place.cache, { recursive: true });
    rmSync(place.output);
    return place;
  }

  /** Starts a call: a scan of the tree with JSON output and additional options. */
  begin(...commandArguments: string[]): ChildProcess {
    return start(['scan', this.tree, '--format', 'json', '--min-tokens', '30', ...commandArguments], {
      cwd: this.folder,
      user: this.user,
    });
  }

  /** Runs a call to its end. A hang is an outcome without an exit code. */
  async scan(...commandArguments: string[]): Promise<Outcome> {
    return untilEnd(this.begin(...commandArguments));
  }

  /** Returns the report of the current files without a cache, and without its time. */
  async expected(): Promise<string> {
    const outcome = await this.scan();
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    return withoutTime(outcome.stdout);
  }

  /** Changes one or two files, so that a cache must be updated. */
  change(chance: Chance): void {
    const folder = path.join(this.tree, String(Math.floor(chance() * 7)));
    const names = readdirSync(folder);
    const [one, other] = [names[Math.floor(chance() * names.length)], names[Math.floor(chance() * names.length)]];
    copyFileSync(path.join(folder, one), path.join(folder, `${other}.new${path.extname(one)}`));
    if (names.length > 12) rmSync(path.join(folder, one));
    this.handOver();
  }

  /** Returns the names of some of its files, without duplicates. */
  someFiles(chance: Chance, limit: number): string[] {
    const folder = path.join(this.tree, String(Math.floor(chance() * 7)));
    const names = readdirSync(folder).sort(() => chance() - 0.5);
    return names.slice(0, Math.ceil(chance() * limit)).map((name) => path.join(folder, name));
  }

  cacheFiles(): string[] {
    return existsSync(this.cache) ? readdirSync(this.cache).map((name) => path.join(this.cache, name)) : [];
  }

  end(): void {
    removeFolder(this.folder);
  }
}

/** Waits for the outcome of a call. A hanging call is killed and has no exit code. */
async function untilEnd(child: ChildProcess): Promise<Outcome> {
  const ended = outcomeOf(child);
  const patience = new AbortController();
  void setTimeout(limitMs, undefined, { signal: patience.signal }).then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  const outcome = await ended;
  patience.abort();
  return outcome;
}

function withoutTime(report: string): string {
  return report.replace(/"elapsedMs":\d+/, '"elapsedMs":0');
}

/** Returns the error of a call that should have reported without messages except this one. */
function lostIn({ code, stdout, stderr }: Outcome, expected: string, complaint = /^$/): string | undefined {
  if (code === null) return 'it hung, or was ended by a signal';
  if (code !== 0) return `it ended with ${code}: ${stderr}`;
  if (withoutTime(stdout) !== expected) return 'its report is not that of the files';
  return complaint.test(stderr) ? undefined : `it says: ${stderr}`;
}

const madeAnew = /^(kindred: Cannot use the stored index .* \(.*\); rebuilding it\.\n)?$/;
const notStored = /^(kindred: Cannot store the index in .*\.\n)*$/;

/** Kills a call this many milliseconds after its start. */
async function killAt(child: ChildProcess, ms: number, signal: NodeJS.Signals): Promise<Outcome> {
  const ended = untilEnd(child);
  await setTimeout(ms);
  child.kill(signal);
  return ended;
}

/** Returns the temporary files beside an output. */
function tracesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.tmp'));
}

/** Returns the error in the output of an interrupted call: it must be the old or the new one, complete. */
function lostOutput({ output }: Place, before: string): string | undefined {
  if (!existsSync(output)) return before === '' ? undefined : 'the output is gone';
  const text = readFileSync(output, 'utf8');
  if (text === before) return undefined;
  try {
    const report = JSON.parse(text) as JsonReport;
    return reportProblems(report, (name) => textOfFile(path.join(report.root, name)))[0];
  } catch {
    return 'the output is cut off';
  }
}

const killedWithCache: Try = async (place, chance) => {
  place.change(chance);
  await killAt(place.begin('--cache', place.cache), chance() * place.wholeMs, 'SIGKILL');
  // The stored index is intact, so there must be no message.
  return lostIn(await place.scan('--cache', place.cache), await place.expected());
};

const killedWithOutput: Try = async (place, chance) => {
  const { output } = place;
  const before = existsSync(output) ? readFileSync(output, 'utf8') : '';
  place.change(chance);
  await killAt(place.begin('--output', output), chance() * place.wholeMs, 'SIGKILL');
  return lostOutput(place, before);
};

const damagedCache: Try = async (place, chance) => {
  await place.scan('--cache', place.cache);
  const files = place.cacheFiles();
  const file = files[Math.floor(chance() * files.length)];
  const bytes = readFileSync(file);
  const at = Math.floor(chance() * bytes.length);
  const damages: (() => Uint8Array)[] = [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.alloc(bytes.length - at)]),
    () => Buffer.concat([bytes, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)]),
    () => bytes.map((byte, i) => (i === at ? byte ^ (1 << Math.floor(chance() * 8)) : byte)),
    () => bytes.map((byte, i) => (i >= at && i < at + 64 ? Math.floor(chance() * 256) : byte)),
  ];
  writeFileSync(file, damages[Math.floor(chance() * damages.length)]());
  if (chance() < 0.5) place.change(chance);
  const expected = await place.expected();
  return (
    lostIn(await place.scan('--cache', place.cache), expected, madeAnew) ??
    lostIn(await place.scan('--cache', place.cache), expected)
  );
};

const foreignCache: Try = async (place, chance) => {
  await place.scan('--cache', place.cache);
  const files = place.cacheFiles();
  const [file, other] = [files[Math.floor(chance() * files.length)], files[Math.floor(chance() * files.length)]];
  const intruders: (() => void)[] = [
    () => copyFileSync(other, file),
    () => writeFileSync(file, readFileSync(import.meta.filename)),
    () => writeFileSync(file, ''),
    () => {
      rmSync(file);
      symlinkSync(file, file);
    },
    () => {
      rmSync(file);
      mkdirSync(path.join(file, 'below'), { recursive: true });
    },
    () => {
      rmSync(file);
      symlinkSync('/dev/zero', file);
    },
  ];
  const intruder = Math.floor(chance() * intruders.length);
  intruders[intruder]();
  const lost = lostIn(
    await place.scan('--cache', place.cache),
    await place.expected(),
    /^(kindred: Cannot .*index.*\n)*$/,
  );
  rmSync(place.cache, { recursive: true });
  return lost && `intruder ${intruder}: ${lost}`;
};

/** Replaces a file that is read by name with a named pipe. */
function pipeInPlaceOf(fileIn: (place: Place, chance: Chance) => string): Try {
  return async (place, chance) => {
    // Make sure that all three files of the cache exist.
    rmSync(place.cache, { recursive: true, force: true });
    await place.scan('--cache', place.cache);
    const file = fileIn(place, chance);
    rmSync(file, { force: true });
    execFileSync('mkfifo', [file]);
    try {
      const { code, stderr } = await place.scan('--cache', place.cache);
      if (code === null) return 'it hung';
      // It may be rejected with a message.
      return code === 0 || /^kindred: .*\.\n$/.test(stderr) ? undefined : stderr;
    } finally {
      rmSync(file);
    }
  };
}

const pipeAsIgnoreFile = pipeInPlaceOf(({ tree }) => path.join(tree, '3', '.gitignore'));
const pipeAsConfiguration = pipeInPlaceOf(({ tree }) => path.join(tree, '.kindredrc.jsonc'));
const pipeAsCache = pipeInPlaceOf((place, chance) => place.cacheFiles()[Math.floor(chance() * 3)]);

/**
 * Sends signals at any moment. There must be no temporary file, the output must be complete, and a timely signal must
 * end in a partial report.
 */
function signalled(signal: NodeJS.Signals, times: number): Try {
  return async (place, chance) => {
    const { output, folder } = place;
    const before = existsSync(output) ? readFileSync(output, 'utf8') : '';
    place.change(chance);
    const child = place.begin('--output', output, '--cache', place.cache);
    const ended = untilEnd(child);
    await setTimeout(chance() * place.wholeMs);
    for (let time = 0; time < times; time++) {
      child.kill(signal);
      await setTimeout(chance() * 40);
    }
    const { code, stderr } = await ended;
    if (code !== null && ![0, 130, 129, 143].includes(code)) return `it ended with ${code}: ${stderr}`;
    if (/^\s+at /m.test(stderr)) return `a stack: ${stderr}`;
    const traces = tracesIn(folder);
    for (const name of traces) rmSync(path.join(folder, name));
    if (traces.length > 0) return `it left ${traces.join(', ')}`;
    return lostOutput(place, before) ?? lostIn(await place.scan('--cache', place.cache), await place.expected());
  };
}

/** Replaces files by folders, links, pipes, or other files, or removes them, while they are read. */
const changingKinds: Try = async (place, chance) => {
  place.fill();
  const child = place.begin('--cache', place.cache);
  const ended = untilEnd(child);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const until = performance.now() + place.wholeMs;
  while (isRunning() && performance.now() < until) {
    const folder = path.join(place.tree, String(Math.floor(chance() * 7)));
    const names = readdirSync(folder);
    const name = path.join(folder, names[Math.floor(chance() * names.length)]);
    const changes: (() => void)[] = [
      () => rmSync(name, { recursive: true }),
      () => {
        rmSync(name, { recursive: true });
        mkdirSync(path.join(name, 'x.ts'), { recursive: true });
      },
      () => {
        rmSync(name, { recursive: true });
        execFileSync('mkfifo', [name]);
      },
      () => {
        rmSync(name, { recursive: true });
        symlinkSync(chance() < 0.5 ? name : place.tree, name);
      },
      () => renameSync(name, `${name}.ts`),
      () => {
        // It may have become a folder or a pipe before.
        rmSync(`${name}.new.ts`, { recursive: true, force: true });
        writeFileSync(`${name}.new.ts`, 'const one = 1;\n'.repeat(40));
      },
    ];
    changes[Math.floor(chance() * changes.length)]();
    // It continues to read between two changes.
    await setTimeout(chance() * 8);
  }
  const { code, stdout, stderr } = await ended;
  if (code === null) return 'it hung';
  if (code !== 0) return `it ended with ${code}: ${stderr}`;
  // The texts have changed since.
  const [problem] = reportProblems(JSON.parse(stdout) as JsonReport, () => undefined);
  return problem ?? lostIn(await place.scan('--cache', place.cache), await place.expected());
};

const twoOnOneCache: Try = async (place, chance) => {
  place.change(chance);
  const scanArguments = (): string[] => ['--cache', place.cache, ...(chance() < 0.3 ? ['--k', '2'] : [])];
  const [one, other] = [scanArguments(), scanArguments()];
  const killed =
    chance() < 0.5 ? killAt(place.begin(...scanArguments()), chance() * place.wholeMs, 'SIGKILL') : undefined;
  const calls = [one, other].map(async (options) => {
    // Vary the start, so that each call meets the other in any state.
    await setTimeout(chance() * place.wholeMs);
    return place.scan(...options);
  });
  const reports = await Promise.all(calls);
  await killed;
  for (const [i, options] of [one, other].entries()) {
    const alone = await place.scan(...options.slice(2));
    const lost = lostIn(reports[i], withoutTime(alone.stdout));
    if (lost) return lost;
  }
  return lostIn(await place.scan('--cache', place.cache), await place.expected());
};

/** Compares the findings of a call with a cache with those of one without. */
async function lostWithCache(place: Place, complaint?: RegExp): Promise<string | undefined> {
  return lostIn(await place.scan('--cache', place.cache), await place.expected(), complaint);
}

/** Revokes and restores permissions of files and folders, which changes neither their size nor their time. */
const changingPermissions: Try = async (place, chance) => {
  // An earlier fault may have left nothing to find.
  if (chance() < 0.2) place.fill();
  const folder = path.join(place.tree, String(Math.floor(chance() * 7)));
  const names = [...place.someFiles(chance, 4), ...(chance() < 0.3 ? [folder] : [])];
  const mode = [0, 0o200, 0o444][Math.floor(chance() * 3)];
  await place.scan('--cache', place.cache);
  for (const name of names) chmodSync(name, mode);
  const lost = await lostWithCache(place);
  for (const name of [folder, ...names]) chmodSync(name, name === folder ? 0o755 : 0o644);
  return lost ?? lostWithCache(place);
};

/** Adds and removes links to files, folders, themselves, missing files, and other trees. */
const changingLinks: Try = async (place, chance) => {
  const outside = path.join(place.folder, 'outside');
  if (!existsSync(outside)) {
    cpSync(path.join(place.tree, '1'), outside, { recursive: true });
    place.handOver();
  }
  await place.scan('--cache', place.cache);
  const links = Array.from({ length: 1 + Math.floor(chance() * 4) }, (_, i) => {
    const link = path.join(place.tree, `${Math.floor(chance() * 7)}`, `link${i}${chance() < 0.5 ? '.ts' : ''}`);
    const targets = [
      '.',
      '..',
      link,
      'nowhere',
      outside,
      path.join(outside, readdirSync(outside)[0]),
      '/',
      '/dev/zero',
    ];
    symlinkSync(targets[Math.floor(chance() * targets.length)], link);
    return link;
  });
  const lost = await lostWithCache(place);
  // The target of a link may change although the link does not.
  writeFileSync(path.join(outside, readdirSync(outside)[0]), `const changed = ${chance()};\n`.repeat(30));
  const lostBehind = lost ?? (await lostWithCache(place));
  for (const link of links) rmSync(link);
  return lostBehind ?? lostWithCache(place);
};

/** Writes files while they are read: longer, shorter, or with other bytes of the same size and time. */
const changingTexts: Try = async (place, chance) => {
  if (chance() < 0.2) place.fill();
  const child = place.begin('--cache', place.cache);
  const ended = untilEnd(child);
  const until = performance.now() + place.wholeMs;
  while (child.exitCode === null && child.signalCode === null && performance.now() < until) {
    for (const name of place.someFiles(chance, 3)) {
      const bytes = readFileSync(name);
      const { atime, mtime } = statSync(name);
      const changes: (() => void)[] = [
        () => appendFileSync(name, bytes.subarray(0, Math.floor(chance() * bytes.length))),
        () => truncateSync(name, Math.floor(chance() * bytes.length)),
        () => {
          writeFileSync(name, Buffer.from(bytes).reverse());
          utimesSync(name, atime, mtime);
        },
        () => {
          writeFileSync(`${name}.tmp`, Buffer.from(bytes).fill(0x78, bytes.length >> 1));
          utimesSync(`${name}.tmp`, atime, mtime);
          renameSync(`${name}.tmp`, name);
        },
      ];
      changes[Math.floor(chance() * changes.length)]();
    }
    await setTimeout(chance() * 8);
  }
  const { code, stdout, stderr } = await ended;
  if (code !== 0) return `it ended with ${code}: ${stderr}`;
  const [problem] = reportProblems(JSON.parse(stdout) as JsonReport, () => undefined);
  return problem ?? lostWithCache(place);
};

/** Calls `use` with a separate disk of this size. Requires root. */
async function onDisk<Value>(place: Place, options: string, use: (disk: string) => Promise<Value>): Promise<Value> {
  const disk = path.join(place.folder, 'disk');
  mkdirSync(disk, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=777,${options}`, 'tmpfs', disk]);
  try {
    return await use(disk);
  } finally {
    execFileSync('umount', [disk]);
  }
}

const fullDiskForCache: Try = async (place, chance) =>
  onDisk(place, `size=${4096 * Math.floor(1 + chance() * 60)}`, async (disk) => {
    const cache = path.join(disk, 'cache');
    const expected = await place.expected();
    const lost = lostIn(await place.scan('--cache', cache), expected, notStored);
    return lost ?? lostIn(await place.scan('--cache', cache), expected, notStored);
  });

const fullDiskForOutput: Try = async (place, chance) =>
  onDisk(place, `size=${4096 * Math.floor(1 + chance() * 4)}`, async (disk) => {
    const output = path.join(disk, 'report.json');
    const before = '{}';
    writeFileSync(output, before);
    const { code, stderr } = await place.scan('--output', output);
    if (code === null) return 'it hung';
    if (readFileSync(output, 'utf8') !== before && code !== 0) return 'the output before it is gone';
    if (tracesIn(disk).length > 0) return `it left ${tracesIn(disk).join(', ')}`;
    // A single sentence must explain the failure.
    return code === 0 || (code === 2 && /^kindred: .*full.*\.\n$/.test(stderr)) ? undefined : stderr;
  });

/** A truncated report must not be mistaken for a complete one, in any format. */
const fullDiskForStandardOutput: Try = async (place, chance) =>
  onDisk(place, `size=${4096 * Math.floor(1 + chance() * 40)}`, async (disk) => {
    const format = ['json', 'sarif', 'html', 'text', 'csv'][Math.floor(chance() * 5)];
    const output = path.join(disk, 'report');
    const scanArguments = ['scan', place.tree, '--min-tokens', '30', '--format', format];
    const { code, stdout: expected } = await outcomeOf(start(scanArguments, { cwd: place.folder, user: place.user }));
    if (code !== 0) return `it ended with ${code}`;
    const descriptor = openSync(output, 'w');
    const child = start(scanArguments, { cwd: place.folder, user: place.user, stdout: descriptor });
    closeSync(descriptor);
    const outcome = await untilEnd(child);
    const isWhole = statSync(output).size >= 0.9 * Buffer.byteLength(expected);
    if (isWhole) return outcome.code === 0 || outcome.code === 2 ? undefined : outcome.stderr;
    return outcome.code === 2 && /^kindred: cannot write to standard output \(.*full.*\)\.\n$/.test(outcome.stderr)
      ? undefined
      : `${format} is cut off: ${outcome.code} ${outcome.stderr}`;
  });

const readOnlyDisk: Try = async (place, chance) =>
  onDisk(place, 'size=8m', async (disk) => {
    const cache = path.join(disk, 'cache');
    await place.scan('--cache', cache);
    if (chance() < 0.5) place.change(chance);
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const expected = await place.expected();
    const readOnlyOutcome = await place.scan('--cache', cache);
    const refused = await place.scan('--output', path.join(disk, 'report.json'));
    const isRefused = (outcome: Outcome): boolean =>
      outcome.code === 2 &&
      /^kindred: .*cannot write to .* \((permission denied|the disk is read-only)\).*\.\n$/.test(outcome.stderr);
    if (!isRefused(refused)) return refused.stderr;
    return isRefused(readOnlyOutcome) ? undefined : lostIn(readOnlyOutcome, expected, notStored);
  });

/** All kinds of faults, with a description, a function, and special requirements. */
export const faults: Readonly<Record<string, { readonly about: string; readonly once: Try; readonly needs?: 'root' }>> =
  {
    killedWithCache: { about: 'killed at any moment, with a cache', once: killedWithCache },
    killedWithOutput: { about: 'killed at any moment, with an output', once: killedWithOutput },
    damagedCache: { about: 'a file of the cache is damaged', once: damagedCache },
    foreignCache: { about: 'something else in the place of a file of the cache', once: foreignCache },
    pipeAsIgnoreFile: { about: 'a pipe in the place of a .gitignore', once: pipeAsIgnoreFile },
    pipeAsConfiguration: { about: 'a pipe in the place of .kindredrc.jsonc', once: pipeAsConfiguration },
    pipeAsCache: { about: 'a pipe in the place of a file of the cache', once: pipeAsCache },
    interrupted: { about: 'Ctrl+C at any moment', once: signalled('SIGINT', 1) },
    interruptedTwice: { about: 'Ctrl+C twice', once: signalled('SIGINT', 2) },
    terminated: { about: 'SIGTERM at any moment', once: signalled('SIGTERM', 1) },
    hungUp: { about: 'SIGHUP at any moment', once: signalled('SIGHUP', 1) },
    changingKinds: { about: 'files change their kind during a scan', once: changingKinds },
    twoOnOneCache: { about: 'two calls on one cache at once', once: twoOnOneCache },
    changingPermissions: { about: 'files and folders get other permissions', once: changingPermissions },
    changingLinks: { about: 'links come, go, and lead elsewhere', once: changingLinks },
    changingTexts: { about: 'files are written while they are read', once: changingTexts },
    fullDiskForCache: { about: 'the disk of the cache is full', once: fullDiskForCache, needs: 'root' },
    fullDiskForOutput: { about: 'the disk of the output is full', once: fullDiskForOutput, needs: 'root' },
    fullDiskForStandardOutput: {
      about: 'the disk of standard output is full',
      once: fullDiskForStandardOutput,
      needs: 'root',
    },
    readOnlyDisk: { about: 'the disk is read-only', once: readOnlyDisk, needs: 'root' },
  };

/** Users that run the calls in turn: the user of the tests, and if that is root, an unprivileged one. */
export const users = plainUser === undefined ? [undefined] : [undefined, plainUser];

/** True if a kind of fault is possible on this machine. */
export function canBeMade({ needs }: { readonly needs?: 'root' }): boolean {
  if (needs === undefined) return true;
  return process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;
}
