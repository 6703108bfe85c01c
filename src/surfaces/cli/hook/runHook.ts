/**
 * `kindred hook`: answers an agent after it wrote to a file, with at most one short note about existing code that the
 * new code repeats. It never denies anything, and it is silent if anything fails.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { lexiconForPath } from '../../../core/engine/languages/lexicon.ts';
import type { SimilarPassage } from '../../../core/engine/similar/findSimilar.ts';
import { declarationsIn, type Declaration } from '../../../presentation/wording/declarations.ts';
import { cacheFolder } from '../../../scan/io/cacheFolder.ts';
import { repositoryFoldersAround } from '../../../scan/io/ruleFiles.ts';
import { linesOf } from '../places.ts';
import { printable } from '../printable.ts';
import { percent } from '../quantities.ts';
import type { Found, Wanted } from '../runFind.ts';
import { type Client, type HookEvent, readHookEvent } from './hookEvent.ts';
import { writtenDeclarations } from './writtenTexts.ts';

/** Searches a folder for texts, with its index in another folder; `undefined` if it takes too long. */
export type Search = (root: string, cache: string, wanted: readonly Wanted[]) => Promise<readonly Found[] | undefined>;

/** Settings of a search. */
export const hookSearch = {
  ...{ options: {}, sources: {}, configuration: undefined, workers: availableParallelism(), memoryMB: 0 },
  ...{ maxDistance: undefined, minSimilarity: undefined, most: 10 },
};

/** Minimum similarity, and share of the new text, of a copy that is worth a note. Less alike code is often a pattern. */
const leastAlike = 0.7;
const leastCovered = 0.75;
/** Shorter declarations resemble each other by chance. */
const minTokens = 30;

/** Returns the answer for the agent; empty if there is nothing to say. */
export async function answerHook(input: string, env: NodeJS.ProcessEnv, search: Search): Promise<string> {
  const read = readHookEvent(input);
  if (read === undefined) return '';
  const cwd = path.resolve(read.cwd);
  const root = repositoryFoldersAround(cwd)[0] ?? cwd;
  const cache = hookCache(env);
  const { event } = read;
  if (event.type !== 'written') {
    refreshIndex(root);
    return event.type === 'stop' ? reminderOf(event, cache) : '';
  }
  const note = await noteOf(event, root, cache, search);
  if (note === undefined) return '';
  remember(cache, event.session);
  return asAnswer(event.client, note);
}

/** Returns the folder of the indexes of hooks. */
export function hookCache(env: NodeJS.ProcessEnv): string {
  return path.join(cacheFolder(env), 'kindred', 'hook');
}

async function noteOf(
  { write }: Extract<HookEvent, { type: 'written' }>,
  root: string,
  cache: string,
  search: Search,
): Promise<string | undefined> {
  const { file, edits } = write;
  const content = readFileSync(file, 'utf8');
  const lines = content.split(/\r?\n/);
  const written = writtenDeclarations(content, edits);
  if (written.length === 0) return undefined;
  const wanted = written.map(({ startLine, endLine }) => ({
    bytes: Buffer.from(lines.slice(startLine - 1, endLine).join('\n'), 'utf8'),
    lexicon: lexiconForPath(file),
    origin: { file, startLine, endLine },
  }));
  const found = await search(root, cache, wanted);
  if (found === undefined) {
    refreshIndex(root);
    return undefined;
  }
  const own = path.relative(root, file).split(path.sep).join('/');
  for (const [place, { similar }] of found.entries()) {
    if (similar.tokens < minTokens) continue;
    for (const one of similar.passages) {
      const isOwn = one.passage.path === own && written.some((it) => overlap(it, one.passage) > 0);
      if (isOwn || one.similarity < leastAlike || one.covered < leastCovered) continue;
      const there = readFileSync(path.join(root, one.passage.path), 'utf8').split(/\r?\n/);
      const existing = declarationAt(there, one.passage);
      if (existing) return note(written[place]!, existing, one, own, { lines, there });
    }
  }
  return undefined;
}

/** Returns the declaration that a passage mostly is. */
function declarationAt(lines: readonly string[], passage: SimilarPassage['passage']): Declaration | undefined {
  const share = (one: Declaration): number => {
    const common = overlap(one, passage);
    return common / (one.endLine - one.startLine + 1 + (passage.endLine - passage.startLine + 1) - common);
  };
  const [best] = declarationsIn(lines).sort((a, b) => share(b) - share(a));
  return best && share(best) >= 0.6 ? best : undefined;
}

type Lines = Pick<Declaration, 'startLine' | 'endLine'>;

function overlap(a: Lines, b: Lines): number {
  return Math.max(0, Math.min(a.endLine, b.endLine) - Math.max(a.startLine, b.startLine) + 1);
}

function note(
  written: Declaration,
  existing: Declaration,
  { passage, similarity, type }: SimilarPassage,
  own: string,
  { lines, there }: { readonly lines: readonly string[]; readonly there: readonly string[] },
): string {
  const differs = {
    exact: 'the text is equal',
    renamed: 'only names or values differ',
    near: firstDifference(lines, written, there, existing),
  }[type];
  return printable(
    `Kindred: ${existing.name} in ${passage.path}:${linesOf(existing)} already does what ${written.name} ` +
      `(${own}:${linesOf(written)}) does: ${percent(similarity)} alike, ${differs}. ` +
      `Use it instead of a second copy, or extend it: ${existing.signature}`,
  );
}

/** Describes the first line of the existing text that the new one lacks, regardless of names. */
function firstDifference(lines: readonly string[], written: Lines, there: readonly string[], existing: Lines): string {
  const shapeOf = (line: string): string => line.trim().replaceAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu, '_');
  const shapes = new Set(lines.slice(written.startLine - 1, written.endLine).map(shapeOf));
  const line = there.slice(existing.startLine, existing.endLine).find((one) => !shapes.has(shapeOf(one)));
  return line === undefined ? 'it has other lines' : `it also has "${line.trim().slice(0, 80)}"`;
}

/** Indexes a folder in a process of its own, so that the next look-up is fast. */
function refreshIndex(root: string): void {
  const program = fileURLToPath(new URL('./cli.js', import.meta.url));
  spawn(process.execPath, [program, 'hook', '--index'], { cwd: root, detached: true, stdio: 'ignore' }).unref();
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

/** File that exists if a session got a note and no reminder yet. */
function markOf(cache: string, session: string): string {
  const name = createHash('sha256').update(session).digest('hex').slice(0, 16);
  return path.join(cache, 'sessions', name);
}

function remember(cache: string, session: string): void {
  const file = markOf(cache, session);
  const state = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (state === 'reminded') return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'noted');
}

/** Returns a message that does not keep the agent from stopping, once a session. */
function reminderOf({ client, session, isContinued }: Extract<HookEvent, { type: 'stop' }>, cache: string): string {
  const file = markOf(cache, session);
  // In Cursor and Copilot, every answer to this event starts another turn.
  if (isContinued || client !== 'claude' || !existsSync(file) || readFileSync(file, 'utf8') !== 'noted') return '';
  writeFileSync(file, 'reminded');
  return JSON.stringify({
    systemMessage: 'Kindred found existing code that this session wrote again; kindred check lists what is left.',
  });
}
