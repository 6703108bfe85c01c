/** New copies: copies that the base lacks. Moved, renamed, indented, or shifted text is not new. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { root } from '../../scripts/project.mjs';
import { entryFor, matchBaseline } from '../../src/review/gate/baseline.ts';
import { judgeGroups } from '../../src/review/gate/judgeGroups.ts';
import { drawing, parsing, parsingRenamed, harbour } from '../passages.ts';
import { judge } from './history.ts';

const pair = { 'a.ts': parsing, 'b.ts': `const other = 1;\n\n${drawing}${parsing}` };

suite('new copies', () => {
  function check(after: Readonly<Record<string, string>>, fresh: readonly string[], before: typeof after = pair): void {
    const { fresh: found, freshFiles } = judge(before, after);
    assert.deepEqual(found, fresh);
    if (fresh.length === 0) assert.deepEqual(freshFiles, []);
  }

  test('are absent without changes', () => check(pair, []));

  test('include a verbatim third copy', () => check({ ...pair, 'c.ts': `let c;\n${parsing}` }, ['c.ts:2-16']));

  test('include a copy of text that occurred once, but not the original', () => {
    check({ 'a.ts': parsing, 'c.ts': `let c;\n${parsing}` }, ['c.ts:2-16'], { 'a.ts': parsing });
  });

  test('include a copy in the file of the original', () => {
    check({ 'a.ts': `${parsing}${drawing}${parsing}` }, ['a.ts:31-45'], { 'a.ts': parsing + drawing });
  });

  test('include a renamed copy', () => check({ ...pair, 'c.ts': `let c;\n${parsingRenamed}` }, ['c.ts:2-16']));

  test('include a copied paragraph', () => {
    check({ 'a.md': harbour, 'b.md': `# Two\n\n${harbour}` }, ['b.md:3-3'], { 'a.md': harbour, 'b.md': '# Two\n' });
  });

  test('exclude a renamed file, even if other lines of it were edited', () => {
    check({ 'sub/z.ts': parsing, 'b.ts': pair['b.ts'] }, []);
    check({ 'a.ts': parsing, 'sub/z.ts': pair['b.ts'].replace('other', 'another') }, []);
  });

  test('exclude a copy that was moved to another file, and include one of two copies if it was moved and copied', () => {
    check({ 'a.ts': parsing, 'b.ts': `const other = 1;\n\n${drawing}`, 'c.ts': `let c;\n${parsing}` }, []);
    const moved = { 'a.ts': parsing, 'b.ts': drawing, 'c.ts': `let c;\n${parsing}`, 'd.ts': `let d;\n\n${parsing}` };
    assert.equal(judge(pair, moved).fresh.length, 1);
  });

  test('exclude a copy that was moved unchanged, and include an edited copy of it', () => {
    const lines = parsing.split('\n');
    const others = ['limit', 'fields'].map((name, i) => `    report.${name}(total[${i}], await clock.now());`);
    const edited = [...lines.slice(0, 4), ...others, ...lines.slice(6)].join('\n');
    const [c, d] = [`let c;\n${edited}`, `let d;\n\n${parsing}`];
    check({ 'a.ts': parsing, 'b.ts': 'const other = 1;\n', 'c.ts': c, 'd.ts': d }, ['c.ts:1-16']);
  });

  test('exclude a pair whose passages were both moved', () => {
    check({ 'x.ts': `let x;\n${parsing}`, 'y.ts': `let y;\n\n\n${parsing}` }, []);
  });

  test('exclude copies that were shifted or indented', () => {
    check({ ...pair, 'b.ts': `// one\n// two\n${pair['b.ts']}` }, []);
    check({ ...pair, 'b.ts': pair['b.ts'].replaceAll(/^/gm, '    ') }, []);
  });

  test('exclude a copy that was edited in place', () => {
    check({ ...pair, 'a.ts': parsing.replace('100', '200') }, []);
    check({ ...pair, 'a.ts': parsing.replace('let', 'var').replace("'connection'", "'upgrade'") }, []);
  });

  test('include text that was replaced by a copy of another group', () => {
    const before = { 'a.ts': parsing, 'b.ts': `let b;\n${parsing}`, 'c.ts': drawing, 'd.ts': `let d;\n${drawing}` };
    check({ ...before, 'd.ts': `let d;\n${parsing}` }, ['d.ts:2-16'], before);
  });

  test('exclude old functions that became copies by an edit of a few lines', () => {
    // Two of three lines differ. The edit makes four of the differing lines equal.
    const lines = parsing.split('\n');
    const apart = (isOther: (line: number) => boolean): Record<string, string> => {
      const text = lines.map((line, i) => (isOther(i) ? `  width.push(${i} * height, depth[${i}]);` : line)).join('\n');
      return { 'a.ts': parsing, 'b.ts': `let b;\n${text}` };
    };
    const before = apart((i) => i % 3 > 0);
    const after = apart((i) => i % 3 === 2 || i === 13);
    const result = judge(before, after);
    assert.deepEqual([result.base, result.fresh], [[], []]);
    assert.notDeepEqual(result.now, []);
  });

  test('exclude moved text that forms a copy together with the text beside it', () => {
    const [head, tail] = [parsing.split('\n').slice(0, 7), parsing.split('\n').slice(7)];
    const before = { 'a.ts': parsing, 'b.ts': `let b;\n${head.join('\n')}\n`, 'c.ts': `let c;\n${tail.join('\n')}\n` };
    check({ ...before, 'b.ts': `let b;\n${parsing}`, 'c.ts': 'let c;\n' }, [], before);
  });

  test('exclude the remaining copies after one is removed', () => {
    const three = { ...pair, 'c.ts': `let c;\n${parsing}` };
    check(pair, [], three);
  });

  test('exclude any renamed, moved, indented, or shifted copies, and include only an added copy', () => {
    const place = fc.record({
      folder: fc.constantFrom('', 'sub/', 'sub/deep/'),
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      above: fc.integer({ min: 0, max: 4 }),
      indentation: fc.constantFrom('', '  ', '\t'),
    });
    const layout = fc.uniqueArray(place, { minLength: 3, maxLength: 3, selector: ({ name }) => name });
    type Place = typeof place extends fc.Arbitrary<infer Value> ? Value : never;
    const textOf = ({ name, above, indentation }: Place): string =>
      `let ${name} = ${name.charCodeAt(0)};\n${`// ${name}\n`.repeat(above)}${parsing.replaceAll(/^(?=.)/gm, indentation)}`;
    const tree = (places: readonly Place[]): Record<string, string> =>
      Object.fromEntries(places.map((it) => [`${it.folder}${it.name}.ts`, textOf(it)]));
    fc.assert(
      fc.property(layout, layout, (before, after) => {
        const two = tree(before.slice(0, 2));
        const moved = judge(two, tree(after.slice(0, 2)));
        assert.deepEqual([...moved.fresh, ...moved.freshFiles], []);
        const grown = judge(two, tree(after));
        const groups = grown.now.filter(({ kind }) => kind !== 'file');
        assert.deepEqual(
          groups.map(({ passages }) => passages.length),
          [3],
        );
        assert.equal(grown.fresh.length, 1);
      }),
      { numRuns: scaled(10) },
    );
  });
});

suite('an additional copy among many groups', () => {
  const endings = ['python.py', 'rust.rs', 'go.go', 'java.java', 'ruby.rb', 'typescript.ts', 'c.c'];
  const texts = endings.map((name) => readFileSync(path.join(root, 'test/fixtures/lex', name), 'utf8'));
  const treeOf = (count: number, folders: readonly string[], others: readonly number[]): Record<string, string> =>
    Object.fromEntries(
      endings.slice(0, count).flatMap((name, i) => {
        const copies = others.includes(i) ? [...folders, 'new'] : folders;
        // Files must differ, or their groups would be shown only as whole files.
        return copies.map((folder) => [`${folder}/${name}`, `${folder}${i}\n\n${texts[i]}`]);
      }),
    );

  test('is the only new copy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: endings.length }), fc.nat(), (count, which) => {
        const before = treeOf(count, ['a', 'b'], []);
        const after = treeOf(count, ['a', 'b'], [which % count]);
        const { base, now, fresh, freshFiles } = judge(before, after);
        assert.ok(base.length >= count);
        assert.notDeepEqual([...fresh, ...freshFiles], []);
        const isOther = (place: string): boolean => !place.startsWith(`new/${endings[which % count]}`);
        assert.deepEqual([...fresh, ...freshFiles].filter(isOther), []);
        const baseline = matchBaseline(
          now,
          base.map((group) => entryFor(group, undefined)),
        );
        const verdicts = judgeGroups(now, { copies: undefined, baseline, ignored: new Map(), aside: new Map() });
        for (const { passages, isNew } of verdicts) {
          const hasGrown = passages.some(({ path: name }) => name.startsWith('new/'));
          assert.equal(isNew === true, hasGrown, passages.map(({ path: name }) => name).join(' '));
        }
      }),
      { numRuns: scaled(12), examples: [[endings.length, 0]] },
    );
  });
});

suite('diverged copies', () => {
  test('include an edit of one copy, with the diff that the other copy lacks', () => {
    const { diverged } = judge(pair, { ...pair, 'a.ts': parsing.replace('100', '200') });
    assert.equal(diverged.length, 1);
    const [{ edited, others }] = diverged;
    assert.deepEqual(
      edited.map(({ path, startLine, diff }) => [path, startLine, ...diff]),
      [['a.ts', 1, '@@ -11,1 +11,1 @@', '-    if (fields.size > 100) break;', '+    if (fields.size > 200) break;']],
    );
    assert.deepEqual(others, [{ path: 'b.ts', startLine: 18, endLine: 32 }]);
  });

  test('exclude a function that was inserted between two copies', () => {
    const two = { 'a.ts': parsing + drawing, 'b.ts': `let b;\n${parsing}${drawing}` };
    const between = 'function other(): number {\n' + '  count++;\n'.repeat(20) + '  return count;\n}\n';
    assert.deepEqual(judge(two, { ...two, 'a.ts': parsing + between + drawing }).diverged, []);
  });

  test('exclude a copy with a new layout or edited comments', () => {
    const reformatted = parsing
      .replace(
        "for (const line of input.split('\\r\\n').slice(0, limit)) {",
        "for (\n    const line of input\n      .split('\\r\\n')\n      .slice(0, limit)\n  ) {",
      )
      .replace('if (fields.size > 100) break;', 'if (fields.size > 100)\n      break;');
    assert.notEqual(reformatted, parsing);
    assert.deepEqual(judge(pair, { ...pair, 'a.ts': reformatted }).diverged, []);
    const commented = parsing.replace(
      '    if (fields.size > 100) break;',
      '    // Enough.\n    if (fields.size > 100) break; // 100',
    );
    assert.deepEqual(judge(pair, { ...pair, 'a.ts': commented }).diverged, []);
    assert.equal(judge(pair, { ...pair, 'a.ts': commented.replaceAll('100', '200') }).diverged.length, 1);
  });

  test('exclude edits of all copies, edits beside a copy, removals, and changes of whitespace', () => {
    const edited = (text: string): string => text.replace('100', '200');
    assert.deepEqual(judge(pair, { 'a.ts': edited(parsing), 'b.ts': edited(pair['b.ts']) }).diverged, []);
    assert.deepEqual(judge(pair, { ...pair, 'b.ts': pair['b.ts'].replace('other = 1', 'other = 2') }).diverged, []);
    assert.deepEqual(judge(pair, { 'b.ts': pair['b.ts'] }).diverged, []);
    assert.deepEqual(judge(pair, { ...pair, 'a.ts': parsing.replaceAll(/^/gm, '  ') }).diverged, []);
  });

  test('include a copy that keeps half of its lines, and exclude one that keeps fewer', () => {
    const statement = (name: string, i: number): string => `  ${name}${i}.push(await ${name}s[${i}](limit${i}));`;
    const textOf = (editedLines: number): string => {
      const lines = Array.from({ length: 18 }, (_, i) => statement(i < editedLines ? 'other' : 'own', i));
      return ['export async function fill() {', ...lines, '}', ''].join('\n');
    };
    const two = { 'a.ts': textOf(0), 'b.ts': textOf(0) };
    assert.equal(judge(two, { ...two, 'a.ts': textOf(10) }).diverged.length, 1);
    assert.deepEqual(judge(two, { ...two, 'a.ts': textOf(11) }).diverged, []);
  });
});
