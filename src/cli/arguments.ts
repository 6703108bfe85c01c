/**
 * The command line: its options, its help, and what a call asks for. Values are taken as they are written; whether they
 * are in range is checked with those of the configuration file (settings.ts).
 */
import { availableParallelism } from 'node:os';
import { Command, CommanderError, Option } from 'commander';
import { defaultOptions, type Method, methods, type ReadComments, readCommentsChoices } from '../engine/options.ts';
import { type TokenKind, tokenKinds } from '../engine/languages/tokenKind.ts';
import type { OptionChanges } from '../io/configuration.ts';
import { formatFileSize, parseFileSize } from '../io/fileSize.ts';
import { leastMemoryMB } from '../indexer/memoryBudget.ts';
import { nearestName } from '../io/nearestName.ts';
import { defaultSourceOptions, type SourceOptions } from '../io/sources.ts';

/** What `kindred scan`, or `kindred files`, was asked for. */
export interface ScanArguments {
  readonly type: 'scan';
  /** Whether passages are looked for, or whole files only. */
  readonly scope: 'all' | 'files';
  readonly roots: readonly string[];
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  readonly format: 'text' | 'json';
  /** The file that the report goes to; undefined for standard output. */
  readonly output: string | undefined;
  readonly configuration: string | undefined;
  /** The folder that the index is kept in; undefined when it is not. */
  readonly cache: string | undefined;
  readonly workers: number;
  /** What the scan may take of memory, in MB; 0 for no limit but that of the index. */
  readonly memoryMB: number;
  readonly progress: boolean;
  /** How many groups the text shows; Infinity for all. */
  readonly top: number;
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

/** Help or the version, to be printed; or what is wrong with the call, in a sentence. */
export type Request = ScanArguments | ExplainArguments | { readonly type: 'text'; readonly text: string } | Problem;

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
  for (const scope of ['all', 'files'] as const) {
    scanCommand(program, version, scope).action((roots: string[], values: Values) => {
      request = scanArguments(scope, roots, values);
    });
  }
  explainCommand(program, version).action((a: string, b: string, values: Values & { readonly most?: string }) => {
    request = explainArguments([a, b], values);
  });
  if (given.length === 0) return { type: 'text', text: program.helpInformation() };
  try {
    program.parse(given, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { type: 'text', text: printed };
    return problem(explain(error, program.commands, given));
  }
  return request ?? problem('specify a command: kindred scan [path…], kindred files [path…] or kindred explain A B.');
}

/** What commander hands over: texts as they were written, true or false for switches. */
interface Values {
  readonly format: 'text' | 'json';
  readonly output?: string;
  readonly k?: string;
  readonly minTokens?: string;
  readonly minLines?: string;
  readonly minSimilarity?: string;
  readonly shingleSize?: string;
  readonly weights?: readonly string[];
  readonly renamed?: boolean;
  readonly readComments?: ReadComments;
  readonly method?: Method;
  readonly prose?: boolean;
  readonly proseK?: string;
  readonly proseShingleSize?: string;
  readonly proseMinWords?: string;
  readonly proseMinSimilarity?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly gitignore: boolean;
  readonly maxFileSize?: string;
  readonly generated?: boolean;
  readonly workers?: string;
  readonly memory?: string;
  readonly config?: string;
  readonly cache?: string;
  readonly progress: boolean;
  readonly top?: string;
}

/** How many groups the text shows when nobody says: some screens, not a flood. */
const defaultTop = 50;

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
  };

function scanCommand(program: Command, version: string, scope: ScanArguments['scope']): Command {
  const [name, about, examples] = descriptions[scope];
  const { prose } = defaultOptions;
  const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
  return program
    .command(name)
    .description(
      `${about} Scans the current folder by default. Paths in the report are relative to the scanned folder or, for ` +
        'several paths, to their innermost common folder.',
    )
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('[path...]', 'folders and files to scan')
    .optionsGroup('Report:')
    .addOption(new Option('--format <format>', 'format of the report').choices(['text', 'json']).default('text'))
    .option('--output <file>', 'write the report to a file instead of standard output')
    .option('--top <groups>', `maximum number of groups in the text report, 0 for all (default: ${defaultTop})`)
    .option('--no-progress', 'do not show a progress bar')
    .optionsGroup('Detection:')
    .option(
      '--k <bits>',
      `maximum differing bits (of 64) between two code fingerprints (default: ${defaultOptions.maxDistance})`,
    )
    .option('--min-tokens <count>', `minimum tokens in a code passage (default: ${defaultOptions.minTokens})`)
    .option('--min-lines <count>', `minimum lines in a code passage (default: ${defaultOptions.minLines})`)
    .option(
      '--min-similarity <share>',
      `minimum similarity of two code passages (default: ${defaultOptions.minSimilarity})`,
    )
    .option('--shingle-size <tokens>', `tokens per code shingle (default: ${defaultOptions.shingleSize})`)
    .option('--weights <kind=n,...>', `weight of each kind of token: ${tokenKinds.join(', ')}`, collect)
    .option('--renamed', 'also find copies with renamed identifiers and changed literals (default)')
    .option('--no-renamed', 'find only copies with the same names and literals')
    .addOption(
      new Option(
        '--read-comments <how>',
        `asText: also compare comments, as prose separate from the code (default: ${defaultOptions.readComments})`,
      ).choices(readCommentsChoices),
    )
    .addOption(
      new Option(
        '--method <method>',
        `how to compare whole files: by common shingles (minhash), fingerprints (simhash) or both (combined) (default: ${defaultOptions.method})`,
      ).choices(methods),
    )
    .option('--prose', 'also compare Markdown and plain text (default)')
    .option('--no-prose', 'compare code only')
    .option(
      '--prose-k <bits>',
      `maximum differing bits (of 64) between two prose fingerprints (default: ${prose.maxDistance})`,
    )
    .option('--prose-min-words <count>', `minimum words in a prose passage (default: ${prose.minWords})`)
    .option(
      '--prose-min-similarity <share>',
      `minimum similarity of two prose passages (default: ${prose.minSimilarity})`,
    )
    .option('--prose-shingle-size <words>', `words per prose shingle (default: ${prose.shingleSize})`)
    .optionsGroup('Files:')
    .option(
      '--include <glob>',
      'only these files (repeatable); *.ts matches at any depth, src/** from the root',
      collect,
      [],
    )
    .option('--exclude <glob>', 'exclude these files and folders (repeatable)', collect)
    .option('--no-gitignore', 'also read files ignored by .gitignore, .ignore and .git/info/exclude')
    .option(
      '--max-file-size <size>',
      `maximum file size, such as 500k or 2mb (default: ${formatFileSize(defaultSourceOptions.maxFileSizeBytes)})`,
    )
    .option('--generated', 'also read generated and minified files, lock files, source maps and translations')
    .option('--no-generated', 'exclude them (default)')
    .optionsGroup('Execution:')
    .option('--config <file>', 'configuration file (default: .kindredrc.jsonc in the scanned folder)')
    .option('--workers <count>', 'number of threads (default: one per processor)')
    .option(
      '--memory <size>',
      'memory limit, such as 512mb; files that do not fit are excluded (default: 4 GB of index)',
    )
    .option('--cache <folder>', 'keep the index in this folder, and read only files that changed since the last scan')
    .addHelpText(
      'after',
      `
Exit status: 0 on success, 2 on error, 128 plus the signal number if interrupted.

Examples:
${examples}`,
    );
}

/** How many features of each kind `kindred explain` lists when nobody says. */
const defaultMost = 20;

function explainCommand(program: Command, version: string): Command {
  const { prose } = defaultOptions;
  const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
  return program
    .command('explain')
    .description('Explains why two passages are similar: what they share, what differs, and how much each part counts.')
    .version(version, '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .argument('<a>', 'a file or a range of its lines, such as src/a.ts:10-42')
    .argument('<b>', 'the file or range to compare it with')
    .addOption(new Option('--format <format>', 'format of the explanation').choices(['text', 'json']).default('text'))
    .option('--most <count>', `maximum number of shared and of differing shingles to list (default: ${defaultMost})`)
    .option('--shingle-size <tokens>', `tokens per code shingle (default: ${defaultOptions.shingleSize})`)
    .option('--prose-shingle-size <words>', `words per prose shingle (default: ${prose.shingleSize})`)
    .option('--weights <kind=n,...>', `weight of each kind of token: ${tokenKinds.join(', ')}`, collect)
    .option('--config <file>', 'configuration file (default: .kindredrc.jsonc in the folder that has both)')
    .addHelpText(
      'after',
      `
Exit status: 0 on success, 2 on error.

Examples:
  kindred explain src/a.ts:10-42 src/b.ts:7-39
  kindred explain docs/one.md docs/two.md --format json`,
    );
}

function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}

/** Commander's message as a sentence that says what to do. */
function explain(error: CommanderError, commands: readonly Command[], given: readonly string[]): string {
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
  const read = new Reader();
  const request: Request = {
    type: 'scan',
    scope,
    roots: roots.length > 0 ? roots : ['.'],
    options: {
      ...read.number('maxDistance', '--k', values.k),
      ...read.number('minTokens', '--min-tokens', values.minTokens),
      ...read.number('minLines', '--min-lines', values.minLines),
      ...read.number('minSimilarity', '--min-similarity', values.minSimilarity),
      ...read.number('shingleSize', '--shingle-size', values.shingleSize),
      ...(values.renamed === undefined ? {} : { renamed: values.renamed }),
      ...(values.method === undefined ? {} : { method: values.method }),
      ...(values.weights === undefined ? {} : { weights: read.weights(values.weights) }),
      ...(values.readComments === undefined ? {} : { readComments: values.readComments }),
      prose: {
        ...(values.prose === undefined ? {} : { enabled: values.prose }),
        ...read.number('maxDistance', '--prose-k', values.proseK),
        ...read.number('shingleSize', '--prose-shingle-size', values.proseShingleSize),
        ...read.number('minWords', '--prose-min-words', values.proseMinWords),
        ...read.number('minSimilarity', '--prose-min-similarity', values.proseMinSimilarity),
      },
    },
    sources: {
      ...(values.include === undefined ? {} : { include: values.include }),
      ...(values.exclude === undefined ? {} : { exclude: values.exclude }),
      ...(values.gitignore ? {} : { gitignore: false }),
      ...(values.generated === undefined ? {} : { generated: values.generated }),
      ...read.size('maxFileSizeBytes', '--max-file-size', values.maxFileSize),
    },
    format: values.format,
    output: read.path('--output', 'a file', values.output),
    configuration: read.path('--config', 'a file', values.config),
    cache: read.path('--cache', 'a folder', values.cache),
    workers: read.whole('--workers', values.workers ?? String(availableParallelism()), 1, maxWorkers),
    memoryMB: read.memory('--memory', values.memory),
    progress: values.progress,
    top: read.whole('--top', values.top ?? String(defaultTop), 0, Number.MAX_SAFE_INTEGER) || Number.POSITIVE_INFINITY,
  };
  return read.problem === undefined ? request : problem(read.problem);
}

function explainArguments(
  places: readonly [string, string],
  values: Values & { readonly most?: string },
): ExplainArguments | Problem {
  const read = new Reader();
  const request: ExplainArguments = {
    type: 'explain',
    places,
    options: {
      ...read.number('shingleSize', '--shingle-size', values.shingleSize),
      ...(values.weights === undefined ? {} : { weights: read.weights(values.weights) }),
      prose: { ...read.number('shingleSize', '--prose-shingle-size', values.proseShingleSize) },
    },
    sources: {},
    format: values.format,
    configuration: read.path('--config', 'a file', values.config),
    most: read.whole('--most', values.most ?? String(defaultMost), 0, 1_000_000),
  };
  return read.problem === undefined ? request : problem(read.problem);
}

/** More threads than any machine we know has processors. */
const maxWorkers = 512;

/** Reads values, and keeps what is wrong with the first one that cannot be read. */
class Reader {
  problem: string | undefined;

  /** A number under its name; nothing when there is no value. */
  number<Name extends string>(name: Name, option: string, text: string | undefined): Partial<Record<Name, number>> {
    if (text === undefined) return {};
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isNaN(value)) this.refuse(`${option} must be a number, not "${text}".`);
    return { [name]: value } as Record<Name, number>;
  }

  whole(option: string, text: string, least: number, most: number): number {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    this.refuse(`${option} must be a whole number ${range}, not ${text}.`);
    return least;
  }

  size<Name extends string>(name: Name, option: string, text: string | undefined): Partial<Record<Name, number>> {
    if (text === undefined) return {};
    const size = parseFileSize(text);
    if (size === undefined) this.refuse(`${option} must be a size such as 500k or 2mb, not "${text}".`);
    return { [name]: size } as Record<Name, number>;
  }

  /** The name of something, which is never empty. */
  path(option: string, what: string, text: string | undefined): string | undefined {
    if (text === '') this.refuse(`${option} must name ${what}; its value is empty.`);
    return text;
  }

  /** Whole MB; 0 when there is no value. */
  memory(option: string, text: string | undefined): number {
    if (text === undefined) return 0;
    const size = parseFileSize(text);
    if (size === undefined || size > Number.MAX_SAFE_INTEGER) {
      this.refuse(`${option} must be a size such as 512mb or 2gb, not "${text}".`);
    } else if (size < leastMemoryMB * 2 ** 20) {
      this.refuse(`${option} must be at least ${leastMemoryMB} MB, not ${formatFileSize(size)}.`);
    }
    return Math.floor((size ?? 0) / 2 ** 20);
  }

  weights(texts: readonly string[]): Record<string, number> {
    const weights: Record<string, number> = {};
    for (const part of texts.flatMap((text) => text.split(','))) {
      const [kind = '', value = '', ...rest] = part.split('=').map((word) => word.trim());
      if (rest.length > 0 || value === '' || Number.isNaN(Number(value))) {
        this.refuse(`--weights takes KIND=N,… such as string=0.5,call=2, not "${part}".`);
      } else if (!(tokenKinds as readonly string[]).includes(kind)) {
        const nearest = nearestName(kind, tokenKinds);
        const help = nearest ? `did you mean ${nearest}?` : `the kinds are ${tokenKinds.join(', ')}.`;
        this.refuse(`--weights: there is no kind of token "${kind}"; ${help}`);
      } else {
        weights[kind as TokenKind] = Number(value);
      }
    }
    return weights;
  }

  private refuse(words: string): void {
    this.problem ??= words;
  }
}
