/** Overload signatures in one file are boilerplate. Functions with bodies and copies in other files are not. */
import assert from 'node:assert/strict';
import type { Category } from '../../../src/core/engine/rows/category.ts';
import { type Documents, findingsOf } from '../corpusOf.ts';

function check(documents: Documents, category: Category): void {
  const groups = findingsOf(documents).groups.filter(({ kind }) => kind === 'code');
  assert.ok(groups.length > 0);
  for (const group of groups) {
    const by = category === 'boilerplate' ? 'content' : undefined;
    assert.deepEqual([group.category, group.categoryBy], [category, by], JSON.stringify(documents));
  }
}

const fields = ['width', 'height', 'color', 'border', 'margin', 'padding', 'opacity', 'cursor', 'shadow', 'radius'];
/** Parameters in three languages. */
const before = fields.map((field) => `${field}: Length | None = None`).join(',\n    ');
const behind = fields.map((field) => `Map<String, Length> ${field}`).join(',\n    ');
const inTypeScript = before.replaceAll(' = None', '').replaceAll('None', 'null');
/** Statements between two copies, which are not repeated. */
const between = 'const limit = shapes.filter((shape) => shape.isOpen).map((shape) => shape.area * 3);\n';

/** Returns two functions, of which each is a head with parameters, an optional result, and a body. */
function twice(head: string, parameters: string, end: string): string {
  return `${head}(\n    ${parameters}\n)${end}\n\n${head}(\n    ${parameters},\n    depth\n)${end}\n`;
}

suite('signatures', () => {
  test('are boilerplate if one file repeats them', () => {
    const inPython = '@overload\ndef draw';
    const inC = fields.map((field) => `const struct length *${field}`).join(',\n    ');
    for (const [path, text] of [
      ['a.py', twice(inPython, before, ' -> Shape: ...')],
      ['a.py', twice(inPython, before, ' -> Shape:\n    """Draws it."""\n    ...')],
      ['a.py', twice(inPython, before, ' -> Callable[[Shape], None]: ...')],
      ['a.ts', twice('export function draw', inTypeScript, ': Shape;')],
      ['a.d.ts', `interface Drawing {\n${twice('  draw<T>', inTypeScript, ': Promise<T>;')}}\n`],
      [
        'a.d.ts',
        `interface Drawing {\n${twice('  draw<T = Shape, U extends T = T>', inTypeScript, ': Map<T, List<U>>;')}}\n`,
      ],
      ['a.d.ts', twice('interface Draw {\n  ', inTypeScript, ': Shape;\n}')],
      ['a.d.ts', twice('interface Draw<T> extends Base<T> {\n  ', inTypeScript, ': Shape\n}')],
      ['A.java', `interface Drawing {\n${twice('  Shape draw', behind, ';')}}\n`],
      ['A.java', `interface Drawing {\n${twice('  List<Shape> draw', behind, ' throws IOException;')}}\n`],
      ['a.h', twice('struct shape *draw', inC, ';')],
      ['a.rs', `trait Drawing {\n${twice('  fn draw', inTypeScript, ' -> Shape;')}}\n`],
    ] as const) {
      check({ [path]: text }, 'boilerplate');
    }
  });

  test('are boilerplate if the passages are only their parameters', () => {
    const [inner, outer] = ['str', 'bool'].map((type) =>
      Array.from({ length: 9 }, (_, i) => `${type}${i}: ${type} = ${type.length ** i}`).join(',\n    '),
    );
    const text = `def draw(\n    ${inner},\n    ${before},\n    ${outer}\n) -> Shape: ...\n
def fill(\n    ${outer},\n    ${before},\n    ${inner}\n) -> Shape: ...\n`;
    check({ 'a.py': text }, 'boilerplate');
  });

  test('are boilerplate if the passages begin in their type parameters', () => {
    const [inner, outer] = ['Key', 'Value'].map((type) =>
      Array.from({ length: 9 }, (_, i) => `${type}${i} extends ${type} = ${type}${type.length ** i}`).join(',\n    '),
    );
    const types = fields.map((field) => `${field} extends Length = Length`).join(',\n    ');
    const text = `interface Drawing {
  draw<\n    ${inner},\n    ${types}\n  >(shape: Shape): void;\n
  fill<\n    ${outer},\n    ${types}\n  >(shape: Shape): void;\n}\n`;
    check({ 'a.d.ts': text }, 'boilerplate');
  });

  test('are source in two files', () => {
    const text = twice('@overload\ndef draw', before, ' -> Shape: ...').slice(0, -1);
    const [one] = text.split('\n\n');
    check({ 'a.py': one, 'b.py': one }, 'source');
  });

  test('are source with bodies or statements', () => {
    for (const [path, text] of [
      ['a.py', twice('def draw', before, ' -> Shape:\n    return render(width, height)')],
      ['a.py', twice('def draw', before, ' -> None:\n    self.render(width, height)')],
      ['a.py', twice('def draw', before, ' -> None:\n    self.width = width')],
      [
        'a.py',
        twice('def draw', `${before},\n    isWide: bool = WIDTH < HEIGHT`, ' -> Shape: ...\n\nrender(width, height)'),
      ],
      ['A.java', `class Drawing {\n${twice('  void draw', behind, ' {\n    render(width, height);\n  }')}}\n`],
      [
        'a.rs',
        `impl Drawing {\n${twice('  fn draw', inTypeScript, ' -> Shape {\n    Shape { width, height }\n  }')}}\n`,
      ],
      ['a.ts', twice('declare function draw', inTypeScript, ': Map<T, List<U>>;\nrender(width, height);')],
      ['A.cs', `class Drawing {\n${twice('  Shape Draw', behind, ' => Render(width, height);')}}\n`],
    ] as const) {
      check({ [path]: text }, 'source');
    }
  });

  test('do not include calls', () => {
    const values = fields.map((field) => `shapes.${field}.value`).join(',\n  ');
    for (const call of ['draw', 'new Shape', 'shapes.draw']) {
      check({ 'a.ts': `${call}(\n  ${values},\n);\n${between}${call}(\n  ${values},\n);\n` }, 'source');
    }
  });
});
