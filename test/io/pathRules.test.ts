import assert from 'node:assert/strict';
import {
  addRules,
  attributePatterns,
  decidesListing,
  marksFile,
  maxWildcardCharacters,
  type PathRules,
  rulesThatHide,
} from '../../src/scan/io/pathRules.ts';
import { readAttributeFiles } from '../../src/scan/io/ruleFiles.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

/** Creates the rules of these lines for a folder whose path has `strip` characters. */
function rulesOf(lines: readonly string[], strip = 0, outer?: PathRules): PathRules | undefined {
  return addRules({ lines, source: '.gitignore', prefix: '', strip }, outer, assert.fail);
}

function hides(rules: PathRules | undefined, path: string, name: string): boolean {
  return rulesThatHide(rules, path, name) !== undefined;
}

/** Checks if the lines of a .gitignore hide a path. The path of a folder ends with a slash. */
function check(lines: readonly string[], path: string, hidden: boolean): void {
  const name = path.replace(/\/$/, '').replace(/^.*\//, '');
  assert.equal(hides(rulesOf(lines), path, name), hidden, `${lines.join(', ')}: ${path}`);
}

suite('pathRules', () => {
  test('are read again after a change of an ignore file, of attributes, or of the exclude file', () => {
    for (const name of ['.gitignore', 'a/.ignore', '.gitattributes', 'a/b/.gitattributes', 'a/.git/info/exclude'])
      assert.ok(decidesListing(name), name);
    for (const name of ['a.ts', 'a.gitignore', '.git/config', '.gitattributes/a.ts'])
      assert.ok(!decidesListing(name), name);
  });

  test('hide the paths that the manual of Git specifies', () => {
    check(['*.o'], 'a/b.o', true);
    check(['*.o'], 'a/b.oo', false);
    check(['dist'], 'a/dist/', true);
    check(['dist/'], 'a/dist', false);
    check(['/dist'], 'a/dist/', false);
    check(['a/dist'], 'a/dist/', true);
    check(['*.asn1.[ch]'], 'x/y.asn1.h', true);
    check(['*.sw*'], 'x/.a.swp', true);
    check(['*.sw*'], 'x.sw/a', false);
    check(['a*bc?de'], 'x/axbcxde', true);
    check(['a*.b'], 'xa.b', false);
    check(['\\#*#'], '#draft#', true);
    check(['\\!important'], '!important', true);
    check(['*.log', '!keep.log'], 'keep.log', false);
    check(['# a comment', '', 'x '], 'x', true);
    check(['x\r'], 'x', true);
    check(['foo/**'], 'foo/a', true);
    check(['**/foo/bar'], 'x/foo/bar', true);
    check(['[]a]b'], 'ab', true);
    check(['[!a]b'], 'cb', true);
    check(['[!a]b'], 'ab', false);
  });

  test('give inner rules precedence over outer ones', () => {
    const outer = rulesOf(['*.log']);
    const inner = rulesOf(['!a.log', 'b.txt'], 'x/'.length, outer);
    assert.equal(hides(inner, 'x/a.log', 'a.log'), false);
    assert.equal(hides(inner, 'x/c.log', 'c.log'), true);
    assert.equal(hides(inner, 'x/b.txt', 'b.txt'), true);
    assert.equal(hides(outer, 'x/b.txt', 'b.txt'), false);
    assert.equal(hides(undefined, 'x/b.txt', 'b.txt'), false);
  });

  test('are unchanged by lines without patterns', () => {
    const outer = rulesOf(['*.log']);
    assert.equal(rulesOf(['# nothing', '', '\r'], 0, outer), outer);
  });

  test('mark the files of a marked folder', () => {
    const rules = rulesOf(['made', '!kept.ts', 'x/*.g.ts', '!x/b.g.ts']);
    const marked = ['made/a.ts', 'y/made/z/a.ts', 'made/kept.ts', 'kept.ts', 'x/a.g.ts', 'x/b.g.ts', 'a.ts'].filter(
      (path) => marksFile(rules, path, path.replace(/^.*\//, '')),
    );
    assert.deepEqual(marked, ['made/a.ts', 'y/made/z/a.ts', 'made/kept.ts', 'x/a.g.ts']);
  });

  test('ignore excessive patterns with wildcards, with a warning', () => {
    const warnings: string[] = [];
    const warn = (problem: string): number => warnings.push(problem);
    const add = (source: string, lines: readonly string[], outer?: PathRules): PathRules | undefined =>
      addRules({ lines, source, prefix: '', strip: 0 }, outer, warn);
    const pattern = '*abcdefgh';
    const half = Array.from({ length: maxWildcardCharacters / 2 / pattern.length }, () => pattern);
    const outer = add('.gitignore', half);
    const inner = add('x/.gitignore', half, outer);
    assert.deepEqual([hides(inner, 'abcdefgh', 'abcdefgh'), warnings], [true, []]);
    assert.equal(add('x/y/.ignore', ['*.ts'.repeat(10)], inner), inner);
    assert.deepEqual(warnings, [
      'x/y/.ignore is ignored: together with those of parent folders, its patterns with wildcards exceed 500,000 characters.',
    ]);
    // Names without wildcards do not count toward the limit.
    const many = Array.from({ length: 50_000 }, (_, i) => `name-${i}.ts`);
    assert.ok(hides(add('x/y/.ignore', many, inner), 'x/name-49999.ts', 'name-49999.ts'));
  });

  test('accept a name with many spaces', () => {
    const line = `a${' '.repeat(100_000)}b`;
    check([line, `c${' '.repeat(100_000)}`], 'c', true);
    check([line], 'a', false);
  });

  test('include the attributes of linguist', () => {
    const folder = makeFolder({
      '.gitattributes': [
        '# a comment',
        '*.pb.go linguist-generated',
        'gen/** text linguist-generated=true diff=astextplain',
        '"with space.ts" linguist-generated=true',
        'gen/kept.ts -linguist-generated',
        'gen/also.ts linguist-generated=false',
        'third/** linguist-vendored',
        'x.ts linguist-generated-not',
        '*.sh text eol=lf',
      ].join('\n'),
    });
    const lines = readAttributeFiles(folder).flatMap((file) => file.lines);
    assert.deepEqual(attributePatterns(lines, 'linguist-generated'), [
      '*.pb.go',
      'gen/**',
      'with space.ts',
      '!gen/kept.ts',
      '!gen/also.ts',
    ]);
    assert.deepEqual(attributePatterns(lines, 'linguist-vendored'), ['third/**']);
    removeFolder(folder);
    assert.deepEqual(readAttributeFiles(folder), []);
  });
});
