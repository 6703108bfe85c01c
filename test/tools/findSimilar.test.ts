/** Answers of `find_similar` before the index is complete. */
import assert from 'node:assert/strict';
import type { Access, IndexCondition } from '../../src/surfaces/tools/access.ts';
import { findSimilar } from '../../src/surfaces/tools/findSimilar.ts';

suite('find_similar', () => {
  /** Returns the error for a declaration in a file whose text is not available. */
  async function problemIn(condition: IndexCondition): Promise<string> {
    const access: Partial<Access> = {
      waitForChanges: () => Promise.resolve(condition),
      report: () => ({ generation: 1, findings: { totals: { files: 2, lines: 30 } } }) as ReturnType<Access['report']>,
      pathOf: (written) => written,
      exists: () => Promise.resolve(false),
      textOf: () => Promise.resolve(undefined),
    };
    const answer = await findSimilar(access as Access, { place: 'src/a.ts#parseHeader' });
    assert.ok('problem' in answer, JSON.stringify(answer));
    return answer.problem;
  }

  test('asks the caller to try again while files are being indexed', async () => {
    assert.equal(
      await problemIn({ state: 'indexing', detail: 'reading: 1 of 9.' }),
      'src/a.ts is not in the index yet. Try again in a few seconds.',
    );
  });

  test('names a file that is not compared', async () => {
    assert.equal(
      await problemIn({ state: 'ready' }),
      'src/a.ts is not compared; specify a compared file, or the text.',
    );
  });
});
