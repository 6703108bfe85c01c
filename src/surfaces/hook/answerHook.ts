/**
 * Answers an agent after it has written to a file: with one short note if existing code already does what the new code
 * does. The answer never blocks the agent's action.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { isTestPath } from '../../core/engine/rows/testPaths.ts';
import { isCallable } from '../../presentation/wording/callable.ts';
import { type Declaration, declarationsIn } from '../../presentation/wording/declarations.ts';
import { linesOf } from '../../presentation/wording/lineRange.ts';
import { printable } from '../../presentation/wording/printable.ts';
import type { AgentEvent, Client, HookEvent, Write } from './hookEvent.ts';
import { hashOf, hookCache, marksOf, rootOf, unitsOf } from './hookFiles.ts';
import { isFunction, type SimilarUnit, textOf, type UnitIndex } from './unitIndex.ts';
import { calledIn } from './unitTerms.ts';
import { writtenDeclarations } from './writtenTexts.ts';

/**
 * A note is written only if an existing function has at least this score and this weight of shared terms. About 1 % of
 * 800 functions from each of two other projects reach both (bench/results/2026-11-26-hook.md).
 */
const minScore = 0.27;
const minShared = 3;
/**
 * If the score reaches `closeScore`, the functions are nearly equal, and this lower weight of shared terms suffices.
 */
const closeScore = 0.55;
const closeShared = 1.5;
/** Number of most similar units whose files are read. Units may have been removed since they were indexed. */
const mostCandidates = 20;
/**
 * Other functions are considered only if they reach this share of the best score. Among these, a function that can be
 * called is preferred.
 */
const asGood = 0.9;

/**
 * Time in milliseconds in which only the first call for a write gets a note. Clients wait up to ten seconds for a hook
 * before they call the next one.
 */
const repeatMs = 20_000;

/** Access to the indexes, either for a process that exits after its answer or for a server. */
export interface Indexes {
  /** Passes the index stored in a file to a function; passes `undefined` if the file does not exist. */
  readonly withUnits: <T>(place: string, use: (units: UnitIndex | undefined) => T) => T;
  /** Renews the index of a tree. `later` lets the implementation delay or skip the renewal. */
  readonly renew: (root: string, when: 'now' | 'later') => Promise<void>;
}

/** Returns the answer for the agent; an empty string if there is no note. */
export async function answerHook(
  { event, cwd }: AgentEvent,
  env: NodeJS.ProcessEnv,
  indexes: Indexes,
): Promise<string> {
  const root = rootOf(cwd);
  const cache = hookCache(env);
  if (event.type !== 'written') {
    await indexes.renew(root, 'now');
    return event.type === 'stop' ? reminderOf(event, cache) : '';
  }
  const note = indexes.withUnits(unitsOf(cache, root), (units) => noteOf(event.write, root, units));
  await indexes.renew(root, 'later');
  if (note === undefined || !claim(cache, event.write)) return '';
  remember(cache, event.session);
  return asAnswer(event.client, note);
}

function noteOf({ file, edits }: Write, root: string, units: UnitIndex | undefined): string | undefined {
  const own = path.relative(root, file).split(path.sep).join('/');
  const lexicon = lexiconForPath(own);
  // Skip tests, because they repeat code on purpose. Skip prose, because it has no functions.
  if (units === undefined || isTestPath(own) || lexicon.prose) return undefined;
  const content = readFileSync(file, 'utf8');
  const lines = content.split(/\r?\n/);
  const written = writtenDeclarations(content, edits).filter(isFunction);
  for (const one of written) {
    // Skip functions that existed before. Clients may report a complete file as written when only a few lines have
    // changed.
    if (units.has(own, one.name)) continue;
    const text = textOf(lines, one);
    const isWritten = ({ path: there }: SimilarUnit, { startLine }: Declaration): boolean =>
      there === own && written.some((it) => it.startLine === startLine);
    const found: Existing[] = [];
    for (const unit of units.similarTo(text, lexicon, mostCandidates)) {
      if (found[0] && unit.score < asGood * found[0].unit.score) break;
      if (!isWorthNote(unit) || lexiconForPath(unit.path) !== lexicon) continue;
      const there = unit.path === own ? lines : linesIn(path.join(root, unit.path));
      const existing = declarationNear(there, unit);
      if (existing === undefined || isWritten(unit, existing)) continue;
      const canCall = isCallable({ ...existing, path: unit.path, language: lexicon.id }, there);
      found.push({ ...existing, text: textOf(there, existing), unit, isCallable: canCall });
      if (canCall) break;
    }
    const best = found.find((it) => it.isCallable) ?? found[0];
    if (best) return describe({ ...one, text }, best, own);
  }
  return undefined;
}

function isWorthNote({ score, shared }: SimilarUnit): boolean {
  return score >= minScore && shared >= (score >= closeScore ? closeShared : minShared);
}

/** Returns the lines of a file; an empty list if the file was deleted. */
function linesIn(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split(/\r?\n/) : [];
}

/** Returns the current declaration of a unit, which may have moved since it was indexed. */
function declarationNear(lines: readonly string[], { name, startLine }: SimilarUnit): Declaration | undefined {
  const distance = (one: Declaration): number => Math.abs(one.startLine - startLine);
  return declarationsIn(lines)
    .filter((one) => one.name === name)
    .sort((a, b) => distance(a) - distance(b))[0];
}

type Text = Declaration & { readonly text: string };

interface Existing extends Text {
  readonly unit: SimilarUnit;
  /** True if other files can call the function. */
  readonly isCallable: boolean;
}

function describe(written: Text, existing: Existing, own: string): string {
  const { path: there, score } = existing.unit;
  const does = score >= closeScore ? 'already does' : 'seems to do';
  return printable(
    `Kindred: ${existing.name} in ${there}:${linesOf(existing)} ${does} what ${written.name} ` +
      `(${own}:${linesOf(written)}) does: ${likeness(written, existing, own)}. ` +
      `If so, use it instead of a second one, or extend it: ${existing.signature}`,
  );
}

function likeness(written: Text, existing: Text, own: string): string {
  if (bodyOf(written) === bodyOf(existing)) return 'the text is equal';
  if (withoutNames(written.text) === withoutNames(existing.text)) return 'only names differ';
  const there = calledIn(existing.text, lexiconForPath(own));
  const calls = [...calledIn(written.text, lexiconForPath(own))].filter((name) => there.has(name));
  // Name longer names first, because they are more specific: `upperBound` rather than `push`.
  calls.sort((a, b) => b.length - a.length);
  return calls.length === 0 ? 'the steps are similar' : `both use ${calls.slice(0, 4).join(', ')}`;
}

/** Returns the text without the name of the declaration, and with white space collapsed. */
function bodyOf({ name, text }: Text): string {
  return text.replace(name, '').replaceAll(/\s+/g, ' ');
}

function withoutNames(text: string): string {
  return text.replaceAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu, '_').replaceAll(/\s+/g, ' ');
}

/** Renews the index of a tree in a separate process, which reads only changed files. */
export async function renewIndex(root: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const program = fileURLToPath(new URL('./cli.js', import.meta.url));
  const options = { cwd: root, detached: true, stdio: 'ignore', windowsHide: true } as const;
  const child = spawn(process.execPath, [program, 'hook', '--index'], options);
  // Ignore errors: without an index, agents just get no notes.
  child.on('error', () => undefined).unref();
}

function asAnswer(client: Client, note: string): string {
  switch (client) {
    case 'claude':
      return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } });
    case 'copilot':
      return JSON.stringify({ additionalContext: note });
    case 'cursor':
      return JSON.stringify({ additional_context: note });
  }
}

/**
 * Returns true for the first call for a write, and false for others that follow soon. Some clients read the hooks of
 * several clients, such as VS Code those in `.github/hooks` and `.claude`, and call each of them.
 *
 * Ids of calls do not help, because a client may use several formats, and not all of them have an id.
 */
function claim(cache: string, write: Write): boolean {
  const mark = path.join(marksOf(cache), `${hashOf(JSON.stringify(write))}.write`);
  try {
    mkdirSync(path.dirname(mark), { recursive: true });
    // Only one of several processes can create the file.
    closeSync(openSync(mark, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const now = new Date();
  if (now.getTime() - statSync(mark).mtimeMs < repeatMs) return false;
  utimesSync(mark, now, now);
  return true;
}

/** Returns the path of the file that records if a session has received a note ('noted') and a reminder ('reminded'). */
function markOf(cache: string, session: string): string {
  return path.join(marksOf(cache), hashOf(session));
}

function remember(cache: string, session: string): void {
  const file = markOf(cache, session);
  const state = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (state === 'reminded') return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'noted');
}

/**
 * Returns a reminder for an agent that is about to stop, at most once per session. The reminder does not prevent it
 * from stopping.
 */
function reminderOf({ client, session, isContinued }: Extract<HookEvent, { type: 'stop' }>, cache: string): string {
  const file = markOf(cache, session);
  // In Cursor and Copilot, any answer to this event would start another turn.
  if (isContinued || client !== 'claude' || !existsSync(file) || readFileSync(file, 'utf8') !== 'noted') return '';
  writeFileSync(file, 'reminded');
  return JSON.stringify({
    systemMessage: 'Kindred found existing code that this session wrote again; kindred check lists what is left.',
  });
}
