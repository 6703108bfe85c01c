/**
 * Finds the lines that a change has written: added lines, except for blank lines and lines that were moved from
 * elsewhere. A passage is a new copy only if enough of its lines were written. Otherwise, an edit has merely made two
 * old passages more similar.
 */
import { append } from '../../core/collections/lists.ts';
import type { FileChange, LineRange } from './changes.ts';
import type { LineSource } from './movedTexts.ts';

/** Requirements for a new passage: at least this many lines in a row, or this share of its lines, are new. */
const minLinesInARow = 5;
const minShare = 1 / 3;

/**
 * Minimum number of consecutive equal lines that count as moved, and minimum number of letters and digits in them (as
 * in git). Shorter runs of lines occur everywhere.
 */
const minMovedLines = 3;
const minLetters = 20;
/** Maximum number of possible origins with which a moved run is compared. */
const maxOrigins = 8;

export interface Texts {
  readonly base: LineSource;
  readonly now: LineSource;
}

/** A range of lines in a file. */
type Place = LineRange & { readonly path: string };

/** A run of lines: for each line that is not blank, its trimmed text and its position in the file, from 0. */
interface Run {
  readonly texts: readonly string[];
  readonly places: readonly number[];
  /** For each line, true if an equal line was found on the other side. */
  readonly isMoved: boolean[];
}

/** A position in a run of removed lines. */
interface Origin {
  readonly run: Run;
  readonly at: number;
}

export class FreshLines {
  readonly #texts: Texts;
  /** For each path, the numbers of its written lines, from 0. Files without written lines are missing. */
  readonly #written = new Map<string, Set<number>>();

  /** @param kept  passages of the base whose current place is known, so that their lines are not moved elsewhere */
  constructor(changes: readonly FileChange[], texts: Texts, kept: readonly Place[] = []) {
    this.#texts = texts;
    const keptIn = new Map<string, Place[]>();
    for (const place of kept) append(keptIn, place.path, place);
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

  /** Returns true if enough lines of a passage were written for the passage to count as new. */
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
    return longest >= minLinesInARow || fresh > all * minShare;
  }
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** @param from  position of the first line in the file, from 0 */
function runOf(lines: readonly string[], from: number): Run {
  const filled = lines.flatMap((line, i) => (isBlank(line) ? [] : [i]));
  return {
    texts: filled.map((i) => lines[i]!.trim()),
    places: filled.map((i) => from + i),
    isMoved: filled.map(() => false),
  };
}

/** Returns the runs of lines that a change has added to a file. */
function addedRuns({ path, basePath, hunks }: FileChange, now: LineSource): Run[] {
  if (basePath === undefined || hunks.some(({ added, count }) => added.length < count)) {
    return [runOf(now(path!) ?? [], 0)];
  }
  return hunks.map(({ added, start }) => runOf(added, start - 1));
}

function removedRuns({ path, basePath, hunks }: FileChange, base: LineSource): Run[] {
  if (basePath === undefined) return [];
  if (path === undefined) return [runOf(base(basePath) ?? [], 0)];
  return hunks.map(({ removed, baseStart }) => runOf(removed, baseStart - 1));
}

/** Marks all lines of a run that lie in one of the ranges as moved, so they cannot be the origin of other lines. */
function withoutPlaces(run: Run, places: readonly LineRange[]): Run {
  const isTaken = (line: number): boolean =>
    places.some(({ startLine, endLine }) => startLine <= line + 1 && line < endLine);
  return places.length === 0 ? run : { ...run, isMoved: run.places.map(isTaken) };
}

function originsIn(runs: readonly Run[]): ReadonlyMap<string, readonly Origin[]> {
  const origins = new Map<string, Origin[]>();
  for (const run of runs) {
    for (let at = 0; at + minMovedLines <= run.texts.length; at++) {
      const key = keyAt(run, at);
      if (key !== undefined) append(origins, key, { run, at });
    }
  }
  return origins;
}

/** Returns a key for the few lines of a run from a position on; `undefined` if they contain too little text. */
function keyAt({ texts }: Run, at: number): string | undefined {
  const key = texts.slice(at, at + minMovedLines).join('\n');
  return key.replaceAll(/[^\p{L}\p{N}]/gu, '').length >= minLetters ? key : undefined;
}

/** Marks the moved lines of a run, and the lines from which they were moved. Each removed line is used only once. */
function followMoves(run: Run, origins: ReadonlyMap<string, readonly Origin[]>): void {
  for (let at = 0; at + minMovedLines <= run.texts.length;) {
    const key = keyAt(run, at);
    let [best, length]: [Origin | undefined, number] = [undefined, minMovedLines - 1];
    let seen = 0;
    for (const origin of (key === undefined ? undefined : origins.get(key)) ?? []) {
      const common = commonLength(run, at, origin);
      if (common > length) [best, length] = [origin, common];
      if (common > 0 && ++seen === maxOrigins) break;
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

/** Returns the number of consecutive lines from two positions on that are equal and not marked as moved yet. */
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
