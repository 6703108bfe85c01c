/** Explain Match: the passages that lines mean, as the lexers cut them. */
import assert from 'node:assert/strict';
import { explainPassages, type PassageText } from '../../src/engine/explainPassages.ts';
import { defaultOptions } from '../../src/engine/options.ts';

function textOf(path: string, text: string, lines?: readonly [number, number]): PassageText {
  const range = lines && { lines: { start: lines[0], end: lines[1] } };
  return { path, text: new TextEncoder().encode(text), ...range };
}

const decoder = new TextDecoder();
const explained = (a: PassageText, b: PassageText, changes: Partial<typeof defaultOptions> = {}, most = 20) =>
  explainPassages(a, b, { ...defaultOptions, ...changes }, { most, decode: (utf8) => decoder.decode(utf8) });

const sum = `// adds
function sum(list) {
  let total = 0;

  for (const item of list) total += item;
  return total;
}
`;

suite('explain passages', () => {
  test('lines mean the tokens that begin on them; comments and blanks are none', () => {
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
  test('equal passages are alike by every measure, wherever they stand', () => {
    const moved = explained(textOf('a.js', sum, [2, 7]), textOf('b.js', `const a = 1;\n\n${sum}`, [4, 9]));
    assert.deepEqual(
      [moved.distance, moved.similarity, moved.resemblance, moved.containmentOfA, moved.weightedResemblance],
      [0, 1, 1, 1, 1],
    );
    assert.deepEqual(moved.differing, []);
    assert.equal(moved.windowDistance, 0);
    assert.equal(moved.fingerprints[0], moved.fingerprints[1]);
  });
  test('prose with code between its paragraphs is explained, and what ends a part weighs nothing', () => {
    const text = '# Readings\n\nTake the value as it is.\n\n```js\nconst a = read(b);\n```\n\nThen add it up.\n';
    const { shared, similarity, weightedResemblance } = explained(textOf('a.md', text), textOf('b.md', text));
    assert.deepEqual([similarity, weightedResemblance], [1, 1]);
    assert.ok(shared.length > 3);
    assert.ok(shared.every(({ weightInA }) => weightInA <= 1));
  });
  test('a changed name shows in the features that have it, with the weights of the kinds', () => {
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
  test('what parts a text of several languages is no token', () => {
    const page = `<template><p>One two</p></template>\n<script>\n${sum}</script>\n`;
    const { a, b, similarity } = explained(textOf('a.vue', page), textOf('b.vue', page.replace(/^\/\/.*\n/m, '')));
    assert.deepEqual([similarity, b.tokens], [1, a.tokens]);
    const inScript = explained(textOf('a.vue', page, [4, 9]), textOf('a.js', sum, [2, 7]));
    assert.deepEqual([inScript.similarity, inScript.a.tokens], [1, inScript.b.tokens]);
  });
  test('a word that is a name in one place and a call in another is two', () => {
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
  test('no tokens, no features: the answer of explain', () => {
    const nothing = explained(textOf('a.js', ''), textOf('b.js', '// only a remark\n'));
    assert.deepEqual([nothing.a.tokens, nothing.b.tokens, nothing.resemblance, nothing.windowDistance], [0, 0, 1, 64]);
  });
});
