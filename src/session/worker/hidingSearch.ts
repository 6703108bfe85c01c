/**
 * Searches for a dial setting that hides a row, for *Tune Sensitivity to Hide This*. A setting is proposed only after
 * it was tried.
 */
import type { Dial, DialName, DialValues } from '../../core/engine/dials.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { fewOthers, type RowHiding } from '../protocol/messages.ts';

/** Result of trying one dial setting. */
export interface HidingTrial {
  readonly isHidden: boolean;
  /** Number of other rows that the setting also hides. */
  readonly others: number;
}

/**
 * Yields dial values to try, and receives the results. Returns the setting that hides the row and the fewest other
 * rows, or `undefined` if none hides the row. Changes only one dial at a time, and stops at the first dial that hides
 * few other rows. Groups of whole files are not affected by any dial.
 */
export function* hidingSearch(
  group: Group,
  inForce: DialValues,
  dials: readonly Dial[],
): Generator<DialValues, RowHiding | undefined, HidingTrial> {
  let best: RowHiding | undefined;
  for (const candidate of candidatesFor(group, inForce, dials)) {
    const hiding = yield* smallestChange(candidate, inForce);
    if (hiding && (best === undefined || hiding.others < best.others)) best = hiding;
    if (best && best.others <= fewOthers) break;
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
}

function candidatesFor(
  { kind, similarity, passages }: Group,
  inForce: DialValues,
  dials: readonly Dial[],
): Candidate[] {
  if (kind === 'file') return [];
  const stopsOf = (name: DialName): readonly number[] => dials.find((dial) => dial.name === name)!.stops;
  const above = (dial: DialName, least: number): Candidate => {
    const stops = stopsOf(dial).filter((stop) => stop > inForce[dial]);
    const guess = stops.findIndex((stop) => stop > least);
    return { dial, stops, guess: guess < 0 ? stops.length - 1 : guess };
  };
  const below = (dial: DialName): Candidate => {
    const stops = stopsOf(dial).filter((stop) => stop < inForce[dial]);
    return { dial, stops: stops.reverse(), guess: 0 };
  };
  const tokens = Math.min(...passages.map((passage) => passage.tokens));
  const lines = Math.min(...passages.map(({ startLine, endLine }) => endLine - startLine + 1));
  const candidates =
    kind === 'prose'
      ? [above('prose.minSimilarity', similarity), above('prose.minWords', tokens), below('prose.maxDistance')]
      : [
          above('minSimilarity', similarity),
          above('minTokens', tokens),
          above('minLines', lines),
          below('maxDistance'),
        ];
  return candidates.filter(({ stops }) => stops.length > 0);
}

/**
 * Finds the nearest stop of a dial that hides the group, by bisection: if a stop hides the group, all farther stops
 * also hide it. Tries the guess and the stop before it first. If the guess does not hide the group, tries the farthest
 * stop next, because some groups cannot be hidden by a dial. For example, equal copies are found at every similarity.
 */
function* smallestChange(
  { dial, stops, guess }: Candidate,
  inForce: DialValues,
): Generator<DialValues, RowHiding | undefined, HidingTrial> {
  const last = stops.length - 1;
  // Indices of two stops: the farthest that is known to show the group, and the nearest that is known to hide it.
  let [shown, hidden] = [-1, stops.length];
  let found: RowHiding | undefined;
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
