/** Arguments of `kindred org`: an index of many repositories. */
import type { Command } from 'commander';
import * as flag from './flags.ts';
import { configurationFlag, executionFlags, formatFlag, type Problem, problem, textFlags } from './scanArguments.ts';

interface OrgAction {
  readonly type: 'org';
  /** Folder of the index as the user entered it; `undefined` to use `KINDRED_INDEX` or the default folder. */
  readonly folder: string | undefined;
  readonly progress: boolean;
}

export interface OrgAddArguments extends OrgAction {
  readonly action: 'add';
  readonly folders: readonly string[];
  /** Name for the repository, if there is only one folder; `undefined` to use the names of the folders. */
  readonly name: string | undefined;
  readonly configuration: string | undefined;
  readonly workers: number;
}

export interface OrgFindArguments extends OrgAction {
  readonly action: 'find';
  /** See `kindred find`. */
  readonly place: string | undefined;
  readonly language: string | undefined;
  readonly maxDistance: number | undefined;
  readonly minSimilarity: number | undefined;
  readonly limit: number;
  readonly format: 'text' | 'json';
}

export interface OrgReportArguments {
  readonly format: 'text' | 'json';
  /** Maximum number of rows to show. */
  readonly top: number;
  /** True to also show duplicates inside one repository. */
  readonly within: boolean;
}

export interface OrgScanArguments extends OrgAction, OrgReportArguments {
  readonly action: 'scan';
  readonly workers: number;
  readonly engine: 'duckdb' | 'spark';
  /** URL of a Spark master; `undefined` to use the one in Spark's configuration. */
  readonly master: string | undefined;
  /** Path of Kindred on the executors; `undefined` for that of this machine. */
  readonly worker: string | undefined;
}

export interface OrgPairsArguments extends OrgAction {
  readonly action: 'pairs';
  readonly file: string;
}

export interface OrgAlignArguments extends OrgAction {
  readonly action: 'align';
  /** File or folder to read, and file to write. */
  readonly pairs: string;
  readonly matches: string;
  readonly workers: number;
}

export interface OrgGroupArguments extends OrgAction, OrgReportArguments {
  readonly action: 'group';
  /** Files or folders to read. */
  readonly matches: readonly string[];
  /** True to group only the files that occur in the matches. */
  readonly component: boolean;
}

export interface OrgStatusArguments extends OrgAction {
  readonly action: 'status';
  readonly format: 'text' | 'json';
}

export interface OrgDropArguments extends OrgAction {
  readonly action: 'drop';
  /** Names of the repositories to drop; empty for all. */
  readonly names: readonly string[];
}

export type OrgArguments =
  | OrgAddArguments
  | OrgFindArguments
  | OrgScanArguments
  | OrgPairsArguments
  | OrgAlignArguments
  | OrgGroupArguments
  | OrgStatusArguments
  | OrgDropArguments;

const commonFlags = {
  folder: flag.olderName(
    '--database',
    flag.named(
      '--index <folder>',
      'folder of the index, such as ./index (default: KINDRED_INDEX, or kindred/index in your folder for data)',
      'the folder of an index',
    ),
  ),
  progress: flag.off('--no-progress', 'do not show a progress bar'),
};

const addFlagsOf = {
  name: flag.named('--repo <name>', 'name of the repository (default: the name of its folder)', 'a repository'),
  configuration: configurationFlag('none: the options of the first repository apply to all'),
  workers: executionFlags.workers,
};

const findFlagsOf = {
  ...textFlags,
  maxDistance: flag.olderName(
    '--k',
    flag.number(
      '--max-distance <bits>',
      'maximum differing bits (of 64), at most those of the index (default: those of the index)',
    ),
  ),
  minSimilarity: flag.number(
    '--min-similarity <share>',
    'minimum similarity of two passages (default: that of the index)',
  ),
};

const reportFlagsOf = {
  format: formatFlag('report'),
  top: flag.text(
    '--top <rows>',
    'maximum number of rows to list; 0 lists all (default: 20)',
    (flagValue, name, reader) => reader.top(name, flagValue ?? '20'),
  ),
  within: flag.on('--within', 'also list duplicates within one repository'),
};

const workersFlagOf = { workers: executionFlags.workers };

const engineFlagsOf = {
  engine: flag.choice(
    '--engine <engine>',
    'program that finds and aligns candidates',
    ['duckdb', 'spark'] as const,
    'duckdb',
  ),
  master: flag.named(
    '--master <url>',
    'with --engine spark: URL of the master, such as spark://host:7077 (default: that of the configuration of Spark)',
    'the URL of a Spark master',
  ),
  worker: flag.named(
    '--worker <path>',
    'with --engine spark: path of Kindred on the executors (default: the path on this machine)',
    'the path of Kindred',
  ),
};

const componentFlagOf = {
  component: flag.on('--component', 'group only the files of the matches, which must be all matches of these files'),
};

const statusFlagsOf = {
  format: flag.choice('--format <format>', 'format of the list', ['text', 'json'] as const, 'text'),
};

const dropFlagsOf = { all: flag.on('--all', 'drop all repositories') };

/** Request without the values of the common flags, or the error in it. */
type Request = RequestOf<OrgArguments> | { readonly error: string };
type RequestOf<Action> = Action extends OrgAction ? Omit<Action, keyof OrgAction> : never;

/**
 * Adds `kindred org` with its subcommands.
 *
 * @param onRequest  called with the request after parsing
 */
export function orgCommand(
  program: Command,
  version: string,
  onRequest: (request: OrgArguments | Problem) => void,
): void {
  const org = program
    .command('org')
    .description('Keeps an index of many repositories in a folder, and finds near-duplicates across them.')
    .version(version, '-V, --version', 'show the version')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Exit status: 0 on success, 2 on error,
128 plus the signal number if interrupted.

Examples:
  kindred org add ~/src/billing ~/src/invoicing
  kindred org scan
  kindred org find src/a.ts:10-42
  kindred org scan --index ./index
  KINDRED_INDEX=/srv/kindred/index kindred org status`,
    )
    .usage('<command> [options]')
    .argument('[command]')
    .action((commandName: string | undefined) => {
      const problemStart =
        commandName === undefined ? 'specify a command' : `there is no command "${commandName}"; the commands are`;
      onRequest(problem(`${problemStart}: kindred org add, find, scan, pairs, align, group, status or drop.`));
    });
  /** Adds a command. `requestOf` is called with the values of its flags and operands. */
  const command = <Table extends flag.Flags, Operands extends readonly unknown[]>(
    [name, about]: readonly [string, string],
    operands: readonly (readonly [name: string, about: string])[],
    flags: Table,
    requestOf: (values: flag.FlagValues<Table>, ...operands: Operands) => Request,
  ): void => {
    const added = org.command(name).description(about).version(version, '-V, --version', 'show the version');
    for (const [operand, meaning] of operands) added.argument(operand, meaning);
    flag.addFlags(added, { ...flags, ...commonFlags });
    added.action((...parsed: unknown[]) => {
      const reader = new flag.Reader(parsed[operands.length] as flag.Values);
      const request = requestOf(reader.all(flags), ...(parsed.slice(0, operands.length) as unknown as Operands));
      const { folder, progress = true } = reader.all(commonFlags);
      const error = 'error' in request ? request.error : reader.problem;
      onRequest(error === undefined ? ({ type: 'org', folder, progress, ...request } as OrgArguments) : problem(error));
    });
  };

  command(
    ['add', 'Stores the current state of repositories. Only changes are written, and they become visible all at once.'],
    [['<path...>', 'folders of repositories']],
    addFlagsOf,
    ({ name, configuration, workers }, folders: readonly string[]) =>
      name !== undefined && folders.length > 1
        ? { error: '--repo names a single repository; add several one by one.' }
        : { action: 'add', folders, name, configuration, workers: workers! },
  );
  command(
    ['find', 'Finds the near-duplicates of one passage, or of a text, in all repositories.'],
    [['[place]', 'a file or a range of its lines, such as src/a.ts:10-42']],
    findFlagsOf,
    ({ stdin = false, language, maxDistance, minSimilarity, limit, format }, place: string | undefined) => {
      if (stdin === (place !== undefined)) {
        return { error: 'specify what to find: a place such as src/a.ts:10-42, or --stdin.' };
      }
      if (language !== undefined && !stdin) {
        return { error: '--language requires --stdin; a file name implies its language.' };
      }
      return { action: 'find', place, language, maxDistance, minSimilarity, limit: limit!, format: format! };
    },
  );
  command(
    ['scan', 'Finds all near-duplicates across the repositories.'],
    [],
    { ...reportFlagsOf, ...engineFlagsOf, ...workersFlagOf },
    ({ engine, master, worker, workers, ...report }) =>
      engine !== 'spark' && (master ?? worker) !== undefined
        ? { error: '--master and --worker require --engine spark.' }
        : { action: 'scan', ...reportOf(report), workers: workers!, engine: engine!, master, worker },
  );
  command(
    ['pairs', 'First step of a scan: writes candidate pairs to a Parquet file.'],
    [['<file>', 'file to write, such as pairs.parquet']],
    {},
    (_, file: string) => ({ action: 'pairs', file }),
  );
  command(
    ['align', 'Second step: reads candidate pairs, and writes their matches to a Parquet file.'],
    [
      ['<pairs>', 'Parquet file, or folder of Parquet files'],
      ['<matches>', 'file to write, such as matches.parquet'],
    ],
    workersFlagOf,
    ({ workers }, pairs: string, matches: string) => ({ action: 'align', pairs, matches, workers: workers! }),
  );
  command(
    ['group', 'Third step: reads matches, and writes the report of a scan.'],
    [['<matches...>', 'Parquet files, or folders of Parquet files']],
    { ...componentFlagOf, ...reportFlagsOf },
    ({ component = false, ...report }, matches: readonly string[]) => ({
      action: 'group',
      ...reportOf(report),
      matches,
      component,
    }),
  );
  command(['status', 'Lists the repositories of the index.'], [], statusFlagsOf, ({ format }) => ({
    action: 'status',
    format: format!,
  }));
  command(
    ['drop', 'Removes repositories from the index.'],
    [['[name...]', 'names of repositories']],
    dropFlagsOf,
    ({ all = false }, names: readonly string[]) =>
      all === names.length > 0 ? { error: 'specify the repositories to drop, or --all.' } : { action: 'drop', names },
  );
}

function reportOf({ format, top, within }: flag.FlagValues<typeof reportFlagsOf>): OrgReportArguments {
  return { format: format!, top: top!, within: within ?? false };
}
