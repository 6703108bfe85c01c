/** The share of tokens that differ from those that the token weights were measured on. */
import assert from 'node:assert/strict';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { beginEpoch, driftOf } from '../../src/scan/indexer/epoch.ts';
import { indexedFile } from './indexedFile.ts';

suite('the drift of an epoch', () => {
  const indexer = new DocumentIndexer(new Kernel(createMemory()), defaultOptions);
  const [a, b, c] = ['a.ts', 'b.ts', 'c.ts'].map((path, n) => indexedFile(indexer, path, `const n = ${n};\n`));
  const { tokenCount } = a.content;
  const prose = indexedFile(indexer, 'd.md', 'Prose has no tokens of code.\n');
  const check = (files: readonly (typeof a)[], changedFiles: number): void =>
    assert.equal(driftOf(beginEpoch(new Uint8Array(), [a, b]), files), changedFiles / 2);

  test('is the share of added and removed tokens', () => {
    assert.ok(tokenCount > 0);
    assert.deepEqual([b.content.tokenCount, c.content.tokenCount], [tokenCount, tokenCount]);
    check([a, b], 0);
    check([a, b, c], 1);
    check([a], 1);
    check([], 2);
    check([a, c], 2);
  });

  test('ignores prose, and paths', () => {
    check([a, b, prose], 0);
    check([a, { ...b, path: 'renamed.ts' }], 0);
  });

  test('is infinite if nothing was measured', () => {
    assert.equal(driftOf(beginEpoch(new Uint8Array(), []), [a]), Infinity);
    assert.equal(driftOf(beginEpoch(new Uint8Array(), []), []), 0);
  });
});
