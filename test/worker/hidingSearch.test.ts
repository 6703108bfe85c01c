/** Search for a dial setting that hides a row: the order of the settings that it tries. */
import assert from 'node:assert/strict';
import { dials, dialValues, type DialName } from '../../src/core/engine/dials.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { hidingSearch } from '../../src/session/worker/hidingSearch.ts';
import { findingsOf } from '../engine/corpusOf.ts';
import { parsing } from '../passages.ts';

const inForce = dialValues(defaultOptions);

suite('the search for a setting that hides a row', () => {
  /** Two equal passages of 15 lines. */
  const group = findingsOf({ 'a.ts': `first();\n${parsing}`, 'b.ts': `${parsing}second();\n` }).groups.find(
    ({ kind }) => kind === 'code',
  )!;

  /**
   * Returns the dials in the order of their trials, and the proposed dial.
   *
   * @param prices  number of other rows that each dial hides; the estimate and the trial agree
   */
  function check(prices: Partial<Record<DialName, number>>, isHidden: (dial: DialName) => boolean): string[] {
    const changed = (values: typeof inForce): DialName =>
      dials.map(({ name }) => name).find((name) => values[name] !== inForce[name])!;
    const search = hidingSearch(group, inForce, dials, (values) => prices[changed(values)] ?? 0);
    const tried = new Set<DialName>();
    let next = search.next();
    while (!next.done) {
      const dial = changed(next.value);
      tried.add(dial);
      next = search.next({ isHidden: isHidden(dial), others: prices[dial] ?? 0 });
    }
    return [...tried, `proposed: ${next.value?.dial}`];
  }

  test('tries only the dial with the lowest price if others cost more', () => {
    assert.deepEqual(
      check({ minTokens: 300, minLines: 40 }, () => true),
      ['minLines', 'proposed: minLines'],
    );
    assert.deepEqual(
      check({ minTokens: 30, minLines: 40 }, () => true),
      ['minTokens', 'proposed: minTokens'],
    );
  });

  test('tries other dials if the row remains, and last those that do not hide it by estimate', () => {
    assert.deepEqual(
      check({ minTokens: 300, minLines: 40 }, (dial) => dial === 'minTokens'),
      ['minLines', 'minTokens', 'proposed: minTokens'],
    );
    assert.deepEqual(
      check({ minTokens: 300, minLines: 40 }, () => false),
      ['minLines', 'minTokens', 'minSimilarity', 'maxDistance', 'proposed: undefined'],
    );
  });
});
