/** Compares a report with limits, and describes the verdict. */

/** Options that set a limit. */
export const limitOptions = [
  'max-new',
  'max-groups',
  'max-percent',
  'boundaries',
  'fail-on-diverged',
  'fail-on-stale',
  'fail-on-empty',
] as const;
export type LimitOption = (typeof limitOptions)[number];

export type Limits = Partial<Readonly<Record<LimitOption, number>>>;

export type Actuals = Readonly<Record<LimitOption, number>>;

export interface LimitResult {
  readonly option: LimitOption;
  readonly limit: number;
  readonly actual: number;
  readonly holds: boolean;
}

/** Returns one result for each limit that is set, in the order of `limitOptions`. */
export function checkLimits(limits: Limits, actuals: Actuals): LimitResult[] {
  return limitOptions.flatMap((option) => {
    const [limit, actual] = [limits[option], actuals[option]];
    return limit === undefined ? [] : [{ option, limit, actual, holds: actual <= limit }];
  });
}

export interface Verdict {
  readonly holds: boolean;
  /** The verdict as a sentence, such as "Failed: 2 groups with new copies, at most 0 allowed (--max-new)." */
  readonly message: string;
}

/**
 * Returns the verdict. The check fails if a limit is exceeded, or if some files could not be compared and this is not
 * allowed.
 *
 * @param uncompared  description of the files that could not be compared; `undefined` if all were compared
 */
export function verdictOf(
  results: readonly LimitResult[],
  uncompared: string | undefined,
  allowsIncomplete: boolean,
): Verdict {
  const broken = results.filter(({ holds }) => !holds);
  const lack = uncompared === undefined ? '' : ` ${uncompared}.`;
  if (broken.length > 0) return { holds: false, message: `Failed: ${broken.map(wordsOf).join('; ')}.${lack}` };
  if (uncompared !== undefined && !allowsIncomplete) return { holds: false, message: `Incomplete:${lack}` };
  const words = results.map(wordsOf).join('; ') || 'no limit is set; --since, --baseline or --max-groups sets one';
  return { holds: true, message: `Passed: ${words}.${lack}` };
}

function wordsOf({ option, limit, actual }: LimitResult): string {
  switch (option) {
    case 'max-new':
      return `${plural(actual, 'group')} with new copies, at most ${limit} allowed (--max-new)`;
    case 'max-groups':
      return `${plural(actual, 'group')}, at most ${limit} allowed (--max-groups)`;
    case 'max-percent':
      return `${actual}% of the lines are duplicated, at most ${limit}% allowed (--max-percent)`;
    case 'boundaries':
      return `${plural(actual, 'group')} with copies across boundaries (--boundaries)`;
    case 'fail-on-diverged':
      return `${plural(actual, 'group')} of which only some copies were edited (--fail-on-diverged)`;
    case 'fail-on-stale':
      return `${plural(actual, 'stale entry', 'stale entries')} in the baseline (--fail-on-stale)`;
    case 'fail-on-empty':
      return actual === 0 ? 'there are files to compare (--fail-on-empty)' : 'no file was compared (--fail-on-empty)';
  }
}

function plural(quantity: number, one: string, many = `${one}s`): string {
  return `${quantity} ${quantity === 1 ? one : many}`;
}
