/** Tries cases one by one, and shrinks and saves a failing one. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { root } from '../../scripts/project.mjs';
import { casesOf, type FuzzCase, type FuzzOptions, type Origin, sizes, type Surroundings } from './cases.ts';
import { checkCommandLine, checkEngine, type Check } from './checks.ts';

/** Time limit for shrinking a failing case, by its parts and by its bytes. */
const shrinkMs = 60_000;
/** Interval of cases for the command line, each of which takes some hundred times as long. */
const casesOfEngine = 60;

export interface Failure {
  readonly seed: number;
  readonly level: 'engine' | 'command line';
  readonly problem: string;
  /** Folder with the files, the options, and the problem, which `replay` reads. */
  readonly folder: string;
}

/** Statistics of the cases. */
export interface Tally {
  engine: number;
  commandLine: number;
  files: number;
  bytes: number;
  reports: number;
  groups: number;
  explanations: number;
}

const checks: Readonly<Record<Failure['level'], Check>> = { engine: checkEngine, 'command line': checkCommandLine };

/**
 * Tries the cases of seeds from `seed` on, until `isEnough` returns true or one fails.
 *
 * @param onFailure  returns true to continue after a failure
 * @param every      interval of cases for the command line
 */
export async function fuzz(
  origins: readonly Origin[],
  seed: number,
  isEnough: (tally: Tally) => boolean,
  onFailure: (failure: Failure) => boolean = () => false,
  every = casesOfEngine,
): Promise<Tally> {
  const tally: Tally = { engine: 0, commandLine: 0, files: 0, bytes: 0, reports: 0, groups: 0, explanations: 0 };
  const cases = { engine: casesOf(origins, sizes.small), 'command line': casesOf(origins, sizes.large) };
  for (let now = seed; !isEnough(tally); now++) {
    const level = (now - seed) % every === every - 1 ? 'command line' : 'engine';
    const failure = await tryCase(cases[level], now, level, tally);
    tally[level === 'engine' ? 'engine' : 'commandLine']++;
    if (failure && !onFailure(failure)) break;
  }
  return tally;
}

async function tryCase(
  cases: fc.Arbitrary<FuzzCase>,
  seed: number,
  level: Failure['level'],
  tally: Tally,
): Promise<Failure | undefined> {
  const check = checks[level];
  const property = fc.asyncProperty(cases, async (fuzzCase) => {
    const contents = Object.values(fuzzCase.files);
    tally.files += contents.length;
    tally.bytes += contents.reduce((sum, bytes) => sum + bytes.length, 0);
    const seen = await check(fuzzCase);
    tally.reports += seen.reports;
    tally.groups += seen.groups;
    tally.explanations += seen.explanations;
  });
  const details = await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: shrinkMs });
  if (!details.failed || details.counterexample === null) return undefined;
  const small = await shrinkFiles(details.counterexample[0], check);
  const problem = (await problemOf(small, check)) ?? `it fails no longer: ${String(details.errorInstance)}`;
  return { seed, level, problem, folder: save(`${level.replace(' ', '-')}-${seed}`, small, problem) };
}

/** Returns the same failure with smaller files: first fewer lines, then fewer bytes. */
async function shrinkFiles(fuzzCase: FuzzCase, check: Check): Promise<FuzzCase> {
  let now = fuzzCase;
  const until = Date.now() + shrinkMs;
  for (const cut of [(text: string) => text.split(/(?<=\n)/), (text: string) => [...text]]) {
    for (const name of Object.keys(now.files)) {
      const pieces = cut(now.files[name].toString('latin1'));
      // Each file takes at least one more attempt, which takes seconds with the command line.
      if (Date.now() > until || pieces.length < 2 || pieces.length > 4_000) continue;
      const withPieces = (left: readonly string[]): FuzzCase => ({
        ...now,
        files: { ...now.files, [name]: Buffer.from(left.join(''), 'latin1') },
      });
      const property = fc.asyncProperty(
        fc.array(fc.constantFrom(...pieces), { maxLength: pieces.length }),
        async (left) => (await problemOf(withPieces(left), check)) === undefined,
      );
      const details = await fc.check(property, {
        numRuns: 1,
        examples: [[pieces]] as [string[]][],
        interruptAfterTimeLimit: Math.max(1, until - Date.now()),
      });
      if (details.failed && details.counterexample) now = withPieces(details.counterexample[0]);
    }
  }
  return now;
}

/** Returns the violated invariant of a case; `undefined` if there is none. */
export async function problemOf(fuzzCase: FuzzCase, check: Check): Promise<string | undefined> {
  try {
    await check(fuzzCase);
    return undefined;
  } catch (error) {
    return (error as Error).stack ?? String(error);
  }
}

const [files, surroundingsFile] = ['files', 'surroundings.json'];

function save(name: string, { files: contents, options, surroundings }: FuzzCase, problem: string): string {
  const folder = path.join(root, 'dist/fuzz', name);
  rmSync(folder, { recursive: true, force: true });
  for (const [file, bytes] of Object.entries(contents)) {
    const target = path.join(folder, files, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'options.json'), JSON.stringify(options));
  writeFileSync(path.join(folder, surroundingsFile), JSON.stringify(surroundings));
  writeFileSync(path.join(folder, 'problem.txt'), `${problem}\n`);
  return folder;
}

/** Runs the checks of both levels on a saved case. Returns the violated invariant. */
export async function replay(folder: string): Promise<string | undefined> {
  const below = path.join(folder, files);
  const names = readdirSync(below, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(below, name)).isFile(),
  );
  const fuzzCase: FuzzCase = {
    files: Object.fromEntries(names.map((name) => [name, readFileSync(path.join(below, name))])),
    options: JSON.parse(readFileSync(path.join(folder, 'options.json'), 'utf8')) as FuzzOptions,
    surroundings: JSON.parse(readFileSync(path.join(folder, surroundingsFile), 'utf8')) as Surroundings,
  };
  return (await problemOf(fuzzCase, checkEngine)) ?? problemOf(fuzzCase, checkCommandLine);
}
