/** Conversion of token ranges to places. Columns match those of editors, without reading the text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { groupsOf } from '../corpusOf.ts';

suite('places in a report', () => {
  test('columns count UTF-16 units, whatever precedes them', () => {
    fc.assert(
      fc.property(remarks, remarks, (first, last) => {
        const text = `/*${first}*/ ${body} /*${last}*/ }\n`;
        const [group] = groupsOf({ 'a.ts': text, 'b.ts': `const other = 1;\n${body} }\n` });
        const { startColumn, endColumn } = group.passages[0];
        const lines = text.split('\n');
        assert.equal(startColumn, lines[0].indexOf('export') + 1);
        assert.equal(endColumn, lines.at(-2)!.length + 1);
      }),
    );
  });

  test('columns are correct if only text between the languages of a page is not ASCII', () => {
    fc.assert(
      fc.property(remarks, (remark) => {
        const text = `<%@ ${remark} %><% ${body} } %>\n`;
        const [group] = groupsOf({ 'a.jsp': text, 'b.jsp': `<p>Other</p>\n<% ${body} } %>\n` });
        assert.equal(group.passages[0].startColumn, text.indexOf('export') + 1);
      }),
    );
  });
});

suite('types in a report', () => {
  test('a pair of equal copies is exact, even if another copy is renamed', () => {
    const renamed = body.replaceAll('words', 'parts').replaceAll('letter', 'sign');
    const [group] = groupsOf({ 'a.ts': `${body} }\n`, 'b.ts': `const b = 1;\n${body} }\n`, 'c.ts': `${renamed} }\n` });
    assert.equal(group.type, 'renamed');
    const types = group.pairs.map(({ a, b, type = group.type }) => `${a}${b} ${type}`);
    assert.deepEqual(types, ['01 exact', '02 renamed', '12 renamed']);
  });
});

/** Characters of one to four bytes, and of one and two units. */
const remarks = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '語', '😀', '\u{10ffff}', '\u200d'), maxLength: 40 });

const body = `export function firstWords(text: string, count: number): string[] {
  const words: string[] = [];
  let word = '';
  for (const letter of text) {
    if (letter === ' ' && word !== '') {
      words.push(word);
      word = '';
    } else if (letter !== ' ') {
      word += letter;
    }
    if (words.length === count) return words;
  }
  return word === '' ? words : [...words, word];`;
