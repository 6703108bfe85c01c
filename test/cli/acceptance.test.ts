/**
 * Known defects of duplicate finders, one test each, checked with the command line. Those of the editor are in
 * test/host/acceptance.test.ts.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Group, Passage } from '../../src/core/engine/report/report.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, parsing, parsingRenamed, quarry } from '../passages.ts';
import { type JsonReport, kindred } from './kindred.ts';

suite('known defects of duplicate finders, on the command line', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  function lay(files: Readonly<Record<string, string>>): void {
    removeFolder(folder);
    folder = makeFolder(files);
  }

  function put(name: string, text: string): void {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }

  async function scan(): Promise<JsonReport> {
    const { stdout, stderr } = await kindred(['scan', '--format', 'json'], { cwd: folder });
    assert.equal(stderr, '');
    return JSON.parse(stdout) as JsonReport;
  }

  async function check(...commandArguments: readonly string[]): Promise<{ code: number | null; stdout: string }> {
    return kindred(['check', ...commandArguments], {
      cwd: folder,
      env: { GITHUB_BASE_REF: '', CI_MERGE_REQUEST_DIFF_BASE_SHA: '' },
    });
  }

  function commit(message: string): void {
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    for (const commandArguments of [
      ['init', '-q', '-b', 'main'],
      ['add', '--all'],
      ['commit', '-q', '-m', message],
    ]) {
      execFileSync('git', ['-C', folder, ...who, ...commandArguments]);
    }
  }

  test('a line above a copy changes no id, and groups of the same shape have different ids', async () => {
    // Two functions of the same shape. Each is copied, and the two are not copies of each other.
    const shapes = { one: drawing, two: parsing };
    lay({ 'a.ts': shapes.one + shapes.two, 'b.ts': `let b;\n${shapes.one}`, 'c.ts': `let c;\n${shapes.two}` });
    const before = (await scan()).groups.map(({ id }) => id);
    assert.equal(new Set(before).size, before.length);
    assert.ok(before.length >= 2);
    put('a.ts', `// One line more.\n\n${shapes.one}${shapes.two}`);
    put('c.ts', `let c;\n// And here.\n${shapes.two}`);
    assert.deepEqual((await scan()).groups.map(({ id }) => id).sort(), before.sort());
  });

  test('no two groups cover the same lines, however deep a copy is nested', async () => {
    const loop = parsing.split('\n').slice(2, 12).join('\n');
    const nested = (name: string): string => `export class ${name} {\n  run() {\n${parsing}\n${loop}\n  }\n}\n`;
    lay({
      'a.ts': nested('A'),
      'b.ts': nested('B'),
      'c.ts': `function c() {\n${parsing}}\n`,
      'd.ts': `let d;\n${loop}`,
    });
    const { groups } = await scan();
    assert.ok(groups.length > 0);
    const covered = groups.filter(({ kind }) => kind !== 'file').map(linesOf);
    assert.equal(new Set(covered).size, covered.length, covered.join('\n'));
    // No row is inside another one: `parent` names the row that contains it.
    const rows = groups.filter(({ parent }) => parent === undefined);
    assert.ok(rows.length > 0);
    for (const row of rows) {
      const around = rows.filter((other) => other !== row && row.passages.every((it) => liesIn(it, other.passages)));
      assert.deepEqual(around.map(linesOf), [], linesOf(row));
    }
    const nestedOnes = groups.filter(({ parent }) => parent !== undefined);
    assert.ok(nestedOnes.every(({ parent }) => groups.some(({ id }) => id === parent)));
  });

  test('an added file hides no pair', async () => {
    const files: Record<string, string> = { 'a.ts': `let a;\n${parsing}`, 'b.ts': `let b;\n${parsingRenamed}` };
    files['c.md'] = `# C\n\n${harbour}`;
    files['d.md'] = `# D\n\n${quarry}\n${harbour}`;
    lay(files);
    const found = pairsOf(await scan());
    assert.equal(found.size, 2);
    for (let i = 0; i < 30; i++)
      put(`kin/${i}.ts`, `let kin${i};\n${i % 2 === 0 ? parsing : parsingRenamed}${drawing}`);
    const after = pairsOf(await scan());
    assert.deepEqual(
      [...found].filter((pair) => !after.has(pair)),
      [],
    );
  });

  test('a verbatim third copy of a pair in the baseline is new', async () => {
    lay({ 'a.ts': parsing, 'b.ts': `let b;\n${parsing}` });
    await kindred(['baseline', 'write'], { cwd: folder });
    assert.equal((await check('--baseline', '.kindred-baseline.jsonc')).code, 0);
    put('c.ts', `let c;\n${parsing}`);
    const { code, stdout } = await check('--baseline', '.kindred-baseline.jsonc');
    assert.equal(code, 1);
    assert.match(stdout, /c\.ts/);
  });

  test('a new duplicate in place of a known one fails, although the share is the same', async () => {
    lay({ 'a.ts': parsing, 'b.ts': `let b;\n${parsing}` });
    await kindred(['baseline', 'write'], { cwd: folder });
    for (const name of ['a.ts', 'b.ts']) rmSync(path.join(folder, name));
    put('a.ts', drawing);
    put('b.ts', `let b;\n${drawing}`);
    assert.equal((await check('--baseline', '.kindred-baseline.jsonc')).code, 1);
  });

  test('a change that touches one file is compared with the unchanged files', async () => {
    lay({ 'old/parse.ts': parsing, 'old/other.ts': drawing });
    commit('base');
    put('new/again.ts', `let again;\n${parsing}`);
    const { code, stdout } = await check('--since', 'main');
    assert.equal(code, 1);
    assert.match(stdout, /new\/again\.ts/);
    assert.match(stdout, /old\/parse\.ts/);
  });

  test('gives the same ids for either order of the sides', async () => {
    lay({ 'a.ts': `let a;\n${parsing}`, 'b.ts': `let b;\n${parsingRenamed}` });
    const before = (await scan()).groups.map(({ id }) => id);
    lay({ 'b.ts': `let a;\n${parsing}`, 'a.ts': `let b;\n${parsingRenamed}` });
    assert.deepEqual(
      (await scan()).groups.map(({ id }) => id),
      before,
    );
  });

  test('a file that is skipped for its size is named, with the reason and the setting that would include it', async () => {
    lay({ 'a.ts': parsing, 'large.ts': parsing.repeat(40) });
    const { stdout } = await kindred(['scan', '--format', 'json', '--max-file-size', '10kb'], { cwd: folder });
    const { skipped } = JSON.parse(stdout) as JsonReport;
    assert.deepEqual(
      skipped.map(({ path: name, setting }) => [name, setting]),
      [['large.ts', 'maxFileSize']],
    );
    assert.match(skipped[0].reason, /^too large \(/);
    const { stdout: text } = await kindred(['scan', '--max-file-size', '10kb'], { cwd: folder });
    assert.match(text, /too large/);
    assert.match(text, /--max-file-size/);
  });
});

function linesOf({ passages }: Group): string {
  return passages.map(({ path: name, startLine, endLine }) => `${name}:${startLine}-${endLine}`).join(' ');
}

function liesIn({ path: name, startLine, endLine }: Passage, others: readonly Passage[]): boolean {
  return others.some((other) => other.path === name && other.startLine <= startLine && endLine <= other.endLine);
}

/** Returns every two files that are together in some group. */
function pairsOf({ groups }: JsonReport): Set<string> {
  return new Set(
    groups.flatMap(({ passages }) => {
      const names = [...new Set(passages.map((passage) => passage.path))].sort();
      return names.flatMap((one, i) => names.slice(i + 1).map((other) => `${one} ${other}`));
    }),
  );
}
