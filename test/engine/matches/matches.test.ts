/** Extent and acceptance of matches, tested through the findings. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { presets } from '../../../src/core/engine/dials.ts';
import { defaultOptions } from '../../../src/core/engine/options.ts';
import { type Documents, groupsOf, matchesOf, placesOf } from '../corpusOf.ts';

/**
 * Returns a function with this many statements, in one of four forms. Each has its own word and that of the previous
 * statement. `other` selects the statements to replace.
 */
function functionOf(name: string, statements: number, other: (i: number) => boolean = () => false): string {
  const body = Array.from({ length: statements }, (_, i) => {
    if (other(i)) return `  ${syllables(i + 50)}.push(${syllables(i + 60)} ?? ${syllables(i + 70)}[${i}]);`;
    const [own, call, before, word] = [i, 10 + (i % 5), Math.max(0, i - 1), 30 + (i % 7)].map(syllables);
    const forms = [
      `const ${own} = ${call}(${before}, '${word}');`,
      `const ${own} = ${before}.${word} * 2 + ${call}[0];`,
      `const ${own} = ${before} > ${word}.length ? ${call} : !${before};`,
      `const ${own} = [...${call}, await ${word}(${before})];`,
    ];
    return `  ${forms[i % 4] ?? ''}`;
  });
  return `export function ${name}(input: Input): Output {\n${body.join('\n')}\n  return finish(input);\n}\n`;
}

/** Returns a word of four syllables, unique to the number. */
function syllables(n: number): string {
  const parts = ['ka', 'lo', 'mi', 'nu', 're', 'so', 'ti', 'va', 'xe', 'zu'];
  const mixed = (n * 7919 + 104_729) % 10_000;
  return [1000, 100, 10, 1].map((unit) => parts[Math.floor(mixed / unit) % 10]).join('');
}

suite('matches: extent', () => {
  test('a function in which every third statement was changed is marked completely', () => {
    const a = functionOf('measure', 12);
    const b = functionOf('measure', 12, (i) => i % 3 === 2);
    const [group] = groupsOf({ 'a.ts': a, 'b.ts': b });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.ts:1-15', 'b.ts:1-15']);
    assert.equal(group.type, 'near');
  });
  test('the ends of a function are marked if only statements near them were changed', () => {
    const a = functionOf('measure', 10);
    const b = functionOf('measure', 10, (i) => i < 3 || i > 7);
    const [group] = groupsOf({ 'a.ts': `class Queue {\n  tail = 0;\n}\n${a}`, 'b.ts': `${b}for (;;) await tick();\n` });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.ts:4-16', 'b.ts:1-13']);
  });
  test('a few tokens of a line are not part of a match', () => {
    const common = functionOf('measure', 10);
    const a = `callOne(alpha, beta, gamma, delta);\n${common}first(epsilon, zeta, eta);\n`;
    const b = `if (theta) { iota(kappa, lambda(mu), nu);\n${common}while (xi > omicron) pi(rho);\n`;
    const [group] = groupsOf({ 'a.ts': a, 'b.ts': b });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.ts:2-14', 'b.ts:2-14']);
  });
  test('excludes a line at either end if one side has only a little of it', () => {
    const common = Array.from({ length: 14 }, (_, i) => `const ${syllables(i)} = first(${syllables(i + 20)}, [${i}]);`);
    const more = Array.from({ length: 8 }, (_, i) => syllables(i + 40)).join(' + ');
    const short = ['total = alpha', ...common, 'return alpha'].join('\n');
    const long = [`${more} * total = alpha`, ...common, `return alpha * ${more}`].join('\n');
    for (const [a, b] of [
      [short, long],
      [long, short],
    ]) {
      const [group] = groupsOf({ 'a.ts': a, 'b.ts': b });
      assert.ok(group);
      assert.deepEqual(placesOf(group), ['a.ts:2-15', 'b.ts:2-15']);
    }
  });
  test('the beginning is included if it is a string with holes', () => {
    const text = Array.from({ length: 11 }, (_, i) => syllables(90 + i)).join('/');
    const common = `  const address = \`${text}/\${until}\`;\n${functionOf('measure', 10).split('\n').slice(1, 11).join('\n')}`;
    const a = `callOne(alpha, beta, gamma, delta);\n${common}\nfirst(epsilon, zeta, eta);\n`;
    const b = `iota(kappa[0] + lambda / mu);\nxi.omicron();\n${common}\nwhile (pi > rho) sigma--;\n`;
    const [group] = groupsOf({ 'a.ts': a, 'b.ts': b });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.ts:2-12', 'b.ts:3-13']);
  });
  test('the case patterns of the shell do not end blocks', () => {
    const branches = Array.from({ length: 9 }, (_, i) => {
      const [own, other] = [syllables(i), syllables(i + 20)];
      return `  -${own}|--${own}=*)\n    ${other} "$1" --${syllables(i + 40)}\n    ;;\n`;
    });
    const common = `case $1 in\n${branches.join('')}esac\n`;
    const a = `set -e\nquiet=0\n${common}make all | grep x\n`;
    const b = `rm -f a\ncd /x || exit\npwd\n${common}cp b c\n`;
    const [group] = groupsOf({ 'a.sh': a, 'b.sh': b });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.sh:3-31', 'b.sh:4-32']);
  });
  test('a block is included on both sides or on neither', () => {
    const statements = functionOf('measure', 12).split('\n').slice(1, 13).join('\n');
    const inFunction = `function one(): void {\n${statements}\n}\n`;
    const inScript = `${statements}\nfinally(done);\n`;
    const [group] = groupsOf({ 'a.ts': inFunction, 'b.ts': inScript });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.ts:2-13', 'b.ts:1-12']);
  });
  test('a paragraph with a replaced sentence at its end is marked completely', () => {
    const sentences = (first: number, count: number): string[] =>
      Array.from(
        { length: count },
        (_, i) => `${Array.from({ length: 9 }, (_w, j) => syllables(first + 9 * i + j)).join(' ')}.`,
      );
    const kept = sentences(0, 6);
    const page = (last: string[], own: string[]): string => `${own.join('\n')}\n\n${[...kept, ...last].join('\n')}\n`;
    const a = page(sentences(300, 2), sentences(400, 3));
    const b = page(sentences(500, 2), sentences(600, 5));
    const [group] = groupsOf({ 'a.md': a, 'b.md': b });
    assert.ok(group);
    assert.deepEqual(placesOf(group), ['a.md:5-12', 'b.md:7-14']);
  });
});

suite('matches: acceptance', () => {
  test('a copy with all names replaced consistently is accepted', () => {
    const a = functionOf('measure', 12);
    const renamed = a.replaceAll(/\b(?:[klmnrstvxz][aoiue]){4}\b/g, (word) => `${word}New`);
    const [group] = groupsOf({ 'a.ts': a, 'b.ts': renamed });
    assert.equal(group?.type, 'renamed');
  });
  test('the same shape with names replaced at random is rejected', () => {
    let n = 0;
    const a = functionOf('measure', 12);
    const other = a.replaceAll(/\b(?:[klmnrstvxz][aoiue]){4}\b/g, () => syllables(n++ + 100));
    assert.deepEqual(groupsOf({ 'a.ts': a, 'b.ts': other.replaceAll('measure', 'weigh') }), []);
  });
  test('private names count as names', () => {
    const a = functionOf('measure', 12).replaceAll(' = ', ' = this.#');
    const b = functionOf('measure', 12).replaceAll(' = ', ' = this.x');
    const [group] = groupsOf({ 'a.ts': a, 'b.ts': b });
    assert.equal(group?.type, 'renamed');
  });
});

suite('matches: acceptance with a lower minimum similarity', () => {
  const thresholds = [1, 0.9, 0.7, 0.6, defaultOptions.minSimilarity, 0.5, 0.45, 0.4, 0.3];

  test('rejects a copy with other statements and names that is above both minimums', () => {
    const edited = editedCopies({ statements: 12, replaced: 4, once: 5 });
    for (const minSimilarity of thresholds) assert.deepEqual(groupsOf(edited, { minSimilarity }), []);
  });

  const few = fc.integer({ min: 2, max: 9 });
  const edits = fc.record({ statements: fc.integer({ min: 5, max: 20 }), replaced: few, once: few });

  test('includes everything that a higher minimum accepts', () => {
    fc.assert(
      fc.property(edits, (edit) => {
        const edited = editedCopies(edit);
        let before = new Set<string>();
        for (const minSimilarity of thresholds) {
          const lines = matchedLines(edited, minSimilarity);
          assert.deepEqual(
            [...before].filter((line) => !lines.has(line)),
            [],
            `at ${minSimilarity}`,
          );
          before = lines;
        }
      }),
    );
  });

  test('includes nothing that a higher minimum rejects although it is similar enough', () => {
    fc.assert(
      fc.property(edits, (edit) => {
        const edited = editedCopies(edit);
        for (const minSimilarity of [0.7, defaultOptions.minSimilarity]) {
          const lines = matchedLines(edited, minSimilarity);
          const added = [...matchedLines(edited, 0.3, minSimilarity)].filter((line) => !lines.has(line));
          assert.deepEqual(added, [], `at ${minSimilarity}`);
        }
      }),
    );
  });
});

suite('matches: acceptance with a greater distance', () => {
  test('includes a copy with other statements and names', () => {
    const edited = editedCopies({ statements: 12, replaced: 4, once: 5 });
    for (const maxDistance of [0, defaultOptions.maxDistance]) assert.deepEqual(groupsOf(edited, { maxDistance }), []);
    for (const maxDistance of [presets.loose.maxDistance, 16]) {
      const [group] = groupsOf(edited, { maxDistance });
      assert.ok(group, `at ${maxDistance}`);
      assert.deepEqual(placesOf(group), ['a.ts:1-15', 'b.ts:1-15']);
    }
  });
});

/**
 * Returns a function and a copy of it with other names. At regular intervals, a statement or a name is different each
 * time.
 */
function editedCopies({
  statements,
  replaced,
  once,
}: {
  statements: number;
  replaced: number;
  once: number;
}): Documents {
  let n = 0;
  const copy = functionOf('measure', statements, (i) => i % replaced === 1).replaceAll(
    /\b(?:[klmnrstvxz][aoiue]){4}\b/g,
    (name) => (n++ % once === 0 ? syllables(300 + n) : `${name}New`),
  );
  return { 'a.ts': functionOf('measure', statements), 'b.ts': copy };
}

/** Returns the lines of both sides of all matches with at least this similarity. */
function matchedLines(documents: Documents, minSimilarity: number, similarity = 0): Set<string> {
  const { matches, passagesOf } = matchesOf(documents, { minSimilarity });
  const passages = matches.filter((match) => match.similarity >= similarity).flatMap(passagesOf);
  return new Set(
    passages.flatMap(({ path, startLine, endLine }) =>
      Array.from({ length: endLine - startLine + 1 }, (_, i) => `${path}:${startLine + i}`),
    ),
  );
}
