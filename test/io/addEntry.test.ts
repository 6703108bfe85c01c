/** Entries added to JSON files, which keep every character that was there. */
import assert from 'node:assert/strict';
import { type JSONPath, parse, type ParseError } from 'jsonc-parser';
import { addEntry } from '../../src/scan/io/addEntry.ts';

function check(before: string, path: JSONPath, value: unknown, after: string): void {
  const text = addEntry(before, path, value);
  assert.equal(text, after);
  const errors: ParseError[] = [];
  const changed: unknown = parse(text, errors, { allowTrailingComma: true });
  assert.deepEqual(errors, []);
  assert.deepEqual(changed, withEntry(parse(before) as object, path, value));
  let at = 0;
  // White space between the brackets of an empty object or list may be replaced.
  for (const character of before.replace(/([[{])\s+([\]}])/g, '$1$2')) at = text.indexOf(character, at) + 1;
  assert.ok(at > 0);
}

/** Returns the object with an entry added, without the code under test. */
function withEntry(object: unknown, [key, ...rest]: JSONPath, value: unknown): unknown {
  if (key === -1) return [...((object ?? []) as unknown[]), value];
  const inner = (object as Record<string, unknown> | undefined)?.[key];
  return { ...(object as object | undefined), [key]: rest.length === 0 ? value : withEntry(inner, rest, value) };
}

const hook = { hooks: [{ run: 'x', args: ['a', 'b'] }] };
const hookLines = ['{', '  "hooks": [', '    {', '      "run": "x",', '      "args": ["a", "b"]', '    }', '  ]', '}'];
const hookText = (indent: string): string => hookLines.join(`\n${indent}`);
const hookInLine = '{ "hooks": [{ "run": "x", "args": ["a", "b"] }] }';

suite('an added entry', () => {
  test('is on lines of its own in an empty file', () => {
    check('{}\n', ['b'], 1, '{\n  "b": 1\n}\n');
    check('{\n}\n', ['b', 'c'], hook, `{\n  "b": {\n    "c": ${hookText('    ')}\n  }\n}\n`);
    check('{\n  // Why.\n}\n', ['b'], [], '{\n  // Why.\n  "b": []\n}\n');
  });

  test('is on a line of its own after another one', () => {
    check('{\n\t"a": {"x":1}\n}\n', ['b'], { y: 2 }, '{\n\t"a": {"x":1},\n\t"b": {\n\t\t"y": 2\n\t}\n}\n');
    check('{\r\n    "a": 1,\r\n}\r\n', ['b'], 2, '{\r\n    "a": 1,\r\n    "b": 2,\r\n}\r\n');
    check('{\n  "a": 1 }', ['b'], 2, '{\n  "a": 1,\n  "b": 2 }');
  });

  test('is below the comment of the entry before', () => {
    check('{\n  "a": 1 // one\n}', ['b'], 2, '{\n  "a": 1, // one\n  "b": 2\n}');
    check('{\n  "a": 1, /* one */\n}', ['b'], 2, '{\n  "a": 1, /* one */\n  "b": 2,\n}');
    check('{\n  "a": 1 /* one\n  and more */\n}', ['b'], 2, '{\n  "a": 1,\n  "b": 2 /* one\n  and more */\n}');
    check('{\n  "a": 1 // one, two\n  , // three\n}', ['b'], 2, '{\n  "a": 1 // one, two\n  , // three\n  "b": 2,\n}');
  });

  test('is on the same line if its neighbours are', () => {
    check('{"a":{"x":1}}', ['a', 'y'], { z: [] }, '{"a":{"x":1, "y": { "z": [] }}}');
    check('{ "a": { } }', ['a', 'y'], 2, '{ "a": { "y": 2 } }');
    check('{\n  "a": [{"x":1}], "b": 2\n}', ['a', -1], hook, `{\n  "a": [{"x":1}, ${hookInLine}], "b": 2\n}`);
    check('{ "a": 1, }', ['b'], 2, '{ "a": 1, "b": 2, }');
  });

  test('begins a list on lines of its own', () => {
    check('{\n  "a": []\n}', ['a', -1], hook, `{\n  "a": [\n    ${hookText('    ')}\n  ]\n}`);
    check('{\n  "a": 1\n}', ['b', -1], 'x', '{\n  "a": 1,\n  "b": ["x"]\n}');
  });
});
