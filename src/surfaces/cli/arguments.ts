/**
 * Parses the command line. Each option is defined once, in a table under the name of the value that it sets (flags.ts).
 * Ranges are checked later, together with those of the configuration file (settings.ts).
 */
import { Command, CommanderError } from 'commander';
import type { OptionChanges } from '../../scan/io/configuration.ts';
import { nearestName } from '../../scan/io/nearestName.ts';
import type { SourceOptions } from '../../scan/io/sources.ts';
import { type CompareArguments, compareArguments, isComparison } from './compareArguments.ts';
import * as flag from './flags.ts';
import {
  configurationFlag,
  detectionFlags,
  executionFlags,
  type Problem,
  problem,
  proseFlags,
  readCommentsFlag,
  type ScanArguments,
  scanArguments,
  scanCommand,
  sourceFlags,
  textFlags,
} from './scanArguments.ts';
import {
  type BaselineArguments,
  baselineArguments,
  baselineCommand,
  type CheckArguments,
  checkArguments,
  checkCommand,
  ignoredCommand,
} from './gateArguments.ts';
import { type HistoryArguments, historyArguments, historyCommand } from './historyArguments.ts';
import { type OrgArguments, orgCommand } from './orgArguments.ts';
import { lspCommand, mcpCommand, type ServerArguments, serverArguments } from './serverArguments.ts';

export interface ExplainArguments {
  readonly type: 'explain';
  /** The two places as the user entered them, such as "src/a.ts:10-42". */
  readonly places: readonly [a: string, b: string];
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  readonly format: 'text' | 'json';
  readonly configuration: string | undefined;
  /** Maximum number of features to list: both for shared and for differing features. */
  readonly limit: number;
}

export interface InitArguments {
  readonly type: 'init';
  /** Folder that the user specified; `undefined` for the current one. */
  readonly folder: string | undefined;
  /** Arguments for setting up coding agents. If `undefined`, the command creates a configuration file instead. */
  readonly agents: AgentsArguments | undefined;
}

export interface AgentsArguments {
  /** Arguments for the scan that finds copied helpers. */
  readonly scan: ScanArguments;
  /** True to show the changes without writing them. */
  readonly isDryRun: boolean;
}

export interface HookArguments {
  readonly type: 'hook';
  /** True to index the current folder for later calls; false to answer a call of an agent. */
  readonly isIndex: boolean;
  readonly timeoutMs: number;
}

export interface FindArguments extends Pick<
  ScanArguments,
  'roots' | 'options' | 'sources' | 'configuration' | 'cache' | 'workers' | 'memoryMB' | 'progress'
> {
  readonly type: 'find';
  readonly format: 'text' | 'json';
  /** The place as entered, such as "src/a.ts:10-42" or "src/a.ts#parseDay"; `undefined` for standard input. */
  readonly place: string | undefined;
  /** True if standard input is a diff. Each run of added lines is searched for. */
  readonly isDiff: boolean;
  /** Language of standard input: a VS Code language id or a file extension. */
  readonly language: string | undefined;
  readonly maxDistance: number | undefined;
  readonly minSimilarity: number | undefined;
  /** Maximum number of passages to list. */
  readonly limit: number;
}

/** Result of parsing: a request, text to print (help or version), or an error message. */
export type Request =
  | ScanArguments
  | ExplainArguments
  | CheckArguments
  | CompareArguments
  | BaselineArguments
  | FindArguments
  | HistoryArguments
  | HookArguments
  | InitArguments
  | ServerArguments
  | OrgArguments
  | { readonly type: 'text'; readonly text: string }
  | Problem;

/** Parses the arguments that follow `kindred`. */
export function parseArguments(writtenArguments: readonly string[], version: string): Request {
  const helpTopic = writtenArguments[0] === 'help' ? writtenArguments[1] : undefined;
  const commandArguments = writtenArguments[0] === 'help' ? [...writtenArguments.slice(1), '--help'] : writtenArguments;
  let printed = '';
  let request: Request | undefined;
  const program = new Command('kindred')
    .description('Finds near-duplicate code and text.')
    .version(version, '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Shows the help of a command.')
    // List only the names of commands, because their arguments would leave too little space for descriptions.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({ writeOut: (part) => (printed += part), writeErr: () => undefined });
  const commands = commandsOf(program, version, (found) => {
    request = found;
  });
  // Commands have dozens of options each, so create the options of other commands only for help and error messages.
  const named = commands.get(commandArguments[0] ?? '');
  if (helpTopic !== undefined && !named && !helpTopic.startsWith('-') && helpTopic !== 'help') {
    return problem(noCommand(helpTopic, 'kindred help', [...commands.keys()], 'kindred --help lists them.'));
  }
  for (const add of named ? [named] : commands.values()) add();
  if (commandArguments.length === 0) return { type: 'text', text: program.helpInformation() };
  try {
    program.parse(commandArguments, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'text', text: printed };
    return problem(usageErrorOf(error, program.commands, commandArguments));
  }
  return (
    request ??
    problem(
      'specify a command: kindred scan [path…], kindred files [path…], kindred folders [path…], kindred check [path…], kindred find PLACE, kindred history, kindred explain A B, kindred org, kindred mcp, kindred lsp or kindred init.',
    )
  );
}

/**
 * Returns, for each command in the order of the help, a function that adds the command to the program.
 *
 * @param onRequest  called with the request after parsing
 */
function commandsOf(
  program: Command,
  version: string,
  onRequest: (request: Request) => void,
): ReadonlyMap<string, () => unknown> {
  /** Returns a function that adds a command. `read` receives its arguments and options. */
  const adding =
    <Arguments extends unknown[]>(
      create: (program: Command, version: string) => Command,
      read: (...commandArguments: Arguments) => Request,
    ) =>
    (): unknown =>
      // The last argument is the command itself.
      create(program, version).action((...commandArguments: unknown[]) => {
        onRequest(read(...(commandArguments.slice(0, -1) as Arguments)));
      });
  const addingScan = (scope: ScanArguments['scope']) =>
    adding(
      (...place) => scanCommand(...place, scope),
      (roots: string[], values: flag.Values) =>
        scope === 'all' && isComparison(values) ? compareArguments(roots, values) : scanArguments(scope, roots, values),
    );
  return new Map<string, () => unknown>([
    ['scan', addingScan('all')],
    ['files', addingScan('files')],
    ['folders', addingScan('folders')],
    ['check', adding(checkCommand, checkArguments)],
    ['baseline', adding(baselineCommand, baselineArguments)],
    [
      'ignored',
      adding(ignoredCommand, (roots: string[], values: flag.Values) => baselineArguments('ignored', roots, values)),
    ],
    ['history', adding(historyCommand, historyArguments)],
    [
      'explain',
      adding(explainCommand, (a: string, b: string, values: flag.Values) => explainArguments([a, b], values)),
    ],
    ['init', adding(initCommand, initArguments)],
    ['hook', adding(hookCommand, hookArguments)],
    ['find', adding(findCommand, findArguments)],
    ['mcp', adding(mcpCommand, (roots: string[], values: flag.Values) => serverArguments('mcp', roots, values))],
    ['lsp', adding(lspCommand, (values: flag.Values) => serverArguments('lsp', [], values))],
    ['org', () => orgCommand(program, version, onRequest)],
  ]);
}

const explainFlags = {
  format: flag.choice('--format <format>', 'format of the explanation', ['text', 'json'], 'text'),
  limit: flag.whole('--most <count>', 'maximum number of shared and of differing shingles to list', 20, 0),
  shingleSize: detectionFlags.shingleSize,
  proseShingleSize: proseFlags.shingleSize,
  weights: detectionFlags.weights,
  readComments: readCommentsFlag('asText: where a range has comments but no code, compare the comments'),
  configuration: configurationFlag('the folder that has both'),
};

const findFlags = {
  roots: flag.list('--in <path>', 'folder or file to search (repeatable; default: the current folder)', flag.asGiven),
  stdin: textFlags.stdin,
  diff: flag.on('--diff', 'read a unified diff from standard input, and find what resembles its added lines'),
  language: textFlags.language,
  format: textFlags.format,
  json: flag.on('--json', 'the same as --format json'),
  limit: textFlags.limit,
  maxDistance: flag.olderName(
    '--k',
    flag.number(
      '--max-distance <bits>',
      'maximum differing bits (of 64) between two fingerprints (default: as configured)',
    ),
  ),
  minSimilarity: flag.number('--min-similarity <share>', 'minimum similarity of two passages (default: as configured)'),
  progress: flag.off('--no-progress', 'do not show a progress bar'),
};

function explainCommand(program: Command, version: string): Command {
  const command = program
    .command('explain')
    .description('Explains why two passages are similar: what they share, what differs, and how much each part counts.')
    .version(version, '-V, --version', 'show the version')
    .argument('<a>', 'a file, a range of it, or a declaration: src/a.ts:10-42, src/a.ts:10:5-42:3, src/a.ts#parseDay')
    .argument('<b>', 'the file, range, or declaration to compare it with');
  flag.addFlags(command, explainFlags);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 2 on error.

Examples:
  kindred explain src/a.ts:10-42 src/b.ts:7-39
  kindred explain src/a.ts#parseDay src/b.ts#readDate
  kindred explain docs/one.md docs/two.md --format json`,
  );
}

const initFlags = {
  agents: flag.on(
    '--agents',
    'set up coding agents instead: add what is missing, and renew the list of copied helpers',
  ),
  dryRun: flag.on('--dry-run', 'with --agents, show the changes as a patch, and write nothing'),
};

function initCommand(program: Command, version: string): Command {
  const command = program
    .command('init')
    .description(
      'Creates .kindredrc.jsonc with all settings, their defaults and what they mean. Imports the settings of jscpd if ' +
        'the folder has a .jscpd.json, or a package.json with a jscpd key.',
    )
    .version(version, '-V, --version', 'show the version')
    .argument('[folder]', 'the folder (default: the current one; with --agents, the root of its repository)');
  flag.addFlags(command, { ...initFlags, progress: findFlags.progress });
  return command.addHelpText(
    'after',
    `
With --agents, it adds the MCP server to .mcp.json and .cursor/mcp.json, hooks
to .claude/settings.json, .github/hooks/kindred.json and .cursor/hooks.json, a
portable plugin to .agents/plugins/kindred, a section with the most copied
helpers to AGENTS.md, and a line that imports it to CLAUDE.md. What others wrote
there is kept. An existing .kindredrc.jsonc is never changed.

Exit status: 0 on success, 2 on error.

Examples:
  kindred init
  kindred init --agents --dry-run`,
  );
}

function initArguments(folder: string | undefined, values: flag.Values): InitArguments | Problem {
  const reader = new flag.Reader(values);
  const isDryRun = reader.one(initFlags.dryRun) ?? false;
  if (reader.one(initFlags.agents) === undefined) {
    return isDryRun ? problem('--dry-run needs --agents.') : { type: 'init', folder, agents: undefined };
  }
  const scan = scanArguments('all', [folder ?? '.'], values);
  return scan.type === 'scan' ? { type: 'init', folder, agents: { scan, isDryRun } } : scan;
}

const hookFlags = {
  index: flag.on('--index', 'index the current folder, so that later calls are fast'),
  timeoutMs: flag.text('--timeout <ms>', 'say nothing after this time (default: 1000)', (flagValue, name, reader) =>
    reader.whole(name, flagValue ?? '1000', 1, 600_000),
  ),
};

function hookCommand(program: Command, version: string): Command {
  const command = program
    .command('hook')
    .description(
      'Answers the hooks of Claude Code, GitHub Copilot and Cursor: after an agent wrote to a file, tells it about ' +
        'existing code that the new code repeats. Reads the event from standard input.',
    )
    .version(version, '-V, --version', 'show the version');
  flag.addFlags(command, hookFlags);
  return command.addHelpText(
    'after',
    '\nExit status: 0. Prints nothing if there is nothing to say, or after a failure.',
  );
}

function hookArguments(values: flag.Values): HookArguments | Problem {
  const reader = new flag.Reader(values);
  const { index, timeoutMs } = hookFlags;
  const request: HookArguments = {
    type: 'hook',
    isIndex: reader.one(index) ?? false,
    timeoutMs: reader.one(timeoutMs)!,
  };
  return reader.problem === undefined ? request : problem(reader.problem);
}

function findCommand(program: Command, version: string): Command {
  const command = program
    .command('find')
    .description('Finds all near-duplicates of one passage, of a text, or of what a diff adds.')
    .version(version, '-V, --version', 'show the version')
    .argument('[place]', 'a file, a range of its lines, or a declaration: src/a.ts:10-42, src/a.ts#parseDay');
  flag.addFlags(command, findFlags);
  flag.addFlags(command.optionsGroup('Files:'), sourceFlags);
  flag.addFlags(command.optionsGroup('Execution:'), executionFlags);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, also when nothing is found; 2 on error,
128 plus the signal number if interrupted.

Examples:
  kindred find src/a.ts:10-42
  kindred find src/a.ts:10-42 --max-distance 8 --cache ~/.cache/find
  kindred find src/a.ts#parseDay
  pbpaste | kindred find --stdin --language ts --json
  git diff | kindred find --diff`,
  );
}

function findArguments(place: string | undefined, values: flag.Values): FindArguments | Problem {
  const reader = new flag.Reader(values);
  const { roots, stdin, diff, language, format, json, limit, maxDistance, minSimilarity, progress } = findFlags;
  const [isStdin, languageGiven] = [reader.one(stdin) ?? false, reader.one(language)];
  const isDiff = reader.one(diff) ?? false;
  if (isDiff && (isStdin || place !== undefined)) return problem('give a place, --stdin or --diff, not several.');
  if (isStdin && place !== undefined) return problem('give a place or --stdin, not both.');
  if (!isStdin && !isDiff && place === undefined) {
    return problem('specify what to find: a place such as src/a.ts:10-42, --stdin, or --diff.');
  }
  if (languageGiven !== undefined && !isStdin)
    return problem('--language requires --stdin; a file name implies its language.');
  const request: FindArguments = {
    type: 'find',
    place,
    isDiff,
    language: languageGiven,
    roots: reader.one(roots) ?? ['.'],
    options: {},
    sources: reader.all(sourceFlags),
    format: reader.one(json) ? 'json' : reader.one(format)!,
    limit: reader.one(limit)!,
    maxDistance: reader.one(maxDistance),
    minSimilarity: reader.one(minSimilarity),
    configuration: reader.one(executionFlags.configuration),
    cache: reader.one(executionFlags.cache),
    workers: reader.one(executionFlags.workers)!,
    memoryMB: reader.one(executionFlags.memoryMB)!,
    progress: reader.one(progress) ?? true,
  };
  return reader.problem === undefined ? request : problem(reader.problem);
}

/** Converts an error of the commander library into a sentence that says what to do. */
function usageErrorOf(
  error: CommanderError,
  commands: readonly Command[],
  commandArguments: readonly string[],
): string {
  const outer = commands.find((command) => command.name() === commandArguments[0]);
  const inner = outer?.commands.find((command) => command.name() === commandArguments[1]);
  const called = inner ?? outer;
  const names = (outer?.commands.length ? outer.commands : commands).map((command) => command.name());
  const before = outer?.commands.length ? `kindred ${outer.name()}` : 'kindred';
  const help = `kindred ${[outer?.name() ?? 'scan', ...(inner ? [inner.name()] : [])].join(' ')} --help`;
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.unknownOption': {
      const knownFlags = (called ?? commands[0]!).options.flatMap(({ long }) => (long ? [long] : []));
      // Compare names without dashes, because all options begin with dashes.
      const nearest = nearestName(
        quoted.replace(/^-+/, ''),
        [...knownFlags, '--help'].map((name) => name.slice(2)),
      );
      return `there is no option ${quoted}; ${nearest ? `did you mean --${nearest}?` : `${help} lists them.`}`;
    }
    case 'commander.unknownCommand':
      return noCommand(
        quoted,
        before,
        names,
        outer ? `${help} lists them.` : `to scan a folder: kindred scan ${quoted}.`,
      );
    case 'commander.optionMissingArgument':
      return `${quoted.split(' ')[0]} needs a value: ${quoted}.`;
    case 'commander.invalidArgument':
      return invalidChoice(error.message);
    default:
      return `${error.message.replace(/^error: /, '')}; see ${help}.`;
  }
}

/**
 * Returns the message for an unknown command.
 *
 * @param before     words that precede the command's name
 * @param otherwise  action to suggest if no command has a similar name
 */
function noCommand(commandName: string, before: string, names: readonly string[], otherwise: string): string {
  const nearest = nearestName(commandName, names);
  return `there is no command "${commandName}"; ${nearest ? `did you mean ${before} ${nearest}?` : otherwise}`;
}

/**
 * Returns the message for a value that is not one of an option's or argument's choices.
 *
 * @param message  message of commander: "option '--format <format>' argument 'xml' is invalid. Allowed choices are
 * text, json.", or "command-argument value 'frob' is invalid for argument 'action'. Allowed choices are
 * write, update."
 */
function invalidChoice(message: string): string {
  const option = /'(?<name>--[\w-]+)[^']*' argument '(?<value>.*)' is invalid\. .*choices are (?<choices>.*)\.$/s;
  const argument = /value '(?<value>.*)' is invalid for argument '(?<name>\w+)'\. .*choices are (?<choices>.*)\.$/s;
  const { name, value, choices = '' } = (option.exec(message) ?? argument.exec(message))?.groups ?? {};
  return `${name} must be ${choices.replace(/, ([^,]*)$/, ' or $1')}, not ${value}.`;
}

function explainArguments(places: readonly [string, string], values: flag.Values): ExplainArguments | Problem {
  const reader = new flag.Reader(values);
  const { format, limit, configuration, proseShingleSize, ...detection } = explainFlags;
  const request: ExplainArguments = {
    type: 'explain',
    places,
    options: { ...reader.all(detection), prose: reader.all({ shingleSize: proseShingleSize }) },
    sources: {},
    format: reader.one(format)!,
    configuration: reader.one(configuration),
    limit: reader.one(limit)!,
  };
  return reader.problem === undefined ? request : problem(reader.problem);
}
