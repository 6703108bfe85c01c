/** Trials of other settings in the worker: at each stop, the findings equal those of a scan. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { reachesAllCases, sampled, scaled } from '../../scripts/scaled.mjs';
import {
  type DialName,
  dials,
  dialValues,
  type DialValues,
  presets,
  withDialValues,
} from '../../src/core/engine/dials.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import type { Findings, Group } from '../../src/core/engine/report/report.ts';
import { changedRows, isFoundIn } from '../../src/core/engine/rows/changedRows.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import type {
  EstimatedResponse,
  RowHidingResponse,
  TriedResponse,
  TuneResponse,
} from '../../src/session/protocol/messages.ts';
import { unpackGroups } from '../../src/scan/io/packedGroups.ts';
import { countsOf } from '../../src/session/worker/dialTrials.ts';
import { inputOf, patient, requestOf, scan, scanToFollow } from '../indexer/scanning.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { Conversation, reportIn } from './conversation.ts';

const inForce = dialValues(defaultOptions);

suite('the dials', () => {
  let folder = '';
  let worker: Conversation;

  setup(() => {
    folder = makeFolder(files());
    worker = new Conversation();
  });

  teardown(async () => {
    await worker.end();
    removeFolder(folder);
  });

  test('show at every stop the findings of a scan with these settings', async () => {
    await scanFolder();
    const told = await worker.tune({ values: undefined, dial: undefined }, areAllTried);
    const [begin] = told;
    assert.ok(begin?.type === 'tunable');
    assert.deepEqual([begin.inForce, begin.decided, begin.presets], [inForce, undefined, presets]);
    const tried = triedIn(told);
    const totals = new Set<string>();
    for (const { values, counts, problem } of sampled(tried)) {
      assert.equal(problem, undefined);
      const expected = countsOf(await scanWith(values));
      assert.deepEqual(counts, expected, JSON.stringify(values));
      totals.add(JSON.stringify(counts));
    }
    assert.deepEqual(begin.counts, countsOf(await scanWith(inForce)));
    assert.ok(totals.size > Math.min(6, scaled(6)), `only ${totals.size} stops differ`);
  });

  test('show an estimate at every stop after one trial of each dial, and replace it', async () => {
    await scanFolder();
    const told = await worker.tune({ values: undefined, dial: 'minSimilarity' }, areAllTried);
    const keyOf = ({ values }: { readonly values: DialValues }): string => JSON.stringify(values);
    const [countedValues, estimated, trials] = [new Set<string>(), new Set<string>(), new Set<string>()];
    let trialsBefore: number | undefined;
    let ofStricter: number | undefined;
    for (const response of told) {
      if (response.type !== 'estimated' && response.type !== 'tried') continue;
      if (response.type === 'estimated') {
        assert.ok(!trials.has(keyOf(response)), 'an estimate after the trial');
        estimated.add(keyOf(response));
      } else trials.add(keyOf(response));
      countedValues.add(keyOf(response));
      if (isEveryStop(countedValues, (stop, own, name) => isLooser(name, stop, own))) ofStricter ??= trials.size;
      if (isEveryStop(countedValues, () => false)) trialsBefore ??= trials.size;
    }
    // All stricter ones are known after the trial of the current values.
    assert.equal(ofStricter, 1);
    assert.ok(trialsBefore! <= 1 + dials.length, `${trialsBefore} trials`);
    assert.ok(estimated.size > 40, `${estimated.size} estimates`);
  });

  test('estimate a stricter position at once', async () => {
    await scanFolder();
    const told = await worker.tune({ values: presets.strict, dial: undefined }, (all) => previewIn(all) !== undefined);
    assert.deepEqual(
      told.map(({ type }) => type),
      ['tunable', 'estimated', 'trying', 'tried'],
    );
    assert.deepEqual((told[1] as EstimatedResponse).values, presets.strict);
  });

  for (const [name, values] of Object.entries(presets)) {
    test(`preview the findings of the preset ${name}, with added and removed rows`, async () => {
      await scanFolder();
      const told = await worker.tune({ values, dial: undefined }, (all) => previewIn(all) !== undefined);
      const preview = previewIn(told)!;
      const [expected, now] = [await scanWith(values), await scanWith(inForce)];
      assert.deepEqual([...unpackGroups(preview.findings)], expected.groups);
      assert.deepEqual(preview.findings.totals, expected.totals);
      assert.deepEqual(preview.changed, changedRows(now, expected));
      if (name === 'loose') assert.ok(preview.changed.added.length > 0);
      if (name === 'strict') assert.ok(preview.changed.removed.length > 0);
    });
  }

  test('yield to an update, and resume with its findings', async () => {
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
    // Trials have not changed the index.
    writeFileSync(path.join(folder, 'more.ts'), 'const nothing = 1;\n');
    const after = reportIn(await worker.update(['more.ts']));
    assert.deepEqual([...unpackGroups(after.findings)], (await scanWith(inForce, table)).groups);
  });

  test('try the last requested position, and return to a known one immediately', async () => {
    await scanFolder();
    const first = { ...inForce, minTokens: 30 };
    await worker.tune({ values: first, dial: 'minTokens' }, (all) => previewIn(all) !== undefined);
    const second = { ...inForce, minTokens: 100 };
    void worker.tune({ values: second, dial: 'minTokens' }, () => true);
    const told = await worker.tune({ values: first, dial: 'minTokens' }, (all) => isPreviewOf(all.at(-1), first));
    const last = triedIn(told).at(-1)!;
    assert.equal(last.elapsedMs, 0);
  });

  suite('dials asked to hide a group', () => {
    /** Equal copies that are longer than every stop. */
    const endless = `function endless(order) {\n${Array.from(
      { length: 90 },
      (_, n) => `  this.kept.push({ id: ${n}, at: order[${n}] ?? "none ${n}", of: [limit${n}, ${n}] });`,
    ).join('\n')}\n}\n`;
    /** Two equal copies and an edited one. */
    const pair = `function pair(order) {\n${Array.from(
      { length: 9 },
      (_, n) => `  if (pair${n}(order.item, limit * ${n}) > ${n * 3}) throw new Error("pair of ${n}");`,
    ).join('\n')}\n}\n`;
    const edited = pair.replaceAll(/pair(?:3|7)\(/g, 'other.call(own, ');

    setup(async () => {
      const more = {
        'endless1.ts': endless,
        'endless2.ts': endless,
        'same1.ts': pair,
        'same2.ts': pair,
        'edited.ts': edited,
        'short1.test.ts': short(5),
        'short2.test.ts': short(5),
      };
      for (const [name, text] of Object.entries(more)) writeFileSync(path.join(folder, name), text);
      await scanFolder();
    });

    test('propose the smallest change of one dial, with the number of other rows of the category that it hides', async () => {
      const found = await scanWith(inForce);
      const turned: DialName[] = [];
      for (const group of sampled(found.groups.filter(({ kind }) => kind !== 'file'))) {
        const hiding = await askToHide(group);
        if (hiding === 'impossible') continue;
        assert.ok(hiding !== 'gone');
        const { values, dial, others } = hiding;
        // Two proposals per dial are enough.
        turned.push(dial);
        if (turned.filter((name) => name === dial).length > 2) continue;
        assert.deepEqual({ ...values, [dial]: inForce[dial] }, inForce);
        const there = await scanWith(values);
        assert.ok(!isFoundIn(there, group), JSON.stringify([group, hiding]));
        const hiddenIds = new Set(changedRows(found, there).removed);
        const isOther = ({ id, category }: Group): boolean => id !== group.id && category === group.category;
        assert.equal(others, found.groups.filter((other) => hiddenIds.has(other.id) && isOther(other)).length);
        for (const stop of dials.find(({ name }) => name === dial)!.stops) {
          const isLess = Math.abs(stop - inForce[dial]) < Math.abs(values[dial] - inForce[dial]);
          const isSameWay = Math.sign(stop - inForce[dial]) === Math.sign(values[dial] - inForce[dial]);
          if (!isLess || !isSameWay) continue;
          assert.ok(isFoundIn(await scanWith({ ...inForce, [dial]: stop }), group), `${dial}: ${stop}`);
        }
      }
      if (reachesAllCases) assert.ok(new Set(turned).size > 2, turned.join());
    });

    test('do not propose a similarity at which equal copies of the group remain', async () => {
      const found = await scanWith(inForce);
      const group = passageGroup(found, 'edited.ts same1.ts same2.ts');
      assert.ok(group.similarity < 1);
      assert.ok(isFoundIn(await scanWith({ ...inForce, minSimilarity: 1 }), group));
      const hiding = await askToHide(group);
      assert.ok(typeof hiding === 'object');
      assert.ok(!isFoundIn(await scanWith(hiding.values), group));
      assert.notEqual(hiding.dial, 'minSimilarity');
    });

    test('report that no dial hides it alone', async () => {
      const found = await scanWith(inForce);
      const group = passageGroup(found, 'endless1.ts endless2.ts');
      assert.equal(await askToHide(group), 'impossible');
      for (const { name, stops } of dials) {
        const extreme = name.endsWith('axDistance') ? stops[0] : stops.at(-1)!;
        assert.ok(isFoundIn(await scanWith({ ...inForce, [name]: extreme }), group), name);
      }
      const files = found.groups.find(({ kind }) => kind === 'file')!;
      assert.equal(await askToHide(files), 'impossible');
    });

    test('report that it is not in the report', async () => {
      const [group] = (await scanWith(inForce)).groups;
      assert.equal(await askToHide({ ...group, id: 'other' }), 'gone');
    });

    async function askToHide({ id, category }: Group): Promise<RowHidingResponse['hiding']> {
      const hide = { id, counted: [category] };
      const told = await worker.tune({ values: undefined, dial: undefined, hide }, (all) =>
        all.some(({ type }) => type === 'rowHiding'),
      );
      const answer = told.find((response) => response.type === 'rowHiding')!;
      assert.equal(answer.hide, id);
      return answer.hiding;
    }

    function passageGroup({ groups }: Findings, paths: string): Group {
      const isIt = ({ kind, passages }: Group): boolean =>
        kind !== 'file' && passages.map((passage) => passage.path).join(' ') === paths;
      return groups.find(isIt)!;
    }
  });

  test('report values that no scan accepts', async () => {
    await scanFolder();
    const values = { ...inForce, minTokens: 3 };
    const told = await worker.tune({ values, dial: 'minTokens' }, (all) => triedIn(all).length > 0);
    const [tried] = triedIn(told);
    assert.equal(tried?.counts, undefined);
    assert.match(tried?.problem ?? '', /^minTokens must be a whole number from 10 to 10000, not 3\.$/);
  });

  test('report that there is no index before a scan, and start when there is one', async () => {
    const told = await worker.tune({ values: undefined, dial: undefined }, () => true);
    assert.deepEqual(told, [{ type: 'untunable' }]);
    const begun = worker.toldOfTuning(() => true);
    await scanFolder();
    assert.equal((await begun)[0]?.type, 'tunable');
  });

  test('name the settings that a configuration file determines', async () => {
    writeFileSync(path.join(folder, '.kindredrc.jsonc'), '{ "minTokens": 60, "prose": { "k": 2 }, "shingleSize": 4 }');
    await scanFolder();
    const [begin] = await worker.tune({ values: undefined, dial: undefined }, () => true);
    assert.ok(begin?.type === 'tunable');
    assert.deepEqual(begin.inForce, { ...inForce, minTokens: 60, 'prose.maxDistance': 2 });
    assert.deepEqual(begin.decided, { path: '.kindredrc.jsonc', names: ['minTokens', 'prose.maxDistance'] });
  });

  test('a preset in the configuration file determines all dials, and its other settings take precedence', async () => {
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

  /** Returns the table that a scan of the folder measures and updates keep. */
  async function idfTable(): Promise<Uint8Array> {
    const { idfTable: read } = await scanToFollow(requestOf(await inputOf(folder)), patient, 'findings');
    return read!()!;
  }
});

function isLooser(name: DialName, stop: number, than: number): boolean {
  return name.endsWith('axDistance') ? stop > than : stop < than;
}

/**
 * Returns true if all stops are known that are compared without a request, with the other dials unchanged.
 *
 * @param isExempt  receives a stop, the current value, and the dial
 */
function isEveryStop(
  countedValues: ReadonlySet<string>,
  isExempt: (stop: number, own: number, name: DialName) => boolean,
): boolean {
  return dials.every(({ name, stops, swept }) =>
    stops
      .filter((stop) => stop <= swept && !isExempt(stop, inForce[name], name))
      .every((stop) => countedValues.has(JSON.stringify({ ...inForce, [name]: stop }))),
  );
}

function triedIn(told: readonly TuneResponse[]): TriedResponse[] {
  return told.filter((response) => response.type === 'tried');
}

function previewIn(told: readonly TuneResponse[]): TriedResponse['preview'] {
  return triedIn(told).find(({ preview }) => preview)?.preview;
}

function isPreviewOf(response: TuneResponse | undefined, values: DialValues): boolean {
  return response?.type === 'tried' && response.preview !== undefined && response.values.minTokens === values.minTokens;
}

/** Returns true if the responses include all stops that are tried without a request. */
function areAllTried(told: readonly TuneResponse[]): boolean {
  return isEveryStop(new Set(triedIn(told).map(({ values }) => JSON.stringify(values))), () => false);
}

/** Returns copies of several lengths with few and many edits, in code and in prose. */
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
    // Too short for the presets strict and balanced.
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

/** Returns a unique function with about eleven tokens per line. */
function short(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, n) => `  if (seen[${n}] > mark${count}${n}) sink.push(lot${count}.${'xyzuvw'[n] ?? 'q'}${n});`,
  );
  return `export function short${count}(seen, sink) {\n${lines.join('\n')}\n}\n`;
}
