/**
 * Invariants for any files and options: of the engine, which is fast, and of the command line, with processes and a
 * disk.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { partsOf } from '../../src/core/engine/documents/namedDocument.ts';
import { explainPassages, type PassageText } from '../../src/core/engine/explainPassages.ts';
import { Kernel } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { separator } from '../../src/core/engine/languages/tokenKind.ts';
import { defaultOptions, type Options } from '../../src/core/engine/options.ts';
import { passageOf } from '../../src/core/engine/report/passageOf.ts';
import type { Findings, Group, Passage } from '../../src/core/engine/report/report.ts';
import { giveToPlainUser, type JsonReport, kindredProcess, type Outcome, plainUser } from '../cli/kindred.ts';
import { type Changes, findingsOf, LiveTextCorpus } from '../engine/corpusOf.ts';
import { memoriesInTurn } from '../engine/usedMemory.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { utf8OfBytes } from '../reportProblems.ts';
import { argumentsOf, changesOf, type FuzzCase } from './cases.ts';

/** Counts of a check. */
export interface Seen {
  readonly reports: number;
  /** Number of groups in the first report. */
  readonly groups: number;
  readonly explanations: number;
}

/** Checks a case. Throws or rejects if an invariant does not hold. */
export type Check = (fuzzCase: FuzzCase) => Seen | Promise<Seen>;

const memory = memoriesInTurn(2);

/** Maximum number of explained groups, because an explanation indexes two texts again. */
const maxExplained = 2;

/**
 * Checks the engine with any bytes. The findings must be consistent and independent of the order of files and of
 * earlier memory contents. They must be equal in a live corpus that ingests half of the files later, and they must be
 * explainable.
 */
export function checkEngine({ files, options }: FuzzCase): Seen {
  const changes = changesOf(options);
  const documents = textsOf(files);
  const findings = findingsOf(documents, changes);
  const entries = Object.entries(documents);
  assert.deepEqual(findingsOf(Object.fromEntries([...entries].reverse()), changes), findings, 'in another order');
  const live = checkLive(entries, changes);
  const explanations = checkExplanations(documents, findings, changes);
  return { reports: 2 + live, groups: findings.groups.length, explanations };
}

/** Returns the number of reports that it made. */
function checkLive(entries: readonly (readonly [string, Uint8Array])[], changes: Changes): number {
  if (entries.length === 0) return 0;
  const half = entries.length >> 1;
  // Each file of the second half first has the text of one of the first half.
  const before = entries.map(([name], i): [string, Uint8Array] => [name, entries[i < half ? i : i - half][1]]);
  const live = new LiveTextCorpus(Object.fromEntries(before), changes, memory);
  for (const [name, bytes] of entries.slice(half)) live.put(name, bytes);
  const findings = live.findings();
  assert.deepEqual(findings, findingsOf(Object.fromEntries(entries), changes, live.idfTable()), 'in a kept corpus');
  const [first] = entries[0];
  live.remove(first);
  const rest = Object.fromEntries(entries.slice(1));
  assert.deepEqual(live.findings(), findingsOf(rest, changes, live.idfTable()), 'in a kept corpus, without a document');
  return 4;
}

/**
 * Checks that Explain Match compares the same tokens as the report, and some tokens if it only has line numbers.
 * Returns the number of explanations.
 */
function checkExplanations(documents: Record<string, Uint8Array>, { groups }: Findings, changes: Changes): number {
  const options = { ...defaultOptions, ...changes };
  const decode = (utf8: Uint8Array): string => new TextDecoder().decode(utf8);
  const explain = (a: PassageText, b: PassageText) => explainPassages(a, b, options, { limit: 1, decode });
  const linesOf = ({ path, startLine, endLine }: Passage): PassageText => ({
    path,
    text: documents[path],
    lines: { start: startLine, end: endLine },
  });
  const placeOf = (passage: Passage): PassageText => ({
    ...linesOf(passage),
    columns: { start: passage.startColumn, end: passage.endColumn },
  });
  const some = someOfEachKind(groups);
  for (const { kind, passages, pairs } of some) {
    const [a, b] = [passages[pairs[0].a], passages[pairs[0].b]];
    const where = `explanation of ${kind} ${textOfPlace(a)} ${textOfPlace(b)}`;
    const explained = explain(placeOf(a), placeOf(b));
    const counts = [a, b].map((passage) => tokensOf(documents[passage.path], passage, kind, options));
    assert.ok(counts[0].includes(explained.a.tokens) && counts[1].includes(explained.b.tokens), where);
    const ofLines = explain(linesOf(a), linesOf(b));
    assert.ok(ofLines.a.tokens > 0 && ofLines.b.tokens > 0, `${where}, of the lines`);
  }
  return 2 * some.length;
}

/** Counts the tokens of a passage without separators, for each part of its text with such a passage. */
function tokensOf(text: Uint8Array, passage: Passage, kind: Group['kind'], options: Options): number[] {
  const kernel = new Kernel(memory());
  const indexer = new DocumentIndexer(kernel, options);
  indexer.reserve(text.length).set(text);
  const whole = indexer.index(indexer.reserve(text.length), lexiconForPath(passage.path));
  // Use the place only, because its contents are known from the report alone.
  const place = { ...passage };
  delete place.content;
  const counts: number[] = [];
  for (const part of partsOf(passage.path, whole)) {
    const { index } = part;
    if (kind === 'file' ? part.part !== 'text' : index.prose !== (kind === 'prose')) continue;
    const isPassage = (start: number): boolean =>
      kind === 'file' || isDeepStrictEqual(passageOf(kernel, part, { start, end: start + passage.tokens }), place);
    for (let start = 0; start + passage.tokens <= index.tokenCount; start++) {
      const tokens = kernel.words.subarray((index.tokens >>> 2) + start).subarray(0, passage.tokens);
      if (isPassage(start)) counts.push(tokens.filter((token) => token !== separator).length);
    }
  }
  return counts;
}

function textOfPlace({ path, startLine, startColumn, endLine, endColumn }: Passage): string {
  return `${path}:${startLine}:${startColumn}-${endLine}:${endColumn}`;
}

/** Returns the first groups of code, of prose, and of whole files. */
function someOfEachKind(groups: readonly Group[]): readonly Group[] {
  return (['code', 'prose', 'file'] as const).flatMap((wantedKind) =>
    groups.filter(({ kind }) => kind === wantedKind).slice(0, maxExplained),
  );
}

/** Returns the engine's input: texts as UTF-8, without files that are not text. */
function textsOf(files: FuzzCase['files']): Record<string, Uint8Array> {
  const texts: Record<string, Uint8Array> = {};
  for (const [name, bytes] of Object.entries(files)) {
    const utf8 = utf8OfBytes(bytes);
    if (utf8) texts[name] = utf8;
  }
  return texts;
}

/**
 * Checks that the command line reports the same, byte for byte. The number of threads must not matter. The cache may be
 * cold, warm, of other files, or used by two processes at once. Standard error must be empty, `kindred files` must find
 * the same files, and findings must be explainable. Runs as an unprivileged user, since root can read everything.
 */
export async function checkCommandLine({ files, options, surroundings }: FuzzCase): Promise<Seen> {
  const folder = makeFolder({});
  const tree = makeFolder(files);
  for (const [name, target] of Object.entries(surroundings.links)) {
    mkdirSync(path.dirname(path.join(tree, name)), { recursive: true });
    symlinkSync(target, path.join(tree, name));
  }
  for (const place of [folder, tree]) giveToPlainUser(place);
  const around = { cwd: folder, user: plainUser };
  const allow = (names: readonly string[], mode: number): void => {
    for (const name of names) chmodSync(path.join(tree, name), mode);
  };
  const commandArguments = argumentsOf(options);
  const scan = async (...more: string[]): Promise<string> => json('scan', ...more);
  const json = async (...words: string[]): Promise<string> => {
    const outcome = await kindredProcess([...words, tree, '--format', 'json', ...commandArguments], around);
    assert.deepEqual([outcome.code, outcome.stderr], [0, ''], words.join(' '));
    return outcome.stdout.replace(/"elapsedMs":\d+/, '"elapsedMs":0');
  };
  const text = async (...words: string[]): Promise<Outcome> => {
    const outcome = await kindredProcess(words, around);
    assert.deepEqual([outcome.code, outcome.stderr], [0, ''], words.join(' '));
    return outcome;
  };
  try {
    allow(surroundings.unreadable, 0);
    const report = await scan('--workers', '1');
    const both = [scan('--workers', '2', '--cache', 'kept'), scan('--workers', '1', '--cache', 'kept')];
    for (const other of await Promise.all(both)) assertSame(other, report, 'two processes at once, and a cold cache');
    assertSame(await scan('--workers', '1', '--cache', 'kept'), report, 'a warm cache');
    const { groups } = JSON.parse(report) as JsonReport;
    const whole = JSON.parse(await json('files')) as Findings;
    const ofFiles = groups.filter(({ kind }) => kind === 'file');
    assert.deepEqual(inAnyOrder(whole.groups), inAnyOrder(ofFiles), 'whole files');
    assert.notEqual((await text('scan', tree, ...commandArguments)).stdout, '');
    await text('scan', tree, ...commandArguments, '--format', surroundings.format);
    const some = someOfEachKind(groups);
    for (const { passages } of some) {
      const lines = passages.map((p) => `${path.join(tree, p.path)}:${p.startLine}-${p.endLine}`);
      await text('explain', lines[0], lines[1], ...explained(options));
      const places = passages.map((p) => path.join(tree, textOfPlace(p)));
      await text('explain', places[0], places[1], ...explained(options));
    }
    const names = Object.keys(files);
    allow(surroundings.unreadable, 0o644);
    allow(names.filter((name) => !surroundings.unreadable.includes(name)).slice(-2), 0);
    for (const name of Object.keys(surroundings.links).slice(0, 2)) rmSync(path.join(tree, name));
    assertSame(await scan('--cache', 'kept'), await scan(), 'a cache of other permissions and links');
    allow(names, 0o644);
    rmSync(path.join(tree, names[0]));
    if (names.length > 2) writeFileSync(path.join(tree, names[1]), files[names[2]]);
    assertSame(await scan('--cache', 'kept'), await scan(), 'a cache of other files');
    return { reports: 10, groups: groups.length, explanations: 2 * some.length };
  } finally {
    removeFolder(folder);
    removeFolder(tree);
  }
}

/**
 * Returns groups for a comparison that ignores their order and the numbers in their ids. Both depend on the other
 * groups of a report: a group moves down if groups above it have most of its lines.
 */
function inAnyOrder(groups: readonly Pick<Group, 'id'>[]): string[] {
  return groups.map(({ id, ...rest }) => JSON.stringify({ ...rest, id: id.replace(/-.*/, '') })).sort();
}

/** Fails with the first different line, because `assert` uses gigabytes for the difference of two large texts. */
function assertSame(actual: string, expected: string, about: string): void {
  if (actual === expected) return;
  const [lines, others] = [actual.split('\n'), expected.split('\n')];
  const place = lines.findIndex((line, i) => line !== others[i]);
  assert.fail(`${about}: line ${place + 1}\n+ ${lines[place]}\n- ${others[place]}`);
}

/** Returns the arguments of explain for the options of a scan. */
function explained(options: FuzzCase['options']): string[] {
  const names = ['shingle-size', 'prose-shingle-size', 'weights', 'read-comments'];
  return argumentsOf(Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name))));
}
