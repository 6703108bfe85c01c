/** Functions that are compared as units: the steps by their definitions, and edited copies. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scaled } from '../../../scripts/scaled.mjs';
import { type Documents, findingsOf, groupsOf, placesOf } from '../corpusOf.ts';
import { type Form, KernelAlignment, type Run } from './kernelAlignment.ts';

const token = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }))
  .map(([hash, kind]) => ((Math.imul(hash, 0x85ebca6b) & ~15) | kind) >>> 0);
const text = fc.array(token, { minLength: 1, maxLength: 150 });
const pair = fc.oneof(
  fc.tuple(text, text),
  // A text and a copy without some tokens and with others.
  fc
    .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 9 }), fc.array(token, { maxLength: 9 })), { maxLength: 6 }))
    .map(([left, edits]) => {
      const right = [...left];
      for (const [at, removed, added] of edits) right.splice(at % (right.length + 1), removed, ...added);
      return [left, right.length > 0 ? right : left] as [number[], number[]];
    }),
);

function isName(word: number): boolean {
  return (word & 15) >= 3 && (word & 15) <= 6;
}

function abstracted(word: number): number {
  return isName(word) ? word & 15 : word;
}

/** Returns the tokens of a text that may be equal in a form. */
function inForm(words: readonly number[], form: Form): readonly number[] {
  if (form === 'word') return words.filter(isName).map((word) => word >>> 4);
  return form === 'abstracted' ? words.map(abstracted) : words;
}

/** Length of the longest common subsequence, by its recurrence. */
function longestCommon(left: readonly number[], right: readonly number[]): number {
  let row = Array<number>(right.length + 1).fill(0);
  for (const x of left) {
    const next = [0];
    right.forEach((y, j) => next.push(x === y ? row[j] + 1 : Math.max(row[j + 1], next[j])));
    row = next;
  }
  return row[right.length];
}

/**
 * Number of tokens of one text that have a partner in the other, in any order. Tokens with the same upper bits of their
 * hash, and of the same group, count as equal.
 */
function inAnyOrder(left: readonly number[], right: readonly number[], renamed: boolean): number {
  const bucketOf = (word: number): string => {
    const hash = Math.imul(word, 0x9e3779b1) >>> 0;
    if (!isName(word)) return `other ${hash >>> 25}`;
    return renamed ? `kind ${word & 15}` : `name ${hash >>> 24}`;
  };
  const counts = new Map<string, number>();
  for (const word of left) counts.set(bucketOf(word), (counts.get(bucketOf(word)) ?? 0) + 1);
  return right.filter((word) => {
    const count = counts.get(bucketOf(word)) ?? 0;
    counts.set(bucketOf(word), count - 1);
    return count > 0;
  }).length;
}

const weights = [1, 2, 3, 4, 5, 3, 5, 4, 4, 2];
const gapOpening = 4;

function gainOf(x: number, y: number): number | undefined {
  const weight = weights[x & 15];
  if (x === y) return 4 * weight;
  return isName(x) && (x & 15) === (y & 15) ? weight : undefined;
}

/** Score of the best alignment, by its recurrence: the gains of pairs minus the cost of each run of them. */
function bestScore(left: readonly number[], right: readonly number[]): number {
  let [pairs, bests] = [Array<number>(right.length + 1).fill(-Infinity), Array<number>(right.length + 1).fill(0)];
  for (const x of left) {
    const [nextPairs, nextBests] = [[-Infinity], [0]];
    right.forEach((y, j) => {
      const gain = gainOf(x, y);
      nextPairs.push(gain === undefined ? -Infinity : Math.max(pairs[j], bests[j] - gapOpening) + gain);
      nextBests.push(Math.max(nextPairs[j + 1], bests[j + 1], nextBests[j]));
    });
    [pairs, bests] = [nextPairs, nextBests];
  }
  return bests[right.length];
}

function scoreOf(left: readonly number[], right: readonly number[], runs: readonly Run[]): number {
  let score = 0;
  let [a, b] = [0, 0];
  for (const run of runs) {
    assert.ok(run.a >= a && run.b >= b && run.length > 0, 'runs ascend');
    score -= gapOpening;
    for (let i = 0; i < run.length; i++) score += gainOf(left[run.a + i], right[run.b + i])!;
    [a, b] = [run.a + run.length, run.b + run.length];
  }
  assert.ok(a <= left.length && b <= right.length, 'runs are inside');
  return score;
}

suite('units of a pair of documents', () => {
  test('their common tokens are the longest common subsequence', () => {
    fc.assert(
      fc.property(pair, fc.constantFrom<Form>('written', 'abstracted', 'word'), ([left, right], form) => {
        const kernel = new KernelAlignment(left, right);
        const length = longestCommon(inForm(left, form), inForm(right, form));
        assert.equal(kernel.commonTokens(0, 0, form), length);
        assert.equal(kernel.commonTokens(0, 0, form, length), length);
        assert.equal(kernel.commonTokens(0, 0, form, length + 0.5), 0);
        // A second call reads the table of the first one.
        assert.equal(
          kernel.commonTokens(left.length >> 1, 0, form),
          longestCommon(inForm(left.slice(left.length >> 1), form), inForm(right, form)),
        );
      }),
      { numRuns: scaled(450) },
    );
  });

  test('their common tokens in any order limit the longest common subsequence', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const kernel = new KernelAlignment(left, right);
        const limits = { written: inAnyOrder(left, right, false), abstracted: inAnyOrder(left, right, true) };
        assert.deepEqual(kernel.maxCommonTokens(), limits);
        // The second call reads the counts of the first one.
        assert.deepEqual(kernel.maxCommonTokens(), limits);
        assert.ok(limits.written >= kernel.commonTokens(0, 0, 'written'));
        assert.ok(limits.abstracted >= kernel.commonTokens(0, 0, 'abstracted'));
      }),
      { numRuns: scaled(500) },
    );
  });

  test('their alignment has the best score of all', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const runs = new KernelAlignment(left, right).alignUnits(0);
        assert.equal(scoreOf(left, right, runs), bestScore(left, right));
      }),
      { numRuns: scaled(500) },
    );
  });

  test('their alignment stays valid near the diagonals of the longest common subsequence', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const kernel = new KernelAlignment(left, right);
        const common = longestCommon(left.map(abstracted), right.map(abstracted));
        assert.ok(scoreOf(left, right, kernel.alignUnits(common)) <= bestScore(left, right));
      }),
      { numRuns: scaled(500) },
    );
  });
});

suite('edited copies of functions', () => {
  const before = ['export const limits = { rows: 40, columns: 12 };', ''];
  const after = ['', 'function close(socket) {', '  socket.end();', '  sockets.delete(socket);', '}'];
  const original = [
    'function collect(entries, filter, report) {',
    '  const found = new Map();',
    '  for (const entry of entries) {',
    '    if (!filter.accepts(entry.path)) continue;',
    '    const size = measure(entry.path, entry.offset);',
    '    report.progress(entry.path, size);',
    '    found.set(entry.owner, (found.get(entry.owner) ?? 0) + size);',
    '  }',
    '  report.done(found.size);',
    '  return found;',
    '}',
  ];
  const names: Readonly<Record<string, string>> = {
    collect: 'summarize',
    entries: 'orders',
    entry: 'order',
    filter: 'policy',
    report: 'monitor',
    found: 'totals',
    accepts: 'allows',
    path: 'customer',
    size: 'amount',
    measure: 'priceOf',
    offset: 'line',
    progress: 'step',
    owner: 'region',
    done: 'finish',
    get: 'read',
    set: 'write',
    total: 'sum',
    queue: 'bag',
    push: 'append',
    scale: 'rate',
    margin: 'fee',
    weight: 'mass',
    divisor: 'share',
    base: 'zero',
    count: 'number',
    elapsed: 'time',
    summary: 'digest',
    assign: 'copyTo',
    target: 'into',
    source: 'other',
    start: 'first',
    end: 'last',
    width: 'columns',
    height: 'rows',
    left: 'x',
    top: 'y',
    parent: 'above',
    child: 'member',
  };

  test('are found as a whole if all names were changed, and a statement was replaced', () => {
    const copy = renamed(original);
    copy.splice(5, 0, '    if (amount < 0) throw new RangeError(order.customer);');
    copy.splice(3, 1);
    assert.deepEqual(placesInBoth(original, copy), [['a.js:3-13', 'b.js:3-13']]);
  });

  test('are found as a whole if most of the renamed names occur once', () => {
    const once = [
      'function collect(entries, filter, report) {',
      '  const found = new Map();',
      '  for (const entry of entries) {',
      '    if (!filter.accepts(entry)) continue;',
      '    const size = measure(entry, offset);',
      '    report.progress(total, size);',
      '    queue.push(size * scale + margin);',
      '    found.set(owner, weight / divisor - base);',
      '  }',
      '  report.done(count, elapsed);',
      '  return summary(found);',
      '}',
    ];
    const copy = renamed(once);
    copy.splice(5, 1);
    copy.splice(4, 0, '    if (amount < 0) throw new RangeError();');
    assert.deepEqual(placesInBoth(once, copy), [['a.js:3-14', 'b.js:3-14']]);
    // If one name stands for many, the functions only have the same shape.
    const shape = copy.map((line) => line.replace(/\b(?:amount|orders|fee|rate|mass|share)\b/g, 'amount'));
    assert.deepEqual(placesInBoth(once, shape), []);
  });

  test('are found although their statements repeat a form, if all names are renamed in the same way', () => {
    const assign = [
      'function assign(target, source) {',
      '  target.start = source.start;',
      '  target.end = source.end;',
      '  target.width = source.width + source.margin;',
      '  target.height = source.height + source.margin;',
      '  target.left = source.left;',
      '  target.top = source.top;',
      '  if (source.parent) target.parent = source.parent;',
      '  if (source.child) target.child = source.child;',
      '  return target;',
      '}',
    ];
    const copy = renamed(assign);
    assert.deepEqual(placesInBoth(assign, copy), [['a.js:3-13', 'b.js:3-13']]);
  });

  test('are found with a negative score only if they share words with 32 bits, or are in one file', () => {
    const copy = [
      'function collectOwners(entries, filter, report) {',
      '  const found = new Map();',
      '  for (const person of entries) {',
      '    if (person.isShared) found.add(person.group);',
      '    log.end(found.size);',
      '    log.write(person.name, level);',
      '    const size = measure(person.path, person.offset);',
      '    found.get(person.owner).push(person.path);',
      '    report.progress(person.path, size);',
      '    found.put(person.owner, (found.take(person.owner) ?? 0) + size);',
      '  }',
      '  report.done(found.size);',
      '  return found;',
      '}',
    ];
    // They share 14 words. The score depends on their share of all words, so it is the same for all weights.
    const twoFiles = { 'a.js': original.join('\n'), 'b.js': copy.join('\n') };
    for (const bits of [1, 2, 36 / 16]) assert.deepEqual(placesWith(twoFiles, bits), [], `${bits} bits`);
    for (const bits of [37 / 16, 4, 8]) assert.deepEqual(placesWith(twoFiles, bits), [['a.js:1-11', 'b.js:1-14']]);
    const inOneFile = [
      'function collectOwners(entries, filter, report) {',
      '  const found = new Map();',
      '  for (const person of entries) {',
      '    if (!filter.accepts(person.path)) continue;',
      '    if (person.isShared) found.add(person.group);',
      '    while (queue.length > 0) queue.pop();',
      '    report.progress(person.path, size);',
      '    found.set(person.owner, found.get(person.owner) ?? []);',
      '  }',
      '  report.done(found.size);',
      '  return found;',
      '}',
    ];
    const oneFile = { 'a.js': [...original, '', 'let timer;', '', ...inOneFile].join('\n') };
    assert.deepEqual(placesWith(oneFile, 0.25), [['a.js:1-11', 'a.js:15-26']]);
  });

  /** The first six lines of the original, with three statements added. */
  const begun = [
    ...original.slice(0, 3),
    '    if (tracing) console.debug(label, Date.now() - began);',
    ...original.slice(3, 5),
    '    while (pending.length > limit) await pending.shift().settled;',
    original[5],
    '    statistics[category] = Math.max(statistics[category] ?? -1, depth);',
  ];

  /** The original with five statements, and with others after them. */
  function grownWith(...statements: string[]): string {
    return [
      ...begun,
      original[6],
      '    for (const listener of listeners) listener.notify({ phase, index: counter++ });',
      original[7],
      '  if (timer === undefined) timer = setTimeout(flush, interval * retries);',
      ...statements,
      ...original.slice(8),
    ].join('\n');
  }

  test('are found as a whole if statements were added, and the words of the original have 50 bits', () => {
    // The original has 18 words.
    const documents = { 'a.js': original.join('\n'), 'b.js': grownWith() };
    for (const bits of [1, 44 / 16]) assert.deepEqual(placesWith(documents, bits), [], `${bits} bits`);
    for (const bits of [45 / 16, 8]) assert.deepEqual(placesWith(documents, bits), [['a.js:1-11', 'b.js:1-16']]);
  });

  test('are found as a whole if statements were added, and .65 of the tokens are equal', () => {
    const placesIn = (...statements: string[]): string[][] =>
      placesWith({ 'a.js': original.join('\n'), 'b.js': grownWith(...statements) }, 8);
    // 137 of 210 and of 211 tokens.
    assert.deepEqual(placesIn('  idle.push(1);', '  busy.pop();'), [['a.js:1-11', 'b.js:1-18']]);
    assert.deepEqual(placesIn('  idle.push(1);', '  busy.pop(2);'), []);
  });

  test('are found as a whole if statements were added, and .7 of the words of the original are left', () => {
    const others = ['matches', 'weigh', 'step', 'line', 'end', 'take'];
    const words = [/accepts/, /measure/, /progress/, /offset/, /done/, /\bget/];
    const grown = [...begun, ...original.slice(6)];
    const placesIn = (count: number, bits: number): string[][] => {
      const copy = grown.map((line) => words.slice(0, count).reduce((x, word, i) => x.replace(word, others[i]), line));
      return placesWith({ 'a.js': original.join('\n'), 'b.js': copy.join('\n') }, bits);
    };
    // 13 of 18 words are left, or 12. Without the share of words, the score would refuse both.
    assert.deepEqual(placesIn(5, 61 / 16), []);
    assert.deepEqual(placesIn(5, 62 / 16), [['a.js:1-11', 'b.js:1-14']]);
    assert.deepEqual(placesIn(6, 8), []);
  });

  test('are found in part in two files only if their common words have 24 bits, or all tokens are equal', () => {
    const statements = ['report.begin(entries.length, filter.name);', ...original.slice(1, 8)];
    const copy = [...statements];
    copy[4] = '    const size = measure(entry.path, entry.length);';
    const first = ['let timer;', '', ...statements, '', 'export const limits = 4;'].join('\n');
    const inFile = (lines: readonly string[]): string => ['const other = 3;', '', ...lines, '', 'tick(20);'].join('\n');
    const documents = { 'a.js': first, 'b.js': inFile(copy) };
    const found = [['a.js:3-10', 'b.js:3-10']];
    // They share 18 words.
    for (const bits of [0, 21 / 16]) assert.deepEqual(placesWith(documents, bits), [], `${bits} bits`);
    for (const bits of [22 / 16, 8]) assert.deepEqual(placesWith(documents, bits), found, `${bits} bits`);
    assert.deepEqual(placesWith({ ...documents, 'b.js': inFile(statements) }, 0), found);
    const oneFile = { 'a.js': [...statements, '', 'let timer;', '', ...copy, ''].join('\n') };
    assert.deepEqual(placesWith(oneFile, 0), [['a.js:1-8', 'a.js:12-19']]);
  });

  test('are found in part without common words if names are replaced in .15 of their tokens', () => {
    const statements = ['report.begin(entries.length, filter.name);', ...original.slice(1, 8)];
    const others: Readonly<Record<string, string>> = { ...names, begin: 'open', length: 'count', name: 'title' };
    const placesIn = (...replaced: string[]): string[][] => {
      const copy = statements.map((line) =>
        line.replace(/[a-z]+/g, (word) => (replaced.includes(word) ? others[word] : word)),
      );
      const left = ['let timer;', '', ...statements, '', 'export const limits = 4;'];
      const right = ['const other = 3;', '', ...copy, '', 'tick(20);'];
      return placesWith({ 'a.js': left.join('\n'), 'b.js': right.join('\n') }, 0);
    };
    const found = [['a.js:3-10', 'b.js:3-10']];
    // These names are 12 and 14 of 93 tokens.
    assert.deepEqual(placesIn('entry', 'found', 'entries'), []);
    assert.deepEqual(placesIn('entry', 'found', 'entries', 'report'), found);
    // A name that occurs once counts half.
    const once = ['begin', 'length', 'name', 'accepts', 'measure', 'offset', 'progress'];
    assert.deepEqual(placesIn('entry', ...once), []);
    assert.deepEqual(placesIn('entry', 'found', 'filter', ...once), found);
  });

  /** @param bits  weight of each word */
  function placesWith(documents: Documents, bits: number): string[][] {
    const table = new Uint8Array(2 ** 20).fill(16 * bits);
    const groups = findingsOf(documents, {}, table).groups.filter(({ kind }) => kind === 'code');
    return groups.map((group) => [...placesOf(group)]);
  }

  function renamed(lines: readonly string[]): string[] {
    return lines.map((line) => line.replace(/[a-z]+/g, (word) => names[word] ?? word));
  }

  function placesInBoth(left: readonly string[], right: readonly string[]): string[][] {
    const groups = groupsOf({
      'a.js': [...before, ...left, ...after].join('\n'),
      'b.js': ['let timer;', '', ...right, '', 'setInterval(() => tick(timer), 250);'].join('\n'),
    });
    return groups.map((group) => [...placesOf(group)]);
  }
});
