/** Arguments of `kindred history`. */
import type { Command } from 'commander';
import * as flag from './flags.ts';
import { addScanFlags, formatFlag, type Problem, problem, type ScanArguments, scanArguments } from './scanArguments.ts';

export interface HistoryArguments {
  readonly type: 'history';
  readonly scan: ScanArguments;
  /** Git ref after which to read commits, as the user entered it; `undefined` for the entire history. */
  readonly since: string | undefined;
  /** True to search all commits; false to search only those whose message mentions a fix. */
  readonly isAll: boolean;
  /** Maximum number of fixes to list. */
  readonly limit: number;
  readonly format: 'text' | 'json';
}

const historyFlags = {
  missedFixes: flag.on(
    '--missed-fixes',
    'list commits that changed one copy and not the others, most likely fixes first',
  ),
  since: flag.text('--since <ref>', 'only commits after this Git ref (default: all)', (flagValue) => flagValue),
  allCommits: flag.on('--all-commits', 'also search commits whose message does not mention a fix'),
  limit: flag.whole('--most <count>', 'maximum number of fixes to list', 30),
  format: formatFlag('answer'),
  json: flag.on('--json', 'the same as --format json'),
  progress: flag.off('--no-progress', 'do not show a progress bar'),
};

export function historyCommand(program: Command, version: string): Command {
  const command = program
    .command('history')
    .description(
      'Looks back at the commits of a Git repository: with --missed-fixes, lists edits of one copy that other copies ' +
        'still lack, and what each of them would change there. Searches the current folder by default.',
    )
    .version(version, '-V, --version', 'show the version')
    .argument('[folder]', 'a folder in the repository', '.');
  flag.addFlags(command.optionsGroup('History:'), historyFlags);
  addScanFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 2 on error, 128 plus the signal number if
interrupted.

Examples:
  kindred history --missed-fixes
  kindred history --missed-fixes --since v2.0.0 --json`,
  );
}

export function historyArguments(folder: string, values: flag.Values): HistoryArguments | Problem {
  const reader = new flag.Reader(values);
  const { missedFixes, since, allCommits, limit, format, json } = historyFlags;
  if (reader.one(missedFixes) === undefined) {
    return problem('kindred history needs --missed-fixes, the question to answer.');
  }
  const request = {
    type: 'history' as const,
    since: reader.one(since),
    isAll: reader.one(allCommits) ?? false,
    limit: reader.one(limit)!,
    format: reader.one(json) ? ('json' as const) : reader.one(format)!,
  };
  if (reader.problem !== undefined) return problem(reader.problem);
  // Omit the format, because a scan has other choices for it.
  const scan = scanArguments('all', [folder], { ...values, format: undefined });
  return scan.type === 'scan' ? { ...request, scan } : scan;
}
