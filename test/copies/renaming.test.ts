/** Detection and folding of consistent renamings between two copies. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alignCopies, foldNames, renamedIn, renameWords } from '../../src/presentation/copies/renaming.ts';
import { wordsOf } from '../../src/presentation/copies/words.ts';
import { renamings, spliced, texts } from './textArbitraries.ts';

suite('names of copies', () => {
  test('folds consistently renamed names and keeps other differences', () => {
    const left = 'const total = 0;\nfor (const order of orders) total += order.price;\nreturn total;\n';
    const right = 'const sum = 0;\nfor (const item of items) sum += item.cost;\nreturn -sum;\n';
    const { text, names } = foldNames(left, right);
    // A name that occurs once may be the actual difference.
    assert.deepEqual(names, [
      { left: 'total', right: 'sum', isCertain: true },
      { left: 'order', right: 'item', isCertain: true },
    ]);
    assert.equal(text, 'const total = 0;\nfor (const order of items) total += order.cost;\nreturn -total;\n');
  });

  for (const [what, left, right] of [
    ['a keyword', 'let a = true; let b = true;', 'let a = false; let b = false;'],
    ['a number', 'f(1, 1)', 'f(2, 2)'],
    ['a string', "get('a'); get('a')", "get('b'); get('b')"],
    ['a renaming that was forgotten once', 'row + row + row', 'line + line + row'],
    ['two names that become one', 'x + y + x + y', 'z + z + z + z'],
  ] as const) {
    test(`${what} is not a renaming`, () => assert.deepEqual(foldNames(left, right), { text: right, names: [] }));
  }

  test('treats words that are reserved only in other languages as names', () => {
    const left = 'for number, match in rows:\n  seen(number, match)';
    const right = 'for position, hit in rows:\n  seen(position, hit)';
    assert.equal(foldNames(left, right, 'python').text, left);
    // Without a known language, either word may be reserved.
    assert.equal(foldNames(left, right).text, right);
    assert.equal(foldNames(left, right, 'an unknown language').text, right);
    const [wide, other] = ['let a: number; let b: number;', 'let a: Money; let b: Money;'];
    assert.equal(foldNames(wide, other, 'typescript').text, other);
  });

  test('two names may be swapped', () => {
    assert.equal(foldNames('a + b - a * b', 'b + a - b * a').text, 'a + b - a * b');
  });

  test('folding the names of a renamed copy restores the original text', () => {
    fc.assert(
      fc.property(texts, renamings, (text, names) => {
        const copy = renameWords(text, names);
        const renamed = new Map(renamedIn(alignCopies(text, copy)).map(({ left, right }) => [right, left]));
        assert.equal(renameWords(copy, renamed), text);
      }),
    );
  });

  test('folding changes only names, and nothing in equal copies', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const { text, names } = foldNames(left, right);
        const back = new Map(names.map((name) => [name.left, name.right]));
        assert.equal(renameWords(text, back), right);
        assert.deepEqual(foldNames(left, left), { text: left, names: [] });
      }),
    );
  });

  test('words and the whitespace between them make up the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        let end = 0;
        for (const word of wordsOf(text)) {
          assert.equal(text.slice(end, word.start).trim(), '');
          assert.equal(text.slice(word.start, word.end), word.text);
          end = word.end;
        }
        assert.equal(text.slice(end).trim(), '');
      }),
    );
  });

  test('aligns copies of thousands of lines by their unique lines', () => {
    const lines = Array.from({ length: 6000 }, (_, line) => `call${line}(total, ${line});\n`);
    const left = lines.join('');
    const right = spliced(lines, 3000, 1, 'more();\n', 'and(more);\n').join('').replaceAll('total', 'sum');
    const { names } = foldNames(left, right);
    assert.ok(names.some((name) => name.left === 'total' && name.right === 'sum'));
  });
});
