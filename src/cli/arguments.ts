/**
 * The command line: its options, its help, and what a call asks for. An option is written once, in a table that has it
 * under the name of what it decides (flags.ts). Values are taken as they are written; whether they are in range is
 * checked with those of the configuration file (settings.ts).
 */
import { availableParallelism } from 'node:os';
import { Argument, Command, CommanderError } from 'commander';
import { defaultOptions, methods, type Options, type ReadComments, readCommentsChoices } from '../engine/options.ts';
import { tokenKinds } from '../engine/languages/tokenKind.ts';
import type { OptionChanges } from '../io/configuration.ts';
import { categoryNames } from '../io/chosenCategories.ts';
import { baselineFileName } from '../io/fileNames.ts';
import { formatFileSize } from '../io/fileSize.ts';
import { nearestName } from '../io/nearestName.ts';
import { defaultSourceOptions, type SourceOptions } from '../io/sources.ts';
import { type Destination, formatNames, readDestinations } from './formats/destinations.ts';
import {
  type BaselineAction,
  baselineActions,
  baselineFlags,
  type GateArguments,
  gateFlags,
  ignoredFlags,
  readGate,
} from './gateFlags.ts';
import {
  addFlags,
  asGiven,
  choice,
  type Flag,
  type FlagsOf,
  list,
  number,
  off,
  on,
  onOrOff,
  Reader,
  text,
  type Values,
} from './flags.ts';

/** What `kindred scan`, `kindred files` or `kindred folders` was asked for. */
export interface ScanArguments {
  readonly type: 'scan';
  /** What is told: everything, whole files alone, or folders with what is in them. */
  readonly scope: 'all' | 'files' | 'folders';
  readonly roots: readonly string[];
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  /** Where the report goes, and in which formats: one or more, of which one at most goes to standard output. */
  readonly destinations: readonly Destination[];
  readonly configuration: string | undefined;
  /** The folder that the index is kept in; undefined when it is not. */
  readonly cache: string | undefined;
  readonly workers: number;
  /** What the scan may take of memory, in MB; 0 for no limit but that of the index. */
  readonly memoryMB: number;
  readonly progress: boolean;
  readonly extent: Extent;
}

/** How much of a report the text shows; Infinity for no limit. */
export interface Extent {
  /** Rows of folders. */
  readonly folders: number;
  /** Rows of each other section. */
  readonly rows: number;
  /** Rows inside one row of folders. */
  readonly inFolders: number;
  /** Whether tests, data and boilerplate are shown as well, and all that is in a row. */
  readonly all: boolean;
}

/** What `kindred explain` was asked for. */
export interface ExplainArguments {
  readonly type: 'explain';
  /** As they were written: "src/a.ts:10-42". */
  readonly places: readonly [a: string, b: string];
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  readonly format: 'text' | 'json';
  readonly configuration: string | undefined;
  /** How many shared and how many differing features are listed at most. */
  readonly most: number;
}

/** What `kindred init` was asked for. */
export interface InitArguments {
  readonly type: 'init';
  readonly folder: string;
}

/** What `kindred check` was asked for. */
export interface CheckArguments {
  readonly type: 'check';
  readonly scan: ScanArguments;
  readonly gate: GateArguments;
}

/** What `kindred baseline` or `kindred ignored` was asked for. */
export interface BaselineArguments {
  readonly type: 'baseline';
  readonly action: BaselineAction;
  readonly scan: ScanArguments;
  /** The file, as it was given. */
  readonly baseline: string;
  /** Whether an update that would add copies is refused. */
  readonly failsOnGrowth: boolean;
  /** Whether entries or comments that ignore nothing any more are a failure. */
  readonly failsOnStale: boolean;
}

/** Help or the version, to be printed; or what is wrong with the call, in a sentence. */
export type Request =
  | ScanArguments
  | ExplainArguments
  | CheckArguments
  | BaselineArguments
  | InitArguments
  | { readonly type: 'text'; readonly text: string }
  | Problem;

export interface Problem {
  readonly type: 'problem';
  readonly problem: string;
}

/** What the arguments after `kindred` ask for. */
export function parseArguments(given: readonly string[], version: string): Request {
  let printed = '';
  let request: Request | undefined;
  const program = new Command('kindred')
    .description('Finds near-duplicate code and text.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined });
  for (const scope of ['all', 'files', 'folders'] as const) {
    scanCommand(program, version, scope).action((roots: string[], values: Values) => {
      request = scanArguments(scope, roots, values);
    });
  }
  checkCommand(program, version).action((roots: string[], values: Values) => {
    request = checkArguments(roots, values);
  });
  baselineCommand(program, version).action((action: BaselineAction, roots: string[], values: Values) => {
    request = baselineArguments(action, roots, values);
  });
  ignoredCommand(program, version).action((roots: string[], values: Values) => {
    request = baselineArguments('ignored', roots, values);
  });
  explainCommand(program, version).action((a: string, b: string, values: Values) => {
    request = explainArguments([a, b], values);
  });
  initCommand(program, version).action((folder: string) => {
    request = { type: 'init', folder };
  });
  if (given.length === 0) return { type: 'text', text: program.helpInformation() };
  try {
    program.parse(given, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'text', text: printed };
    return problem(usageErrorOf(error, program.commands, given));
  }
  return (
    request ??
    problem(
      'specify a command: kindred scan [path…], kindred files [path…], kindred folders [path…], kindred check [path…], kindred explain A B or kindred init.',
    )
  );
}

/** What the text shows when nobody says: some screens, not a flood. */
const defaultExtents: Readonly<Record<ScanArguments['scope'], Extent>> = {
  all: { folders: 10, rows: 20, inFolders: 3, all: false },
  files: { folders: 10, rows: 20, inFolders: 3, all: false },
  folders: { folders: Number.POSITIVE_INFINITY, rows: 0, inFolders: 10, all: false },
};

/** What each command says of itself. */
const descriptions: Readonly<Record<ScanArguments['scope'], readonly [name: string, about: string, examples: string]>> =
  {
    all: [
      'scan',
      'Finds near-duplicates in folders and files: passages that files share, and near-duplicate files.',
      `  kindred scan
  kindred scan src test --exclude '*.test.ts' --k 4
  kindred scan --format json --output report.json ~/project`,
    ],
    files: [
      'files',
      'Finds near-duplicate files and files contained in other files, but no passages.',
      `  kindred files
  kindred files docs --method combined
  kindred files --format json --output report.json ~/project`,
    ],
    folders: [
      'folders',
      'Finds folders that repeat each other, and lists the files and passages that they have in common.',
      `  kindred folders
  kindred folders versions --top 0
  kindred folders --format json --output report.json ~/project`,
    ],
  };

/** What --top limits, with its default. */
const topHelp: Readonly<Record<ScanArguments['scope'], string>> = {
  all: `maximum number of rows in each section of the text report, 0 for all (default: ${defaultExtents.all.rows}; of folders ${defaultExtents.all.folders})`,
  files: `maximum number of rows in each section of the text report, 0 for all (default: ${defaultExtents.files.rows})`,
  folders: `maximum number of rows inside each row of folders, 0 for all (default: ${defaultExtents.folders.inFolders})`,
};

/** What --all adds. */
const allHelp: Readonly<Record<ScanArguments['scope'], string>> = {
  all: 'show all rows in the text report, including tests, data, and boilerplate, and everything inside them',
  files: 'show all rows in the text report, including tests, data, and boilerplate',
  folders: 'show all rows in the text report, and everything inside them',
};

const detectionFlags = {
  maxDistance: number(
    '--k <bits>',
    `maximum differing bits (of 64) between two code fingerprints (default: ${defaultOptions.maxDistance})`,
  ),
  minTokens: number('--min-tokens <count>', `minimum tokens in a code passage (default: ${defaultOptions.minTokens})`),
  minLines: number('--min-lines <count>', `minimum lines in a code passage (default: ${defaultOptions.minLines})`),
  minSimilarity: number(
    '--min-similarity <share>',
    `minimum similarity of two code passages (default: ${defaultOptions.minSimilarity})`,
  ),
  shingleSize: number('--shingle-size <tokens>', `tokens per code shingle (default: ${defaultOptions.shingleSize})`),
  weights: list(
    '--weights <kind=n,...>',
    `weight of each kind of token: ${tokenKinds.join(', ')}`,
    (given, _, reader) => reader.weights(given),
  ),
  renamed: onOrOff(
    ['--renamed', 'also find copies with renamed identifiers and changed literals (default)'],
    ['--no-renamed', 'find only copies with the same names and literals'],
  ),
  readComments: readCommentsFlag('asText: also compare comments, as prose separate from the code'),
  method: choice(
    '--method <method>',
    `how to compare whole files: by common shingles (minhash), fingerprints (simhash) or both (combined) (default: ${defaultOptions.method})`,
    methods,
  ),
} satisfies FlagsOf<Omit<OptionChanges, 'prose'>>;

const proseFlags = {
  enabled: onOrOff(['--prose', 'also compare Markdown and plain text (default)'], ['--no-prose', 'compare code only']),
  maxDistance: number(
    '--prose-k <bits>',
    `maximum differing bits (of 64) between two prose fingerprints (default: ${defaultOptions.prose.maxDistance})`,
  ),
  minWords: number(
    '--prose-min-words <count>',
    `minimum words in a prose passage (default: ${defaultOptions.prose.minWords})`,
  ),
  minSimilarity: number(
    '--prose-min-similarity <share>',
    `minimum similarity of two prose passages (default: ${defaultOptions.prose.minSimilarity})`,
  ),
  shingleSize: number(
    '--prose-shingle-size <words>',
    `words per prose shingle (default: ${defaultOptions.prose.shingleSize})`,
  ),
} satisfies FlagsOf<Options['prose']>;

const sourceFlags = {
  include: list(
    '--include <glob>',
    'only these files (repeatable); *.ts matches at any depth, src/** from the root',
    asGiven,
  ),
  exclude: list('--exclude <glob>', 'exclude these files and folders (repeatable)', asGiven),
  gitignore: off('--no-gitignore', 'also read files ignored by .gitignore, .ignore and .git/info/exclude'),
  maxFileSizeBytes: text(
    '--max-file-size <size>',
    `maximum file size, such as 500k or 2mb (default: ${formatFileSize(defaultSourceOptions.maxFileSizeBytes)})`,
    (given, name, reader) => reader.size(name, given),
  ),
  generated: onOrOff(
    ['--generated', 'also read generated and minified files, lock files, source maps and translations'],
    ['--no-generated', 'exclude them (default)'],
  ),
  categories: list(
    '--category <name=glob>',
    `category of files (repeatable): ${categoryNames.join(', ')}; the first that matches, in this order, counts`,
    (given, _, reader) => reader.categories(given),
  ),
} satisfies FlagsOf<SourceOptions>;

/** More threads than any machine we know has processors. */
const maxWorkers = 512;

const executionFlags = {
  configuration: configurationFlag('the scanned folder'),
  workers: text('--workers <count>', 'number of threads (default: one per processor)', (given, name, reader) =>
    reader.whole(name, given ?? String(availableParallelism()), 1, maxWorkers),
  ),
  memoryMB: text(
    '--memory <size>',
    'memory limit, such as 512mb; files that do not fit are excluded (default: 4 GB of index)',
    (given, name, reader) => reader.memory(name, given),
  ),
  cache: text(
    '--cache <folder>',
    'keep the index in this folder, and read only files that changed since the last scan',
    (given, name, reader) => reader.path(name, 'a folder', given),
  ),
};

function reportFlags(scope: ScanArguments['scope']) {
  return {
    formats: list(
      '--format <name[=file],...>',
      `format of the report (default: text), or several with their files (- is standard output): ${formatNames.join(', ')}`,
      asGiven,
    ),
    output: text('--output <file>', 'write the report to a file instead of standard output', (given, name, reader) =>
      reader.path(name, 'a file', given),
    ),
    top: text('--top <rows>', topHelp[scope], (given, name, reader) => reader.top(name, given)),
    all: on('--all', allHelp[scope]),
    progress: off('--no-progress', 'do not show a progress bar'),
  };
}

/** How many features of each kind `kindred explain` lists when nobody says. */
const defaultMost = 20;

const explainFlags = {
  format: choice('--format <format>', 'format of the explanation', ['text', 'json'], 'text'),
  most: text(
    '--most <count>',
    `maximum number of shared and of differing shingles to list (default: ${defaultMost})`,
    (given, name, reader) => reader.whole(name, given ?? String(defaultMost), 0, 1_000_000),
  ),
  shingleSize: detectionFlags.shingleSize,
  proseShingleSize: proseFlags.shingleSize,
  weights: detectionFlags.weights,
  readComments: readCommentsFlag('asText: where a range has comments but no code, compare the comments'),
  configuration: configurationFlag('the folder that has both'),
};

function readCommentsFlag(about: string): Flag<ReadComments> {
  const help = `${about} (default: ${defaultOptions.readComments})`;
  return choice('--read-comments <how>', help, readCommentsChoices);
}

function configurationFlag(folder: string): Flag<string> {
  const help = `configuration file (default: .kindredrc.jsonc in ${folder})`;
  return text('--config <file>', help, (given, name, reader) => reader.path(name, 'a file', given));
}

function scanCommand(program: Command, version: string, scope: ScanArguments['scope']): Command {
  const [name, about, examples] = descriptions[scope];
  const command = program
    .command(name)
    .description(
      `${about} Scans the current folder by default. Paths in the report are relative to the scanned folder or, for ` +
        'several paths, to their innermost common folder.',
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('[path...]', 'folders and files to scan');
  addSharedFlags(command, scope);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 2 on error, 128 plus the signal number if interrupted.

Examples:
${examples}`,
  );
}

function checkCommand(program: Command, version: string): Command {
  const command = program
    .command('check')
    .description(
      'Fails if copies were added: compares the tree with a Git ref or a baseline file and holds the findings against ' +
        'limits. The whole tree is scanned, so that a new copy of an old function is found. Checks the current folder by default.',
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('[path...]', 'folders and files to scan');
  addFlags(command.optionsGroup('Check:'), gateFlags);
  addSharedFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 if all limits hold, 1 if one is broken, 2 on error, 128 plus the signal number if interrupted.

Examples:
  kindred check --since origin/main
  kindred check --staged
  kindred check src --baseline .kindred-baseline.jsonc --max-percent 5`,
  );
}

function baselineCommand(program: Command, version: string): Command {
  const command = program
    .command('baseline')
    .description('Writes and maintains the baseline file, which lists known copies for kindred check.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .addArgument(
      new Argument(
        '<action>',
        'write: list all copies in a new file. update: add new copies, and follow what changed. prune: remove what is ' +
          'gone, and add nothing. explain: show where the copies of each entry are',
      ).choices(baselineActions),
    )
    .argument('[path...]', 'folders and files to scan');
  addFlags(command.optionsGroup('Baseline:'), baselineFlags);
  addSharedFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 1 if --fail-on-growth or --fail-on-stale fails, 2 on error.

Examples:
  kindred baseline write
  kindred baseline update --fail-on-growth
  kindred baseline explain src`,
  );
}

function ignoredCommand(program: Command, version: string): Command {
  const command = program
    .command('ignored')
    .description(
      'Lists what is ignored and why: comments in the source and baseline entries with a reason, and those that no longer apply.',
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('[path...]', 'folders and files to scan');
  addFlags(command.optionsGroup('Ignored:'), ignoredFlags);
  addSharedFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 1 if --fail-on-stale fails, 2 on error.`,
  );
}

/** The options that every command has that scans. */
function addSharedFlags(command: Command, scope: ScanArguments['scope'] = 'all'): void {
  addFlags(command.optionsGroup('Report:'), reportFlags(scope));
  addFlags(command.optionsGroup('Detection:'), detectionFlags);
  addFlags(command, proseFlags);
  addFlags(command.optionsGroup('Files:'), sourceFlags);
  addFlags(command.optionsGroup('Execution:'), executionFlags);
}

function explainCommand(program: Command, version: string): Command {
  const command = program
    .command('explain')
    .description('Explains why two passages are similar: what they share, what differs, and how much each part counts.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('<a>', 'a file or a range of it, such as src/a.ts:10-42 or, with columns, src/a.ts:10:5-42:3')
    .argument('<b>', 'the file or range to compare it with');
  addFlags(command, explainFlags);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 2 on error.

Examples:
  kindred explain src/a.ts:10-42 src/b.ts:7-39
  kindred explain docs/one.md docs/two.md --format json`,
  );
}

function initCommand(program: Command, version: string): Command {
  return program
    .command('init')
    .description(
      'Creates .kindredrc.jsonc with all settings, their defaults and what they mean. Imports the settings of jscpd if ' +
        'the folder has a .jscpd.json, or a package.json with a jscpd key.',
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('[folder]', 'the folder to create it in', '.')
    .addHelpText('after', '\nExit status: 0 on success, 2 on error. An existing file is never changed.');
}

function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}

/** Commander's message as a sentence that says what to do. */
function usageErrorOf(error: CommanderError, commands: readonly Command[], given: readonly string[]): string {
  const names = commands.map((command) => command.name());
  const called = commands.find((command) => command.name() === given[0]);
  const help = `kindred ${called?.name() ?? 'scan'} --help`;
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.unknownOption': {
      const known = (called ?? commands[0]!).options.flatMap(({ long }) => (long ? [long] : []));
      // Without the dashes, which are always alike.
      const nearest = nearestName(
        quoted.replace(/^-+/, ''),
        [...known, '--help'].map((name) => name.slice(2)),
      );
      return `there is no option ${quoted}; ${nearest ? `did you mean --${nearest}?` : `${help} lists them.`}`;
    }
    case 'commander.unknownCommand':
      return `there is no command "${quoted}"; ${nearestName(quoted, names) ? `did you mean kindred ${nearestName(quoted, names)}?` : `to scan a folder: kindred scan ${quoted}.`}`;
    case 'commander.optionMissingArgument':
      return `${quoted.split(' ')[0]} needs a value: ${quoted}.`;
    case 'commander.invalidArgument':
      return invalidChoice(error.message);
    default:
      return `${error.message.replace(/^error: /, '')}; see ${help}.`;
  }
}

/** "option '--format <format>' argument 'xml' is invalid. Allowed choices are text, json." */
function invalidChoice(message: string): string {
  const [, option, given, choices = ''] =
    /'(--[\w-]+)[^']*' argument '([^']*)'.*choices are (.*)\.$/.exec(message) ?? [];
  return `${option} must be ${choices.replace(/, ([^,]*)$/, ' or $1')}, not ${given}.`;
}

function scanArguments(scope: ScanArguments['scope'], roots: readonly string[], values: Values): Request {
  const reader = new Reader(values);
  const ofReport = reportFlags(scope);
  const destinations = readDestinations(reader.one(ofReport.formats) ?? ['text'], reader.one(ofReport.output));
  // Of several values that cannot be read, the first one here is told.
  const { maxDistance, shingleSize, ...otherProse } = proseFlags;
  const request: Request = {
    type: 'scan',
    scope,
    roots: roots.length > 0 ? roots : ['.'],
    options: { ...reader.all(detectionFlags), prose: reader.all({ maxDistance, shingleSize, ...otherProse }) },
    sources: reader.all(sourceFlags),
    destinations: 'problem' in destinations ? [] : destinations,
    configuration: reader.one(executionFlags.configuration),
    cache: reader.one(executionFlags.cache),
    workers: reader.one(executionFlags.workers)!,
    memoryMB: reader.one(executionFlags.memoryMB)!,
    progress: reader.one(ofReport.progress) ?? true,
    extent: extentOf(scope, reader.one(ofReport.all) ?? false, reader.one(ofReport.top)),
  };
  if (reader.problem !== undefined) return problem(reader.problem);
  return 'problem' in destinations ? problem(destinations.problem) : request;
}

function checkArguments(roots: readonly string[], values: Values): Request {
  const reader = new Reader(values);
  const gate = readGate(reader);
  const scan = scanArguments('all', roots, values);
  if (reader.problem !== undefined) return problem(reader.problem);
  if (scan.type !== 'scan') return scan;
  return { type: 'check', scan, gate };
}

function baselineArguments(action: BaselineAction, roots: readonly string[], values: Values): Request {
  const reader = new Reader(values);
  const { baseline, growth, stale } = { ...baselineFlags, ...(action === 'ignored' ? ignoredFlags : {}) };
  const request = {
    type: 'baseline' as const,
    action,
    baseline: reader.one(baseline) ?? baselineFileName,
    failsOnGrowth: action === 'ignored' ? false : (reader.one(growth) ?? false),
    failsOnStale: reader.one(stale) ?? false,
  };
  const scan = scanArguments('all', roots, values);
  if (reader.problem !== undefined) return problem(reader.problem);
  if (scan.type !== 'scan') return scan;
  const isList = scan.destinations.every(({ format, file }) => ['text', 'json'].includes(format) && file === undefined);
  return isList ? { ...request, scan } : problem('--format must be text or json here, on standard output.');
}

/** @param top  as it was given; it limits what --all shows, too */
function extentOf(scope: ScanArguments['scope'], all: boolean, top: number | undefined): Extent {
  const none = Number.POSITIVE_INFINITY;
  const { folders, rows, inFolders } = defaultExtents[scope];
  if (scope === 'folders') return { folders, rows, inFolders: top ?? (all ? none : inFolders), all };
  return {
    ...{ folders: top ?? (all ? none : folders), rows: top ?? (all ? none : rows) },
    ...{ inFolders: all ? none : inFolders, all },
  };
}

function explainArguments(places: readonly [string, string], values: Values): ExplainArguments | Problem {
  const reader = new Reader(values);
  const { format, most, configuration, proseShingleSize, ...detection } = explainFlags;
  const request: ExplainArguments = {
    type: 'explain',
    places,
    options: { ...reader.all(detection), prose: reader.all({ shingleSize: proseShingleSize }) },
    sources: {},
    format: reader.one(format)!,
    configuration: reader.one(configuration),
    most: reader.one(most)!,
  };
  return reader.problem === undefined ? request : problem(reader.problem);
}
