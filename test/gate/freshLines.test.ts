/** Selection of the passages that a change wrote. */
import assert from 'node:assert/strict';
import { addedFile, type FileChange, removedFile } from '../../src/review/gate/changes.ts';
import { FreshLines } from '../../src/review/gate/freshLines.ts';

const [one, two] = [
  ['one', 'two'],
  ['three', 'four'],
].map((words) =>
  ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((name) => `${words.join('_')}_${name}(${words[0]});`),
);

suite('fresh lines', () => {
  /** Checks whether all lines of file `a` are fresh. */
  function check(
    lines: readonly string[],
    changes: readonly FileChange[],
    isFresh: boolean,
    base: readonly string[] = [],
  ): void {
    const texts = { base: () => base, now: (path: string) => (path === 'a' ? lines : undefined) };
    const found = new FreshLines(changes, texts).has({ path: 'a', startLine: 1, endLine: lines.length });
    assert.equal(found, isFresh);
  }

  function added(start: number, lines: readonly string[], removed: readonly string[] = []): FileChange {
    const hunk = { baseStart: start, baseCount: removed.length, start, count: lines.length, removed, added: lines };
    return { path: 'a', basePath: 'a', hunks: [hunk] };
  }

  test('include an added file, but no unchanged file', () => {
    check(one, [addedFile('a')], true);
    check(one, [], false);
    check(one, [addedFile('b')], false);
  });

  test('require more than a third of the lines of a passage, without blank lines', () => {
    check(['new 1;', ...one], [added(1, ['new 1;'])], false);
    check(['1;', '2;', ...one], [added(1, ['1;', '2;'])], false);
    check(['1;', '2;', '3;', ...one], [added(1, ['1;', '2;', '3;'])], true);
    check(['1;', '', '', ...one], [added(1, ['1;', '', ''])], false);
  });

  test('require five in a row in a long passage', () => {
    const long = Array.from({ length: 60 }, (_, i) => `old ${i};`);
    check([...two, ...long], [added(1, two)], true);
    check([...two.slice(1), ...long], [added(1, two.slice(1))], false);
  });

  test('exclude moved lines at any indentation, each only once', () => {
    const out: FileChange = { ...added(1, [], two), path: 'b', basePath: 'b' };
    const indented = two.map((line) => `    ${line}`);
    check([...indented, ...one], [added(1, indented), out], false);
    check([...indented, ...one, ...two], [added(1, [...indented, ...one, ...two]), out], true);
    check(two, [addedFile('a'), removedFile('b')], false, two);
    // Only one of three added copies was moved.
    check([...two, ...two, ...two], [addedFile('a'), removedFile('b')], true, two);
  });

  test('include lines whose possible origin is known to have moved elsewhere', () => {
    const texts = { base: () => two, now: () => two };
    const changes = [addedFile('a'), removedFile('b')];
    const has = (kept: readonly { path: string; startLine: number; endLine: number }[]): boolean =>
      new FreshLines(changes, texts, kept).has({ path: 'a', startLine: 1, endLine: 5 });
    assert.equal(has([{ path: 'b', startLine: 1, endLine: 5 }]), true);
    assert.equal(has([{ path: 'c', startLine: 1, endLine: 5 }]), false);
  });

  test('never treat common lines as moved', () => {
    const ends = ['end', 'end', 'end', 'end', 'end'];
    check(ends, [addedFile('a'), removedFile('b')], true, ends);
  });
});
