/** `kindred mcp` beside folders that are moved, copied, removed, and replaced, compared with a new scan. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { kindred } from '../cli/kindred.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, harbour, merging, parsing, parsingRenamed } from '../passages.ts';
import { McpClient } from './mcpClient.ts';

const files = {
  'src/a.ts': parsing,
  'src/in/b.ts': parsing,
  'lib/c.ts': drawing,
  'lib/deep/er/d.ts': drawing,
};
const folders = ['src', 'src/in', 'src/new', 'lib', 'lib/deep', 'lib/deep/er', 'pkg', 'pkg/one/two'];
const ignoreFiles = ['', 'old\n', 'lib/deep\n', '/src\n', '**/a.ts\n'];
const settings = ['{}', '{ "exclude": ["lib"] }', '{ "minTokens": 60 }', '{ "exclude": ["src/in/**"] }'];

/** A change of a folder, whose name is relative to the root, with a second folder or a text. */
type Change = (root: string, folder: string, other: string, choice: number) => void;

const changes: Readonly<Record<string, Change>> = {
  write: (root, folder, _, choice) => {
    mkdirSync(path.join(root, folder), { recursive: true });
    const text = [drawing, harbour, merging, parsing, parsingRenamed, 'const one = 1;\n'][choice % 6];
    writeFileSync(path.join(root, folder, `${'abc'[choice % 3]}.ts`), `// ${choice}\n${text}`);
  },
  remove: (root, folder) => rmSync(path.join(root, folder), { recursive: true, force: true }),
  move: (root, folder, other) => {
    if (!existsSync(path.join(root, folder)) || existsSync(path.join(root, other))) return;
    if (isInside(other, folder)) return;
    mkdirSync(path.dirname(path.join(root, other)), { recursive: true });
    renameSync(path.join(root, folder), path.join(root, other));
  },
  copy: (root, folder, other) => {
    if (!existsSync(path.join(root, folder)) || isInside(folder, other) || isInside(other, folder)) return;
    cpSync(path.join(root, folder), path.join(root, other), { recursive: true });
  },
  replaceByFile: (root, folder) => {
    if (!existsSync(path.join(root, folder))) return;
    rmSync(path.join(root, folder), { recursive: true });
    writeFileSync(path.join(root, folder), drawing);
  },
  link: (root, folder) => {
    rmSync(path.join(root, 'link'), { force: true });
    symlinkSync(path.join(root, folder), path.join(root, 'link'));
  },
  ignore: (root, _, other, choice) => {
    const place = existsSync(path.join(root, other)) && choice % 2 === 0 ? other : '';
    writeFileSync(path.join(root, place, '.gitignore'), ignoreFiles[choice % ignoreFiles.length]);
  },
  configure: (root, _, _other, choice) =>
    writeFileSync(path.join(root, '.kindredrc.jsonc'), settings[choice % settings.length]),
  switchBranch: (root, _, _other, choice) => git(root, 'checkout', '-qf', choice % 2 === 0 ? 'main' : 'other'),
};

suite('kindred mcp beside moved folders', () => {
  test('lists the duplicates of a new scan, in its order', async () => {
    const change = fc.record({
      kind: fc.constantFrom(...Object.keys(changes)),
      folder: fc.constantFrom(...folders),
      other: fc.constantFrom(...folders),
      choice: fc.nat(29),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 8 }), async (steps) => {
        const root = makeFolder(files);
        const cache = makeFolder({});
        addBranches(root);
        const server = await McpClient.start([root], cache, '2026-07-28');
        try {
          await server.data('list_duplicates', {});
          for (const step of steps) {
            for (const { kind, folder, other, choice } of step) applyChange(root, changes[kind], folder, other, choice);
            const { duplicates } = await server.data('list_duplicates', { limit: 100 });
            assert.deepEqual(
              duplicates.map(({ id }) => id),
              await scannedIds(root),
            );
          }
        } finally {
          await server.close();
          for (const folder of [root, cache]) removeFolder(folder);
        }
      }),
      { numRuns: scaled(6) },
    );
  });

  test('lists duplicates of the same files apart, as a scan does', async () => {
    // The class in src is shared with two identical files, which have a row of their own, so its row comes last.
    const root = makeFolder({
      'lib/c.ts': drawing,
      'lib/deep/d.ts': drawing,
      src: drawing,
      'lib/y.ts': harbour,
      'old/b.ts': harbour,
      'pkg/z.ts': harbour,
    });
    const cache = makeFolder({});
    const server = await McpClient.start([root], cache, '2026-07-28');
    const { duplicates } = await server.data('list_duplicates', {});
    await server.close();
    const worths = duplicates.map(({ worth }) => worth);
    assert.ok(worths.length === 3 && worths[1] < worths[2], worths.join());
    assert.deepEqual(
      duplicates.map(({ id }) => id),
      await scannedIds(root),
    );
    for (const folder of [root, cache]) removeFolder(folder);
  });
});

/** Returns the ids of the rows of source code and text. */
async function scannedIds(root: string): Promise<string[]> {
  const { stdout } = await kindred(['scan', root, '--format', 'json'], { cwd: root });
  const { groups } = JSON.parse(stdout) as { groups: { id: string; parent?: string; category: string }[] };
  return groups
    .filter(({ parent, category }) => parent === undefined && ['source', 'text'].includes(category))
    .map(({ id }) => id);
}

/** Makes the root a Git repository with two branches that have other folders. */
function addBranches(root: string): void {
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', 'one');
  git(root, 'checkout', '-q', '-b', 'other');
  rmSync(path.join(root, 'src'), { recursive: true });
  for (const name of ['src/new/z.ts', 'lib/y.ts']) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), harbour);
  }
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '-m', 'two');
  git(root, 'checkout', '-q', 'main');
}

function git(root: string, ...gitArguments: readonly string[]): void {
  const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
  execFileSync('git', ['-C', root, ...who, ...gitArguments], { stdio: 'ignore' });
}

/** Applies a change, except if the folder or one of its parents is a file. */
function applyChange(root: string, change: Change, folder: string, other: string, choice: number): void {
  if ([folder, other].some((name) => hasFile(root, name))) return;
  change(root, folder, other, choice);
}

function hasFile(root: string, folder: string): boolean {
  const parent = path.dirname(folder);
  if (parent !== '.' && hasFile(root, parent)) return true;
  return lstatSync(path.join(root, folder), { throwIfNoEntry: false })?.isFile() === true;
}

function isInside(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(`${outer}/`);
}
