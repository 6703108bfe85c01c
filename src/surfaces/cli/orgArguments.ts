/** Arguments of `kindred org`: an index of many repositories. */
import type { Command } from 'commander';
import { addFlags, choice, number, off, olderName, on, Reader, text, type Values } from './flags.ts';
import { configurationFlag, executionFlags, formatFlag, type Problem, problem } from './scanArguments.ts';

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
  folder: olderName(
    '--database',
    text(
      '--index <folder>',
      'folder of the index, such as ./index (default: KINDRED_INDEX, or kindred/index in your folder for data)',
      (flagValue) => flagValue,
    ),
  ),
  progress: off('--no-progress', 'do not show a progress bar'),
};

const addFlagsOf = {
  name: text('--repo <name>', 'name of the repository (default: the name of its folder)', (flagValue, name, reader) =>
    reader.path(name, 'a repository', flagValue),
  ),
  configuration: configurationFlag('none: the options of the first repository apply to all'),
  workers: executionFlags.workers,
};

const findFlagsOf = {
  stdin: on('--stdin', 'read the text from standard input, with --language'),
  language: text(
    '--language <language>',
    'language of standard input, such as typescript, ts or src/a.ts',
    (flagValue) => flagValue,
  ),
  format: formatFlag('answer'),
  limit: text('--most <count>', 'maximum number of passages to list (default: 50)', (flagValue, name, reader) =>
    reader.whole(name, flagValue ?? '50', 1, 1_000_000),
  ),
  maxDistance: olderName(
    '--k',
    number(
      '--max-distance <bits>',
      'maximum differing bits (of 64), at most those of the index (default: those of the index)',
    ),
  ),
  minSimilarity: number('--min-similarity <share>', 'minimum similarity of two passages (default: that of the index)'),
};

const reportFlagsOf = {
  format: formatFlag('report'),
  top: text('--top <rows>', 'maximum number of rows to list; 0 lists all (default: 20)', (flagValue, name, reader) =>
    reader.top(name, flagValue ?? '20'),
  ),
  within: on('--within', 'also list duplicates within one repository'),
};

const workersFlagOf = { workers: executionFlags.workers };

const engineFlagsOf = {
  engine: choice(
    '--engine <engine>',
    'program that finds and aligns candidates',
    ['duckdb', 'spark'] as const,
    'duckdb',
  ),
  master: text(
    '--master <url>',
    'with --engine spark: URL of the master, such as spark://host:7077 (default: that of the configuration of Spark)',
    (flagValue, name, reader) => reader.path(name, 'the URL of a Spark master', flagValue),
  ),
  worker: text(
    '--worker <path>',
    'with --engine spark: path of Kindred on the executors (default: the path on this machine)',
    (flagValue, name, reader) => reader.path(name, 'the path of Kindred', flagValue),
  ),
};

const componentFlagOf = {
  component: on('--component', 'group only the files of the matches, which must be all matches of these files'),
};

const statusFlagsOf = { format: choice('--format <format>', 'format of the list', ['text', 'json'] as const, 'text') };

const dropFlagsOf = { all: on('--all', 'drop all repositories') };

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
  const command = (name: string, about: string): Command =>
    org.command(name).description(about).version(version, '-V, --version', 'show the version');

  const add = command(
    'add',
    'Stores the current state of repositories. Only changes are written, and they become visible all at once.',
  ).argument('<path...>', 'folders of repositories');
  addFlags(add, { ...addFlagsOf, ...commonFlags });
  add.action((folders: string[], values: Values) => onRequest(addArguments(folders, values)));

  const find = command('find', 'Finds the near-duplicates of one passage, or of a text, in all repositories.').argument(
    '[place]',
    'a file or a range of its lines, such as src/a.ts:10-42',
  );
  addFlags(find, { ...findFlagsOf, ...commonFlags });
  find.action((place: string | undefined, values: Values) => onRequest(findArguments(place, values)));

  const scan = command('scan', 'Finds all near-duplicates across the repositories.');
  addFlags(scan, { ...reportFlagsOf, ...engineFlagsOf, ...workersFlagOf, ...commonFlags });
  scan.action((values: Values) => onRequest(scanArguments(values)));

  const pairs = command('pairs', 'First step of a scan: writes candidate pairs to a Parquet file.').argument(
    '<file>',
    'file to write, such as pairs.parquet',
  );
  addFlags(pairs, commonFlags);
  pairs.action((file: string, values: Values) =>
    onRequest(checked(new Reader(values), (reader) => ({ ...common(reader), action: 'pairs', file }))),
  );

  const align = command('align', 'Second step: reads candidate pairs, and writes their matches to a Parquet file.')
    .argument('<pairs>', 'Parquet file, or folder of Parquet files')
    .argument('<matches>', 'file to write, such as matches.parquet');
  addFlags(align, { ...workersFlagOf, ...commonFlags });
  align.action((from: string, to: string, values: Values) => onRequest(alignArguments(from, to, values)));

  const group = command('group', 'Third step: reads matches, and writes the report of a scan.').argument(
    '<matches...>',
    'Parquet files, or folders of Parquet files',
  );
  addFlags(group, { ...componentFlagOf, ...reportFlagsOf, ...commonFlags });
  group.action((matches: string[], values: Values) => onRequest(groupArguments(matches, values)));

  const status = command('status', 'Lists the repositories of the index.');
  addFlags(status, { ...statusFlagsOf, ...commonFlags });
  status.action((values: Values) => onRequest(statusArguments(values)));

  const drop = command('drop', 'Removes repositories from the index.').argument('[name...]', 'names of repositories');
  addFlags(drop, { ...dropFlagsOf, ...commonFlags });
  drop.action((names: string[], values: Values) => onRequest(dropArguments(names, values)));
}

function common(reader: Reader): OrgAction {
  return {
    type: 'org',
    folder: reader.one(commonFlags.folder),
    progress: reader.one(commonFlags.progress) ?? true,
  };
}

/** Returns the request, or the first error in its values. */
function checked<Request extends OrgArguments>(reader: Reader, read: (reader: Reader) => Request): Request | Problem {
  const request = read(reader);
  return reader.problem === undefined ? request : problem(reader.problem);
}

function addArguments(folders: readonly string[], values: Values): OrgAddArguments | Problem {
  const request = checked(new Reader(values), (reader) => ({
    ...common(reader),
    action: 'add' as const,
    folders,
    name: reader.one(addFlagsOf.name),
    configuration: reader.one(addFlagsOf.configuration),
    workers: reader.one(addFlagsOf.workers)!,
  }));
  if ('name' in request && request.name !== undefined && folders.length > 1) {
    return problem('--repo names a single repository; add several one by one.');
  }
  return request;
}

function findArguments(place: string | undefined, values: Values): OrgFindArguments | Problem {
  const reader = new Reader(values);
  const [isStdin, language] = [reader.one(findFlagsOf.stdin) ?? false, reader.one(findFlagsOf.language)];
  if (isStdin === (place !== undefined)) {
    return problem('specify what to find: a place such as src/a.ts:10-42, or --stdin.');
  }
  if (language !== undefined && !isStdin)
    return problem('--language requires --stdin; a file name implies its language.');
  return checked(reader, () => ({
    ...common(reader),
    action: 'find' as const,
    place,
    language,
    maxDistance: reader.one(findFlagsOf.maxDistance),
    minSimilarity: reader.one(findFlagsOf.minSimilarity),
    limit: reader.one(findFlagsOf.limit)!,
    format: reader.one(findFlagsOf.format)!,
  }));
}

function reportArguments(reader: Reader): OrgReportArguments {
  return {
    format: reader.one(reportFlagsOf.format)!,
    top: reader.one(reportFlagsOf.top)!,
    within: reader.one(reportFlagsOf.within) ?? false,
  };
}

function scanArguments(values: Values): OrgScanArguments | Problem {
  const request = checked(new Reader(values), (reader) => ({
    ...common(reader),
    ...reportArguments(reader),
    action: 'scan' as const,
    workers: reader.one(workersFlagOf.workers)!,
    engine: reader.one(engineFlagsOf.engine)!,
    master: reader.one(engineFlagsOf.master),
    worker: reader.one(engineFlagsOf.worker),
  }));
  if ('engine' in request && request.engine !== 'spark' && (request.master ?? request.worker) !== undefined) {
    return problem('--master and --worker require --engine spark.');
  }
  return request;
}

function alignArguments(pairs: string, matches: string, values: Values): OrgAlignArguments | Problem {
  return checked(new Reader(values), (reader) => ({
    ...common(reader),
    action: 'align' as const,
    pairs,
    matches,
    workers: reader.one(workersFlagOf.workers)!,
  }));
}

function groupArguments(matches: readonly string[], values: Values): OrgGroupArguments | Problem {
  return checked(new Reader(values), (reader) => ({
    ...common(reader),
    ...reportArguments(reader),
    action: 'group' as const,
    matches,
    component: reader.one(componentFlagOf.component) ?? false,
  }));
}

function statusArguments(values: Values): OrgStatusArguments | Problem {
  return checked(new Reader(values), (reader) => ({
    ...common(reader),
    action: 'status' as const,
    format: reader.one(statusFlagsOf.format)!,
  }));
}

function dropArguments(names: readonly string[], values: Values): OrgDropArguments | Problem {
  const reader = new Reader(values);
  const all = reader.one(dropFlagsOf.all) ?? false;
  if (all === names.length > 0) return problem('specify the repositories to drop, or --all.');
  return checked(reader, () => ({ ...common(reader), action: 'drop' as const, names }));
}
