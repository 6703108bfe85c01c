import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { listSources, whatHides } from '../../src/scan/io/listSources.ts';
import { defaultSourceOptions, type Listing, type SourceOptions } from '../../src/scan/io/sources.ts';
import { makeFolder, removeFolder } from './temporaryFolder.ts';

const noRepository = Object.fromEntries(
  ['a.ts', 'b/c.ts', 'b-d/e.ts', '.hidden/f.ts', '.editorconfig'].map((name) => [name, '']),
);

suite('listSources', () => {
  let folder = '';
  teardown(() => removeFolder(folder));

  async function list(roots: readonly string[], options: Partial<SourceOptions> = {}): Promise<Listing> {
    return listSources(
      roots.map((root) => path.join(folder, root)),
      { ...defaultSourceOptions, ...options },
    );
  }

  /** Lists a folder with these files, and checks the sources and the formatted skipped files. */
  async function check(
    files: Readonly<Record<string, string>>,
    options: Partial<SourceOptions>,
    expected: readonly string[],
    skipped: readonly string[] = [],
  ): Promise<void> {
    removeFolder(folder);
    folder = makeFolder(files);
    const listing = await list(['.'], options);
    assert.deepEqual(paths(listing), expected);
    assert.deepEqual(reasons(listing), skipped);
  }

  test('lists every file sorted by path, with its location on disk', async () => {
    await check(noRepository, {}, ['.editorconfig', '.hidden/f.ts', 'a.ts', 'b-d/e.ts', 'b/c.ts']);
    const listing = await list(['.']);
    assert.equal(listing.root, folder);
    assert.equal(listing.files[4]?.file, path.join(folder, 'b', 'c.ts'));
  });

  test('returns nothing for an empty folder, and an unreadable file for a missing folder', async () => {
    await check({}, {}, []);
    assert.deepEqual(paths(await list(['missing'])), ['missing']);
  });

  test('applies ignore files, nested ones, and exclude files unless they are disabled', async () => {
    const files = {
      '.gitignore': '*.log\nbuild/\n/only-here\n',
      '.git/info/exclude': 'private\n',
      '.git/HEAD': 'ref: refs/heads/main\n',
      'a.log': '',
      'a.ts': '',
      'build/b.ts': '',
      'only-here': '',
      'x/.gitignore': '!kept.log\nc.ts\n',
      'x/.ignore': 'd.ts\n!c.ts\n',
      'x/c.ts': '',
      'x/d.ts': '',
      'x/kept.log': '',
      'x/only-here': '',
      'x/private/p.ts': '',
      'x/y/d.ts': '',
      'x/y/z.log': '',
    };
    const seen = ['.gitignore', 'a.ts', 'x/.gitignore', 'x/.ignore', 'x/c.ts', 'x/kept.log', 'x/only-here'];
    await check(files, {}, seen);
    const all = Object.keys(files).filter((name) => !name.startsWith('.git/'));
    await check(files, { gitignore: false }, all.sort());
  });

  test('lists the same files as Git', async () => {
    await check(
      {
        '.gitignore': '*.x\n*.x.*\n!keep.x\n/top\nlib/**/gen\ndocs/*\n!docs/index.md\n\\#*#\n*.[ch]~\n',
        ...Object.fromEntries(
          [
            ...['a.x', 'a.x.d', 'keep.x', 'top/a', 'x/top/b', 'lib/gen/a', 'lib/a/b/gen/c', 'lib/generate/d', 'gen/e'],
            ...[
              'docs/a.md',
              'docs/index.md',
              'docs/more/b.md',
              '#draft#',
              'a.c~',
              'a.h',
              'x/.gitignore',
              'x/y/.gitignore',
            ],
          ].map((name) => [
            name,
            name.endsWith('x/.gitignore') ? '!*.x\nb\n' : name.endsWith('.gitignore') ? '*\n' : '',
          ]),
        ),
      },
      {},
      ['.gitignore', 'a.h', 'docs/index.md', 'gen/e', 'keep.x', 'lib/generate/d', 'x/.gitignore'],
    );
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const git = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: folder, encoding: 'utf8' });
    assert.deepEqual(paths(await list(['.'])), git.split('\0').filter(Boolean).sort());
  });

  test('applies the rules of the repository around a root, except those that hide the root', async () => {
    folder = makeFolder({
      '.git/info/exclude': 'secret.ts\n',
      '.gitignore': 'out\n*.log\nsrc/skipped.ts\n',
      'out/a.ts': '',
      'out/a.log': '',
      'out/deep/b.ts': '',
      'src/a.log': '',
      'src/secret.ts': '',
      'src/skipped.ts': '',
      'src/x.ts': '',
    });
    assert.deepEqual(paths(await list(['src'])), ['x.ts']);
    assert.deepEqual(paths(await list(['out'])), ['a.log', 'a.ts', 'deep/b.ts']);
    assert.deepEqual(paths(await list(['out/deep'])), ['b.ts']);
    assert.deepEqual(paths(await list(['src', 'out'])), ['out/a.log', 'out/a.ts', 'out/deep/b.ts', 'src/x.ts']);
  });

  test('reads the exclude file of a linked worktree from its repository', async () => {
    folder = makeFolder({
      'main/.git/info/exclude': 'private\n',
      'main/.git/worktrees/w/commondir': '../..\n',
      'w/.git': 'gitdir: ../main/.git/worktrees/w\n',
      'w/private': '',
      'w/public': '',
    });
    assert.deepEqual(paths(await list(['w'])), ['public']);
  });

  test('applies globs of include and exclude', async () => {
    await check(noRepository, { include: ['*.ts'], exclude: ['b'] }, ['.hidden/f.ts', 'a.ts', 'b-d/e.ts']);
    await check(noRepository, { include: ['b/**', 'a.ts'] }, ['a.ts', 'b/c.ts']);
    await check(noRepository, { exclude: ['**/*.ts', '.*'] }, []);
  });

  test('skips and names binary, generated, and third-party files by name', async () => {
    const files = {
      'a.ts': '',
      'app.min.js': '',
      'app.js.map': '',
      'icon.svg': '',
      'logo.PNG': '',
      'node_modules/left-pad/index.js': '',
      'package-lock.json': '',
      'world.map': '',
    };
    const skipped = [
      'app.js.map: source map (generated)',
      'app.min.js: minified (generated)',
      'icon.svg: drawing (include)',
      'logo.PNG: binary',
      'node_modules/: dependencies (include)',
      'package-lock.json: lock file (generated)',
    ];
    await check(files, {}, ['a.ts', 'world.map'], skipped);
    await check(
      files,
      { generated: true },
      ['a.ts', 'app.js.map', 'app.min.js', 'package-lock.json', 'world.map'],
      skipped.filter((reason) => !reason.endsWith('(generated)')),
    );
    await check(files, { include: ['node_modules/left-pad', '*.svg'] }, ['icon.svg', 'node_modules/left-pad/index.js']);
  });

  test('skips translations, because each repeats the keys of the others', async () => {
    const translations = [
      '_locales/pt_BR/messages.json',
      'app/i18n/zh-Hans.yaml',
      'app_de.arb',
      'de/messages_pt_BR.properties',
      'lang/en.json',
      'po/fr.po',
      'texts.de.resx',
      'web/locales/es-419/common.json',
    ];
    const sources = [
      'app/i18n/README.md',
      'app/i18n/index.ts',
      'app/i18n/settings.json',
      'de/data.json',
      'id.json',
      'lang/de/formats.py',
      'messages.properties',
      'texts.resx',
    ];
    const files = Object.fromEntries([...translations, ...sources].map((name) => [name, '']));
    const skipped = translations.map((name) => `${name}: translation (generated)`);
    await check(files, {}, sources, skipped);
    await check(files, { generated: true }, [...translations, ...sources].sort(), []);
  });

  test('neither enters nor reports folders of version control', async () => {
    await check({ '.git/a.ts': '', '.hg/a.ts': '', 'x/.svn/a.ts': '', 'x/a.ts': '' }, {}, ['x/a.ts']);
  });

  test('skips generated and vendored files by .gitattributes', async () => {
    const files = {
      '.gitattributes': 'gen/** linguist-generated\nthird/** linguist-vendored\n',
      'gen/.gitattributes': 'kept.ts -linguist-generated\n',
      'gen/a.ts': '',
      'gen/kept.ts': '',
      'src/a.ts': '',
      'third/b.ts': '',
    };
    const left = ['.gitattributes', 'gen/kept.ts', 'src/a.ts'];
    await check(files, {}, left, [
      'gen/.gitattributes: generated (generated)',
      'gen/a.ts: generated (generated)',
      'third/b.ts: vendored (generated)',
    ]);
    await check(files, { generated: true }, Object.keys(files));
  });

  test('returns paths relative to the common folder of several roots', async () => {
    folder = makeFolder({ 'p/src/a.ts': '', 'p/test/b.ts': '', 'p/c.ts': '', 'q/d.ts': '' });
    const two = await list(['p/test', 'p/src']);
    assert.equal(two.root, path.join(folder, 'p'));
    assert.deepEqual(paths(two), ['src/a.ts', 'test/b.ts']);
    const withFile = await list(['p/src', 'p/c.ts']);
    assert.equal(withFile.root, path.join(folder, 'p'));
    assert.deepEqual(paths(withFile), ['c.ts', 'src/a.ts']);
    const one = await list(['p/c.ts']);
    assert.equal(one.root, path.join(folder, 'p'));
    assert.deepEqual(paths(one), ['c.ts']);
    assert.deepEqual(paths(await list(['p', 'q'])), ['p/c.ts', 'p/src/a.ts', 'p/test/b.ts', 'q/d.ts']);
  });

  test('lists a file once, even if it is requested several times', async () => {
    folder = makeFolder({ 'p/src/a.ts': '', 'p/b.ts': '' });
    assert.deepEqual(paths(await list(['p', 'p/src', 'p', 'p/b.ts', 'p/b.ts'])), ['b.ts', 'src/a.ts']);
    assert.deepEqual(paths(await list(['p/b.ts', 'p/b.ts'])), ['b.ts']);
  });

  test('lists a file that is given by name, unless a glob excludes it', async () => {
    folder = makeFolder({ '.gitignore': '*.ts\n', 'a.ts': '', 'b.ts': '' });
    const listing = await list(['a.ts', 'b.ts'], { include: ['*.js'], exclude: ['b.ts'] });
    assert.deepEqual(paths(listing), ['a.ts']);
    assert.deepEqual(reasons(listing), ['b.ts: excluded (exclude)']);
  });

  test('lists linked files once, ignores loops, and reports links to folders elsewhere', async () => {
    folder = makeFolder({ 'root/a.ts': '', 'root/sub/b.ts': '', 'elsewhere/c.ts': '', 'elsewhere/f/d.ts': '' });
    const link = (to: string, from: string): void => symlinkSync(to, path.join(folder, 'root', from));
    link('a.ts', 'again.ts');
    link('..', 'sub/loop');
    link('sub', 'sub-again');
    link('../elsewhere/c.ts', 'c-first.ts');
    link('../elsewhere/c.ts', 'c-second.ts');
    link('../elsewhere/f', 'f');
    link('self', 'self');
    link('nothing', 'nowhere');
    const listing = await list(['root']);
    assert.deepEqual(paths(listing), ['a.ts', 'c-first.ts', 'sub/b.ts']);
    assert.deepEqual(reasons(listing), [
      'f: a symbolic link to a folder elsewhere',
      'nowhere: a broken symbolic link',
      'self: unreadable (a circular symbolic link)',
    ]);
    // A root that is a link is entered. Its files are still identified by their real paths.
    symlinkSync('root', path.join(folder, 'linked'));
    assert.deepEqual(paths(await list(['linked'])), ['a.ts', 'c-first.ts', 'sub/b.ts']);
    assert.deepEqual(paths(await list(['linked', 'root/a.ts'])), [
      'linked/a.ts',
      'linked/c-first.ts',
      'linked/sub/b.ts',
    ]);
  });

  test('skips and reports linked worktrees, and enters submodules and roots that are worktrees', async () => {
    folder = makeFolder({
      'a.ts': '',
      '.claude/worktrees/w1/.git': 'gitdir: /repository/.git/worktrees/w1\n',
      '.claude/worktrees/w1/a.ts': '',
      'relative/.git': 'gitdir: ../.git/worktrees/relative\n',
      'relative/a.ts': '',
      'of-submodule/.git': 'gitdir: /repository/.git/modules/sub/worktrees/w\n',
      'of-submodule/a.ts': '',
      'sub/.git': 'gitdir: ../.git/modules/sub\n',
      'sub/b.ts': '',
      'worktrees/x/.git': 'gitdir: ../../.git/modules/worktrees/x\n',
      'worktrees/x/c.ts': '',
      'in-worktree/.git': 'gitdir: /repository/.git/worktrees/w1/modules/sub\n',
      'in-worktree/d.ts': '',
      '.git/modules/libs/worktrees/y/HEAD': 'ref: refs/heads/main\n',
      'libs/worktrees/y/.git': 'gitdir: ../../../.git/modules/libs/worktrees/y\n',
      'libs/worktrees/y/f.ts': '',
      '.git/modules/sub/worktrees/v/commondir': '../..\n',
      'known/.git': 'gitdir: ../.git/modules/sub/worktrees/v\n',
      'known/a.ts': '',
      'plain/.git': 'no gitdir\n',
      'plain/e.ts': '',
    });
    const listing = await list(['.']);
    assert.deepEqual(paths(listing), [
      'a.ts',
      'in-worktree/d.ts',
      'libs/worktrees/y/f.ts',
      'plain/e.ts',
      'sub/b.ts',
      'worktrees/x/c.ts',
    ]);
    const skipped = ['.claude/worktrees/w1/', 'known/', 'of-submodule/', 'relative/'];
    assert.deepEqual(
      reasons(listing),
      skipped.map((name) => `${name}: a linked Git worktree`),
    );
    assert.deepEqual(paths(await list(['relative'])), ['a.ts']);
    const both = await list(['.', 'relative']);
    assert.ok(paths(both).includes('relative/a.ts') && !reasons(both).join(' ').includes('relative/'));
  });

  test('skips a pipe without opening it', async () => {
    if (process.platform === 'win32') return;
    folder = makeFolder({ 'a.ts': '' });
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const listing = await list(['.']);
    assert.deepEqual([paths(listing), reasons(listing)], [['a.ts'], ['pipe: not a file']]);
  });

  test('counts hidden files by rule', async () => {
    folder = makeFolder({
      '.git/info/exclude': 'private\n',
      '.gitignore': '*.log\n',
      'a.log': '',
      'a.ts': '',
      'x/.gitignore': 'out/\nsecret.ts\n',
      'x/b.log': '',
      'x/out/deep/c.ts': '',
      'x/secret.ts': '',
      'x/private': '',
      'y/d.ts': '',
    });
    const { hidden } = await list(['.'], { exclude: ['y'], include: ['*.ts'] });
    assert.deepEqual(
      hidden.map(({ by, source, files, folders }) => [by, source, files, folders]),
      [
        ['include', '', 2, 0],
        ['rules', '.gitignore', 2, 0],
        ['rules', 'x/.gitignore', 1, 1],
        ['exclude', '', 0, 1],
        ['rules', '.git/info/exclude', 1, 0],
      ],
    );
    const inner = await list(['x']);
    assert.deepEqual(
      inner.hidden.map(({ source }) => source),
      ['.gitignore', '../.git/info/exclude', '../.gitignore'],
    );
  });

  test('finds the rule that hides an unlisted file or its folder', async () => {
    removeFolder(folder);
    folder = makeFolder({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.gitignore': 'build/\n',
      'build/out/a.ts': '',
      'src/.ignore': '*.log\n',
      'src/a.log': '',
      'src/a.ts': '',
      'src/b.js': '',
      'old/a.ts': '',
      'node_modules/left-pad/index.js': '',
      'readme.md': '',
    });
    const options = { ...defaultSourceOptions, include: ['*.ts', '*.log', 'index.js'], exclude: ['old'] };
    const hides = async (name: string): Promise<string> => {
      const { by, source } = (await whatHides(folder, name, options)) ?? { by: 'nothing', source: '' };
      return `${name}: ${by} ${source}`.trim();
    };
    const names = ['src/a.ts', 'build/out/a.ts', 'src/a.log', 'src/b.js', 'old/a.ts', '.git/HEAD'];
    assert.deepEqual(await Promise.all([...names, 'node_modules/left-pad/index.js'].map(hides)), [
      'src/a.ts: nothing',
      'build/out/a.ts: rules .gitignore',
      'src/a.log: rules src/.ignore',
      'src/b.js: include',
      'old/a.ts: exclude',
      '.git/HEAD: versionControl',
      // Skipped files are reported with their reasons, so they do not count as hidden.
      'node_modules/left-pad/index.js: nothing',
    ]);
  });

  test('can be cancelled within a folder', async () => {
    folder = makeFolder({ '.gitignore': '*x\n'.repeat(100_000) });
    for (let at = 0; at < 2_000; at++) writeFileSync(path.join(folder, `f${at}`), '');
    let checks = 0;
    const { files } = await listSources([folder], defaultSourceOptions, () => ++checks > 1);
    assert.ok(files.length < 2_000, `${files.length} files were listed`);
  });

  test('returns early if it is cancelled', async () => {
    folder = makeFolder({ 'a.ts': '' });
    mkdirSync(path.join(folder, 'empty'));
    const listing = await listSources([folder], defaultSourceOptions, () => true);
    assert.deepEqual(listing.files, []);
  });
});

function paths(listing: Listing): string[] {
  return listing.files.map((file) => file.path);
}

function reasons(listing: Listing): string[] {
  return listing.skipped.map(
    ({ path: name, reason, setting }) => `${name}: ${reason}${setting ? ` (${setting})` : ''}`,
  );
}
