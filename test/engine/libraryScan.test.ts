/** `scan` and `find` of the library, compared with the scan of the command line. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../scripts/project.mjs';
import { MemoryExhaustedError } from '../../src/core/engine/kernel.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { find, scan, type ScanOptions } from '../../src/library/scan.ts';
import { inputOf, patient, requestOf, scan as scanFiles } from '../indexer/scanning.ts';
import { defaultSourceOptions } from '../../src/scan/io/sources.ts';
import { drawing, parsing, parsingRenamed } from '../passages.ts';

const files = [
  { path: 'src/a.ts', text: parsing },
  { path: 'src/b.ts', text: drawing + parsing },
  { path: 'src/c.ts', text: `let x = 1;\n${parsingRenamed}` },
];

suite('scan of the library', () => {
  const folder = path.join(root, 'src/core/engine');
  for (const [name, changes] of [
    ['the defaults', {}],
    ['other options', { minTokens: 30, renamed: false, prose: { enabled: false }, weights: { string: 0 } }],
  ] as const satisfies readonly (readonly [string, ScanOptions])[]) {
    test(`has the findings of the command line for ${name}`, async () => {
      const input = await inputOf(folder);
      const options = {
        ...defaultOptions,
        ...changes,
        prose: { ...defaultOptions.prose, ...('prose' in changes ? changes.prose : {}) },
        weights: { ...defaultOptions.weights, ...('weights' in changes ? changes.weights : {}) },
      };
      const sources = { ...defaultSourceOptions, generated: true };
      const expected = await scanFiles(requestOf(input, { options, sources, weighing: 'measured' }), patient);
      const texts = input.listing.files.map((file) => ({
        path: file.path,
        text: readFileSync('file' in file ? file.file : assert.fail(file.path), 'utf8'),
      }));
      const { findings } = scan(texts.reverse(), changes);
      assert.ok(findings.groups.length > 0);
      assert.deepEqual(findings, expected);
    });
  }

  test('rejects invalid arguments and names them', () => {
    const first = { path: 'src/a.ts', text: parsing };
    assert.throws(() => scan(3 as never), { name: 'TypeError', message: /^files must be iterable/ });
    assert.throws(() => scan([{ path: 'a.ts' } as never]), { name: 'TypeError', message: /text of a\.ts/ });
    assert.throws(() => scan([first, first]), { name: 'RangeError', message: /src\/a\.ts occurs twice/ });
    assert.throws(() => scan([], { minTokens: 1 }), { name: 'RangeError', message: /^minTokens must be/ });
    assert.throws(() => scan([], { tokens: 1 } as never), { name: 'RangeError', message: /no option tokens/ });
    assert.throws(() => find('', { ...scan([]) }), { name: 'TypeError', message: /result of scan/ });
    assert.throws(() => find('', files, { minSimilarity: 2 }), { name: 'RangeError', message: /^minSimilarity must/ });
    assert.throws(() => find('', files, { limit: 0 }), { name: 'RangeError', message: /^limit must/ });
    assert.throws(() => find(1 as never, files), { name: 'TypeError', message: /^text must be a string/ });
  });

  test('finds the copies of a text in files and in a scan of them, repeatedly', () => {
    const done = scan(files);
    const expected = ['src/a.ts:1-15 exact', 'src/b.ts:16-30 exact', 'src/c.ts:2-16 renamed'];
    for (const searched of [files, done, done]) {
      const { passages } = find(parsing, searched, { language: '.ts' });
      assert.deepEqual(
        passages.map(({ passage, type }) => `${passage.path}:${passage.startLine}-${passage.endLine} ${type}`),
        expected,
      );
    }
    assert.equal(find(parsing, done, { language: '.ts', limit: 1 }).passages.length, 1);
  });

  test('takes the bytes of a text, and counts the duplicated lines of each file', () => {
    const encoder = new TextEncoder();
    const ofBytes = scan(files.map(({ path, text }) => ({ path, text: encoder.encode(text) })));
    const done = scan(files);
    assert.deepEqual(ofBytes, done);
    const { lines, duplicatedLines } = done.findings.totals;
    const sum = (key: 'lines' | 'duplicatedLines'): number => done.files.reduce((total, file) => total + file[key], 0);
    assert.deepEqual([sum('lines'), sum('duplicatedLines')], [lines, duplicatedLines]);
    assert.deepEqual(
      done.files.map(({ path, category }) => `${path} ${category}`),
      ['src/a.ts source', 'src/b.ts source', 'src/c.ts source'],
    );
  });

  test('uses a smaller memory if the platform refuses a larger one', () => {
    const expected = scan(files).findings;
    const maximums: number[] = [];
    const { Memory } = WebAssembly;
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor: { initial: number; maximum: number; shared?: boolean }) {
        maximums.push(descriptor.maximum);
        if (descriptor.maximum > 16_384) throw new RangeError('could not allocate memory');
        super(descriptor);
      }
    };
    try {
      assert.deepEqual(scan(files).findings, expected);
    } finally {
      WebAssembly.Memory = Memory;
    }
    assert.deepEqual(maximums, [65_536, 32_768, 16_384]);
  });

  test('reports that the memory is used up if the platform grants less than the texts need', () => {
    const { Memory } = WebAssembly;
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor: { initial: number; maximum: number; shared?: boolean }) {
        super({ ...descriptor, maximum: 20 });
      }
    };
    try {
      assert.throws(() => scan(files), MemoryExhaustedError);
    } finally {
      WebAssembly.Memory = Memory;
    }
  });
});
