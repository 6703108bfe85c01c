/** Clusters nested in others, with passages placed as each case needs. */
import assert from 'node:assert/strict';
import { MatchTable } from '../../../src/core/engine/groups/matchTable.ts';
import { Nesting } from '../../../src/core/engine/groups/nesting.ts';

type Range = readonly [document: number, start: number, end: number];

/** Returns true if a cluster of the inner passages is nested in a cluster of the outer ones. */
function isNested(inner: readonly Range[], ...outers: readonly (readonly Range[])[]): boolean {
  const table = new MatchTable();
  const all = [inner, ...outers].flat();
  table.documents = Int32Array.from(all, ([document]) => document);
  table.starts = Int32Array.from(all, ([, start]) => start);
  table.ends = Int32Array.from(all, ([, , end]) => end);
  const nesting = new Nesting<{ readonly passages: readonly number[] }>(table);
  let next = 0;
  const clusters = [inner, ...outers].map((ranges) => ({ passages: ranges.map(() => next++) }));
  for (const cluster of clusters) nesting.add(cluster);
  return nesting.isNested(clusters[0]);
}

suite('nesting', () => {
  const first: Range = [0, 100, 200];
  const second: Range = [1, 100, 200];

  test('a cluster is nested if each of its passages is in another passage of one cluster', () => {
    assert.equal(
      isNested(
        [first, second],
        [
          [0, 50, 400],
          [1, 50, 400],
        ],
      ),
      true,
    );
    assert.equal(
      isNested(
        [first, second],
        [
          [0, 50, 400],
          [2, 50, 400],
        ],
      ),
      false,
    );
    assert.equal(
      isNested(
        [first, second],
        [
          [0, 50, 400],
          [2, 0, 9],
        ],
        [
          [1, 50, 400],
          [2, 0, 9],
        ],
      ),
      false,
    );
  });

  test('a cluster of repetitions inside one passage is not nested', () => {
    assert.equal(
      isNested(
        [first, [0, 200, 300]],
        [
          [0, 50, 400],
          [1, 50, 400],
        ],
      ),
      false,
    );
    assert.equal(
      isNested(
        [first, [0, 200, 300], second],
        [
          [0, 50, 400],
          [1, 50, 400],
        ],
      ),
      false,
    );
    assert.equal(
      isNested(
        [first, [0, 600, 700]],
        [
          [0, 50, 400],
          [0, 550, 900],
        ],
      ),
      true,
    );
  });
});
