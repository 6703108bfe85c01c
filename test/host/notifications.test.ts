/** Notifications. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { withSearchProgress } from '../../src/surfaces/vscode/notifications.ts';

suite('the progress of a search', () => {
  test('is shown only for a long search, and its button cancels the search', async () => {
    const { window } = vscode;
    const { withProgress } = window;
    const titles: (string | undefined)[] = [];
    window.withProgress = (options, task) => {
      titles.push(options.title);
      const pressed = { isCancellationRequested: true, onCancellationRequested: (press: () => void) => press() };
      return task({ report: () => undefined }, pressed as never);
    };
    try {
      const search = new AbortController();
      const cancelled = new Promise<string>((resolve) => {
        search.signal.addEventListener('abort', () => resolve('cancelled'));
      });
      // If the short search left its timer, this would fire before that of the long one.
      assert.equal(await withSearchProgress('short', Promise.resolve('found'), assert.fail), 'found');
      assert.equal(await withSearchProgress('long', cancelled, () => search.abort()), 'cancelled');
      assert.deepEqual(titles, ['long']);
    } finally {
      window.withProgress = withProgress;
    }
  });
});
