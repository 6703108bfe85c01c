/** Tests inside source files have the category of tests. Code beside them does not. */
import assert from 'node:assert/strict';
import { groupsOf } from '../corpusOf.ts';

const statements = Array.from(
  { length: 12 },
  (_, i) => `total${i} = scale(total${i}, ${i}) + offset(values[${i}], limit)`,
);
const inBraces = statements.map((line) => `    ${line};`).join('\n');
const inPython = statements.map((line) => `    ${line}`).join('\n');

/** Checks the categories of the groups of two files with the same text below different first lines. */
function check(name: string, text: string, category: 'source' | 'tests', by?: 'unit'): void {
  const [stem, ending] = name.split('.');
  const groups = groupsOf({ [`${stem}1.${ending}`]: text, [`${stem}2.${ending}`]: `\n\n${text}` });
  assert.ok(groups.length > 0);
  for (const group of groups.filter(({ kind }) => kind === 'code')) {
    assert.deepEqual([group.category, group.categoryBy, group.tests], [category, by, by && true], text);
  }
}

suite('tests inside source files', () => {
  const units: Readonly<Record<string, readonly string[]>> = {
    'a.rs': [
      `#[cfg(test)]\nmod tests {\n  fn f() {\n${inBraces}\n  }\n}\n`,
      `#[cfg(all(test, unix))]\n#[allow(dead_code)]\npub mod tests {\n  fn f() {\n${inBraces}\n  }\n}\n`,
      `#[tokio::test]\nasync fn f() {\n${inBraces}\n}\n`,
    ],
    'a.py': [`if __name__ == "__main__":\n${inPython}\n    assert total1 == total2\n`],
    'a.ts': [`describe('totals', () => {\n${inBraces}\n});\n`, `if (import.meta.vitest) {\n${inBraces}\n}\n`],
    'a.d': [`unittest {\n${inBraces}\n}\n`],
    'a.zig': [`test "totals" {\n${inBraces}\n}\n`],
  };
  for (const [name, texts] of Object.entries(units)) {
    for (const text of texts) test(text.slice(0, text.indexOf('\n')), () => check(name, text, 'tests', 'unit'));
  }

  test('examples in docstrings', () => {
    const lines = statements.map((line) => `    >>> ${line}`).join('\n');
    check('a.py', `def f():\n    """Adds.\n\n${lines}\n    """\n`, 'tests', 'unit');
  });

  test('code beside them is source', () => {
    for (const [name, text] of [
      ['a.rs', `#[cfg(test)]\nuse a;\nfn f() {\n${inBraces}\n}\n`],
      ['a.rs', `#[cfg(test)]\nmod tests { fn g() {} }\nfn f() {\n${inBraces}\n}\n`],
      ['a.py', `if __name__ == "__main__":\n${inPython}\n    main()\n`],
      ['a.ts', `describe(shape);\nfunction f() {\n${inBraces}\n}\n`],
    ]) {
      check(name, text, 'source');
    }
  });
});
