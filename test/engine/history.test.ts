/** A live corpus follows the recorded history of real files, commit by commit: scripts/recordHistory.mjs recorded it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/project.mjs';
import { findingsOf, LiveTextCorpus } from './corpusOf.ts';

/** For each path that changes: null when it goes, else the first line, lines removed and lines put in. */
type Step = Readonly<Record<string, readonly [number, number, readonly string[]] | null>>;

suite('the history of real files', () => {
  test('is followed: after each commit a fresh corpus finds the same', () => {
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
