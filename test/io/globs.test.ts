import assert from 'node:assert/strict';
import { compileGlobs, names } from '../../src/io/globs.ts';

function check(glob: string, meant: readonly string[], notMeant: readonly string[]): void {
  const matches = compileGlobs([glob]);
  assert.deepEqual([...meant, ...notMeant].filter(matches), meant, glob);
}

suite('globs', () => {
  test('a glob without a slash matches at any depth', () => {
    check('*.ts', ['a.ts', 'x/y/a.ts', 'x/.hidden.ts'], ['a.tsx', 'ts']);
    check('a.ts', ['a.ts', 'x/a.ts'], ['aa.ts']);
  });

  test('a folder means all that is in it', () => {
    check('gen', ['gen', 'gen/a.ts', 'x/gen/y/a.ts'], ['generated/a.ts']);
    check('gen/', ['gen/a.ts', 'x/gen/y/a.ts'], ['generated/a.ts']);
    check('src/gen', ['src/gen', 'src/gen/y/a.ts'], ['x/src/gen/a.ts', 'src/general.ts']);
    check('.github', ['.github/workflows/a.yml'], ['github/a.yml']);
  });

  test('a glob with a slash counts from the root', () => {
    check('/gen', ['gen/a.ts'], ['x/gen/a.ts']);
    check('./src/*.ts', ['src/a.ts'], ['x/src/a.ts', 'src/x/a.ts']);
    check('src/**/*.test.ts', ['src/a.test.ts', 'src/x/y/a.test.ts'], ['src/a.ts', 'a.test.ts']);
    check('**/*.{js,ts}', ['a.js', 'x/a.ts'], ['a.py']);
  });

  test('no globs mean nothing', () => {
    assert.equal(compileGlobs([])('a'), false);
  });

  test('a glob names a folder or an ending', () => {
    assert.equal(names(['**/node_modules/left-pad/**'], 'node_modules'), true);
    assert.equal(names(['icons/*.svg'], '.svg'), true);
    assert.equal(names(['**/*', 'modules'], 'node_modules'), false);
  });
});
