/** The common text of copies, with holes for what differs. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { lexiconForPath } from '../../src/core/engine/languages/allLexicons.ts';
import { scan } from '../../src/library/scan.ts';
import { antiUnify, filled, type Template } from '../../src/presentation/copies/antiUnify.ts';
import { renameWords } from '../../src/presentation/copies/renaming.ts';
import { tokensOf } from '../../src/presentation/copies/tokens.ts';
import { edited, edits, renamings, texts } from './textArbitraries.ts';

/** Checks that the holes are in order, and that the filled template is each copy, token for token. */
function check(copies: readonly string[], language?: string): Template {
  const template = antiUnify(copies, language);
  for (const [copy, text] of copies.entries()) {
    assert.deepEqual(
      filled(template, copy),
      tokensOf(text, language).map((token) => token.text),
    );
  }
  let before = 0;
  for (const { start, end, fillings } of template.holes) {
    assert.ok(start >= before && end >= start && fillings.length === copies.length);
    assert.deepEqual(fillings[0], { start, end });
    before = end;
  }
  return template;
}

/** Returns the fillings of each hole. */
function fillingsOf({ holes, copies }: Template): string[][] {
  return holes.map(({ fillings }) =>
    fillings.map(({ start, end }, copy) =>
      copies[copy]
        .slice(start, end)
        .map(({ text }) => text)
        .join(' '),
    ),
  );
}

suite('anti-unification of copies', () => {
  for (const [title, language, copies, expected] of [
    ['equal copies have no hole', 'typescript', ['a = 1;', 'a = 1;'], []],
    ['white space and comments are no hole', 'typescript', ['a = 1; // one', 'a =\n  1; /* two */'], []],
    [
      'each aligned name is a hole of its own',
      'typescript',
      ['load(orders, first)', 'load(refunds, last)'],
      [
        ['orders', 'refunds'],
        ['first', 'last'],
      ],
    ],
    [
      'a string is one filling',
      'typescript',
      ["log('the first row')", "log('the last row')"],
      [["'the first row'", "'the last row'"]],
    ],
    ['a number is one filling', 'python', ['x = 1.5 * y', 'x = 2.25 * y'], [['1.5', '2.25']]],
    [
      'names that all copies declare are no holes',
      'typescript',
      ['const total = 0;\nreturn total + tax;', 'const sum = 0;\nreturn sum + fee;'],
      [['tax', 'fee']],
    ],
    [
      'names in a template string are renamed',
      'typescript',
      ['const row = read();\nlog(`at ${row}`, row);', 'const line = read();\nlog(`at ${line}`, line);'],
      [],
    ],
    ['a hole has all brackets of its fillings', 'typescript', ['x = f(g(a));', 'x = f(b);'], [['g ( a )', 'b']]],
    ['three copies have a hole where one differs', 'go', ['send(a, 1)', 'send(a, 2)', 'send(a, 1)'], [['1', '2', '1']]],
    [
      'statements that only one copy has are a hole',
      'typescript',
      ['open();\nclose();', 'open();\ncheck();\nclose();'],
      [['', 'check ( ) ;']],
    ],
  ] as const) {
    test(title, () => assert.deepEqual(fillingsOf(check(copies, language)), expected));
  }

  test('restores each copy of the groups of this project, token for token', () => {
    const root = process.cwd();
    const files = ['src', 'test/fixtures', 'scripts'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/\.(?:gz|png|tokens)$/.test(entry.name))
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
    );
    const textOf = new Map(files.map((name) => [name, readFileSync(path.join(root, name), 'utf8')]));
    const { groups } = scan(
      [...textOf].map(([name, text]) => ({ path: name, text })),
      { minTokens: 30, minLines: 3 },
    ).findings;
    let [checked, holes] = [0, 0];
    for (const { kind, passages } of groups) {
      if (kind === 'file') continue;
      const languages = new Set(passages.map((passage) => lexiconForPath(passage.path).id));
      const copies = passages.map(({ path: name, startLine, endLine }) =>
        textOf
          .get(name)!
          .split(/\r\n|\n|\r/)
          .slice(startLine - 1, endLine)
          .join('\n'),
      );
      holes += check(copies, languages.size === 1 ? [...languages][0] : undefined).holes.length;
      checked++;
    }
    assert.ok(checked > 40 && holes > 100, `${checked} groups, ${holes} holes`);
  });

  test('restores edited and renamed copies, token for token', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.tuple(edits, renamings), { minLength: 1, maxLength: 3 }), (text, changes) => {
        check([text, ...changes.map(([edit, names]) => edited(renameWords(text, names), edit))], 'typescript');
      }),
    );
  });
});
