/** Comments as a separate text beside the code: the words in it, and the copies found in it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { segments } from '../../src/core/engine/languages/embedded.ts';
import { lexiconForPath, lexicons } from '../../src/core/engine/languages/allLexicons.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';
import { anyText } from './arbitraries.ts';
import { findingsOf, groupsOf, placesOf } from './corpusOf.ts';
import { type LexingResult, lexParts, splitParts } from './lexing.ts';

/** Checks the words of a file's comments. `|` separates comments with code between them. */
function check(name: string, text: string, expected: string): void {
  const bytes = new TextEncoder().encode(text);
  const { comments } = splitParts(bytes, segments(bytes, lexiconForPath(name)));
  assert.equal(comments.tokens.map((token) => (token.length === 0 ? '|' : token.text)).join(' '), expected);
}

const anyLexicon = fc.constantFrom(...lexicons);

suite('comments: their words', () => {
  test('contain the words of comments only, separated where code is between them', () => {
    check('a.ts', '// One\'s\n// two\na = "three"; /* four\n * five */ b;\n', "One's two | four five");
    check('a.sql', 'select a -- one\n/* two */ from b', 'one two');
    check('a.html', '<p>zero</p><!-- one -->\n<script>x(); // two\n</script>', 'one | two');
  });
  test('docstrings and REM lines are comments', () => {
    check('a.py', 'def f():\n  """One two."""\n  return "three" # four\n', 'One two | four');
    check('a.bat', '@echo off\nREM one two\nset a=1\n', 'one two');
    check('a.ex', '@doc """\nOne\ntwo.\n"""\ndef f, do: "three"\n', 'One two');
  });
  test('disabled code is not a comment', () => {
    check('a.clj', '(a #_(one two) b) ; three', 'three');
  });
  test('comments before an import are kept, comments inside it are not', () => {
    check('a.ts', "/** One */\nimport {\n  a, // two\n} from 'a';\n// three\nb();", 'One three');
  });
  test('a license above all code is excluded', () => {
    check('a.c', '/* Copyright 1999 One */\n\n/* Two */\nint a; /* license three */', 'Two | license three');
    const text = '#!/bin/x\n# Licensed under one\n# and two.\n\n# Three\nx = 1';
    for (const end of ['\n', '\r\n', '\r']) check('a.py', text.replaceAll('\n', end), 'bin x Three');
  });
  test('prose has no comments', () => {
    check('a.md', 'One\n```js\n// two\n```\n', 'two');
    const markdown = 'One <!-- two --> three';
    assert.equal(findingsOf({ 'a.md': markdown }, { readComments: 'asText' }).totals.tokens, 3);
  });

  test('the tokens of code do not depend on comments, for any bytes in any language', () => {
    fc.assert(
      fc.property(anyText, anyLexicon, (bytes, lexicon) => {
        const whole = [{ start: 0, end: bytes.length, lexicon }];
        assert.deepEqual(splitParts(bytes, whole).code, lexParts(bytes, whole));
      }),
      { numRuns: scaled(2000) },
    );
  });
  test('words are in ascending order inside the text, with correct line records, for any bytes in any language', () => {
    fc.assert(
      fc.property(anyText, anyLexicon, fc.nat(), (bytes, lexicon, cut) => {
        const middle = cut % (bytes.length + 1);
        const halves = [
          { start: 0, end: middle, lexicon },
          { start: middle, end: bytes.length, lexicon },
        ];
        checkInvariants(bytes, splitParts(bytes, halves).comments);
      }),
      { numRuns: scaled(2000) },
    );
  });
});

function checkInvariants(bytes: Uint8Array, { tokens, lines }: LexingResult): void {
  assert.ok(tokens.length <= bytes.length, 'at most one token a byte');
  let end = 0;
  for (const token of tokens) {
    assert.ok(token.start >= end, 'tokens ascend and do not overlap');
    end = token.start + token.length;
  }
  assert.ok(end <= bytes.length, 'tokens lie inside the text');
  const starts = [0];
  bytes.forEach((byte, offset) => {
    if (byte === 10 || (byte === 13 && bytes[offset + 1] !== 10)) starts.push(offset + 1);
  });
  const lineOf = (offset: number): number => starts.filter((start) => start <= offset).length - 1;
  // A token of length zero separates comments and belongs to no line.
  const words = tokens.map((token, index) => ({ token, index })).filter(({ token }) => token.length > 0);
  const expected = words
    .map(({ token, index }) => ({ firstToken: index, line: lineOf(token.start) }))
    .filter(({ line }, index, all) => index === 0 || all[index - 1].line !== line)
    .map(({ firstToken, line }) => ({ firstToken, line, lineStart: starts[line] }));
  assert.deepEqual(lines, expected);
}

const documentation = `/**
 * Returns the first element of the given list that satisfies the predicate, or null when there is none. The list is
 * not changed, and the predicate is called once for each element until it holds. Elements behind the first one that
 * satisfies the predicate are never looked at, so that a list that is made as it is read stays unread.
 */`;
const edited = documentation.replace('are never looked at', 'are not looked at');
const first = `package a;\n\nclass A {\n${documentation}\nint find() { return 1; }\n}\n`;
const second = `package b;\n\nimport c.D;\n\nclass B {\nint other;\n\n${edited}\nString name(int a) { return "x" + a; }\n}\n`;

suite('comments: findings', () => {
  test('an edited comment is found as prose, on its lines', () => {
    const groups = groupsOf({ 'A.java': first, 'B.java': second }, { readComments: 'asText' });
    assert.deepEqual(
      groups.map((group) => [group.kind, group.type, ...placesOf(group)]),
      [['prose', 'near', 'A.java:5-7', 'B.java:9-11']],
    );
  });
  test('a comment is found in a page with the same text', () => {
    const page = `# Finding\n\n${edited.replaceAll(/[/*]/g, '')}\n`;
    const groups = groupsOf({ 'A.java': first, 'find.md': page }, { readComments: 'asText' });
    assert.deepEqual(groups.map(placesOf), [['A.java:5-7', 'find.md:4-6']]);
  });
  test('comments are ignored if they are not read or prose is disabled', () => {
    assert.deepEqual(groupsOf({ 'A.java': first, 'B.java': second }), []);
    const prose = { ...defaultOptions.prose, enabled: false };
    assert.deepEqual(groupsOf({ 'A.java': first, 'B.java': second }, { readComments: 'asText', prose }), []);
  });
  test('totals count each file and line once, and words of comments as tokens', () => {
    const without = findingsOf({ 'A.java': first }).totals;
    const { files, lines, tokens } = findingsOf({ 'A.java': first }, { readComments: 'asText' }).totals;
    assert.deepEqual([files, lines], [without.files, without.lines]);
    assert.equal(tokens, without.tokens + documentation.split(/[^\w]+/).filter((word) => word !== '').length);
  });
  test('consecutive short comments with code between them do not form a text', () => {
    const words = documentation.split(/[^\w]+/).filter((word) => word !== '');
    const inFile = (code: (i: number) => string): string =>
      Array.from({ length: 6 }, (_, i) => `// ${words.slice(10 * i, 10 * i + 10).join(' ')}\n${code(i)}`).join('\n');
    const one = inFile((i) => `first${i}();`);
    assert.ok(words.length >= 60);
    assert.deepEqual(
      groupsOf({ 'a.ts': one, 'b.ts': inFile((i) => `if (b) c(${i});`) }, { readComments: 'asText' }),
      [],
    );
    const together = one.replaceAll(/first.*\n/g, '');
    assert.equal(groupsOf({ 'a.ts': together, 'b.ts': `x();\n${together}` }, { readComments: 'asText' }).length, 1);
  });
  test('a copy of another comment in the same file is found', () => {
    const text = `class A {\n${documentation}\nint find() { return 1; }\n${edited}\nString name() { return ""; }\n}\n`;
    assert.deepEqual(groupsOf({ 'A.java': text }, { readComments: 'asText' }).map(placesOf), [
      ['A.java:3-5', 'A.java:9-11'],
    ]);
  });
  test('findings in code are the same with and without comments', () => {
    const body = Array.from(
      { length: 12 },
      (_, line) => `  total${line} = scale(total, ${line}) + offset(values[${line}]);`,
    );
    const code = (name: string): string => `${documentation}\nvoid ${name}() {\n${body.join('\n')}\n}\n`;
    const documents = { 'A.java': code('one'), 'B.java': code('two') };
    const found = (changes: Parameters<typeof groupsOf>[1]) =>
      groupsOf(documents, changes).filter((g) => g.kind === 'code');
    assert.equal(found({}).length, 1);
    assert.deepEqual(found({ readComments: 'asText' }), found({}));
  });
});
