/** The copy that stays when the copies of a duplicate are merged. */
import assert from 'node:assert/strict';
import { type HomeFacts, homeOf } from '../../src/presentation/wording/homeCopy.ts';

const plain: HomeFacts = { isSource: true, callable: 0, isNew: false, uses: 0, isDocumented: false };

suite('the home of a duplicate', () => {
  /** Facts of two copies: of the one that is not the home, and of the home. */
  const cases: readonly [title: string, other: Partial<HomeFacts>, home: Partial<HomeFacts>][] = [
    ['is source, and not a test', { isSource: false, callable: 1, uses: 9 }, {}],
    ['can be called from other files', { uses: 9 }, { callable: 1, isNew: true }],
    ['is committed', { callable: 2, isNew: true, uses: 9, isDocumented: true }, { callable: 1 }],
    ['is used by more files', { callable: 2, uses: 1, isDocumented: true }, { callable: 1, uses: 2 }],
    ['has more functions that can be called', { callable: 1, isDocumented: true }, { callable: 2 }],
    ['is documented', {}, { isDocumented: true }],
  ];
  for (const [title, other, home] of cases) {
    test(title, () => {
      assert.equal(
        homeOf([
          { ...plain, ...other },
          { ...plain, ...home },
        ]),
        1,
      );
      assert.equal(
        homeOf([
          { ...plain, ...home },
          { ...plain, ...other },
        ]),
        0,
      );
    });
  }

  test('is the first copy if nothing distinguishes them', () => assert.equal(homeOf([plain, plain, plain]), 0));
});
