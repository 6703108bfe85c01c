/** Names that code declares, in several languages. */
import assert from 'node:assert/strict';
import { bracketPairs, declaredNames } from '../../src/presentation/copies/declaredNames.ts';
import { tokensOf } from '../../src/presentation/copies/tokens.ts';

suite('names that code declares', () => {
  for (const [language, code, expected] of [
    ['go', 'if has(row) { return other }\nitem := row.x', 'item'],
    ['typescript', 'load(a: A): B {\n  this.b(c);\n}', 'load a'],
    [
      'typescript',
      'function load(a: Row, { b, c = 1 }: Options): void { const [d] = read(e); f.g = a; }',
      'load a b c d',
    ],
    ['typescript', 'for (const row of rows) keep((item) => item.x, other => other);', 'row item other'],
    ['javascript', 'try { x = 1; call(y, z === 2); } catch (error) { log(error); }', 'x error'],
    [
      'python',
      'def load(a, b=None, *args):\n  for i, c in rows:\n    d = f(key=i)\n  e, g = c',
      'load a b args i c d e g',
    ],
    ['python', 'with open(path) as file:\n  rows = map(lambda line: line.strip(), file)', 'file line rows'],
    [
      'java',
      'int total(List<Row> rows) { for (Row row : rows) { int[] sum = row.get(a); } return b * c; }',
      'total rows row sum',
    ],
    [
      'c',
      'static char *copy(const char *from, size_t n) { unsigned k = n; x = a * b; return f(from); }',
      'copy from n k x',
    ],
    ['go', 'func (s *Store) Load(id string) error { row, err := s.get(id); return err }', 's Load id row err'],
    ['rust', 'fn load(path: &str) -> u32 { let mut n = 0; rows.map(|row| row.x); n }', 'load path n row'],
    ['ruby', 'def load(a)\n  rows.each do |row|\n    total += row.x\n  end\nend', 'load a row total'],
    ['php', 'function load($a) { $b = $this->c($a); }', 'load $a $b'],
  ] as const) {
    test(`${language}: ${code.split('\n', 1)[0]}`, () => {
      assert.deepEqual([...declaredNames(tokensOf(code, language), language)].sort(), expected.split(' ').sort());
    });
  }

  test('a name such as toString is no bracket', () => {
    const pairs = bracketPairs(tokensOf('load(toString)', 'javascript'));
    assert.deepEqual(
      [...pairs],
      [
        [1, 3],
        [3, 1],
      ],
    );
  });
});
