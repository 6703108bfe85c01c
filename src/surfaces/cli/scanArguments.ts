/** Options that scanning commands share, each defined once, in a table by the value that it sets (flags.ts). */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { type PresetName, presetNames } from '../../core/engine/dials.ts';
import {
  defaultOptions,
  methods,
  type Options,
  type ReadComments,
  readCommentsChoices,
} from '../../core/engine/options.ts';
import { tokenKinds } from '../../core/engine/languages/tokenKind.ts';
import { categories } from '../../core/engine/rows/category.ts';
import type { OptionChanges } from '../../scan/io/configuration.ts';
import { formatFileSize } from '../../scan/io/fileSize.ts';
import { defaultSourceOptions, type SourceOptions } from '../../scan/io/sources.ts';
import { type Destination, formatNames, readDestinations } from './formats/destinations.ts';
import * as flag from './flags.ts';

export interface ScanArguments {
  readonly type: 'scan';
  /** Scope of the report: everything, only whole files, or only folders and what is in them. */
  readonly scope: 'all' | 'files' | 'folders';
  readonly roots: readonly string[];
  readonly preset: PresetName | undefined;
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  /** Formats, and where to write them. There is at least one. At most one of them goes to standard output. */
  readonly destinations: readonly Destination[];
  readonly configuration: string | undefined;
  /** Folder in which to store the index; `undefined` to store none. */
  readonly cache: string | undefined;
  readonly workers: number;
  /** Memory limit in MB. 0 means that only the kernel's limit of 4 GiB applies. */
  readonly memoryMB: number;
  readonly progress: boolean;
  readonly extent: Extent;
  /** True to also report groups that comments or the baseline ignore. */
  readonly showsIgnored: boolean;
}

/** Limits of the text report. Infinity means no limit. */
export interface Extent {
  /** Maximum number of folder rows. */
  readonly folders: number;
  /** Maximum number of rows in each other section. */
  readonly rows: number;
  /** Maximum number of rows shown inside a folder row. */
  readonly inFolders: number;
  /** True to also show tests, examples, data, and boilerplate, and all nested rows. */
  readonly all: boolean;
}

export interface Problem {
  readonly type: 'problem';
  readonly problem: string;
}

/** Default limits, with which a report fills a few screens. */
const defaultExtents: Readonly<Record<ScanArguments['scope'], Extent>> = {
  all: { folders: 10, rows: 20, inFolders: 3, all: false },
  files: { folders: 10, rows: 20, inFolders: 3, all: false },
  folders: { folders: Number.POSITIVE_INFINITY, rows: 0, inFolders: 10, all: false },
};

const descriptions: Readonly<Record<ScanArguments['scope'], readonly [name: string, about: string, examples: string]>> =
  {
    all: [
      'scan',
      'Finds near-duplicates in folders and files: passages that files share, and near-duplicate files.',
      `  kindred scan
  kindred scan src test --exclude '*.test.ts' --max-distance 4
  kindred scan --compare ../upstream vendor/upstream
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

const topHelp: Readonly<Record<ScanArguments['scope'], string>> = {
  all: `maximum number of rows in each section of the text report, 0 for all (default: ${defaultExtents.all.rows}; of folders ${defaultExtents.all.folders})`,
  files: `maximum number of rows in each section of the text report, 0 for all (default: ${defaultExtents.files.rows})`,
  folders: `maximum number of rows inside each row of folders, 0 for all (default: ${defaultExtents.folders.inFolders})`,
};

const allHelp: Readonly<Record<ScanArguments['scope'], string>> = {
  all: 'show all rows in the text report, including tests, examples, data, and boilerplate, and everything inside them',
  files: 'show all rows in the text report, including tests, examples, data, and boilerplate',
  folders: 'show all rows in the text report, and everything inside them',
};

export const detectionFlags = {
  maxDistance: flag.olderName(
    '--k',
    flag.number(
      '--max-distance <bits>',
      `maximum differing bits (of 64) between two code fingerprints (default: ${defaultOptions.maxDistance})`,
    ),
  ),
  minTokens: flag.number(
    '--min-tokens <count>',
    `minimum tokens in a code passage (default: ${defaultOptions.minTokens})`,
  ),
  minLines: flag.number('--min-lines <count>', `minimum lines in a code passage (default: ${defaultOptions.minLines})`),
  minSimilarity: flag.number(
    '--min-similarity <share>',
    `minimum similarity of two code passages (default: ${defaultOptions.minSimilarity})`,
  ),
  shingleSize: flag.number(
    '--shingle-size <tokens>',
    `tokens per code shingle (default: ${defaultOptions.shingleSize})`,
  ),
  weights: flag.list(
    '--weights <kind=n,...>',
    `weight of each kind of token: ${tokenKinds.join(', ')}`,
    (flagValues, _, reader) => reader.weights(flagValues),
  ),
  renamed: flag.onOrOff(
    ['--renamed', 'also find copies with renamed identifiers and changed literals (default)'],
    ['--no-renamed', 'find only copies with the same names and literals'],
  ),
  readComments: readCommentsFlag('asText: also compare comments, as prose separate from the code'),
  method: flag.choice(
    '--method <method>',
    `how to compare whole files: by common shingles (minhash), fingerprints (simhash) or both (combined) (default: ${defaultOptions.method})`,
    methods,
  ),
} satisfies flag.FlagsOf<Omit<OptionChanges, 'prose'>>;

export const presetFlag = flag.choice(
  '--preset <name>',
  'defaults of the minimums and of the distance, for code and prose: strict finds less, loose finds more (default: balanced)',
  presetNames,
);

export const proseFlags = {
  enabled: flag.onOrOff(
    ['--prose', 'also compare Markdown and plain text (default)'],
    ['--no-prose', 'compare code only'],
  ),
  maxDistance: flag.olderName(
    '--prose-k',
    flag.number(
      '--prose-max-distance <bits>',
      `maximum differing bits (of 64) between two prose fingerprints (default: ${defaultOptions.prose.maxDistance})`,
    ),
  ),
  minWords: flag.number(
    '--prose-min-words <count>',
    `minimum words in a prose passage (default: ${defaultOptions.prose.minWords})`,
  ),
  minSimilarity: flag.number(
    '--prose-min-similarity <share>',
    `minimum similarity of two prose passages (default: ${defaultOptions.prose.minSimilarity})`,
  ),
  shingleSize: flag.number(
    '--prose-shingle-size <words>',
    `words per prose shingle (default: ${defaultOptions.prose.shingleSize})`,
  ),
} satisfies flag.FlagsOf<Options['prose']>;

export const sourceFlags = {
  include: flag.list(
    '--include <glob>',
    'only these files (repeatable); *.ts matches at any depth, src/** from the root',
    flag.asGiven,
  ),
  exclude: flag.list('--exclude <glob>', 'exclude these files and folders (repeatable)', flag.asGiven),
  gitignore: flag.off('--no-gitignore', 'also read files ignored by .gitignore, .ignore and .git/info/exclude'),
  maxFileSizeBytes: flag.text(
    '--max-file-size <size>',
    `maximum file size, such as 500k or 2mb (default: ${formatFileSize(defaultSourceOptions.maxFileSizeBytes)})`,
    (flagValue, name, reader) => reader.size(name, flagValue),
  ),
  generated: flag.onOrOff(
    ['--generated', 'also read generated and minified files, lock files, source maps and translations'],
    ['--no-generated', 'exclude them (default)'],
  ),
  categories: flag.list(
    '--category <name=glob>',
    `category of files (repeatable): ${categories.join(', ')}; the first that matches, in this order, counts`,
    (flagValues, _, reader) => reader.categories(flagValues),
  ),
  overrides: flag.list(
    '--override <json>',
    'minimums or category for some files (repeatable), such as {"files":"*.md","minTokens":80}; see docs/command-line.md',
    (flagValues, _, reader) => reader.overrides(flagValues),
  ),
} satisfies flag.FlagsOf<SourceOptions>;

/** Maximum number of threads. It also limits the default, because some servers have more processors. */
const maxWorkers = 512;

export const executionFlags = {
  configuration: configurationFlag('the scanned folder'),
  workers: flag.text('--workers <count>', 'number of threads (default: one per processor)', (flagValue, name, reader) =>
    reader.whole(name, flagValue ?? String(Math.min(availableParallelism(), maxWorkers)), 1, maxWorkers),
  ),
  memoryMB: flag.text(
    '--memory <size>',
    'memory limit, such as 512mb; files that do not fit are excluded (default: 4 GB of index)',
    (flagValue, name, reader) => reader.memory(name, flagValue),
  ),
  cache: flag.named(
    '--cache <folder>',
    'keep the index in this folder, and read only files that changed since the last scan',
    'a folder',
  ),
};

function reportFlags(scope: ScanArguments['scope']) {
  return {
    formats: flag.list(
      '--format <name[=file],...>',
      `format of the report (default: text), or several with their files (- is standard output): ${formatNames.join(', ')}`,
      flag.asGiven,
    ),
    output: flag.named('--output <file>', 'write the report to a file instead of standard output', 'a file'),
    top: flag.text('--top <rows>', topHelp[scope], (flagValue, name, reader) => reader.top(name, flagValue)),
    all: flag.on('--all', allHelp[scope]),
    progress: flag.off('--no-progress', 'do not show a progress bar'),
  };
}

/** Options of `kindred scan` that no other command has. */
export const compareFlags = {
  compare: flag.on(
    '--compare',
    'compare two folders, such as two versions or a fork: content in both, changed files, and files in only one',
  ),
};
/** Option of commands that scan but do not check. */
const ignoredFlag = flag.on('--show-ignored', 'also report groups that comments and the baseline ignore');

export function formatFlag(what: string): flag.Flag<'text' | 'json'> {
  return flag.choice('--format <format>', `format of the ${what}`, ['text', 'json'], 'text');
}

/** Options of commands that find the near-duplicates of a text. */
export const textFlags = {
  stdin: flag.on('--stdin', 'read the text from standard input, with --language'),
  language: flag.text(
    '--language <language>',
    'language of standard input, such as typescript, ts or src/a.ts',
    (flagValue) => flagValue,
  ),
  format: formatFlag('answer'),
  limit: flag.whole('--most <count>', 'maximum number of passages to list', 50),
};

export function readCommentsFlag(about: string): flag.Flag<ReadComments> {
  const help = `${about} (default: ${defaultOptions.readComments})`;
  return flag.choice('--read-comments <how>', help, readCommentsChoices);
}

export function configurationFlag(folder: string): flag.Flag<string> {
  return flag.named('--config <file>', `configuration file (default: .kindredrc.jsonc in ${folder})`, 'a file');
}

export function scanCommand(program: Command, version: string, scope: ScanArguments['scope']): Command {
  const [name, about, examples] = descriptions[scope];
  const command = program
    .command(name)
    .description(
      `${about} Scans the current folder by default. Paths in the report are relative to the scanned folder or, for ` +
        'several paths, to their innermost common folder.',
    )
    .version(version, '-V, --version', 'show the version')
    .argument('[path...]', 'folders and files to scan');
  if (scope === 'all') flag.addFlags(command.optionsGroup('Comparison:'), compareFlags);
  flag.addFlags(command.optionsGroup('Report:'), { ignoredFlag });
  addSharedFlags(command, scope);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 2 on error,
128 plus the signal number if interrupted.

Examples:
${examples}`,
  );
}

/** Adds the options of all commands that report a scan. */
export function addSharedFlags(command: Command, scope: ScanArguments['scope'] = 'all'): void {
  flag.addFlags(command.optionsGroup('Report:'), reportFlags(scope));
  addScanFlags(command);
}

/** Adds the options of a scan itself. */
export function addScanFlags(command: Command): void {
  flag.addFlags(command.optionsGroup('Detection:'), { presetFlag, ...detectionFlags });
  flag.addFlags(command, proseFlags);
  flag.addFlags(command.optionsGroup('Files:'), sourceFlags);
  flag.addFlags(command.optionsGroup('Execution:'), executionFlags);
}

export function scanArguments(
  scope: ScanArguments['scope'],
  roots: readonly string[],
  values: flag.Values,
): ScanArguments | Problem {
  const reader = new flag.Reader(values);
  const ofReport = reportFlags(scope);
  const destinations = readDestinations(reader.one(ofReport.formats) ?? ['text'], reader.one(ofReport.output));
  // Options are read in this order. If several are invalid, the first is reported.
  const { maxDistance, shingleSize, ...otherProse } = proseFlags;
  const request: ScanArguments = {
    type: 'scan',
    scope,
    roots: roots.length > 0 ? roots : ['.'],
    preset: reader.one(presetFlag),
    options: { ...reader.all(detectionFlags), prose: reader.all({ maxDistance, shingleSize, ...otherProse }) },
    sources: reader.all(sourceFlags),
    destinations: 'problem' in destinations ? [] : destinations,
    configuration: reader.one(executionFlags.configuration),
    cache: reader.one(executionFlags.cache),
    workers: reader.one(executionFlags.workers)!,
    memoryMB: reader.one(executionFlags.memoryMB)!,
    progress: reader.one(ofReport.progress) ?? true,
    showsIgnored: reader.one(ignoredFlag) ?? false,
    extent: extentOf(scope, reader.one(ofReport.all) ?? false, reader.one(ofReport.top)),
  };
  if (reader.problem !== undefined) return problem(reader.problem);
  return 'problem' in destinations ? problem(destinations.problem) : request;
}

/** @param top  value of `--top`, which also applies together with `--all` */
function extentOf(scope: ScanArguments['scope'], all: boolean, top: number | undefined): Extent {
  const none = Number.POSITIVE_INFINITY;
  const { folders, rows, inFolders } = defaultExtents[scope];
  if (scope === 'folders') return { folders, rows, inFolders: top ?? (all ? none : inFolders), all };
  return {
    folders: top ?? (all ? none : folders),
    rows: top ?? (all ? none : rows),
    inFolders: all ? none : inFolders,
    all,
  };
}

export function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}
