/** A live corpus follows the history of real files, commit by commit, as recorded by scripts/recordHistory.mjs. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/project.mjs';
import { findingsOf, LiveTextCorpus } from './corpusOf.ts';

/**
 * Changes by path: null for a removed file, otherwise the first line, the number of removed lines, and the inserted
 * lines.
 */
type Step = Readonly<Record<string, readonly [number, number, readonly string[]] | null>>;

suite('history of real files', () => {
  test('has the findings of a new corpus after each commit', () => {
    const recorded = gunzipSync(readFileSync(path.join(root, 'test/fixtures/history.json.gz')));
    const [first = {}, ...steps] = JSON.parse(recorded.toString()) as Step[];
    const texts = new Map<string, string>();
    apply(texts, first);
    const live = new LiveTextCorpus(Object.fromEntries(texts));
    const idfTable = live.idfTable();
    for (const step of steps) {
      apply(texts, step);
      for (const name of Object.keys(step)) {
        const text = texts.get(name);
        if (text === undefined) live.remove(name);
        else live.put(name, text);
      }
      assert.deepEqual(live.findings(), findingsOf(Object.fromEntries(texts), {}, idfTable));
    }
    assert.ok(live.updates > steps.length / 2, `${live.updates} of ${steps.length} were made of changes alone`);
    assert.ok(live.findings().groups.length > 0);
  });
});

function apply(texts: Map<string, string>, step: Step): void {
  for (const [name, change] of Object.entries(step)) {
    if (change === null) {
      texts.delete(name);
      continue;
    }
    const lines = texts.get(name)?.split('\n') ?? [];
    lines.splice(change[0], change[1], ...change[2]);
    texts.set(name, lines.join('\n'));
  }
}
