/** Lines that continue a statement are marked, because no passage may begin or end there. */
import assert from 'node:assert/strict';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import {
  clauseLine,
  lineBytes,
  lineNumberAt,
  relationMask,
  relationShift,
} from '../../../src/core/kernel/documents/placesLayout.ts';
import { markShift, numberMask } from '../../../src/core/kernel/lex/lexedLayout.ts';

const kernel = new Kernel(createMemory());
const indexer = new DocumentIndexer(kernel, defaultOptions);

suite('continued lines', () => {
  /** Checks the marked lines of a text: those that end with a comment `<`. */
  function check(file: string, lines: readonly string[]): void {
    const bytes = indexer.reserve(Buffer.byteLength(lines.join('\n')));
    bytes.set(Buffer.from(lines.join('\n')));
    const document = indexer.index(bytes, lexiconForPath(file));
    const numbers = Array.from(
      { length: document.lineCount },
      (_, i) => kernel.words[(document.lines + lineBytes * i + lineNumberAt) >>> 2],
    );
    const marked = numbers
      .filter((number) => ((number >>> (markShift + relationShift)) & relationMask) === clauseLine)
      .map((number) => lines[number & numberMask]);
    assert.deepEqual(
      marked,
      lines.filter((line) => line.endsWith('// <')),
    );
  }

  test('the { of a body continues its head', () => {
    check('a.cs', ['int F(int a)', '{ // <', '  if (a > 0)', '  { // <', '    return a;', '  }', '}']);
  });
  test('the { of a body continues a head that ends with a comma', () => {
    check('a.rs', ['fn size<F>(&self, key: F) -> usize', 'where', '    F: Fn(&Row),', '{ // <', '    1', '}']);
  });
  test('the { of an element continues nothing', () => {
    check('a.json', ['{ "rows": [', '  {', '    "a": 1', '  },', '  {', '    "b": 2', '  }', '] }']);
    check('a.go', ['var rows = []Row{', '  {', '    1,', '  },', '  {', '    2,', '  },', '}']);
    check('a.go', [
      'func f() []Row {',
      '  return []Row{',
      '    {',
      '      1,',
      '    },',
      '    {',
      '      2,',
      '    },',
      '    row(3),',
      '    {',
      '      4,',
      '    },',
      '    empty,',
      '    {',
      '      5,',
      '    },',
      '  }',
      '}',
    ]);
  });
  test('a value or a body on the line after its = continues the statement', () => {
    check('a.kt', [
      'fun last(rows: Rows): Row? =',
      '  rows.last() // <',
      'val rows =',
      '  listOf(1) // <',
      'val a = 1',
    ]);
    check('a.ts', ['type Kind =', "  | 'a' // <", "  | 'b';", 'f(a =', '  b);']);
  });
  test('a long string after a = continues nothing', () => {
    check('a.ts', ['const text =', "  'first';"]);
  });
  test('a declaration continues the parameters of its template', () => {
    check('a.cpp', [
      'template <typename T, size_t N = (1 > 0), std::vector<std::vector<T>> V>',
      'class Rows { // <',
      '  template <',
      '      class Row, // <',
      '      class Column> // <',
      '  using Column = Row; // <',
      '  template <class Value>',
      '  typename Row::Type // <',
      '  at(Row row) const { // <',
      '    return row;',
      '  }',
      '  template <>',
      '  int size(int a, // <',
      '           int b);',
      '  template class Rows<int>;',
      '  int count;',
      '};',
    ]);
  });
});
