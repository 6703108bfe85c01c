/**
 * Searches for a dial setting that hides a row, for *Tune Sensitivity to Hide This*. Proposes only settings whose
 * findings were computed.
 */
import type { Dial, DialName, DialValues } from '../../core/engine/dials.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { fewOthers, type HidingDial } from '../protocol/messages.ts';
import { estimatedGroups, isStricter } from './estimate.ts';

/** Result of trying one dial setting. */
export interface HidingTrial {
  readonly isHidden: boolean;
  /** Number of other rows that the setting also hides. */
  readonly others: number;
}

/**
 * Yields dial values to try, and receives the results. Returns the setting that hides the row and the fewest other
 * rows, or `undefined` if none hides the row. Changes only one dial at a time, and begins with the dial that hides the
 * fewest other rows by estimate. Stops when a dial hides few others, or not more than the next dial by estimate. Groups
 * of whole files are not affected by any dial.
 *
 * @param othersAt  estimates the number of other rows that dial values hide
 */
export function* hidingSearch(
  group: Group,
  inForce: DialValues,
  dials: readonly Dial[],
  othersAt: (values: DialValues) => number,
): Generator<DialValues, HidingDial | undefined, HidingTrial> {
  let best: HidingDial | undefined;
  for (const candidate of candidatesFor(group, inForce, dials, othersAt)) {
    if (best && best.others <= Math.max(fewOthers, candidate.others)) break;
    const hiding = yield* smallestChange(candidate, inForce);
    if (hiding && (best === undefined || hiding.others < best.others)) best = hiding;
  }
  return best;
}

/** A dial that may hide a group. */
interface Candidate {
  readonly dial: DialName;
  /** Stops of the dial on one side of the current value, nearest first. There is at least one. */
  readonly stops: readonly number[];
  /** Index in `stops` of the stop that is probably the nearest one to hide the group. */
  readonly guess: number;
  /** Estimated number of other rows that the stop `guess` hides. Infinite if, by estimate, no stop hides the group. */
  readonly others: number;
}

/** Returns the dials of a group's kind that can be made stricter, those that probably hide the fewest others first. */
function candidatesFor(
  group: Group,
  inForce: DialValues,
  dials: readonly Dial[],
  othersAt: (values: DialValues) => number,
): Candidate[] {
  if (group.kind === 'file') return [];
  const ofKind = dials.filter(({ name }) => name.startsWith('prose.') === (group.kind === 'prose'));
  const candidates = ofKind.flatMap(({ name: dial, stops: all }): Candidate[] => {
    const at = (stop: number): DialValues => ({ ...inForce, [dial]: stop });
    const stops = all.filter((stop) => stop !== inForce[dial] && isStricter(at(stop), inForce));
    if (dial.endsWith('axDistance')) stops.reverse();
    const guess = stops.findIndex((stop) => estimatedGroups({ groups: [group] }, at(stop)).length === 0);
    if (guess >= 0) return [{ dial, stops, guess, others: othersAt(at(stops[guess]!)) }];
    return stops.length > 0 ? [{ dial, stops, guess: stops.length - 1, others: Number.POSITIVE_INFINITY }] : [];
  });
  return candidates.sort((x, y) => (x.others === y.others ? 0 : x.others - y.others));
}

/**
 * Finds the nearest stop of a dial that hides the group, by bisection: if a stop hides the group, all farther stops
 * also hide it. Tries the guess and the stop before it first. If the guess does not hide the group, tries the farthest
 * stop next, because some groups cannot be hidden by a dial. For example, equal copies are found at every similarity.
 */
function* smallestChange(
  { dial, stops, guess }: Candidate,
  inForce: DialValues,
): Generator<DialValues, HidingDial | undefined, HidingTrial> {
  const last = stops.length - 1;
  // Indices of two stops: the farthest that is known to show the group, and the nearest that is known to hide it.
  let [shown, hidden] = [-1, stops.length];
  let found: HidingDial | undefined;
  for (let trial = 0; shown + 1 < hidden; trial++) {
    const at = trial === 0 ? guess : trial > 1 ? Math.floor((shown + hidden) / 2) : found ? guess - 1 : last;
    const values = { ...inForce, [dial]: stops[at]! };
    const { isHidden, others } = yield values;
    if (isHidden) {
      found = { values, dial, others };
      hidden = at;
    } else if (at === last) return undefined;
    else shown = at;
  }
  return found;
}
