/** Reading, writing, and matching of baselines. The problem of a damaged file is reported with its line. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type BaselineEntry,
  entryFor,
  isSameEntry,
  needsNote,
  growthOf,
  isUnchanged,
  matchBaseline,
  parseBaseline,
  printBaseline,
} from '../../src/review/gate/baseline.ts';
import { contentsOf } from '../../src/review/gate/contents.ts';
import { findingsOf } from '../engine/corpusOf.ts';
import { drawing, parsing } from '../passages.ts';

const content = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map((key) => key.toString(16).padStart(16, '0'));
const nonEmptyText = fc
  .string({ unit: 'grapheme', minLength: 1 })
  .filter((text) => text.trim() === text && text !== '');
const entry: fc.Arbitrary<BaselineEntry> = fc
  .record({
    contents: fc.uniqueArray(fc.tuple(content, fc.integer({ min: 2, max: 9 })), {
      minLength: 1,
      maxLength: 4,
      selector: ([key]) => key,
    }),
    reason: fc.option(nonEmptyText, { nil: undefined }),
  })
  .map(({ contents, reason }) => ({ contents: new Map(contents), reason }))
  .chain((plain) =>
    fc
      .record(
        { by: nonEmptyText, on: nonEmptyText, at: nonEmptyText, name: nonEmptyText, text: nonEmptyText },
        { requiredKeys: [] },
      )
      .map((others) => ({ ...plain, ...others })),
  );

function entriesIn(text: string): readonly BaselineEntry[] {
  const entries = parseBaseline(text);
  assert.ok(!('problem' in entries), 'problem' in entries ? entries.problem : '');
  return entries;
}

suite('a baseline', () => {
  test('is read as it was written, in any order, with one entry per line', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
        const text = printBaseline(entries);
        assert.equal(printBaseline([...entries].reverse()), text);
        assert.equal(printBaseline(entriesIn(text)), text);
        assert.equal(text.split('\n').length, entries.length + 6);
      }),
    );
  });

  test('has one line with a trailing comma per entry, so that branches merge', () => {
    const lines = printBaseline([{ contents: new Map([['0123456789abcdef', 2]]), reason: 'both' }]).split('\n');
    assert.equal(lines[3], '    { "contents": { "0123456789abcdef": 2 }, "reason": "both" },');
  });

  suite('is rejected with its line if it is damaged:', () => {
    function check(name: string, text: string, line: number, words: RegExp): void {
      test(name, () => {
        const problem = parseBaseline(text);
        assert.ok('problem' in problem);
        assert.equal(problem.line, line);
        assert.match(problem.problem, words);
      });
    }
    const heading = '{\n  "kindredBaseline": 1,\n  "entries": [\n';
    check('invalid JSON', `${heading}    {,\n  ]\n}\n`, 4, /not valid JSON/);
    check('too deep', `${heading}${'['.repeat(200_000)}`, 4, /nested more than 100 deep/);
    check('cut off', `${heading}    { "contents": {`, 4, /not valid JSON/);
    check('another file', '{ "name": "x" }', 1, /is not a baseline/);
    check('a newer version', '{\n  "kindredBaseline": 2,\n  "entries": []\n}\n', 2, /newer version/);
    check('a conflict', `${heading}<<<<<<< HEAD\n=======\n>>>>>>> x\n  ]\n}\n`, 4, /merge conflict/);
    check('no id', `${heading}    { "contents": { "x": 2 } },\n  ]\n}\n`, 4, /not a content id/);
    check('no count', `${heading}\n    { "contents": { "0123456789abcdef": 0.5 } },\n  ]\n}\n`, 5, /whole number/);
    check('one copy', `${heading}    { "contents": { "0123456789abcdef": 1 } },\n  ]\n}\n`, 4, /fewer than two/);
    check(
      'a reason that is not a string',
      `${heading}    { "contents": {}, "reason": 1 },\n  ]\n}\n`,
      4,
      /"reason" is not a string/,
    );
    check(
      'a name that is not a string',
      `${heading}    { "contents": {}, "by": {} },\n  ]\n}\n`,
      4,
      /"by" is not a string/,
    );
    const pair = (contents: string, rest: string): string =>
      `${heading}    { "contents": { ${contents} }, "pair": ${rest} },\n  ]\n}\n`;
    check('a pair that is not true', pair('"0123456789abcdef": 2', '1'), 4, /"pair" is not true/);
    check('a pair of three', pair('"0123456789abcdef": 3', 'true, "reason": "x"'), 4, /more than two copies/);
    check('a pair without a reason', pair('"0123456789abcdef": 2', 'true'), 4, /without a "reason"/);
  });
});

suite('groups and a baseline', () => {
  const two = { 'a.ts': `let a;\n${parsing}`, 'b.ts': `let b;\n\n${parsing}` };
  const groupsOf = (files: Readonly<Record<string, string>>) =>
    findingsOf(files).groups.filter(({ kind }) => kind !== 'file');
  const knownEntries = groupsOf(two).map((group) => entryFor(group, undefined));

  test('match their entries at any place and indentation', () => {
    const moved = groupsOf({
      'x/c.ts': `let c;\n\n\n${parsing.replaceAll(/^/gm, '  ')}`,
      'd.ts': `let d;\n${parsing}`,
    });
    const { entryOf, stale } = matchBaseline(moved, knownEntries);
    assert.deepEqual([entryOf.size, stale.length], [1, 0]);
    assert.ok(isUnchanged(moved[0], knownEntries[0]));
  });

  test('report growth, and entries of removed groups as stale', () => {
    const three = groupsOf({ ...two, 'c.ts': `let c;\n${parsing}` });
    const { entryOf } = matchBaseline(three, knownEntries);
    assert.equal(growthOf(three[0], entryOf.get(three[0])!), 1);
    const other = groupsOf({ 'a.ts': `let a;\n${drawing}`, 'b.ts': `let b;\n\n${drawing}` });
    assert.equal(matchBaseline(other, knownEntries).stale.length, 1);
    assert.equal(matchBaseline(other, knownEntries).entryOf.size, 0);
  });

  test('keep their entry after an edit of one copy, but lose its reason', () => {
    const near = groupsOf({ ...two, 'a.ts': two['a.ts'].replaceAll('fields', 'table').replaceAll('line', 'row') });
    const reasoned = { contents: contentsOf(groupsOf(two)[0]), reason: 'on purpose' };
    const found = matchBaseline(near, [reasoned]).entryOf.get(near[0]);
    assert.equal(found, reasoned);
    assert.equal(entryFor(near[0], found).reason, undefined);
    assert.equal(entryFor(groupsOf(two)[0], reasoned).reason, 'on purpose');
  });

  test('keep the note of an entry while one of its files has a copy', () => {
    const [group] = groupsOf(two);
    const note = { at: 'a.ts:2-16', name: 'parse', text: 'function parse(' };
    const noted = entryFor(group, undefined, note);
    assert.deepEqual(noted, { ...knownEntries[0], ...note });
    assert.ok(!needsNote(group, noted, ['a.ts', 'b.ts']));
    assert.ok(needsNote(group, noted, ['moved.ts', 'b.ts']));
    assert.ok(needsNote(group, knownEntries[0], ['a.ts', 'b.ts']));
    const three = groupsOf({ ...two, 'c.ts': `let c;\n${parsing}` });
    assert.ok(needsNote(three[0], noted, ['a.ts', 'b.ts', 'c.ts']));
    assert.equal(entryFor(group, noted), noted);
    assert.deepEqual(entryFor(group, { ...noted, reason: 'why' }, { at: 'moved.ts:2-16' }), {
      ...knownEntries[0],
      reason: 'why',
      at: 'moved.ts:2-16',
    });
  });

  test('have the same entry if only its place and name differ', () => {
    const [entry] = knownEntries;
    assert.ok(isSameEntry(entry, { ...entry, at: 'a.ts:2-16', name: 'parse' }));
    assert.ok(!isSameEntry(entry, { ...entry, reason: 'why' }));
  });
});
