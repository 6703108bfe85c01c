/** The library as another program meets it: dist/engine.js, with its types, under the name in package.json. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/project.mjs';

const consumer = path.join(root, 'test/fixtures/library/consumer.ts');

/** What the compiler says to the consumer. */
function compile(options: ts.CompilerOptions): string[] {
  const program = ts.createProgram([consumer], {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    types: [],
    noEmit: true,
    ...options,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
}

suite('library', () => {
  for (const [name, options] of [
    ['Node', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
    ['bundlers', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
  ] as const) {
    test(`has types for consumers of ${name}`, function () {
      // The compiler reads all of its own library, which takes some seconds and more on a busy machine.
      this.timeout(60_000);
      assert.deepEqual(compile(options), []);
    });
  }
  test('does what its types say', () => {
    // Inside the project a package finds itself by its own name, so the program may run from where it is.
    const { outputText } = ts.transpileModule(ts.sys.readFile(consumer) ?? '', {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', outputText], {
      cwd: path.dirname(consumer),
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(printed), [
      [5, 0, true, true],
      [[['0n', '1n']], true, 0, true, 0, 1],
      [[1, 0, 1], 1, 1, ['roses']],
      [[1 / 3, 1, 1], '2n', [[[0, 1]], [[0, 1]], [[0, 1]]]],
      [0, 1, [{ tokens: ['a'], weightInA: 3, weightInB: 3 }], 2 / 3],
    ]);
  });
});
