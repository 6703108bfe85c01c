/** Code inside strings: its ranges, and its names. */
import assert from 'node:assert/strict';
import { codeInString } from '../../src/presentation/copies/interpolations.ts';
import { foldNames, renameInString } from '../../src/presentation/copies/renaming.ts';
import { wordsOf } from '../../src/presentation/copies/words.ts';

suite('code in strings', () => {
  const cases: readonly (readonly [language: string | undefined, text: string, ...code: string[]])[] = [
    ['typescript', '`a ${b} c ${d({ e: 1 })}`', 'b', 'd({ e: 1 })'],
    ['typescript', '`one\n${line}\n`', 'line'],
    ['typescript', '`\\${a} ${b}`', 'b'],
    ['typescript', '"${a}"'],
    [undefined, '`${a}`', 'a'],
    [undefined, 'f"{a}"'],
    ['python', 'f"{a} {{b}} {c!r} {d[0]:>{width}}"', 'a', 'c', 'd[0]', 'width'],
    ['python', "rf'{a}'", 'a'],
    ['python', 'f"""{a}\n{b}"""', 'a', 'b'],
    ['python', '"{a}"'],
    ['csharp', '$"{a:N2} {b}"', 'a', 'b'],
    ['csharp', '"{a}"'],
    ['rust', '"{a:?} {}"', 'a', ''],
    ['ruby', '"#{a} #b"', 'a'],
    ['ruby', "'#{a}'"],
    ['swift', '"\\(a.b(c)) \\n(d)"', 'a.b(c)'],
    ['kotlin', '"$a ${b.c} \\$d $5"', 'a', 'b.c'],
    ['dart', "'$a'", 'a'],
    ['php', '"$a {$b->c}"', '$a', '$b->c'],
    ['go', '"${a} {b} $c"'],
    ['typescript', '`${a', 'a'],
  ];
  for (const [language, text, ...code] of cases) {
    test(`${language ?? 'an unknown language'}: ${text} has the code ${code.join(', ')}`, () => {
      // A string that has no end is cut off.
      const all = text === '`${a' ? `${text} ` : text;
      const found = codeInString(all, language).map(({ start, end }) => all.slice(start, end));
      assert.deepEqual(found, code);
    });
  }

  for (const [language, left, right] of [
    ['typescript', 'f(text) {\n  log(`no text in ${text}`);\n}', 'f(value) {\n  log(`no text in ${value}`);\n}'],
    ['typescript', 'f(text) {\n  log(`${g("text", text)}`);\n}', 'f(row) {\n  log(`${g("text", row)}`);\n}'],
    ['python', 'def f(text):\n  log(f"text: {text!r}")', 'def f(row):\n  log(f"text: {row!r}")'],
    ['kotlin', 'fun f(text: A) =\n  log("text: $text")', 'fun f(row: A) =\n  log("text: $row")'],
    ['ruby', 'def f(text)\n  log("text #{text}")\nend', 'def f(row)\n  log("text #{row}")\nend'],
    ['csharp', 'f(A text) {\n  log($"text {text}");\n}', 'f(A row) {\n  log($"text {row}");\n}'],
    ['swift', 'func f(text: A) {\n  log("text \\(text)")\n}', 'func f(row: A) {\n  log("text \\(row)")\n}'],
  ] as const) {
    test(`renamed names in a string are no difference in ${language}: ${right}`, () => {
      assert.equal(foldNames(left, right, language).text, left);
    });
  }

  test('words around the code are not renamed, and words make up the text', () => {
    const names = new Map([
      ['text', 'row'],
      ['line', 'cell'],
    ]);
    const template = '`text\nof ${text}: ${line.text}`';
    assert.equal(renameInString(template, names, 'typescript'), '`text\nof ${row}: ${cell.row}`');
    assert.equal(renameInString('"text {line}"', names, 'typescript'), '"text {line}"');
    const words = wordsOf('"of$text and ${line}s"', 'kotlin').filter(({ text }) => /\w/.test(text));
    assert.deepEqual(
      words.map(({ text, kind }) => `${text} ${kind}`),
      ['of$ fixed', 'text name', 'and fixed', 'line name', 's fixed'],
    );
  });
});
