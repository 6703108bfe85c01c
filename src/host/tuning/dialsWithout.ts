/** Where the dials have to stand for a duplicate to be no finding: *Tune Sensitivity to Hide This* begins there. */
import type { Dial, DialName, DialValues } from '../../engine/dials.ts';
import type { Group } from '../../engine/report/report.ts';

export interface Turned {
  readonly values: DialValues;
  /** The dial that is turned. */
  readonly dial: DialName;
}

/**
 * One dial is turned to its next stop beyond the group: least similarity, or least length for copies of which nothing differs.
 * Undefined when no stop is beyond it, and for whole files: they are found by their share of each other, for which there is no dial.
 */
export function dialsWithout(
  { kind, similarity, tokens }: Group,
  values: DialValues,
  dials: readonly Dial[],
): Turned | undefined {
  if (kind === 'file') return undefined;
  const [alike, long]: readonly DialName[] =
    kind === 'prose' ? ['prose.minSimilarity', 'prose.minWords'] : ['minSimilarity', 'minTokens'];
  const isExact = similarity === 1;
  const dial = (isExact ? long : alike)!;
  const stops = dials.find(({ name }) => name === dial)?.stops;
  const value = stops?.find((stop) => stop > (isExact ? tokens : similarity));
  return value === undefined ? undefined : { values: { ...values, [dial]: value }, dial };
}
