/** Lazy loading: once on first use, with errors passed to the caller. */
import assert from 'node:assert/strict';
import { whenUsed } from '../../src/surfaces/vscode/loaded.ts';

suite('lazy loading', () => {
  test('loads once, and only on use', async () => {
    let made = 0;
    const part = whenUsed(() => Promise.resolve({ number: ++made }));
    assert.equal(made, 0);
    const [first, second] = await Promise.all([part(), part()]);
    assert.equal(first, second);
    assert.equal(await part(), first);
    assert.equal(made, 1);
  });

  test('reports a failure with its remedy, and retries on the next use', async () => {
    let tries = 0;
    const part = whenUsed(async () => {
      if (++tries === 1) throw new Error('no such file');
      return Promise.resolve('there');
    });
    await assert.rejects(part(), /Reload the window, or reinstall Kindred\. \(no such file\)/);
    assert.equal(await part(), 'there');
  });
});
