/** Explain Match: the passages selected by lines, cut along the lexers' segments. */
import assert from 'node:assert/strict';
import { explainPassages, type PassageText } from '../../src/core/engine/explainPassages.ts';
import { defaultOptions } from '../../src/core/engine/options.ts';

function textOf(
  path: string,
  text: string,
  lines?: readonly [number, number],
  columns?: readonly [number, number],
): PassageText {
  return {
    path,
    text: new TextEncoder().encode(text),
    ...(lines && { lines: { start: lines[0], end: lines[1] } }),
    ...(columns && { columns: { start: columns[0], end: columns[1] } }),
  };
}

const decoder = new TextDecoder();
const explained = (a: PassageText, b: PassageText, changes: Partial<typeof defaultOptions> = {}, limit = 20) =>
  explainPassages(a, b, { ...defaultOptions, ...changes }, { limit, decode: (utf8) => decoder.decode(utf8) });

const sum = `// adds
function sum(list) {
  let total = 0;

  for (const item of list) total += item;
  return total;
}
`;

suite('explain passages', () => {
  test('lines select the tokens that begin on them; comments and blanks have none', () => {
    const tokensOf = (start: number, end: number): number =>
      explained(textOf('a.js', sum, [start, end]), textOf('a.js', '')).a.tokens;
    assert.equal(tokensOf(1, 1), 0);
    assert.equal(tokensOf(2, 2), 6);
    assert.equal(tokensOf(4, 4), 0);
    assert.equal(tokensOf(4, 6), tokensOf(5, 5) + tokensOf(6, 6));
    assert.equal(tokensOf(1, 99), tokensOf(1, 7));
    const { a } = explained(textOf('a.js', sum), textOf('a.js', sum));
    assert.deepEqual([a.startLine, a.endLine, a.totalLines, a.tokens], [1, 7, 7, tokensOf(1, 7)]);
    assert.deepEqual(explained(textOf('a.js', sum, [5, 99]), textOf('a.js', sum)).a.endLine, 7);
  });
  test('equal passages have similarity 1 by every measure, wherever they are', () => {
    const moved = explained(textOf('a.js', sum, [2, 7]), textOf('b.js', `const a = 1;\n\n${sum}`, [4, 9]));
    assert.deepEqual(
      [moved.distance, moved.sameTokens, moved.resemblance, moved.containmentOfA, moved.weightedResemblance],
      [0, 1, 1, 1, 1],
    );
    assert.deepEqual(moved.differing, []);
    assert.equal(moved.windowDistance, 0);
    assert.equal(moved.fingerprints[0], moved.fingerprints[1]);
  });
  test('prose with code between its paragraphs is explained, and separators have no weight', () => {
    const text = '# Readings\n\nTake the value as it is.\n\n```js\nconst a = read(b);\n```\n\nThen add it up.\n';
    const { shared, sameTokens, weightedResemblance } = explained(textOf('a.md', text), textOf('b.md', text));
    assert.deepEqual([sameTokens, weightedResemblance], [1, 1]);
    assert.ok(shared.length > 3);
    assert.ok(shared.every(({ weightInA }) => weightInA <= 1));
  });
  test('a changed name appears in the features that contain it, with the weights of the kinds', () => {
    const weights = { ...defaultOptions.weights, identifier: 3, punctuation: 1, operator: 1, keyword: 1, call: 1 };
    const { shared, differing, shingleSize } = explained(
      textOf('a.js', sum, [6, 6]),
      textOf('b.js', sum.replaceAll('total', 'result'), [6, 6]),
      { shingleSize: 2, weights },
    );
    assert.equal(shingleSize, 2);
    assert.deepEqual(shared, []);
    assert.deepEqual(differing.slice(0, 2), [
      { tokens: ['result', ';'], weightInA: 0, weightInB: 2 },
      { tokens: ['return', 'result'], weightInA: 0, weightInB: 2 },
    ]);
  });
  test('prose is cut into words, in shingles of its own', () => {
    const { a, shingleSize, shared } = explained(textOf('a.md', 'The cat sat. *Here*.'), textOf('b.md', 'the cat sat'));
    assert.deepEqual([a.tokens, shingleSize], [4, defaultOptions.prose.shingleSize]);
    assert.equal(shared.length, 1);
  });
  test('does not count the separator between texts of several languages as a token', () => {
    const page = `<template><p>One two</p></template>\n<script>\n${sum}</script>\n`;
    const { a, b, sameTokens } = explained(textOf('a.vue', page), textOf('b.vue', page.replace(/^\/\/.*\n/m, '')));
    assert.deepEqual([sameTokens, b.tokens], [1, a.tokens]);
    const inScript = explained(textOf('a.vue', page, [4, 9]), textOf('a.js', sum, [2, 7]));
    assert.deepEqual([inScript.sameTokens, inScript.a.tokens], [1, inScript.b.tokens]);
  });
  test('a word that is a name in one place and a call in another counts as two words', () => {
    const { shared, differing } = explained(textOf('a.js', 'run(run)'), textOf('b.js', 'run(stop)'), {
      shingleSize: 1,
    });
    const tokens = [...shared, ...differing].map((feature) => feature.tokens[0]);
    assert.equal(new Set(tokens).size, tokens.length);
    assert.ok(
      tokens.some((token) => token.includes('‹')),
      String(tokens),
    );
  });
  test('lists the names of both passages and of one only, frequent and long ones first', () => {
    const other = sum.replaceAll('total', 'product').replace('sum(list)', 'multiply(list)');
    assert.deepEqual(explained(textOf('a.js', sum), textOf('b.js', other)).words, {
      both: ['item', 'list'],
      onlyA: ['total', 'sum'],
      onlyB: ['product', 'multiply'],
    });
    // A name that is also called is one word.
    const { words } = explained(textOf('a.js', 'check(check);'), textOf('b.js', 'check = 1;'));
    assert.deepEqual(words, { both: ['check'], onlyA: [], onlyB: [] });
  });

  test('without tokens there are no features, as with `explain`', () => {
    const nothing = explained(textOf('a.js', ''), textOf('b.js', '// only a remark\n'));
    assert.deepEqual([nothing.a.tokens, nothing.b.tokens, nothing.resemblance, nothing.windowDistance], [0, 0, 1, 64]);
  });
});

suite('explain passages: selected part of a text', () => {
  const asText = { readComments: 'asText' } as const;
  const words = 'the readings of a day are added up';
  const line = `const sum = add(1, 2); // ${words}`;
  const comment = `// ${words}\n`;
  const [codeTokens, wordCount] = [10, 8];

  test('selects comments that are read on lines without code', () => {
    const { a, b, sameTokens, shingleSize } = explained(textOf('a.js', comment), textOf('b.py', `# ${words}`), asText);
    assert.deepEqual([a.tokens, b.tokens, sameTokens], [wordCount, wordCount, 1]);
    assert.equal(shingleSize, defaultOptions.prose.shingleSize);
  });
  test('selects code or comment of a line by the columns in UTF-16 units', () => {
    const tokensOf = (text: string, sought: string): number => {
      const from = text.indexOf(sought) + 1;
      const passage = textOf('a.js', text, [1, 1], [from, from + sought.length]);
      return explained(passage, passage, asText).a.tokens;
    };
    for (const text of [line, line.replace('1', '"𝒳é"')]) {
      assert.equal(tokensOf(text, text.slice(0, text.indexOf(' //'))), codeTokens);
      assert.equal(tokensOf(text, words), wordCount);
      assert.equal(tokensOf(text, 'readings of a'), 3);
    }
  });
  test('selects code by default', () => {
    const { a } = explained(textOf('a.js', line, [1, 1]), textOf('b.js', line, [1, 1]), asText);
    assert.equal(a.tokens, codeTokens);
  });
  test('selects text of the same kind on both sides', () => {
    const both = explained(textOf('a.js', comment), textOf('b.js', line, [1, 1]), asText);
    assert.deepEqual([both.a.tokens, both.b.tokens, both.sameTokens], [wordCount, wordCount, 1]);
    const page = explained(textOf('a.js', line, [1, 1]), textOf('b.md', words), asText);
    assert.deepEqual([page.a.tokens, page.b.tokens, page.sameTokens], [wordCount, wordCount, 1]);
  });
  test('includes the beginning and the end of the lines', () => {
    const text = `${comment}const sum = 1;\n${comment}stop();\n`;
    const tokensOf = (start: number, end: number): number =>
      explained(textOf('a.js', text, [start, end]), textOf('b.js', text, [start, end]), asText).a.tokens;
    assert.equal(tokensOf(1, 3), 2 * wordCount);
    assert.equal(tokensOf(2, 4), 9);
  });
  test('selects only the text of a whole file, as in comparisons of whole files', () => {
    const text = `def one():\n    """Of ${words}.\n\n    >>> add(first(1), second(2), third(3))\n    """\n`;
    for (const range of [undefined, [1, 5]] as const) {
      const { a } = explained(textOf('a.py', text, range), textOf('b.py', text, range), asText);
      assert.equal(a.tokens, 5);
    }
    const fence = '```js\nconst sum = add(1, 2);\n```\n';
    const { a, sameTokens, windowDistance } = explained(textOf('a.md', fence), textOf('b.js', line, [1, 1]));
    assert.deepEqual([a.tokens, sameTokens, windowDistance], [codeTokens, 1, 64]);
  });
  test('selects code or prose of a one-line notebook by the columns', () => {
    const cell = (type: string, source: string): object => ({
      cell_type: type,
      metadata: {},
      source: [source],
      ...(type === 'code' ? { outputs: [], execution_count: null } : {}),
    });
    const cells = [cell('markdown', words), cell('code', 'total = add(1, 2)'), cell('markdown', `Then ${words}`)];
    const text = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
    const tokensOf = (sought: string): number => {
      const from = text.indexOf(sought) + 1;
      const passage = textOf('a.ipynb', text, [1, 1], [from, from + sought.length]);
      return explained(passage, passage).a.tokens;
    };
    assert.equal(tokensOf('total = add(1, 2)'), 8);
    assert.equal(tokensOf(words), wordCount);
    assert.equal(tokensOf(`Then ${words}`), wordCount + 1);
  });
});
