/** Which lexicon a file is lexed with. */
import assert from 'node:assert/strict';
import { fileLexicons, hasTable, lexiconForPath, lexicons } from '../../../src/engine/languages/lexicon.ts';
import type { Lexicon } from '../../../src/engine/languages/lexicalRules.ts';

function check(path: string, id: string, others: readonly Lexicon[] = []): void {
  assert.equal(lexiconForPath(path, fileLexicons(others)).id, id, path);
}

const zeta: Lexicon = { id: 'zeta', prose: false, files: '.zeta .ts Zetafile .d.zeta', rules: [] };
const eta: Lexicon = { ...zeta, id: 'eta', files: '.zeta .eta' };

suite('lexicon: of a file', () => {
  test('whole names go before endings, and long endings before short ones', () => {
    check('a/CMakeLists.txt', 'cmake');
    check('a/notes.txt', 'plaintext');
    check('a\\b.blade.php', 'html');
    check('A.TS', 'typescript');
  });
  test('a name that begins like a known one, and any other', () => {
    check('Dockerfile.release', 'dockerfile');
    check('a.zzz', 'unknown');
    check('', 'unknown');
  });
  test('lexicons from elsewhere count for files that have no table', () => {
    check('a.zeta', 'zeta', [zeta]);
    check('dir/zetafile', 'zeta', [zeta]);
    check('a.ts', 'typescript', [zeta]);
    check('Dockerfile.zeta', 'zeta', [zeta]);
    check('Dockerfile.other', 'dockerfile', [zeta]);
  });
  test('uses the first of two for one file', () => {
    check('a.zeta', 'eta', [eta, zeta]);
    check('a.eta', 'eta', [zeta, eta]);
  });
  test('files with a table are known by ending and by name', () => {
    assert.deepEqual(['.ts', '.TS', 'Makefile', 'go.mod', '.zeta', 'zeta', ''].map(hasTable), [
      ...[true, true, true, true, false, false, false],
    ]);
  });
  test('no file has two tables', () => {
    const files = lexicons.flatMap((lexicon) => lexicon.files.split(/\s+/).filter((file) => file !== ''));
    const twice = files.map((file) => file.toLowerCase()).filter((file, i, all) => all.indexOf(file) !== i);
    assert.deepEqual(twice, []);
  });
});
