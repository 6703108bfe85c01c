/** The position of documents in kernel memory does not affect them. */
import assert from 'node:assert/strict';
import { type DocumentIndex, documentBytes, shapeOf } from '../../../src/core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions, type Options } from '../../../src/core/engine/options.ts';
import { usedMemory } from '../usedMemory.ts';

const encoder = new TextEncoder();

/** Statements with unique names, the given number of lines. */
function textOf(number: number, lines: number): string {
  const line = (i: number): string => `const é${number}_${i} = first${i % 11}(second${(i * number) % 7}, ${i});`;
  return Array.from({ length: lines }, (_, i) => line(i)).join('\n');
}

function index(indexer: DocumentIndexer, text: string): DocumentIndex {
  const bytes = encoder.encode(text);
  const room = indexer.reserve(bytes.length);
  room.set(bytes);
  return indexer.index(room.subarray(0, bytes.length), lexiconForPath('a.ts'));
}

/** All arrays of a document, which are adjacent in memory. */
function arraysOf(kernel: Kernel, document: DocumentIndex): Uint8Array {
  return kernel.bytes.slice(document.tokens, document.tokens + documentBytes(document));
}

suite('indexDocument', () => {
  const kernel = new Kernel(createMemory());
  const indexer = new DocumentIndexer(kernel, defaultOptions);
  const texts = [20, 300, 10, 4000, 50, 60, 9000, 100, 200, 300, 400].map((lines, i) => textOf(i + 1, lines));
  const documents = texts.map((text) => index(indexer, text));

  test('documents in former scratch memory equal those in fresh memory', () => {
    for (const [i, document] of documents.entries()) {
      const alone = new Kernel(createMemory());
      const own = index(new DocumentIndexer(alone, defaultOptions), texts[i]);
      assert.deepEqual(shapeOf(document), shapeOf(own));
      assert.deepEqual(arraysOf(kernel, document), arraysOf(alone, own));
    }
  });

  test('documents in used memory equal those in fresh memory', () => {
    const comment = (i: number): string => `/** The line ${i} of these follows what the line before it has said. */`;
    const parts = Array.from({ length: 40 }, (_, i) => [comment(i), textOf(i, 9)].join('\n'));
    const options: Options = { ...defaultOptions, readComments: 'asText' };
    const [fresh, used] = [createMemory(), usedMemory()].map((memory) => {
      const kernel = new Kernel(memory);
      return arraysOf(kernel, index(new DocumentIndexer(kernel, options), parts.join('\n')));
    });
    assert.deepEqual(used, fresh);
  });

  test('no two documents overlap', () => {
    const places = documents
      .map((document) => [document.tokens, document.tokens + documentBytes(document)])
      .sort(([x], [y]) => x - y);
    places.slice(1).forEach(([start], i) => assert.ok(start >= places[i][1]));
  });

  test('grown scratch memory does not overlap documents', () => {
    const before = kernel.usedBytes();
    const added = index(indexer, textOf(99, 300));
    assert.ok(documentBytes(added) > 10_000);
    assert.equal(kernel.usedBytes(), before);
  });

  test('grown scratch memory does not overlap documents in blocks', () => {
    const kernel = new Kernel(createMemory());
    const indexer = new DocumentIndexer(kernel, defaultOptions, kernel.keepBlocks());
    for (const lines of [10, 1000, 9000]) index(indexer, textOf(lines, lines));
    const before = kernel.usedBytes();
    const added = Array.from({ length: 20 }, (_, i) => index(indexer, textOf(i, 300)));
    assert.ok(added.every((document) => documentBytes(document) > 10_000));
    assert.equal(kernel.usedBytes(), before);
  });
});
