/** Parts of `kindred hook` that search: the files that they read, and their time limit. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { callInTime } from '../../src/surfaces/hook/answerHere.ts';
import { existingFunction } from '../../src/surfaces/hook/existingFunction.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { parsing } from '../passages.ts';

suite('search of the hook', () => {
  let folder = '';

  teardown(() => removeFolder(folder));

  test('reads a file with several similar functions once', () => {
    const names = ['first', 'second', 'third'];
    // The search goes on after functions that other files cannot call.
    const own = (name: string): string => parsing.replace('export function parseHeader', `function ${name}`);
    folder = makeFolder({ 'src/a.ts': names.map(own).join('\n'), 'src/b.ts': own('again') });
    const unit = { path: 'src/a.ts', startLine: 1, score: 0.9, shared: 50, isNew: false };
    const units = {
      has: () => false,
      hasCommitted: () => false,
      similarTo: () => names.map((name) => ({ ...unit, name })),
    };
    const file = path.join(folder, 'src/b.ts');
    const write = { file, edits: [{ before: '', after: own('again') }] };
    const { readFileSync } = fs;
    const read: string[] = [];
    fs.readFileSync = ((...readArguments: Parameters<typeof readFileSync>) => {
      read.push(path.basename(String(readArguments[0])));
      return readFileSync(...readArguments);
    }) as typeof readFileSync;
    syncBuiltinESMExports();
    try {
      const tree = { root: folder, own: 'src/b.ts', lexicon: lexiconForPath('b.ts'), units };
      assert.equal(existingFunction(write, tree)?.existing.name, 'first');
    } finally {
      fs.readFileSync = readFileSync;
      syncBuiltinESMExports();
    }
    assert.deepEqual(read, ['b.ts', 'a.ts']);
  });

  test('is interrupted in an endless loop, and passes on results and errors', () => {
    assert.throws(
      () =>
        callInTime(20, () => {
          for (;;);
        }),
      /timed out/,
    );
    assert.equal(
      callInTime(120_000, () => folder),
      folder,
    );
    assert.throws(
      () =>
        callInTime(120_000, () => {
          throw new RangeError('own');
        }),
      RangeError,
    );
  });
});
