/** Arguments of `kindred check`, `kindred baseline` and `kindred ignored`. */
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Gate } from '../../review/check/gate.ts';
import { baselineFileName } from '../../scan/io/fileNames.ts';
import { type BaselineAction, baselineActions, baselineFlags, gateFlags, ignoredFlags, readGate } from './gateFlags.ts';
import * as flag from './flags.ts';
import { addSharedFlags, type Problem, problem, type ScanArguments, scanArguments } from './scanArguments.ts';

export interface CheckArguments {
  readonly type: 'check';
  readonly scan: ScanArguments;
  readonly gate: Gate;
}

export interface BaselineArguments {
  readonly type: 'baseline';
  readonly action: BaselineAction;
  readonly scan: ScanArguments;
  /** Path of the baseline file as the user entered it. */
  readonly baseline: string;
  /** True if `update` fails instead of adding copies. */
  readonly failsOnGrowth: boolean;
  /** True if stale entries or comments without effect are a failure. */
  readonly failsOnStale: boolean;
}

export function checkCommand(program: Command, version: string): Command {
  const command = program
    .command('check')
    .description(
      'Fails if copies were added: compares the tree with a Git ref or a baseline file and checks the findings against ' +
        'limits. The whole tree is scanned, so that a new copy of an old function is found. Checks the current folder by default.',
    )
    .version(version, '-V, --version', 'show the version')
    .argument('[path...]', 'folders and files to scan');
  flag.addFlags(command.optionsGroup('Check:'), gateFlags);
  addSharedFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 if all limits hold, 1 if one is broken, 2 on error,
128 plus the signal number if interrupted.

Examples:
  kindred check --since origin/main
  kindred check --staged
  kindred check src --baseline .kindred-baseline.jsonc --max-percent 5`,
  );
}

export function baselineCommand(program: Command, version: string): Command {
  const command = program
    .command('baseline')
    .description('Writes and maintains the baseline file, which lists known copies for kindred check.')
    .version(version, '-V, --version', 'show the version')
    .addArgument(
      new Argument(
        '<action>',
        'write: list all copies in a new file. update: add new copies, and follow what changed. prune: remove what is ' +
          'gone, and add nothing. explain: show where the copies of each entry are',
      ).choices(baselineActions),
    )
    .argument('[path...]', 'folders and files to scan');
  flag.addFlags(command.optionsGroup('Baseline:'), baselineFlags);
  addSharedFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 1 if --fail-on-growth or --fail-on-stale fails,
2 on error.

Examples:
  kindred baseline write
  kindred baseline update --fail-on-growth
  kindred baseline explain src`,
  );
}

export function ignoredCommand(program: Command, version: string): Command {
  const command = program
    .command('ignored')
    .description(
      'Lists what is ignored and why: comments in the source and baseline entries with a reason, and those that no longer apply.',
    )
    .version(version, '-V, --version', 'show the version')
    .argument('[path...]', 'folders and files to scan');
  flag.addFlags(command.optionsGroup('Ignored:'), ignoredFlags);
  addSharedFlags(command);
  return command.addHelpText(
    'after',
    `
Exit status: 0 on success, 1 if --fail-on-stale fails, 2 on error.`,
  );
}

export function checkArguments(roots: readonly string[], values: flag.Values): CheckArguments | Problem {
  const reader = new flag.Reader(values);
  const gate = readGate(reader);
  const scan = scanArguments('all', roots, values);
  if (reader.problem !== undefined) return problem(reader.problem);
  if (scan.type !== 'scan') return scan;
  return { type: 'check', scan, gate };
}

export function baselineArguments(
  action: BaselineAction,
  roots: readonly string[],
  values: flag.Values,
): BaselineArguments | Problem {
  const reader = new flag.Reader(values);
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
