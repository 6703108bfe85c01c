/**
 * Which lines a change has written: those that were added, but for blank ones and for runs that it has taken out elsewhere and
 * that were only moved. A passage of which the change has written little is not a new copy, even if no group had it before: an
 * edit has brought two old passages a little nearer to each other.
 */
import type { FileChange, LineRange } from './changes.ts';
import type { LinesOf } from './movedTexts.ts';

/** Of a passage with so many written lines in a row, or with a larger share of them, something new was written. */
const leastInARow = 5;
const leastShare = 1 / 3;

/** Fewer lines in a row, or with less letters and digits (as git has it), are not said to be moved: they are everywhere. */
const leastMoved = 3;
const leastLetters = 20;
/** Of so many places from which a run may have been moved the best is taken. */
const mostOrigins = 8;

/** The lines of files, of the base and of now. */
export interface Texts {
  readonly base: LinesOf;
  readonly now: LinesOf;
}

/** Lines of a file. */
type Place = LineRange & { readonly path: string };

/** Lines that are not blank, without what is around them; and where they are in their file, from 0. */
interface Run {
  readonly texts: readonly string[];
  readonly places: readonly number[];
  /** Of each line whether it has found its partner. */
  readonly isMoved: boolean[];
}

/** The three lines from a place of a run on. */
interface Origin {
  readonly run: Run;
  readonly at: number;
}

export class FreshLines {
  readonly #texts: Texts;
  /** By path and line, from 0. Files that are absent have none. */
  readonly #written = new Map<string, Set<number>>();

  /** @param kept  passages of the base that are known to be somewhere: nothing else was moved from there */
  constructor(changes: readonly FileChange[], texts: Texts, kept: readonly Place[] = []) {
    this.#texts = texts;
    const keptIn = new Map<string, Place[]>();
    for (const place of kept) keptIn.set(place.path, [...(keptIn.get(place.path) ?? []), place]);
    const removed = changes.flatMap((change) => {
      const places = keptIn.get(change.basePath ?? '') ?? [];
      return removedRuns(change, texts.base).map((run) => withoutPlaces(run, places));
    });
    const origins = originsIn(removed);
    for (const change of changes) {
      if (change.path === undefined) continue;
      const written = new Set<number>();
      for (const run of addedRuns(change, texts.now)) {
        followMoves(run, origins);
        for (const [i, place] of run.places.entries()) if (!run.isMoved[i]) written.add(place);
      }
      this.#written.set(change.path, written);
    }
  }

  /** Whether enough of a passage was written for it to be new. */
  has({ path, startLine, endLine }: Place): boolean {
    const written = this.#written.get(path);
    const lines = written && this.#texts.now(path);
    if (lines === undefined) return false;
    let [all, fresh, inARow, longest] = [0, 0, 0, 0];
    for (let line = startLine - 1; line < Math.min(endLine, lines.length); line++) {
      if (isBlank(lines[line]!)) continue;
      all++;
      if (written!.has(line)) {
        fresh++;
        longest = Math.max(longest, ++inARow);
      } else inARow = 0;
    }
    return longest >= leastInARow || fresh > all * leastShare;
  }
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** @param from  where the first of the lines is in its file, from 0 */
function runOf(lines: readonly string[], from: number): Run {
  const filled = lines.flatMap((line, i) => (isBlank(line) ? [] : [i]));
  return {
    texts: filled.map((i) => lines[i]!.trim()),
    places: filled.map((i) => from + i),
    isMoved: filled.map(() => false),
  };
}

/** What a change has added to a file. */
function addedRuns({ path, basePath, hunks }: FileChange, now: LinesOf): Run[] {
  if (basePath === undefined || hunks.some(({ added, count }) => added.length < count)) {
    return [runOf(now(path!) ?? [], 0)];
  }
  return hunks.map(({ added, start }) => runOf(added, start - 1));
}

function removedRuns({ path, basePath, hunks }: FileChange, base: LinesOf): Run[] {
  if (basePath === undefined) return [];
  if (path === undefined) return [runOf(base(basePath) ?? [], 0)];
  return hunks.map(({ removed, baseStart }) => runOf(removed, baseStart - 1));
}

/** The run, with what is in some places taken for moved already. */
function withoutPlaces(run: Run, places: readonly LineRange[]): Run {
  const isTaken = (line: number): boolean =>
    places.some(({ startLine, endLine }) => startLine <= line + 1 && line < endLine);
  return places.length === 0 ? run : { ...run, isMoved: run.places.map(isTaken) };
}

function originsIn(runs: readonly Run[]): ReadonlyMap<string, readonly Origin[]> {
  const origins = new Map<string, Origin[]>();
  for (const run of runs) {
    for (let at = 0; at + leastMoved <= run.texts.length; at++) {
      const key = keyAt(run, at);
      const others = key === undefined ? undefined : origins.get(key);
      if (others) others.push({ run, at });
      else if (key !== undefined) origins.set(key, [{ run, at }]);
    }
  }
  return origins;
}

/** Undefined of lines that say too little. */
function keyAt({ texts }: Run, at: number): string | undefined {
  const key = texts.slice(at, at + leastMoved).join('\n');
  return key.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= leastLetters ? key : undefined;
}

/** Marks what was moved, on both sides: a line that was taken out once is moved once. */
function followMoves(run: Run, origins: ReadonlyMap<string, readonly Origin[]>): void {
  for (let at = 0; at + leastMoved <= run.texts.length;) {
    const key = keyAt(run, at);
    let [best, length]: [Origin | undefined, number] = [undefined, leastMoved - 1];
    let seen = 0;
    for (const origin of (key === undefined ? undefined : origins.get(key)) ?? []) {
      const common = commonLength(run, at, origin);
      if (common > length) [best, length] = [origin, common];
      if (common > 0 && ++seen === mostOrigins) break;
    }
    if (best === undefined) {
      at++;
      continue;
    }
    run.isMoved.fill(true, at, at + length);
    best.run.isMoved.fill(true, best.at, best.at + length);
    at += length;
  }
}

/** How many lines are equal from two places on, of which none was moved already. */
function commonLength(run: Run, at: number, origin: Origin): number {
  let length = 0;
  while (
    at + length < run.texts.length &&
    !origin.run.isMoved[origin.at + length] &&
    run.texts[at + length] === origin.run.texts[origin.at + length]
  ) {
    length++;
  }
  return length;
}
