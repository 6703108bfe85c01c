/** Elements of JSX, whose first and last signs are brackets, compared with those that TypeScript's parser finds. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import ts from 'typescript';
import { scaled } from '../../../scripts/scaled.mjs';
import { DocumentIndexer } from '../../../src/core/engine/documents/indexDocument.ts';
import { placeOfToken } from '../../../src/core/engine/documents/tokenPlaces.ts';
import { elementBrackets } from '../../../src/core/engine/documents/units.ts';
import { createMemory, Kernel } from '../../../src/core/engine/kernel.ts';
import { lexiconForPath } from '../../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';

const kernel = new Kernel(createMemory());
const indexer = new DocumentIndexer(kernel, defaultOptions);

/** Returns the offsets of the first and the last signs of all elements. */
function bracketsIn(text: string, file = 'a.tsx'): number[][] {
  const bytes = indexer.reserve(text.length);
  bytes.set(Buffer.from(text));
  const document = indexer.index(bytes, lexiconForPath(file));
  const tokens = [...kernel.words.subarray(document.tokens >>> 2, (document.tokens >>> 2) + document.tokenCount)];
  return elementBrackets.map((bracket) =>
    [...tokens.keys()]
      .filter((token) => tokens[token] === bracket)
      .map((token) => placeOfToken(kernel, document, token).start),
  );
}

/** The same by TypeScript's parser. */
function parsedIn(text: string): number[][] {
  const source = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const [starts, ends]: [number[], number[]] = [[], []];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node)) {
      starts.push(node.getStart());
      ends.push(node.getEnd() - 1);
    }
    node.forEachChild(visit);
  };
  visit(source);
  return [starts, ends].map((places) => places.sort((x, y) => x - y));
}

const name = fc.constantFrom('p', 'Card', 'Menu.Item', 'input');
const attribute = fc.constantFrom('', ' title="a > b"', ' disabled', ' {...rest}', ' onOpen={() => open(x < 3)}');
const { element } = fc.letrec<{ element: string; child: string }>((tie) => ({
  child: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('text', ' more text, ', '{count}', '{a < b && c > d}', '\n'),
    tie('element'),
    tie('element').map((inner) => `{list.map((x) => ${inner})}`),
    tie('element').map((inner) => `{isOpen ? ${inner} : null}`),
  ),
  element: fc
    .tuple(fc.option(name), attribute, attribute, fc.array(tie('child'), { maxLength: 4 }))
    .map(([tag, first, second, children]) => {
      if (tag === null) return `<>${children.join('')}</>`;
      return children.length > 0
        ? `<${tag}${first}${second}>${children.join('')}</${tag}>`
        : `<${tag}${first}${second} />`;
    }),
}));

suite('elements of JSX', () => {
  test('begin and end with brackets', () => {
    let count = 0;
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
        const text = elements.map((it, i) => `function f${i}<T>(a: Map<T>) {\n  return (${it});\n}\n`).join('');
        const expected = parsedIn(text);
        assert.deepEqual(bracketsIn(text), expected, text);
        count += expected[0].length;
      }),
      { numRuns: scaled(500) },
    );
    assert.ok(count > scaled(1000), `${count} elements`);
  });

  const lookalikes = [
    'const f = <T,>(x: T) => x;\nif (a < b / c) f<Card>(1);',
    'const inside = (x: Array<Card>) => x.length < y / 2 && z > 3;',
    'const closed = "</p>"; // <p>text</p>',
  ];
  for (const text of lookalikes) {
    test(`are not found in ${text}`, () => {
      assert.deepEqual(bracketsIn(text), [[], []]);
    });
  }

  test('are no brackets in markup with code, which may leave elements open', () => {
    const page = '<body>\n<p>text</p>\n<script>\nif (a) { b(); }\n</script>\n</body>';
    assert.deepEqual(bracketsIn(page, 'a.html'), [[], []]);
  });
});
