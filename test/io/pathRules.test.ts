import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import ignore from 'ignore';
import { addRules, attributePatterns, matchesRules } from '../../src/io/pathRules.ts';
import { readAttributeLines } from '../../src/io/ruleFiles.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

const here = { prefix: '', strip: 0 };

/** Whether lines of a .gitignore hide a path; a folder's ends with a slash. */
function check(lines: readonly string[], path: string, hidden: boolean): void {
  const name = path.replace(/\/$/, '').replace(/^.*\//, '');
  assert.equal(matchesRules(addRules(lines, here, undefined), path, name), hidden, `${lines.join(', ')}: ${path}`);
}

suite('pathRules', () => {
  test('patterns hide what git says they hide', () => {
    check(['*.o'], 'a/b.o', true);
    check(['*.o'], 'a/b.oo', false);
    check(['dist'], 'a/dist/', true);
    check(['dist/'], 'a/dist', false);
    check(['/dist'], 'a/dist/', false);
    check(['a/dist'], 'a/dist/', true);
    check(['*.asn1.[ch]'], 'x/y.asn1.h', true);
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

  test('the inner rules go before the outer ones', () => {
    const outer = addRules(['*.log'], here, undefined);
    const inner = addRules(['!a.log', 'b.txt'], { prefix: '', strip: 'x/'.length }, outer);
    assert.equal(matchesRules(inner, 'x/a.log', 'a.log'), false);
    assert.equal(matchesRules(inner, 'x/c.log', 'c.log'), true);
    assert.equal(matchesRules(inner, 'x/b.txt', 'b.txt'), true);
    assert.equal(matchesRules(outer, 'x/b.txt', 'b.txt'), false);
    assert.equal(matchesRules(undefined, 'x/b.txt', 'b.txt'), false);
  });

  test('lines that say nothing add no rules', () => {
    const outer = addRules(['*.log'], here, undefined);
    assert.equal(addRules(['# nothing', '', '\r'], here, outer), outer);
  });

  test('the quick look by name never changes the answer', () => {
    const part = fc
      .array(
        fc.constantFrom(
          ...['a', 'b', 'B', '.', '*', '?', '[ab]', '[!a]', '[]a]', '\\#', '\\*', '**', '-', ' ', '!', '#'],
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((signs) => signs.join(''));
    const pattern = fc
      .tuple(
        fc.constantFrom('', '!', '/', '\\!'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/', ' '),
      )
      .map(([start, parts, end]) => start + parts.join('/') + end);
    const path = fc
      .array(fc.stringMatching(/^[abB.#!-]{1,4}$/), { minLength: 1, maxLength: 3 })
      .filter((parts) => parts.every((name) => name !== '.' && name !== '..'))
      .map((parts) => parts.join('/'));
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), path, (lines, given) => {
        const name = given.replace(/^.*\//, '');
        const patterns = lines.filter((line) => !line.startsWith('#'));
        const plain = ignore({ ignorecase: process.platform !== 'linux' }).add(patterns);
        // The walk enters no folder that is hidden, so only paths in open folders are asked for.
        fc.pre(!given.includes('/') || !plain.test(given.replace(/\/[^/]*$/, '/')).ignored);
        assert.equal(matchesRules(addRules(lines, here, undefined), given, name), plain.test(given).ignored);
      }),
      { numRuns: 3_000 },
    );
  });

  test('attributes of linguist are read as patterns', () => {
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
    assert.deepEqual(attributePatterns(readAttributeLines(folder), 'linguist-generated'), [
      '*.pb.go',
      'gen/**',
      'with space.ts',
      '!gen/kept.ts',
      '!gen/also.ts',
    ]);
    assert.deepEqual(attributePatterns(readAttributeLines(folder), 'linguist-vendored'), ['third/**']);
    removeFolder(folder);
    assert.deepEqual(readAttributeLines(folder), []);
  });
});
