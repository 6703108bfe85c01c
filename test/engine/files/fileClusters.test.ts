/** Files that nearly repeat each other: groups match the definitions and depend on nothing but the files. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { reachesAllCases, scaled } from '../../../scripts/scaled.mjs';
import { defaultOptions, type Method } from '../../../src/core/engine/options.ts';
import type { Group } from '../../../src/core/engine/report/report.ts';
import { fileGroupsOf, findingsOf, LiveTextCorpus } from '../corpusOf.ts';
import { exactContainment, exactResemblance } from '../oracles.ts';
import { fileGroups, textOf, type Words, wordsFrom } from './wordTexts.ts';

function runsOf(words: Words): string[] {
  return words.slice(2).map((_, first) => words.slice(first, first + 3).join(' '));
}

/** The names in each group, without their endings. */
function namesOf(groups: readonly Group[]): string[] {
  return groups.map(({ passages }) => passages.map(({ path }) => path.slice(0, -3)).join(' '));
}

/** Returns a text in which every n-th word is replaced. */
function edited(words: Words, every: number, mark: string): string[] {
  return words.map((word, i) => (i % every === every - 1 ? `${word}${mark}` : word));
}

/** Texts of three languages, each an edited copy of part or all of its language's base text. */
const languageHash = fc.record({
  of: fc.nat(2),
  every: fc.integer({ min: 4, max: 120 }),
  mark: fc.constantFrom('', 'x', 'y'),
  length: fc.constantFrom(30, 60, 90, 150),
});
const wordsOf = ({ of, every, mark, length }: { of: number; every: number; mark: string; length: number }): string[] =>
  edited(wordsFrom(1000 * of, length), every, mark);
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
const folder = fc.dictionary(fc.constantFrom(...names), languageHash, { maxKeys: names.length });

suite('file clusters', () => {
  test('two files with mostly common text form a group of whole files, with their common share', () => {
    const [a, b] = [wordsFrom(0, 100), edited(wordsFrom(0, 100), 50, 'x')];
    const [group, ...others] = fileGroups({ a, b });
    assert.deepEqual(others, []);
    const expected = exactResemblance(runsOf(a), runsOf(b));
    assert.equal(group.similarity, Math.round(1000 * expected) / 1000);
    assert.deepEqual([group.kind, group.type, group.lines, group.tokens], ['file', 'near', 1, 100]);
    assert.deepEqual(
      group.passages.map(({ startLine, startColumn, endLine, endColumn, tokens }) => [
        ...[startLine, startColumn, endLine, endColumn, tokens],
      ]),
      [a, b].map((words) => [1, 1, 1, textOf(words).length, 100]),
    );
  });
  test('equal files form one exact group, whatever their whitespace and line endings', () => {
    const text = textOf(wordsFrom(0, 60));
    const [group, ...others] = fileGroupsOf({ 'a.md': text, 'b.md': text.replaceAll(' ', '\n'), 'c.md': ` ${text}` });
    assert.deepEqual(others, []);
    assert.deepEqual([group.type, group.similarity, group.passages.length], ['exact', 1, 3]);
    assert.deepEqual(
      group.pairs.map(({ a, b }) => [a, b]),
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
    );
    assert.ok(group.pairs.every(({ distance, containment }) => distance === 0 && String(containment) === '1,1'));
  });
  test('their common passage remains a group of its own, in the row of the files', () => {
    const text = textOf(wordsFrom(0, 60));
    const [files, passages] = findingsOf({ 'a.md': text, 'b.md': text }).groups;
    assert.deepEqual([passages.kind, files.kind], ['prose', 'file']);
    assert.notEqual(passages.id, files.id);
    assert.deepEqual([files.parent, passages.parent], [undefined, files.id]);
  });
  test('a file that is contained in another is found, however large the other is', () => {
    const inner = wordsFrom(0, 80);
    const outer = [...wordsFrom(2000, 900), ...inner, ...wordsFrom(5000, 900)];
    const groups = fileGroups({ a: inner, b: outer, c: wordsFrom(9000, 100) });
    assert.deepEqual(namesOf(groups), ['a b']);
    const [{ a, b, containment }] = groups[0].pairs;
    assert.deepEqual([a, b], [0, 1]);
    const exact = [exactContainment(runsOf(inner), runsOf(outer)), exactContainment(runsOf(outer), runsOf(inner))];
    assert.deepEqual(
      containment,
      exact.map((share) => Math.round(1000 * share) / 1000),
    );
    // Passages are in the order of paths, not of sizes.
    const [turned] = fileGroups({ z: inner, b: outer });
    assert.deepEqual(turned.pairs[0].containment, [containment?.[1], containment?.[0]]);
    assert.deepEqual([groups[0].inside, turned.inside], [0, 1]);
  });
  test('two similar files are not reported as containment, although most of one is in the other', () => {
    const inner = wordsFrom(0, 100);
    const [group, ...others] = fileGroups({ a: inner, b: [...inner, ...wordsFrom(2000, 60)] });
    assert.deepEqual(others, []);
    assert.ok(group.similarity >= 0.5, String(group.similarity));
    assert.equal(group.pairs[0].containment?.[0], 1);
    assert.equal(group.inside, undefined);
  });
  test('names the container with the largest share, then the smallest, if several contain a file', () => {
    const inner = wordsFrom(0, 80);
    const groups = fileGroups({
      a: inner,
      b: [...edited(inner, 30, 'x'), ...wordsFrom(2000, 300)],
      c: [...inner, ...wordsFrom(5000, 900)],
      d: [...inner, ...wordsFrom(7000, 400)],
    });
    assert.deepEqual(namesOf(groups), ['a d']);
  });
  test('files shorter than a passage are excluded', () => {
    const short = `${wordsFrom(0, 39).join(' ')}\n`;
    assert.deepEqual(fileGroupsOf({ 'a.md': short, 'b.md': short }), []);
    assert.deepEqual(namesOf(fileGroups({ a: wordsFrom(0, 40), b: wordsFrom(0, 40) })), ['a b']);
    assert.deepEqual(fileGroups({}), []);
  });
  test('files shorter than a passage form a group from ten lines on, if their bytes are equal', () => {
    const lines = (count: number, word = 'word'): string => `${word} of\n`.repeat(count - 1) + `${word} of it\n`;
    const groups = (texts: Readonly<Record<string, string>>): string[] =>
      fileGroupsOf(texts).map(({ type, passages }) => `${type} ${passages.map(({ path }) => path).join(' ')}`);
    assert.deepEqual(groups({ 'a.md': lines(10), 'b.md': lines(10), 'c.md': lines(10) }), ['exact a.md b.md c.md']);
    assert.deepEqual(groups({ 'a.md': lines(9), 'b.md': lines(9) }), []);
    assert.deepEqual(groups({ 'a.md': lines(10), 'b.md': lines(10, 'other') }), []);
    assert.deepEqual(groups({ 'a.md': lines(10), 'b.md': ` ${lines(10)}` }), []);
    // The shorter file is contained in the longer one, but is too short to matter.
    assert.deepEqual(groups({ 'a.md': lines(10), 'b.md': lines(40) }), []);
    assert.deepEqual(fileGroupsOf({ 'a.md': lines(10), 'b.md': lines(10) }, { minLines: 11 }), []);
    const code = (from: string): string => `import a from '${from}';\n${'\n'.repeat(8)}export const x = a(1);\n`;
    assert.deepEqual(groups({ 'a.ts': code('./a'), 'b.ts': code('./a') }), ['exact a.ts b.ts']);
    assert.deepEqual(groups({ 'a.ts': code('./a'), 'b.ts': code('./abc') }), []);
  });
  test('code is not compared with prose', () => {
    const words = textOf(wordsFrom(0, 200));
    assert.deepEqual(fileGroupsOf({ 'a.md': words, 'b.ts': words }, { shingleSize: 3 }), []);
  });

  test('each pair matches its definition, each group has a leader, and no similar files are missed', () => {
    fc.assert(
      fc.property(folder, (members) => {
        const documents = Object.fromEntries(
          Object.entries(members).map(([name, contents]) => [name, wordsOf(contents)]),
        );
        const alike = (x: string, y: string): number => exactResemblance(runsOf(documents[x]), runsOf(documents[y]));
        const groups = fileGroups(documents);
        const grouped = namesOf(groups).map((list) => list.split(' '));
        groups.forEach(({ passages, pairs, inside }, place) => {
          for (const { a, b, similarity, containment } of pairs) {
            const [x, y] = [a, b].map((member) => passages[member].path.slice(0, -3));
            assert.equal(similarity, Math.round(1000 * alike(x, y)) / 1000);
            assert.equal(
              containment?.[0],
              Math.round(1000 * exactContainment(runsOf(documents[x]), runsOf(documents[y]))) / 1000,
            );
          }
          const leads = grouped[place].some((leader) => grouped[place].every((other) => alike(leader, other) >= 0.5));
          assert.ok(leads || inside !== undefined, String(grouped[place]));
        });
        // Nomination is probabilistic, but very similar files are practically never missed.
        for (const x of Object.keys(documents)) {
          // Short files match only equal files.
          const minShare = documents[x].length < 40 ? 1 : 0.75;
          const has = Object.keys(documents).some((y) => y !== x && alike(x, y) >= minShare);
          if (has)
            assert.ok(
              grouped.some((list) => list.includes(x)),
              `${x} is in no group`,
            );
        }
      }),
    );
  });
  test('after any edits, additions, and removals, the groups equal those of a new corpus', () => {
    const change = fc.record({ name: fc.constantFrom(...names), to: fc.option(languageHash, { freq: 3 }) });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 25 }),
        fc.constantFrom<Method>('minhash', 'simhash', 'combined'),
        (changes, method) => {
          const corpus = new LiveTextCorpus({}, { method });
          const texts: Record<string, string> = {};
          changes.forEach(({ name, to }, step) => {
            const path = `${name}.md`;
            if (to === null) {
              corpus.remove(path);
              Reflect.deleteProperty(texts, path);
            } else {
              texts[path] = textOf(wordsOf(to));
              corpus.put(path, texts[path]);
            }
            if (step % 5 === 0) corpus.findings();
            // This compares all documents again, including files that were compared before.
            if (step % 7 === 0) corpus.turnTo({ method, maxDistance: (step / 7) % 4 });
            if (step % 11 === 0) corpus.turnTo({ method, prose: { ...defaultOptions.prose, minWords: 70 } });
            if (step % 13 === 0) corpus.turnTo({ method, minLines: 20 });
          });
          corpus.turnTo({ method });
          assert.deepEqual(corpus.findings().groups, findingsOf(texts, { method }).groups);
        },
      ),
      { numRuns: scaled(40) },
    );
  });
  test('a contained file is found after each edit of it and of its container', () => {
    let containedCount = 0;
    const edit = fc.record({ isOfInner: fc.boolean(), place: fc.nat(79), word: fc.nat(9) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        const inner = wordsFrom(0, 80);
        const outer = [...inner, ...wordsFrom(2000, 300)];
        const texts: Record<string, string> = { 'a.md': textOf(inner), 'b.md': textOf(outer) };
        const corpus = new LiveTextCorpus(texts);
        for (const { isOfInner, place, word } of edits) {
          const [name, words] = isOfInner ? ['a.md', inner] : ['b.md', outer];
          words[place] = `other${word}`;
          texts[name] = textOf(words);
          corpus.put(name, texts[name]);
          const { groups } = corpus.findings();
          assert.deepEqual(groups, findingsOf(texts, {}, corpus.idfTable()).groups);
          if (groups.some(({ kind, inside }) => kind === 'file' && inside !== undefined)) containedCount++;
        }
      }),
      { numRuns: scaled(20) },
    );
    assert.ok(!reachesAllCases || containedCount > 20, String(containedCount));
  });
  test('a file that becomes similar to another and then different again has the groups of a new corpus', () => {
    const original = wordsFrom(0, 400);
    const others = wordsFrom(2000, 400);
    const corpus = new LiveTextCorpus({ 'a.md': textOf(original) });
    const seen = new Set<number>();
    const counts = Array.from({ length: 20 }, (_, step) => 20 * step);
    for (const count of [...counts, ...counts.reverse()]) {
      const text = textOf([...original.slice(0, count), ...others.slice(count)]);
      corpus.put('b.md', text);
      const { groups } = corpus.findings();
      const fresh = findingsOf({ 'a.md': textOf(original), 'b.md': text }, {}, corpus.idfTable());
      assert.deepEqual(groups, fresh.groups, String(count));
      seen.add(groups.filter(({ kind }) => kind === 'file').length);
    }
    assert.deepEqual(seen, new Set([0, 1]));
  });
});

suite('file clusters: methods', () => {
  const original = wordsFrom(0, 400);
  const documents = {
    a: original,
    // Six words of a hundred changed: resemblance about 0.7.
    b: edited(original, 17, 'x'),
    // One change in one place: all methods find the files very similar.
    c: [...wordsFrom(9000, 4), ...original.slice(4)],
    d: wordsFrom(5000, 400),
    // The same shingles and as many others, repeated ten times: the sets are near, the votes are not.
    e: [...original, ...Array.from({ length: 10 }, () => wordsFrom(700, 20)).flat()],
  };

  test('minhash depends on the set of shingles, however often they repeat', () => {
    assert.deepEqual(namesOf(fileGroups(documents, 'minhash')), ['a b c e']);
  });
  for (const [method, maxDistance] of [
    ['simhash', 6],
    ['combined', 12],
  ] as const) {
    test(`${method} requires fingerprints near that of the leader`, () => {
      // Without the file that contains others.
      const near = fileGroups({ ...documents, e: [] }, method);
      assert.ok(near.length > 0);
      for (const group of near) assert.ok(hasLeader(group, maxDistance), String(namesOf([group])));
    });
  }
});

/** True if one member is within the distance of all others. */
function hasLeader({ passages, pairs }: Group, maxDistance: number): boolean {
  return passages.some((_, member) =>
    pairs.filter(({ a, b }) => a === member || b === member).every(({ distance }) => distance <= maxDistance),
  );
}
