/** Applying an edit of one copy to another copy. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renameWords } from '../../src/presentation/copies/renaming.ts';
import { wordsOf } from '../../src/presentation/copies/words.ts';
import { replaced, transportEdit } from '../../src/presentation/copies/transportEdit.ts';
import { edited, edits, renamings, spliced, texts } from './textArbitraries.ts';

suite('an edit of one copy', () => {
  const before = 'function load(rows) {\n  const total = rows.length;\n  return total;\n}\n';

  for (const [what, after, other, expected] of [
    [
      'uses the names of the other copy',
      before.replace('  return total;', '  if (total === 0) throw empty(rows);\n  return total;'),
      'function read(lines) {\n  const sum = lines.length;\n  return sum;\n}\n',
      'function read(lines) {\n  const sum = lines.length;\n  if (sum === 0) throw empty(lines);\n  return sum;\n}\n',
    ],
    [
      'uses the indentation and line endings of the other copy',
      before.replace('  return total;', '  check(total);\n  return total;'),
      '\tfunction load(rows) {\r\n\t  const total = rows.length;\r\n\t  return total;\r\n\t}\r\n',
      '\tfunction load(rows) {\r\n\t  const total = rows.length;\r\n\t  check(total);\r\n\t  return total;\r\n\t}\r\n',
    ],
    [
      'keeps other differences of the other copy',
      before.replace('rows.length', 'rows.size'),
      '// ours\nfunction load(rows) {\n  const total = rows.length;\n  log(total);\n  return total;\n}\n',
      '// ours\nfunction load(rows) {\n  const total = rows.size;\n  log(total);\n  return total;\n}\n',
    ],
    [
      'removes lines',
      before.replace('  const total = rows.length;\n', ''),
      'function load(rows) {\n    const total = rows.length;\n    return total;\n}\n',
      'function load(rows) {\n    return total;\n}\n',
    ],
  ] as const) {
    test(what, () => {
      const { replacements, missed } = transportEdit(before, after, other);
      assert.equal(replaced(other, replacements), expected);
      assert.equal(missed, 0);
    });
  }

  test('is skipped where the other copy differs', () => {
    const after = before.replace('rows.length', 'rows.size');
    const other = before.replace('rows.length', 'count(rows, all)');
    assert.deepEqual(transportEdit(before, after, other), { replacements: [], names: [], missed: 1 });
  });

  test('excludes equal text at both ends', () => {
    for (const [before, after, other, start, end, text] of [
      ['a();\nb();', 'a(); // checked\nb();', 'a();\r\nb();', 4, 4, ' // checked'],
      ['a();\nb();', 'a();\n\nb();', 'a();\r\nb();', 6, 6, '\r\n'],
      ["a('\u{1F600}');", "a('\u{1F601}');", "a('\u{1F600}');", 3, 5, '\u{1F601}'],
    ] as const) {
      assert.deepEqual(transportEdit(before, after, other).replacements, [{ start, end, text }]);
    }
  });

  test('keeps names inside strings', () => {
    const [mine, its] = ['read(row, "a row"); use(row);', 'read(line, "a row"); use(line);'];
    const { replacements } = transportEdit(mine, mine.replace('a row', 'no row'), its);
    assert.equal(replaced(its, replacements), its.replace('a row', 'no row'));
  });

  test('reports the names that were translated', () => {
    const after = before.replace('return total', 'return total + 1');
    const other = renameWords(before, new Map([['total', 'sum']]));
    const { names } = transportEdit(before, after, other);
    assert.deepEqual(names, []);
    const more = transportEdit(before, before.replace('return total', 'return total + total'), other);
    assert.deepEqual(more.names, [['total', 'sum']]);
  });

  test('makes an equal copy equal again', () => {
    fc.assert(
      fc.property(texts, edits, (text, changes) => {
        const after = edited(text, changes);
        const { replacements, missed } = transportEdit(text, after, text);
        assert.equal(missed, 0);
        assert.equal(replaced(text, replacements), after);
      }),
    );
  });

  test('gives a renamed copy the edited text with its own names', () => {
    fc.assert(
      fc.property(texts, renamings, edits, (text, names, changes) => {
        const after = edited(text, changes);
        // An unclosed quote would turn quoted text into names far from the edit.
        fc.pre(after.split('\n').every((line) => ['"', "'"].every((mark) => line.split(mark).length % 2 === 1)));
        const copy = renameWords(text, names);
        // The counterpart of a name that the edit introduces is unknown.
        const knownNames = new Map([...names].filter(([name]) => wordsOf(text).some((word) => word.text === name)));
        const { replacements, missed } = transportEdit(text, after, copy);
        assert.equal(missed, 0);
        assert.equal(replaced(copy, replacements), renameWords(after, knownNames));
      }),
    );
  });

  test('keeps lines that only the copy has', () => {
    fc.assert(
      fc.property(texts, edits, fc.nat(20), (text, changes, at) => {
        const after = edited(text, changes);
        const own = '# own # own';
        const lines = text.split('\n');
        const copy = spliced(lines, at % (lines.length + 1), 0, own).join('\n');
        const { replacements } = transportEdit(text, after, copy);
        assert.equal(replaced(copy, replacements).split('# own # own').length, 2);
      }),
    );
  });
});
