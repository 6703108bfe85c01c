/** Options of `kindred check`, `kindred baseline` and `kindred ignored`. */
import { categories, type Category } from '../../core/engine/rows/category.ts';
import { countedByDefault, type Gate } from '../../review/check/gate.ts';
import type { LimitOption, Limits } from '../../review/gate/limits.ts';
import { baselineFileName } from '../../scan/io/fileNames.ts';
import { nearestName } from '../../scan/io/nearestName.ts';
import * as flag from './flags.ts';

/** Actions of `kindred baseline` and `kindred ignored`. */
export const baselineActions = ['write', 'update', 'prune', 'explain'] as const;
export type BaselineAction = (typeof baselineActions)[number] | 'ignored';

const maxCount = Number.MAX_SAFE_INTEGER;

function limit(flags: string, about: string) {
  return flag.text(flags, about, (flagValue, name, reader) =>
    flagValue === undefined ? undefined : reader.whole(name, flagValue, 0, maxCount),
  );
}

function fileFlag(about: string) {
  return flag.named('--baseline <file>', about, 'a file');
}

export const gateFlags = {
  since: flag.text(
    '--since [ref]',
    'compare with the merge base of HEAD and this ref; without a value, with the target branch of the CI pipeline',
    (flagValue: string | boolean | undefined, name, reader) => {
      if (flagValue === '') reader.path(name, 'a ref', flagValue);
      return flagValue === undefined ? undefined : { ref: flagValue === true ? undefined : (flagValue as string) };
    },
  ),
  staged: flag.on('--staged', 'compare the staged changes with the last commit'),
  baseline: fileFlag('copies listed in this file are known; with --since, it is read from the base'),
  maxNew: limit(
    '--max-new <count>',
    'maximum groups with new copies (default: 0 with --since, --staged or --baseline)',
  ),
  maxGroups: limit('--max-groups <count>', 'maximum number of groups in total'),
  maxPercent: flag.text(
    '--max-percent <percent>',
    'maximum duplicated share of the lines',
    (flagValue, name, reader) => {
      const value = reader.number(name, flagValue);
      if (value !== undefined && (value < 0 || value > 100))
        reader.refuse(`${name} must be from 0 to 100, not ${flagValue}.`);
      return value;
    },
  ),
  boundaries: flag.on('--boundaries', 'fail if copies cross the configured boundaries'),
  worktrees: flag.on('--worktrees', 'also list added lines that another worktree of the repository is adding, too'),
  diverged: flag.on('--fail-on-diverged', 'fail if one copy was edited and others were not'),
  stale: flag.on('--fail-on-stale', 'fail if the baseline has entries that no longer apply'),
  empty: flag.on('--fail-on-empty', 'fail if there is no file to compare'),
  incomplete: flag.on('--allow-incomplete', 'pass even if files could not be read or did not fit into memory'),
  count: flag.list(
    '--count <categories>',
    `categories that count against the limits: ${categories.join(', ')}, or all (default: ${countedByDefault.join(',')})`,
    (flagValues, name, reader) => readCategories(flagValues, name, reader),
  ),
};

export const baselineFlags = {
  baseline: fileFlag(`baseline file (default: ${baselineFileName})`),
  growth: flag.on('--fail-on-growth', 'update: write nothing and fail if there are new copies'),
  stale: flag.on('--fail-on-stale', 'explain: fail if entries no longer apply'),
};

export const ignoredFlags = {
  baseline: fileFlag(`baseline file (default: ${baselineFileName})`),
  stale: flag.on('--fail-on-stale', 'fail if comments or entries no longer apply'),
};

/** Returns the options of a check. Errors are recorded in the reader. */
export function readGate(reader: flag.Reader): Gate {
  const gateValues = readAll(reader);
  const { since, baseline, maxNew, diverged, stale, count } = gateValues;
  const staged = gateValues.staged ?? false;
  const isCompared = since !== undefined || staged || baseline !== undefined;
  const limits = limitsGiven(gateValues, isCompared);
  if (since !== undefined && staged) reader.refuse('--since and --staged exclude each other; specify one.');
  if (maxNew !== undefined && !isCompared) {
    reader.refuse('--max-new needs something to compare with: --since, --staged or --baseline.');
  }
  if (diverged && since === undefined && !staged) reader.refuse('--fail-on-diverged needs --since or --staged.');
  if (stale && baseline === undefined) reader.refuse('--fail-on-stale needs --baseline.');
  const worktrees = gateValues.worktrees ?? false;
  if (Object.keys(limits).length === 0 && !worktrees) {
    reader.refuse('specify what to check: --since, --staged, --baseline, --worktrees or a limit such as --max-groups.');
  }
  return {
    since,
    staged,
    baseline,
    limits,
    boundaries: gateValues.boundaries ?? false,
    worktrees,
    counted: new Set(count ?? countedByDefault),
    allowsIncomplete: gateValues.incomplete ?? false,
  };
}

function limitsGiven(
  { maxNew, maxGroups, maxPercent, boundaries, diverged, stale, empty }: ReturnType<typeof readAll>,
  isCompared: boolean,
): Limits {
  const limits: Partial<Record<LimitOption, number | undefined>> = {
    'max-new': maxNew ?? (isCompared ? 0 : undefined),
    'max-groups': maxGroups,
    'max-percent': maxPercent,
    boundaries: boundaries && 0,
    'fail-on-diverged': diverged && 0,
    'fail-on-stale': stale && 0,
    'fail-on-empty': empty && 0,
  };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

function readAll(reader: flag.Reader) {
  return reader.all(gateFlags);
}

function readCategories(flagValues: readonly string[], option: string, reader: flag.Reader): readonly Category[] {
  const names = flagValues.flatMap((part) => part.split(',')).map((name) => name.trim());
  if (names.includes('all')) return categories;
  const wrong = names.find((name) => !(categories as readonly string[]).includes(name));
  if (wrong !== undefined) {
    const nearest = nearestName(wrong, categories);
    const help = nearest ? `did you mean ${nearest}?` : `the categories are ${categories.join(', ')}.`;
    reader.refuse(`${option}: there is no category "${wrong}"; ${help}`);
  }
  return names as Category[];
}
