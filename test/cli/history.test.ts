/** `kindred history --missed-fixes` in repositories that the tests make: edits that a copy has and others lack. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { History } from '../../src/surfaces/cli/history/runHistory.ts';
import { type Commit, parsePatches } from '../../src/surfaces/cli/history/edits.ts';
import { likeFixCommit, likeFixEdit, mentionsFix } from '../../src/surfaces/cli/history/likeFix.ts';
import { isNotNeeded } from '../../src/surfaces/cli/history/counterparts.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { kindred } from './kindred.ts';

/** A function, with names of its own. */
function summing(name: string, items: string, high: string, comparison = '<=', extra = ''): string {
  return `/** Adds what is in the range. */
export function ${name}(${items}: number[], low: number, ${high}: number): number {
  const seen = new Set<number>();
  let total = 0;
  for (let i = low; i ${comparison} ${high}; i++) {
    const value = ${items}[i];
    if (value === undefined || seen.has(value)) continue;
${extra}    seen.add(value);
    total += value * weightOf(value, seen.size);
  }
  if (total > Number.MAX_SAFE_INTEGER) throw new RangeError('The total is too large.');
  return Math.round(total / Math.max(1, seen.size));
}
`;
}

suite('kindred history --missed-fixes', () => {
  let folder = '';

  setup(() => {
    folder = makeFolder({});
    git('init', '-q');
    put({
      'src/a.ts': summing('sumRange', 'values', 'high'),
      'src/b.ts': summing('totalBetween', 'items', 'last'),
      'lib/c.ts': summing('sumAll', 'values', 'high'),
    });
    commit('Add sums');
  });

  teardown(() => removeFolder(folder));

  function git(...gitArguments: readonly string[]): string {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    return execFileSync('git', ['-C', folder, ...who, ...gitArguments], { encoding: 'utf8' });
  }

  function put(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  }

  function commit(message: string): void {
    git('add', '--all');
    git('commit', '-q', '-m', message);
  }

  async function report(...commandArguments: readonly string[]): Promise<History> {
    const { code, stdout, stderr } = await kindred(['history', '--missed-fixes', '--json', ...commandArguments], {
      cwd: folder,
    });
    assert.deepEqual([code, stderr], [0, '']);
    return JSON.parse(stdout) as History;
  }

  async function subjects(...commandArguments: readonly string[]): Promise<string[]> {
    return (await report(...commandArguments)).missedFixes.map(({ commit: { subject } }) => subject);
  }

  test('lists the copy that lacks a fix, and the fix in its names', async () => {
    put({
      'src/a.ts': summing('sumRange', 'values', 'high', '<'),
      'lib/c.ts': summing('sumAll', 'values', 'high', '<'),
    });
    commit('Fix the end of ranges');
    const { commits, total, missedFixes } = await report();
    assert.deepEqual([commits, total, missedFixes.length], [1, 1, 1]);
    const [{ commit: found, edited, removed, added, others }] = missedFixes;
    assert.equal(found.id, git('rev-parse', 'HEAD').trim());
    assert.equal(found.subject, 'Fix the end of ranges');
    assert.deepEqual(
      [...edited].sort((x, y) => (x.path < y.path ? -1 : 1)),
      ['lib/c.ts', 'src/a.ts'].map((name) => ({ path: name, startLine: 5, endLine: 5 })),
    );
    assert.deepEqual(
      [removed, added],
      [['  for (let i = low; i <= high; i++) {'], ['  for (let i = low; i < high; i++) {']],
    );
    const [{ similarityBefore, startLine, endLine, ...other }] = others;
    assert.equal(others.length, 1);
    assert.deepEqual(other, {
      path: 'src/b.ts',
      line: 5,
      removed: ['  for (let i = low; i <= last; i++) {'],
      added: ['  for (let i = low; i < last; i++) {'],
    });
    assert.equal(similarityBefore, 1);
    assert.ok(startLine <= 5 && endLine >= 13);
  });

  test('lists nothing if all copies have the fix, or a later commit repeats it', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<') });
    put({ 'lib/c.ts': summing('sumAll', 'values', 'high', '<') });
    commit('Fix the end of ranges');
    put({ 'src/b.ts': summing('totalBetween', 'items', 'last', '<') });
    commit('Fix the end of the other range');
    assert.deepEqual(await subjects(), []);
  });

  test('lists inserted and removed lines', async () => {
    const check = '    if (value < 0) continue;\n';
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<=', check) });
    commit('Fix negative values');
    assert.deepEqual(
      (await report()).missedFixes[0].others.map(({ path: name, added }) => [name, added.join('\n')]),
      [
        ['lib/c.ts', `${check}    seen.add(value);`],
        ['src/b.ts', `${check}    seen.add(value);`],
      ],
    );
    put({
      'src/b.ts': summing('totalBetween', 'items', 'last', '<=', check),
      'lib/c.ts': summing('sumAll', 'values', 'high', '<=', check),
    });
    commit('Apply it everywhere');
    assert.deepEqual(await subjects(), []);
    put({ 'src/a.ts': summing('sumRange', 'values', 'high') });
    commit('Fix the loss of negative values');
    assert.deepEqual(await subjects(), ['Fix the loss of negative values']);
  });

  test('lists other commits only if asked, and only those after a ref', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<') });
    commit('Exclude the end');
    assert.deepEqual(await subjects(), []);
    assert.deepEqual(await subjects('--all-commits'), ['Exclude the end']);
    assert.deepEqual((await report()).notSearched, { withoutFix: 1, tooLarge: 0 });
    assert.deepEqual((await report('--all-commits')).notSearched, { withoutFix: 0, tooLarge: 0 });
    assert.deepEqual(await subjects('--all-commits', '--since', 'HEAD'), []);
    assert.deepEqual(await subjects('--all-commits', '--since', 'HEAD~1'), ['Exclude the end']);
    const { commits } = await report('--since', 'HEAD~1');
    assert.equal(commits, 1);
  });

  test('lists an edit that changes only a text or a name', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high').replace('too large', 'too great') });
    commit('Fix a message');
    put({ 'lib/c.ts': summing('sumAll', 'values', 'high').replace('Math.max(1', 'Math.min(1') });
    commit('Fix the divisor');
    assert.deepEqual([...(await subjects())].sort(), ['Fix a message', 'Fix the divisor']);
  });

  test('does not list comments', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<=', '    // Each value counts once.\n') });
    commit('Fix a comment');
    assert.deepEqual(await subjects(), []);
  });

  test('does not list edits that use a variable which the other copies lack', async () => {
    const counted = summing('sumRange', 'values', 'high', '<=', '    skipped += 1;\n');
    put({ 'src/a.ts': `let skipped = 0;\n${counted}` });
    commit('Fix the count');
    assert.deepEqual(await subjects(), []);
    // With the variable, they could have the edit.
    for (const [name, own] of [
      ['src/b.ts', summing('totalBetween', 'items', 'last')],
      ['lib/c.ts', summing('sumAll', 'values', 'high')],
    ] as const) {
      put({ [name]: `let skipped = 0;\n${own}` });
    }
    commit('Declare it elsewhere');
    assert.deepEqual(await subjects(), ['Fix the count']);
  });

  test('does not list a copy that was made of the old text later', async () => {
    put({
      'src/a.ts': summing('sumRange', 'values', 'high', '<'),
      'src/b.ts': summing('totalBetween', 'items', 'last', '<'),
      'lib/c.ts': summing('sumAll', 'values', 'high', '<'),
    });
    commit('Fix the end of ranges');
    put({ 'lib/d.ts': summing('sumMore', 'values', 'high') });
    commit('Add another copy');
    assert.deepEqual(await subjects(), []);
  });

  test('does not list a copy that the commit edited, too', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<') });
    put({ 'src/b.ts': summing('totalBetween', 'items', 'last', '<=', '    items.touch(i);\n') });
    put({ 'lib/c.ts': summing('sumAll', 'values', 'high', '<') });
    commit('Fix the end of ranges');
    assert.deepEqual(await subjects(), []);
  });

  test('does not list a copy for another platform', async () => {
    put({
      'src/win/a.ts': summing('sumRange', 'values', 'high'),
      'src/unix/a.ts': summing('sumRange', 'values', 'high'),
    });
    git('rm', '-q', 'src/a.ts', 'src/b.ts', 'lib/c.ts');
    commit('Move');
    put({ 'src/win/a.ts': summing('sumRange', 'values', 'high', '<') });
    commit('Fix the end of ranges');
    assert.deepEqual(await subjects(), []);
  });

  test('prints a fix with its copies', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<') });
    commit('Fix the end of ranges');
    const { stdout } = await kindred(['history', '--missed-fixes'], { cwd: folder });
    assert.match(stdout, /^1\. [0-9a-f]{10} \d{4}-\d\d-\d\d Fix the end of ranges\n {3}edited {2}src\/a\.ts:5\n/);
    assert.match(stdout, /\n {9}- {3}for \(let i = low; i <= high; i\+\+\) \{\n {9}\+ {3}for \(let i = low; i < high;/);
    assert.match(stdout, /\n {3}not {5}src\/b\.ts:5 \(in 2-\d+, 100% alike before\)\n/);
    assert.match(stdout, /\n1 edit that other copies lack, in 1 commit with modified files\.\n$/);
  });

  test('states how many commits were not searched, and why', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<') });
    put({ 'notes.txt': 'one\n' });
    commit('Exclude the end');
    // This commit modifies no file with copies.
    put({ 'notes.txt': 'two\n' });
    commit('Add a note');
    const others = Array.from({ length: 40 }, (_, i) => `data/${i}.txt`);
    put(Object.fromEntries(others.map((name) => [name, 'one\n'])));
    commit('Add data');
    put(Object.fromEntries(others.map((name) => [name, 'two\n'])));
    put({ 'src/a.ts': summing('sumRange', 'values', 'high') });
    commit('Fix everything');
    const { stdout } = await kindred(['history', '--missed-fixes'], { cwd: folder });
    assert.equal(
      stdout,
      '0 edits that other copies lack, in 3 commits with modified files.\n' +
        'Not searched: 1 commit whose message does not mention a fix; --all-commits includes them.\n' +
        'Not searched: 1 commit with more than 40 modified files.\n',
    );
  });

  test('states that a clone is shallow, unless it has all commits to search', async () => {
    put({ 'src/a.ts': summing('sumRange', 'values', 'high', '<') });
    commit('Fix the end of ranges');
    put({ 'src/a.ts': `${summing('sumRange', 'values', 'high', '<')}\n` });
    commit('Fix the end of the file');
    const shallow = makeFolder({});
    const search = async (...commandArguments: readonly string[]): Promise<string> => {
      const { code, stdout, stderr } = await kindred(['history', '--missed-fixes', ...commandArguments], {
        cwd: shallow,
      });
      assert.deepEqual([code, stderr], [0, '']);
      return stdout;
    };
    const searchJson = async (): Promise<History> => JSON.parse(await search('--json')) as History;
    try {
      git('clone', '-q', '--depth', '1', pathToFileURL(folder).href, shallow);
      assert.equal(
        await search(),
        '0 edits that other copies lack, in 0 commits with modified files.\n' +
          'Not searched: older commits, because the clone is shallow and has only 1 commit; git fetch --unshallow gets them.\n',
      );
      const { shallowCommits, total } = await searchJson();
      assert.deepEqual([shallowCommits, total], [1, 0]);
      execFileSync('git', ['-C', shallow, 'fetch', '-q', '--depth', '2']);
      assert.match(await search('--since', 'HEAD~1'), / in 1 commit with modified files\.\n$/);
      assert.match(await search(), /shallow and has only 2 commits/);
      execFileSync('git', ['-C', shallow, 'fetch', '-q', '--unshallow']);
      const full = await searchJson();
      assert.deepEqual([full.total, 'shallowCommits' in full], [1, false]);
    } finally {
      removeFolder(shallow);
    }
  });

  test('reports errors in a sentence', async () => {
    const outside = makeFolder({ 'a.ts': '' });
    try {
      for (const [commandArguments, cwd, expected] of [
        [[], folder, /kindred history needs --missed-fixes/],
        [['--missed-fixes', '--since', 'nowhere'], folder, /there is no commit nowhere; fetch it, or check the name\./],
        [['--missed-fixes'], outside, /is not in a Git working tree/],
        [['--missed-fixes', 'gone'], folder, /there is no file or folder gone/],
        [['--missed-fixes', '--most', '0'], folder, /--most/],
      ] as const) {
        const { code, stdout, stderr } = await kindred(['history', ...commandArguments], { cwd });
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, expected);
      }
    } finally {
      removeFolder(outside);
    }
  });
});

suite('edits of a patch', () => {
  const id = 'a'.repeat(40);
  const commit: Commit = { id, day: '2026-01-01', subject: 's', body: '', files: 1 };

  test('are separated, with the lines around them, and lines that look like headers are lines', () => {
    const patch = [
      id,
      'diff --git a/a.sql b/a.sql',
      '--- a/a.sql',
      '+++ b/a.sql',
      '@@ -1,6 +1,6 @@',
      ' select 1;',
      '--- old',
      '+++ new',
      ' select 2;',
      '-select 3;',
      ' select 4;',
      '+select 5;',
      ' select 6;',
      'diff --git a/b.sql b/b.sql',
      '--- a/b.sql',
      '+++ b/b.sql',
      '@@ -1 +1 @@',
      '-x',
      '+y',
      '',
    ].join('\n');
    const edits = parsePatches(patch, new Map([[id, commit]]), (name) => name === 'a.sql');
    assert.deepEqual(
      edits.map(({ path: name, removed, added, before, after }) => [name, removed, added, before.at(-1), after[0]]),
      [
        ['a.sql', ['-- old'], ['++ new'], 'select 1;', 'select 2;'],
        ['a.sql', ['select 3;'], [], 'select 2;', 'select 4;'],
        ['a.sql', [], ['select 5;'], 'select 4;', 'select 6;'],
      ],
    );
  });

  test('include the last line without a newline, and files whose names git writes differently', () => {
    const patch = [
      id,
      'diff --git a/a b.sql b/a b.sql',
      '--- a/a b.sql\t',
      '+++ b/a b.sql\t',
      '@@ -1 +1 @@',
      '-select 1;',
      '\\ No newline at end of file',
      '+select 2;',
      'diff --git "a/\\303\\244.sql" "b/\\303\\244.sql"',
      '--- "a/\\303\\244.sql"',
      '+++ "b/\\303\\244.sql"',
      '@@ -1 +1 @@',
      '-select 3;',
      '+select 4;',
      '',
    ].join('\n');
    const edits = parsePatches(patch, new Map([[id, commit]]), () => true);
    assert.deepEqual(
      edits.map(({ path: name, removed, added }) => [name, removed, added]),
      [
        ['a b.sql', ['select 1;'], ['select 2;']],
        ['ä.sql', ['select 3;'], ['select 4;']],
      ],
    );
  });

  test('look like fixes by their message, size, and words', () => {
    const like = (subject: string, files = 1): number => likeFixCommit({ ...commit, subject, files });
    assert.ok(like('Fix a crash') > like('Add a button'));
    assert.ok(like('Add a button') > like('Rename the button'));
    assert.ok(like('Fix a crash') > like('Fix a crash', 30));
    assert.deepEqual(
      ['Fix a crash', 'Prevent overflow', 'Add a button', 'Format all'].map((subject) =>
        mentionsFix({ subject, body: '' }),
      ),
      [true, true, false, false],
    );
    const edit = (removed: string, added: string): number =>
      likeFixEdit([{ removed: [removed], added: [added] }], 'typescript');
    assert.ok(edit('if (i <= n) {', 'if (i < n) {') > edit('log(a);', 'log(b);'));
    assert.ok(edit('log(a);', 'log(b);') > edit("log('a');", "log('b');"));
    assert.ok(edit("log('a');", "log('b');") > edit("import a from 'a';", "import b from 'b';"));
    assert.ok(edit('// old', '// new') < 0.1);
  });
});

suite('edits that another copy does not need', () => {
  const check = (before: string, after: string, other: string, expected: boolean): void =>
    assert.equal(isNotNeeded({ before, after, other, language: 'typescript' }), expected, `${before} → ${after}`);

  test('rename', () => {
    const text = 'const rest = take(list, size);\nreturn rest.concat(rest);\n';
    check(text, text.replaceAll('rest', 'others'), text, true);
    check(text, text.replace('take', '_take'), text, true);
    check(text, text.replace('take', 'drop'), text, false);
    // The new name is one of the copy: a wrong variable.
    check(text, text.replace('list, size', 'size, size'), text, false);
  });

  test('change the arguments of a function that the other copy does not call', () => {
    const text = (name: string): string => `if (found(key)) {\n  reply(client, ${name}(entry));\n  count += 1;\n}\n`;
    check(text('sizeOf'), text('sizeOf').replace('(entry)', '(entry, 0)'), text('lengthOf'), true);
    check(text('sizeOf'), text('sizeOf').replace('(entry)', '(entry, 0)'), text('sizeOf'), false);
    check(text('sizeOf'), text('sizeOf').replace('(entry)', '(entry, 0)'), text('lib_sizeOf'), false);
    check(text('sizeOf'), text('sizeOf').replace('+= 1', '+= 2'), text('lengthOf'), false);
  });

  test('are about fractions, if the other copy has whole numbers', () => {
    const text = (type: string): string => `${type} parse(${type} value) {\n  return check(value);\n}\n`;
    const mend = (type: string): string => text(type).replace('return', 'if (isnan(value)) fail();\n  return');
    check(text('double'), mend('double'), text('long'), true);
    check(text('double'), mend('double'), text('float'), false);
  });
});
