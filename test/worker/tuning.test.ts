/** What the worker says other settings would find: at each stop what a scan with these settings finds. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { dials, dialValues, type DialValues, presets, withDialValues } from '../../src/engine/dials.ts';
import { defaultOptions } from '../../src/engine/options.ts';
import type { Findings } from '../../src/engine/report/report.ts';
import { changedRows } from '../../src/engine/rows/changedRows.ts';
import { defaultSourceOptions } from '../../src/io/sources.ts';
import type { TriedResponse, TuneResponse } from '../../src/protocol/messages.ts';
import { unpackGroups } from '../../src/protocol/packedFindings.ts';
import { countsOf } from '../../src/worker/tuning.ts';
import { inputOf, patient, requestOf, scan, scanToFollow } from '../indexer/scanning.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { Conversation, reportIn } from './conversation.ts';

const inForce = dialValues(defaultOptions);

suite('the dials', () => {
  let folder = '';
  let worker: Conversation;

  setup(() => {
    folder = makeFolder(files());
    worker = new Conversation(() => assert.fail('Everything is on disk.'));
  });

  teardown(async () => {
    await worker.end();
    removeFolder(folder);
  });

  test('say at every stop what a scan with these settings finds', async function () {
    this.timeout(120_000);
    await scanFolder();
    const told = await worker.tune({ values: undefined, dial: undefined }, areAllTried(inForce));
    const [begin] = told;
    assert.ok(begin?.type === 'tunable');
    assert.deepEqual([begin.inForce, begin.decided, begin.presets], [inForce, undefined, presets]);
    const tried = triedIn(told);
    const totals = new Set<string>();
    for (const { values, counts, problem } of tried) {
      assert.equal(problem, undefined);
      const expected = countsOf(await scanWith(values));
      assert.deepEqual(counts, expected, JSON.stringify(values));
      totals.add(JSON.stringify(counts));
    }
    assert.deepEqual(begin.counts, countsOf(await scanWith(inForce)));
    assert.ok(totals.size > 6, `only ${totals.size} stops differ`);
  });

  for (const [name, values] of Object.entries(presets)) {
    test(`preview what the preset ${name} finds, and what comes and goes`, async () => {
      await scanFolder();
      const told = await worker.tune({ values, dial: undefined }, (all) => previewIn(all) !== undefined);
      const preview = previewIn(told)!;
      const [expected, now] = [await scanWith(values), await scanWith(inForce)];
      assert.deepEqual([...unpackGroups(preview.findings)], expected.groups);
      assert.deepEqual(preview.findings.totals, expected.totals);
      assert.deepEqual(preview.changed, changedRows(now, expected));
      if (name === 'loose') assert.ok(preview.changed.come.length > 0);
      if (name === 'strict') assert.ok(preview.changed.gone.length > 0);
    });
  }

  test('give way to an update, and go on with what it has found', async () => {
    await scanFolder();
    const table = await idfTable();
    const begun = await worker.tune({ values: undefined, dial: 'minTokens' }, (all) => triedIn(all).length > 2);
    assert.equal(begun[0]?.type, 'tunable');
    const again = worker.toldOfTuning((all) => {
      const from = all.findIndex(({ type }) => type === 'tunable');
      return from >= 0 && triedIn(all.slice(from)).length > 3;
    });
    writeFileSync(path.join(folder, 'more.ts'), files()['a.ts']);
    const { findings } = reportIn(await worker.update(['more.ts']));
    const told = await again;
    const from = told.findIndex(({ type }) => type === 'tunable');
    const begin = told[from];
    assert.ok(begin?.type === 'tunable');
    assert.deepEqual(begin.counts.totals, findings.totals);
    for (const { values, counts } of triedIn(told.slice(from))) {
      assert.deepEqual(counts, countsOf(await scanWith(values, table)), JSON.stringify(values));
    }
    // What was tried left the index as it was.
    writeFileSync(path.join(folder, 'more.ts'), 'const nothing = 1;\n');
    const after = reportIn(await worker.update(['more.ts']));
    assert.deepEqual([...unpackGroups(after.findings)], (await scanWith(inForce, table)).groups);
  });

  test('take the last place that is asked for, and come back to one at once', async () => {
    await scanFolder();
    const first = { ...inForce, minTokens: 30 };
    await worker.tune({ values: first, dial: 'minTokens' }, (all) => previewIn(all) !== undefined);
    const second = { ...inForce, minTokens: 100 };
    void worker.tune({ values: second, dial: 'minTokens' }, () => true);
    const told = await worker.tune({ values: first, dial: 'minTokens' }, (all) => isPreviewOf(all.at(-1), first));
    const last = triedIn(told).at(-1)!;
    assert.equal(last.elapsedMs, 0);
  });

  test('tell what is wrong with values that no scan takes', async () => {
    await scanFolder();
    const values = { ...inForce, minTokens: 3 };
    const told = await worker.tune({ values, dial: 'minTokens' }, (all) => triedIn(all).length > 0);
    const [tried] = triedIn(told);
    assert.equal(tried?.counts, undefined);
    assert.match(tried?.problem ?? '', /^minTokens must be a whole number from 10 to 10000, not 3\.$/);
  });

  test('say that there is no index before a scan, and begin when there is one', async () => {
    const told = await worker.tune({ values: undefined, dial: undefined }, () => true);
    assert.deepEqual(told, [{ type: 'untunable' }]);
    const begun = worker.toldOfTuning(() => true);
    await scanFolder();
    assert.equal((await begun)[0]?.type, 'tunable');
  });

  test('name what a configuration file decides', async () => {
    writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "minTokens": 60, "prose": { "k": 2 }, "shingleSize": 4 }');
    await scanFolder();
    const [begin] = await worker.tune({ values: undefined, dial: undefined }, () => true);
    assert.ok(begin?.type === 'tunable');
    assert.deepEqual(begin.inForce, { ...inForce, minTokens: 60, 'prose.maxDistance': 2 });
    assert.deepEqual(begin.decided, { path: '.kindredrc.jsonc', names: ['minTokens', 'prose.maxDistance'] });
  });

  test('a preset in the configuration file decides all dials; what the file sets for itself wins', async () => {
    writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "preset": "strict", "minTokens": 60 }');
    await scanFolder();
    const [begin] = await worker.tune({ values: undefined, dial: undefined }, () => true);
    assert.ok(begin?.type === 'tunable');
    assert.deepEqual(begin.inForce, { ...presets.strict, minTokens: 60 });
    assert.deepEqual(begin.decided, { path: '.kindredrc.jsonc', names: Object.keys(presets.strict) });
  });

  async function scanFolder(): Promise<void> {
    await worker.scan([{ prefix: '', folder, sources: defaultSourceOptions }], undefined);
  }

  async function scanWith(values: DialValues, idfTable?: Uint8Array): Promise<Findings> {
    const options = withDialValues(defaultOptions, values);
    return scan(requestOf(await inputOf(folder), { options, idfTable }), patient);
  }

  /** The table that a scan of the folder measures, which updates keep. */
  async function idfTable(): Promise<Uint8Array> {
    const { idfTable: read } = await scanToFollow(requestOf(await inputOf(folder)), patient, 'findings');
    return read!()!;
  }
});

function triedIn(told: readonly TuneResponse[]): TriedResponse[] {
  return told.filter((response) => response.type === 'tried');
}

function previewIn(told: readonly TuneResponse[]): TriedResponse['preview'] {
  return triedIn(told).find(({ preview }) => preview)?.preview;
}

function isPreviewOf(response: TuneResponse | undefined, values: DialValues): boolean {
  return response?.type === 'tried' && response.preview !== undefined && response.values.minTokens === values.minTokens;
}

/** Whether each stop that is tried unasked was told, with the others where they stand. */
function areAllTried(values: DialValues): (told: readonly TuneResponse[]) => boolean {
  const wanted = dials.flatMap(({ name, stops, swept }) =>
    stops.filter((stop) => stop <= swept).map((stop) => JSON.stringify({ ...values, [name]: stop })),
  );
  return (told) => {
    const tried = new Set(triedIn(told).map((response) => JSON.stringify(response.values)));
    return wanted.every((stop) => tried.has(stop));
  };
}

/** Copies of several lengths, edited more and less, in code and in prose. */
function files(): Record<string, string> {
  const lines = (name: string, count: number, edited: number): string =>
    Array.from({ length: count }, (_, n) =>
      edited > 0 && n % edited === 0
        ? `  ${name}${n}(this.other, ${n * 7}, "own ${name} ${n}");`
        : `  const total${n} = await fetch${n}(order.item${n}, limit * ${n}, "part ${n}");`,
    ).join('\n');
  const code = (name: string, edited: number): string =>
    [4, 7, 13, 25].map((count) => `function ${name}${count}(order) {\n${lines(name, count, edited)}\n}\n`).join('\n');
  const sentences = (edited: number): string =>
    Array.from({ length: 12 }, (_, n) =>
      edited > 0 && n % edited === 0
        ? `Sentence ${n} of this page alone speaks of something that no other page has told.`
        : `The order number ${n} is kept for ${n} days, and after that it is moved to the archive of the shop.`,
    ).join(' ');
  return {
    'a.ts': code('work', 0),
    'b.ts': code('run', 0),
    'c.ts': code('take', 4),
    'd.ts': code('give', 3),
    'e.ts': code('put', 2),
    // Too short for strict, and for balanced.
    ...Object.fromEntries(['f.ts', 'g.ts'].map((name) => [name, tally])),
    ...Object.fromEntries(['h.ts', 'i.ts'].map((name) => [name, short(2)])),
    'a.md': sentences(0),
    'b.md': `# Title\n\n${sentences(0)}\n`,
    'c.md': sentences(3),
    'd.md': sentences(2),
  };
}

/** A function of 54 tokens in five lines. */
const tally = `export function tally(crates, harbour) {
  const weight = crates.reduce((sum, crate) => sum + crate.weight, 0);
  harbour.book(weight, crates.length * 3, 'quay');
  return harbour.free - weight;
}
`;

/** A function unlike all others, with about eleven tokens a line. */
function short(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, n) => `  if (seen[${n}] > mark${count}${n}) sink.push(lot${count}.${'xyzuvw'[n] ?? 'q'}${n});`,
  );
  return `export function short${count}(seen, sink) {\n${lines.join('\n')}\n}\n`;
}
