/** The library as other programs use it: dist/engine.js, with its types, under the name in package.json. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import ts from 'typescript';
import { sampled } from '../../scripts/scaled.mjs';
import { BandedLookup, candidateProbability } from '../../src/library/bandedLookup.ts';
import { combinedPairs, minhashPairs, simhashPairs } from '../../src/library/combinedPairs.ts';
import { explain } from '../../src/core/methods/explain.ts';
import { FingerprintIndex } from '../../src/library/fingerprintIndex.ts';
import { LeaderClusters } from '../../src/library/leaderClusters.ts';
import { permute, unpermute } from '../../src/core/methods/permutation.ts';
import { shingles } from '../../src/core/methods/shingle.ts';
import { TwoLevelIndex } from '../../src/library/twoLevelIndex.ts';
import { compileConsumer, consumer, consumerPrints, consumerProgram } from './consumer.ts';

/** Calls with a wrong type instead of the options object, and the beginning of the error message. */
const withoutObject: readonly (readonly [string, (wrongOptions: never) => unknown])[] = [
  ['design', (wrongOptions) => new FingerprintIndex(wrongOptions)],
  ['design', (wrongOptions) => new TwoLevelIndex(wrongOptions)],
  ['banding', (wrongOptions) => new BandedLookup(wrongOptions)],
  ['banding', (wrongOptions) => candidateProbability(0.5, wrongOptions)],
  ['options', (wrongOptions) => new LeaderClusters(wrongOptions)],
  ['options', (wrongOptions) => combinedPairs([], wrongOptions)],
  ['options', (wrongOptions) => minhashPairs([], wrongOptions)],
  ['options', (wrongOptions) => simhashPairs([], wrongOptions)],
  ['options', (wrongOptions) => shingles([], 1, wrongOptions)],
  ['options', (wrongOptions) => explain([], [], wrongOptions)],
  ['permutation', (wrongOptions) => permute(wrongOptions, 0n)],
  ['permutation', (wrongOptions) => unpermute(wrongOptions, 0n)],
];

suite('library', () => {
  test('rejects an options argument that is not an object, by name', () => {
    for (const [name, call] of withoutObject) {
      for (const wrongOptions of [null, 3, 'blocks']) {
        assert.throws(() => call(wrongOptions as never), {
          name: 'TypeError',
          message: new RegExp(`^${name} must be an object`),
        });
      }
    }
  });

  test('rejects objects of the wrong type and invalid tokens, by name', () => {
    const calls: readonly (readonly [string, () => unknown])[] = [
      ['permutation', () => permute({} as never, 5n)],
      ['permutation', () => permute({ moves: [] } as never, 5n)],
      ['permutation', () => unpermute([] as never, 5n)],
      ['tokensA', () => explain(['a', 1] as never, ['a'])],
      ['tokensB', () => explain(['a'], [undefined] as never)],
    ];
    for (const [name, call] of calls) assert.throws(call, { name: 'TypeError', message: new RegExp(`^${name} must `) });
  });

  for (const [name, options] of sampled([
    ['Node', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
    ['bundlers', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
  ] as const)) {
    test(`has types for consumers of ${name}`, () => {
      assert.deepEqual(compileConsumer(consumer, options), []);
    });
  }
  test('behaves according to its types', () => {
    // A package can import itself by name, so the program can run in this folder.
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', consumerProgram()], {
      cwd: path.dirname(consumer),
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(printed), consumerPrints);
  });

  test('loads synchronously by require', () => {
    // Node rejects modules with top-level await there.
    const program = "process.stdout.write(String(require('kindred').hash64('kindred')))";
    const printed = execFileSync(process.execPath, ['--input-type=commonjs', '--eval', program], {
      cwd: path.dirname(consumer),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.equal(printed, '3084641325589576841');
  });
});
