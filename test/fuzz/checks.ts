/** What must hold of any files and options: in the engine, quick, and through the command line, with processes and a disk. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Findings } from '../../src/engine/report/report.ts';
import { type JsonReport, kindred, type Outcome } from '../cli/kindred.ts';
import { type Changes, findingsOf, LiveTextCorpus } from '../engine/corpusOf.ts';
import { memoriesInTurn } from '../engine/usedMemory.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { utf8OfBytes } from '../reportProblems.ts';
import { argumentsOf, changesOf, type FuzzCase } from './cases.ts';

/** A check that rejects, or throws, when something does not hold. It returns the groups that it has seen. */
export type Check = (fuzzCase: FuzzCase) => number | Promise<number>;

const memory = memoriesInTurn(2);

/**
 * Any bytes have sound findings, the same in whatever order they come, in memory that was used for something else, and when
 * a corpus that is kept takes half of them in later.
 */
export function checkEngine({ files, options }: FuzzCase): number {
  const changes = changesOf(options);
  const documents = textsOf(files);
  const findings = findingsOf(documents, changes);
  const entries = Object.entries(documents);
  assert.deepEqual(findingsOf(Object.fromEntries([...entries].reverse()), changes), findings, 'in another order');
  checkLive(entries, changes);
  return findings.groups.length;
}

function checkLive(entries: readonly (readonly [string, Uint8Array])[], changes: Changes): void {
  if (entries.length === 0) return;
  const half = entries.length >> 1;
  // Each of the second half has the text of one of the first before it gets its own.
  const before = entries.map(([name], i): [string, Uint8Array] => [name, entries[i < half ? i : i - half][1]]);
  const live = new LiveTextCorpus(Object.fromEntries(before), changes, memory);
  for (const [name, bytes] of entries.slice(half)) live.put(name, bytes);
  const findings = live.findings();
  assert.deepEqual(findings, findingsOf(Object.fromEntries(entries), changes, live.rarities()), 'in a kept corpus');
  const [first] = entries[0];
  live.remove(first);
  const rest = Object.fromEntries(entries.slice(1));
  assert.deepEqual(live.findings(), findingsOf(rest, changes, live.rarities()), 'in a kept corpus, without a document');
}

/** What the engine is given of files: their bytes as UTF-8; files that are no text are left out. */
function textsOf(files: FuzzCase['files']): Record<string, Uint8Array> {
  const texts: Record<string, Uint8Array> = {};
  for (const [name, bytes] of Object.entries(files)) {
    const utf8 = utf8OfBytes(bytes);
    if (utf8) texts[name] = utf8;
  }
  return texts;
}

/**
 * The command line reports the same, byte for byte, whatever the number of threads, with a cache that is cold, warm or of
 * other files; and says nothing on standard error. `kindred files` finds the files of that, and what is found can be
 * explained.
 */
export async function checkCommandLine({ files, options }: FuzzCase): Promise<number> {
  const folder = makeFolder({});
  const tree = makeFolder(files);
  const given = argumentsOf(options);
  const scan = async (...more: string[]): Promise<string> => json('scan', ...more);
  const json = async (...words: string[]): Promise<string> => {
    const outcome = await kindred([...words, tree, '--format', 'json', ...given], { cwd: folder });
    assert.deepEqual([outcome.code, outcome.stderr], [0, ''], words.join(' '));
    return outcome.stdout.replace(/"elapsedMs":\d+/, '"elapsedMs":0');
  };
  const text = async (...words: string[]): Promise<Outcome> => {
    const outcome = await kindred(words, { cwd: folder });
    assert.deepEqual([outcome.code, outcome.stderr], [0, ''], words.join(' '));
    return outcome;
  };
  try {
    const report = await scan('--workers', '1');
    assert.equal(await scan('--workers', '2', '--cache', 'kept'), report, 'two threads, and a cold cache');
    assert.equal(await scan('--workers', '1', '--cache', 'kept'), report, 'a warm cache');
    const { groups } = JSON.parse(report) as JsonReport;
    const whole = JSON.parse(await json('files')) as Findings;
    assert.deepEqual(
      whole.groups.map(({ id, ...rest }) => ({ ...rest, id: id.replace(/-.*/, '') })),
      groups.filter(({ kind }) => kind === 'file').map(({ id, ...rest }) => ({ ...rest, id: id.replace(/-.*/, '') })),
      'whole files',
    );
    assert.notEqual((await text('scan', tree, ...given)).stdout, '');
    const [first] = groups;
    if (first) {
      const places = first.passages.map(
        (passage) => `${path.join(tree, passage.path)}:${passage.startLine}-${passage.endLine}`,
      );
      await text('explain', places[0], places[1]);
    }
    const names = Object.keys(files);
    rmSync(path.join(tree, names[0]));
    if (names.length > 2) writeFileSync(path.join(tree, names[1]), files[names[2]]);
    assert.equal(await scan('--cache', 'kept'), await scan(), 'a cache of other files');
    return groups.length;
  } finally {
    removeFolder(folder);
    removeFolder(tree);
  }
}
