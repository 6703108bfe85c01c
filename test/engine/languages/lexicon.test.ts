/** Selection of the lexicon of a file. */
import assert from 'node:assert/strict';
import { fileLexicons, hasTable, lexiconForPath, lexicons } from '../../../src/core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../../src/core/engine/languages/lexicalRules.ts';

function check(path: string, id: string, others: readonly Lexicon[] = []): void {
  assert.equal(lexiconForPath(path, fileLexicons(others)).id, id, path);
}

const zeta: Lexicon = { id: 'zeta', files: '.zeta .ts Zetafile .d.zeta', rules: [] };
const eta: Lexicon = { ...zeta, id: 'eta', files: '.zeta .eta' };

suite('lexicon: of a file', () => {
  test('full names take precedence over extensions, and long extensions over short ones', () => {
    check('a/CMakeLists.txt', 'cmake');
    check('a/notes.txt', 'plaintext');
    check('a\\b.blade.php', 'html');
    check('A.TS', 'typescript');
  });
  test('a name that begins like a known one, and an unknown name', () => {
    check('Dockerfile.release', 'dockerfile');
    check('a.zzz', 'unknown');
    check('', 'unknown');
  });
  test('external lexicons apply to files without a built-in table', () => {
    check('a.zeta', 'zeta', [zeta]);
    check('dir/zetafile', 'zeta', [zeta]);
    check('a.ts', 'typescript', [zeta]);
    check('Dockerfile.zeta', 'zeta', [zeta]);
    check('Dockerfile.other', 'dockerfile', [zeta]);
  });
  test('uses the first of two lexicons for a file', () => {
    check('a.zeta', 'eta', [eta, zeta]);
    check('a.eta', 'eta', [zeta, eta]);
  });
  test('files with a table are recognized by extension and by name', () => {
    assert.deepEqual(['.ts', '.TS', 'Makefile', 'go.mod', '.zeta', 'zeta', ''].map(hasTable), [
      ...[true, true, true, true, false, false, false],
    ]);
  });
  test('no file matches two tables', () => {
    const files = lexicons.flatMap((lexicon) => lexicon.files.split(/\s+/).filter((file) => file !== ''));
    const twice = files.map((file) => file.toLowerCase()).filter((file, i, all) => all.indexOf(file) !== i);
    assert.deepEqual(twice, []);
  });
});
