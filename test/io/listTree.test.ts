/** Listing of a tree with asynchronous access, compared with the same tree on disk. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { scaled } from '../../scripts/scaled.mjs';
import { listSources } from '../../src/scan/io/listSources.ts';
import { type FileTree, listTree } from '../../src/scan/io/listTree.ts';
import { defaultSourceOptions, type SourceOptions } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

const text = 'const a = 1;\n';

function treeOf(folder: string): FileTree {
  return {
    readFolder: (name) => {
      try {
        return Promise.resolve(readdirSync(path.join(folder, name), { withFileTypes: true }));
      } catch {
        return Promise.resolve({ reason: 'unreadable' });
      }
    },
    readText: (name) => {
      try {
        return Promise.resolve(readFileSync(path.join(folder, name), 'utf8'));
      } catch {
        return Promise.resolve('');
      }
    },
  };
}

/** Lists the files in both ways, and returns the listed paths. */
async function check(files: Readonly<Record<string, string>>, changes: Partial<SourceOptions> = {}): Promise<string[]> {
  const folder = makeFolder(files);
  try {
    const options = { ...defaultSourceOptions, ...changes };
    const onDisk = await listSources([folder], options);
    const { paths, skipped } = await listTree(treeOf(folder), options);
    assert.deepEqual({ paths, skipped }, { paths: onDisk.files.map((file) => file.path), skipped: onDisk.skipped });
    return [...paths];
  } finally {
    removeFolder(folder);
  }
}

suite('listTree', () => {
  test('applies all kinds of rules as on disk', async () => {
    const files = {
      '.git/info/exclude': 'local.ts\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': '*.log\n/out\n',
      '.gitattributes': 'made/** linguist-generated\n',
      '.ignore': 'quiet.ts\n',
      'a.ts': text,
      'a.log': text,
      'quiet.ts': text,
      'local.ts': text,
      'out/b.ts': text,
      'made/c.ts': text,
      'sub/.gitignore': '!keep.log\n',
      'sub/keep.log': text,
      'sub/out/d.ts': text,
      'node_modules/x/index.js': text,
      'picture.png': text,
      'package-lock.json': '{}',
      'drawing.svg': '<svg/>',
      'w/.git': 'gitdir: /repository/.git/worktrees/w\n',
      'w/a.ts': text,
      'module/.git': 'gitdir: ../.git/modules/module\n',
      'module/e.ts': text,
      '.git/modules/libs/worktrees/y/HEAD': 'ref: refs/heads/main\n',
      'libs/worktrees/y/.git': 'gitdir: ../../../.git/modules/libs/worktrees/y\n',
      'libs/worktrees/y/f.ts': text,
    };
    const rules = ['.gitattributes', '.gitignore', '.ignore'];
    const found = [
      ...rules,
      'a.ts',
      'libs/worktrees/y/f.ts',
      'module/e.ts',
      'sub/.gitignore',
      'sub/keep.log',
      'sub/out/d.ts',
    ];
    assert.deepEqual(await check(files), found);
    await check(files, { gitignore: false });
    await check(files, { generated: true });
    await check(files, { include: ['*.svg', 'node_modules', 'sub'] });
    await check(files, { exclude: ['sub', 'a.*'] });
  });

  test('equals the listing on disk for any files and rules', async () => {
    const name = fc.constantFrom('a.ts', 'b.log', 'c.ts', 'min.js', 'x', 'y');
    const folder = fc.constantFrom('', 'sub/', 'sub/inner/', 'other/');
    const rule = fc.constantFrom('*.log', '!b.log', 'sub', '/x', 'inner/', '*', '!*.ts', 'sub/**/c.ts');
    const rules = fc
      .tuple(folder, fc.constantFrom('.gitignore', '.ignore'), fc.array(rule, { minLength: 1, maxLength: 3 }))
      .map(([place, file, lines]) => [place + file, lines.join('\n')] as const);
    const sources = fc.tuple(folder, name).map(([place, file]) => [`${place}f/${file}`, text] as const);
    const files = fc.tuple(fc.array(sources, { maxLength: 8 }), fc.array(rules, { maxLength: 3 }));
    await fc.assert(
      fc.asyncProperty(files, async ([some, others]) => {
        await check(Object.fromEntries([...some, ...others]));
      }),
      { numRuns: scaled(200) },
    );
  });

  test('reports links and unreadable folders, and ignores invalid names', async () => {
    const folder = makeFolder({ 'a.ts': text, 'shut/b.ts': text });
    try {
      mkdirSync(path.join(folder, 'sub'));
      symlinkSync(path.join(folder, 'a.ts'), path.join(folder, 'sub', 'link.ts'));
      const tree = treeOf(folder);
      const entry = (name: string) => ({
        name,
        isFile: () => true,
        isDirectory: () => false,
        isSymbolicLink: () => false,
      });
      const { paths, skipped } = await listTree(
        {
          ...tree,
          readFolder: async (name) => {
            if (name === 'shut/') return { reason: 'unreadable (permission denied)' };
            const entries = await tree.readFolder(name);
            return 'reason' in entries ? entries : [...entries, ...['', '..', 'a/b.ts', 'a\0.ts'].map(entry)];
          },
        },
        defaultSourceOptions,
      );
      assert.deepEqual(paths, ['a.ts']);
      assert.deepEqual(skipped, [
        { path: 'shut/', reason: 'unreadable (permission denied)' },
        { path: 'sub/link.ts', reason: 'a symbolic link' },
      ]);
    } finally {
      removeFolder(folder);
    }
  });

  test('reads no more folders after it is cancelled', async () => {
    const folder = makeFolder({ 'sub/inner/a.ts': text });
    try {
      let reads = 0;
      const tree = treeOf(folder);
      const counting: FileTree = { ...tree, readFolder: (name) => (reads++, tree.readFolder(name)) };
      const { paths } = await listTree(counting, defaultSourceOptions, () => reads === 2);
      assert.deepEqual(paths, []);
      assert.equal(reads, 2);
    } finally {
      removeFolder(folder);
    }
  });
});
