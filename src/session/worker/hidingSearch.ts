/** Searches for a dial that hides a row: *Tune Sensitivity to Hide This* proposes only a stop that was tried. */
import type { Dial, DialName, DialValues } from '../../core/engine/dials.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { fewOthers, type RowHiding } from '../protocol/messages.ts';

/** Result of a trial of one stop. */
export interface HidingTrial {
  readonly isHidden: boolean;
  /** Number of other rows that the stop hides as well. */
  readonly others: number;
}

/**
 * Yields the values to be tried and receives their results. Returns the stop that hides the fewest other rows, or `undefined`
 * if none hides the row. Ends at the first dial that hides few. Each dial is tried by itself, so whole files have none: they
 * are found by their share of each other.
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
  /** Its stops on one side of the current value, nearest first. Never empty. */
  readonly stops: readonly number[];
  /** Index of the stop that most likely is the first one to hide it. */
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
 * Finds the smallest change of a dial that hides the group: bisects its stops, because a group that a stop hides is hidden by
 * all farther ones. First tries the guess and the stop before it. If the guess fails, the farthest stop decides whether the dial
 * can hide the group at all: equal copies stay at every similarity.
 */
function* smallestChange(
  { dial, stops, guess }: Candidate,
  inForce: DialValues,
): Generator<DialValues, RowHiding | undefined, HidingTrial> {
  const last = stops.length - 1;
  // Indices of the farthest stop that shows it and the nearest one that hides it.
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
