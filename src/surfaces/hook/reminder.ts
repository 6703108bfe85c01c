/** Records the notes of an agent session. When the agent stops, lists the functions in them that are still there. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { lastName } from '../../presentation/wording/declarations.ts';
import { linesOf } from '../../presentation/wording/lineRange.ts';
import { printable } from '../../presentation/wording/printable.ts';
import { shellArgument } from '../../presentation/wording/shellArgument.ts';
import { currentFunction, type FoundFunction, type PlacedFunction, type RecordedFunction } from './existingFunction.ts';
import { createMark, hashOf, marksOf } from './hookFiles.ts';
import { differenceOf } from './unitDifference.ts';
import { calledIn } from './unitTerms.ts';

interface SessionNote {
  /** Absolute path of the tree. */
  readonly root: string;
  readonly written: RecordedFunction;
  readonly existing: RecordedFunction;
}

interface RemainingNotes {
  readonly root: string;
  readonly written: PlacedFunction;
  readonly existing: PlacedFunction;
}

/** Minimum similarity at which a function is still a copy. Notes have the same minimum. */
const minSimilarity = 0.5;
const maxListed = 5;
/** Number of a session's last notes that are looked up again. */
const maxNotes = 50;

export function remember(cache: string, session: string, root: string, { written, existing }: FoundFunction): void {
  const file = notesOf(cache, session);
  const noted: SessionNote = { root, written: recorded(written), existing: recorded(existing) };
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, `${JSON.stringify(noted)}\n`);
}

/**
 * Returns a reminder for the user of an agent that is about to stop, once per session. Returns `undefined` if nothing
 * is left.
 *
 * @param cwd  working folder, in which the commands of the reminder run
 */
export function reminderOf(cache: string, session: string, cwd: string): string | undefined {
  const file = notesOf(cache, session);
  if (!existsSync(file)) return undefined;
  const left = leftOf(readFileSync(file, 'utf8').split('\n').slice(0, -1).slice(-maxNotes));
  if (left.length === 0 || !createMark(`${file}.reminded`)) return undefined;
  const more = left.length > maxListed ? [`${left.length - maxListed} more`] : [];
  return [
    left.length === 1
      ? 'Kindred: a function that this session wrote is still like an existing one.'
      : `Kindred: ${left.length} functions that this session wrote are still like existing ones.`,
    ...left.slice(0, maxListed).map((one) => printable(lineOf(one, cwd))),
    ...more,
  ].join('\n');
}

/** Returns the path of the file with a session's notes. */
function notesOf(cache: string, session: string): string {
  return path.join(marksOf(cache), hashOf(session));
}

function recorded({ path: name, name: own, startLine }: PlacedFunction): RecordedFunction {
  return { path: name, name: own, startLine };
}

/** @param lines  notes in JSON; a later note replaces an earlier one about the same function */
function leftOf(lines: readonly string[]): RemainingNotes[] {
  const notes = new Map<string, SessionNote>();
  for (const line of lines) {
    const noted = JSON.parse(line) as SessionNote;
    notes.set([noted.root, noted.written.path, noted.written.name].join('\0'), noted);
  }
  return [...notes.values()].flatMap(({ root, ...noted }) => {
    const [written, existing] = [noted.written, noted.existing].map((one) => currentFunction(root, one));
    if (written === undefined || existing === undefined || callsExisting(written, existing)) return [];
    const { similarity } = differenceOf(existing, written, lexiconForPath(written.path).id);
    return similarity < minSimilarity ? [] : [{ root, written, existing }];
  });
}

/** Returns true if the agent has replaced the body of a function with a call of the existing one. */
function callsExisting(written: PlacedFunction, existing: PlacedFunction): boolean {
  const name = lastName(existing);
  return name !== lastName(written) && calledIn(written.text, lexiconForPath(written.path)).has(name);
}

/** Returns a line without a similarity, because the command shows the similarity of the lines, not the functions. */
function lineOf({ root, written, existing }: RemainingNotes, cwd: string): string {
  const places = [existing, written].map((one) => {
    const name = path.relative(cwd, path.join(root, one.path)).split(path.sep).join('/');
    return shellArgument(`${name}:${linesOf(one)}`);
  });
  return `${written.name} is like ${existing.name}: kindred explain ${places.join(' ')}`;
}
