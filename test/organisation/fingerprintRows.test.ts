/** Selection of the windows to keep of contents, compared with a list of all windows. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import type { DocumentIndex } from '../../src/core/engine/documents/documents.ts';
import { DocumentIndexer } from '../../src/core/engine/documents/indexDocument.ts';
import { partsOf } from '../../src/core/engine/documents/namedDocument.ts';
import { createMemory, Kernel } from '../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../src/core/engine/languages/lexicon.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { proseView, renamedView, writtenView } from '../../src/core/kernel/documents/documentLayout.ts';
import { forEachWindow, keepWindows, type WindowRow } from '../../src/organisation/repositories/fingerprintRows.ts';
import { functionText } from './texts.ts';

type Fingerprint = Pick<WindowRow, 'view' | 'high' | 'low'>;

/** Halves with much in common: all bits, the lowest 16 bits, or the others. */
const high = fc.constantFrom(0, 1, 0x8000_0000);
const low = fc.constantFrom(0, 1, 0x1_0001, 0x8000_0001, 0xffff_0000);
const view = fc.constantFrom(writtenView, renamedView, proseView);
const fingerprint: fc.Arbitrary<Fingerprint> = fc.record({ view, high, low });

const words = 'Words that say little, again and again, until there are enough of them. ';
const texts = {
  'a.ts': functionText('alpha'),
  'commented.ts': `/*\n${` * ${words}\n`.repeat(9)} */\n${functionText('beta')}`,
  'page.md': `# Page\n\n${`${words}\n`.repeat(9)}\n\`\`\`ts\n${functionText('gamma')}\`\`\`\n`,
};

suite('windows of contents', () => {
  test('are kept if requested, and removed otherwise', () => {
    const kept = fc.array(fingerprint, { maxLength: 12 });
    const replacements = fc.array(fc.tuple(high, low), { minLength: 1, maxLength: 40 });
    const lengths = { dropped: 0, kept: 0 };
    fc.assert(
      fc.property(replacements, kept, (fingerprints, requested) => {
        const kernel = new Kernel(createMemory());
        const indexes = Object.entries(texts).map(([path, text]) => index(kernel, path, text));
        // Replaces the fingerprints of the texts, so that many are nearly equal.
        let next = 0;
        for (const at of indexes.flatMap(listsOf)) {
          const [ofHigh, ofLow] = fingerprints[next++ % fingerprints.length];
          kernel.words.set([ofLow, ofHigh], at);
        }
        const before = indexes.map((each) => rowsOf(kernel, each));
        const expected = before.map((rows) => rows.filter((row) => requested.some((one) => sameFingerprint(one, row))));
        const bytesElsewhere = withoutLists(kernel, indexes);
        keepWindows(kernel, indexes, byLow(requested));
        assert.deepEqual(
          indexes.map((each) => rowsOf(kernel, each)),
          expected,
        );
        assert.deepEqual(withoutLists(kernel, indexes), bytesElsewhere);
        lengths.kept += expected.flat().length;
        lengths.dropped += before.flat().length - expected.flat().length;
      }),
      { numRuns: scaled(200) },
    );
    assert.ok(lengths.kept > scaled(1_000) && lengths.dropped > scaled(1_000), JSON.stringify(lengths));
  });

  test('include all views and parts', () => {
    const kernel = new Kernel(createMemory());
    const rows = Object.entries(texts).flatMap(([path, text]) => rowsOf(kernel, index(kernel, path, text)));
    assert.deepEqual([...new Set(rows.map((row) => row.view))].sort(), [writtenView, renamedView, proseView]);
    assert.deepEqual([...new Set(rows.map(({ document }) => document))].sort(), [0, 1, 2]);
  });
});

function index(kernel: Kernel, path: string, text: string): DocumentIndex {
  const indexer = new DocumentIndexer(kernel, { ...defaultOptions, readComments: 'asText' });
  const bytes = Buffer.from(text);
  const reserved = indexer.reserve(bytes.length);
  reserved.set(bytes);
  return indexer.index(reserved, lexiconForPath(path));
}

function rowsOf(kernel: Kernel, content: DocumentIndex): WindowRow[] {
  const rows: WindowRow[] = [];
  forEachWindow(kernel, 0, content, (row) => rows.push(row));
  return rows;
}

/** Returns the positions of a content's fingerprints, in words. The lower half is first. */
function listsOf(content: DocumentIndex): number[] {
  return partsOf('', content).flatMap(({ index: { written, renamed, windowCount } }) =>
    [written, renamed]
      .filter((list) => list !== 0)
      .flatMap((list) => Array.from({ length: windowCount }, (_, window) => (list + 8 * window) / 4)),
  );
}

/** Returns all memory except the fingerprints. */
function withoutLists(kernel: Kernel, indexes: readonly DocumentIndex[]): Buffer {
  const copy = kernel.words.slice(0, kernel.mark() / 4);
  for (const at of indexes.flatMap(listsOf)) copy.fill(0, at, at + 2);
  return Buffer.from(copy.buffer);
}

function byLow(fingerprints: readonly Fingerprint[]): Map<number, Fingerprint[]> {
  const map = new Map<number, Fingerprint[]>();
  for (const one of fingerprints) map.set(one.low, [...(map.get(one.low) ?? []), one]);
  return map;
}

function sameFingerprint(x: Fingerprint, y: Fingerprint): boolean {
  return x.view === y.view && x.high === y.high && x.low === y.low;
}
