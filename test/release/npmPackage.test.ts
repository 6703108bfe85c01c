/** The npm package: its contents, and that the command, the servers, and the library work from it alone. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { build } from 'esbuild';
import ts from 'typescript';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { addressesOf, repositoryVariable } from '../../scripts/manifest.mjs';
import { noticesFile } from '../../scripts/notices.mjs';
import { npm, packedFiles } from '../../scripts/npm.mjs';
import { packageFile } from '../../scripts/packages.mjs';
import { root, version } from '../../scripts/project.mjs';
import { asksForPatience } from '../server/mcpClient.ts';
import { compileConsumer, consumer, consumerPrints, consumerProgram } from '../engine/consumer.ts';

/** Files other than documents, types, and shared chunks. */
const packaged = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  noticesFile,
  'dist/cli.js',
  'dist/engine.d.ts',
  'dist/engine.js',
  'dist/hookAnswer.js',
  'dist/kindred.cjs',
  'dist/lsp.js',
  'dist/mcp.js',
  'dist/org.js',
  'dist/orgSearch.js',
  'dist/page.html',
  'dist/scanOnSpark.py',
  'dist/scanThread.js',
  'dist/worker.js',
  'media/skills/kindred/SKILL.md',
  'package.json',
];

suite('the npm package', () => {
  let temporary: string;
  /** Project with only this package installed. */
  let project: string;
  let installed: string;
  /** Environment in which npm has no network and an empty cache. */
  let env: NodeJS.ProcessEnv;

  const archive = packageFile('tgz');
  const offline = ['--offline', '--yes', '--no-audit', '--no-fund', '--no-update-notifier'];

  suiteSetup(async () => {
    execFileSync(process.execPath, [path.join(root, 'scripts/packageNpm.mjs'), '--no-build'], { stdio: 'ignore' });
    temporary = mkdtempSync(path.join(tmpdir(), 'kindred-npm-'));
    project = path.join(temporary, 'project');
    mkdirSync(project);
    env = { ...process.env, npm_config_cache: path.join(temporary, 'cache') };
    await npm(['install', ...offline, archive], { cwd: project, env });
    installed = path.join(project, 'node_modules/kindred');
  });
  suiteTeardown(() => rmSync(temporary, { recursive: true, force: true }));

  test('contains the bundles, the types, and the documents of the command line, and nothing else', () => {
    const files = filesBelow(installed).filter(
      (file) => !/^(?:docs\/|dist\/types\/|dist\/chunk-\w+\.js$|dist\/kernel-\w+\.wasm$)/.test(file),
    );
    assert.deepEqual(files, [...packaged].sort());
    const documents = filesBelow(path.join(installed, 'docs'));
    assert.ok(documents.includes('command-line.md') && documents.includes('report.schema.json'));
    // Pages for contributors, and about the extension.
    assert.deepEqual(
      documents.filter((file) => /^(?:decisions\/|style|guide|releasing)|\.(?:png|webp)$/.test(file)),
      [],
    );
  });

  test('contains the files that npm pack includes', async () => {
    assert.deepEqual((await packedFiles(root)).sort(), filesBelow(installed));
  });

  test('has Markdown with valid relative links or absolute ones, and its own README', () => {
    const links = filesBelow(installed)
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => {
        const text = readFileSync(path.join(installed, file), 'utf8');
        return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({ file, target }));
      });
    const dead = links.filter(
      ({ file, target }) =>
        !/^(?:https?:|#)/.test(target) &&
        !existsSync(path.join(installed, path.dirname(file), target.replace(/#.*$/, ''))),
    );
    assert.deepEqual(dead, []);
    assert.ok(links.filter(({ file }) => file === 'README.md').length >= 8);
    assert.doesNotMatch(readFileSync(path.join(installed, 'README.md'), 'utf8'), /npm ci|npm start|\]\(http/);
  });

  test('has a manifest with fields for npm, Node, and bundlers, and no dependencies', () => {
    const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    const { name, version: packedVersion, engines, bin, exports, main, types, ...others } = manifest;
    assert.deepEqual([name, packedVersion, engines], ['kindred', version, { node: '^20.19 || >=22.12' }]);
    assert.deepEqual([bin, main, types], [{ kindred: 'dist/kindred.cjs' }, './dist/engine.js', './dist/engine.d.ts']);
    assert.deepEqual(Object.keys(exports as object), ['.', './package.json']);
    // A release names the repository in which the workflow runs.
    const addresses = addressesOf(process.env[repositoryVariable]);
    const { author, description, keywords, license, sideEffects, type, ...stated } = others;
    assert.deepEqual(stated, addresses);
    for (const value of [author, description, keywords, license]) assert.ok(value);
    assert.deepEqual([sideEffects, type], [false, 'module']);
    assert.deepEqual(readdirSync(path.join(project, 'node_modules')).sort(), ['.bin', '.package-lock.json', 'kindred']);
  });

  test('provides the command to npx in an empty folder', async () => {
    const empty = path.join(temporary, 'empty');
    mkdirSync(empty);
    const npx = (...commandArguments: readonly string[]) =>
      npm(['exec', ...offline, `--package=${archive}`, '--', 'kindred', ...commandArguments], { cwd: empty, env });
    assert.equal(await npx('--version'), `${version}\n`);
    assert.match(await npx('scan', '.'), /^Nothing to compare: no source files in /);
    cpSync(path.join(root, 'test/fixtures/shop'), empty, { recursive: true });
    assert.match(
      await npx('scan', '.'),
      /Exact copies of code: src\/billing\/dates\.ts:2-18, src\/reports\/period\.ts:4-20/,
    );
    const report = path.join(temporary, 'report.html');
    await npx('scan', '.', '--format', 'html', '--output', report);
    assert.match(readFileSync(report, 'utf8'), /src\/billing\/dates\.ts/);
  });

  test('runs each command of its README', () => {
    const folder = path.join(temporary, 'commands');
    cpSync(path.join(root, 'test/fixtures/shop'), folder, { recursive: true });
    const period = readFileSync(path.join(folder, 'src/reports/period.ts'), 'utf8');
    for (const name of ['src/a.ts', 'src/b.ts', 'A/c.ts', 'B/c.ts']) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), period.repeat(2));
    }
    const git = (...gitArguments: readonly string[]): string => {
      const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
      return execFileSync('git', ['-C', folder, ...who, ...gitArguments], { encoding: 'utf8' });
    };
    git('init', '-q');
    git('add', '--all');
    git('commit', '-q', '-m', 'Begin');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    const readme = readFileSync(path.join(installed, 'README.md'), 'utf8');
    const commands = [
      ...[...readme.matchAll(/^\| .*? \|/gm)].flatMap(([cell]) => [...cell.matchAll(/`kindred ([^`]+)`/g)]),
      ...readme.matchAll(/^npx kindred (.+)$/gm),
    ].map(([, commandLine]) => commandLine.replace('<folder>', '.'));
    assert.ok(commands.length >= 10, commands.join('\n'));
    const command = path.join(installed, 'dist/kindred.cjs');
    for (const commandLine of commands) {
      const options = { cwd: folder, env, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...commandLine.split(' ')], options);
      // This one is a family of commands, which it lists.
      if (commandLine === 'org') {
        assert.match(stderr, /^kindred: specify a command: kindred org add, /);
        continue;
      }
      assert.equal(status, 0, `kindred ${commandLine}: ${stderr}`);
      assert.notEqual(stdout, '', `kindred ${commandLine}`);
    }
    assert.match(git('status', '--short'), /\.kindredrc\.jsonc/);
  });

  test('provides the servers for agents and editors', async () => {
    const command = path.join(project, 'node_modules/.bin/kindred');
    const shop = path.join(root, 'test/fixtures/shop');
    const cache = ['--cache', path.join(temporary, 'index')];
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: ['mcp', shop, ...cache], stderr: 'ignore' }));
    // Every answer has a time limit, and a busy machine may need longer for the index.
    const list = async (): Promise<string> => {
      const text = JSON.stringify((await client.callTool({ name: 'list_duplicates', arguments: {} })).content);
      return asksForPatience(text) ? list() : text;
    };
    const text = await list();
    await client.close();
    assert.match(text, /src\/billing\/dates\.ts/);

    const server = spawn(command, ['lsp', '--stdio', ...cache], { stdio: ['pipe', 'pipe', 'ignore'] });
    const connection = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    connection.listen();
    const { serverInfo } = await connection.sendRequest<{ serverInfo: object }>('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
    });
    assert.deepEqual(serverInfo, { name: 'kindred', version });
    await connection.sendRequest('shutdown');
    const ended = once(server, 'exit');
    await connection.sendNotification('exit');
    assert.deepEqual(await ended, [0, null]);
    connection.dispose();
  });

  test('provides the library to Node', () => {
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', consumerProgram()], {
      cwd: project,
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(printed), consumerPrints);
  });

  test('provides the library to require, in the Node versions that the manifest and the documentation name', () => {
    const required = (...flags: readonly string[]) =>
      spawnSync(
        process.execPath,
        [
          ...flags,
          '--input-type=commonjs',
          '--eval',
          "process.stdout.write(String(require('kindred').hash64('kindred')))",
        ],
        { cwd: project, encoding: 'utf8' },
      );
    assert.equal(required().stdout, '3084641325589576841');
    // Older versions behave like this flag: 20.18 and 22.11 reject the package, 20.19 and 22.12 load it.
    assert.match(required('--no-experimental-require-module').stderr, /ERR_REQUIRE_ESM/);
    const { engines } = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    const [, ...minVersions] = /^\^([\d.]+) \|\| >=([\d.]+)$/.exec(engines.node)!;
    for (const file of [path.join(root, 'README.md'), path.join(installed, 'README.md')]) {
      assert.ok(readFileSync(file, 'utf8').includes(`Node ${minVersions.join(', ')}, or newer`), file);
    }
  });

  test('provides the library to bundlers', async () => {
    const { outputFiles } = await build({
      stdin: { contents: consumerProgram(), resolveDir: project },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'error',
    });
    const printed = execFileSync(process.execPath, ['--input-type=module'], {
      input: outputFiles[0].text,
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(printed), consumerPrints);
  });

  for (const [name, options] of [
    ['Node', { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }],
    ['bundlers', { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }],
  ] as const) {
    test(`has types for programs of ${name}`, () => {
      const program = path.join(project, 'consumer.ts');
      copyFileSync(consumer, program);
      assert.deepEqual(compileConsumer(program, options), []);
      // Not because it was not found.
      rmSync(program);
      assert.ok(existsSync(path.join(installed, 'dist/engine.d.ts')));
    });
  }
});

/** Relative, with forward slashes, sorted. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(folder, name)).isFile())
    .map((name) => name.split(path.sep).join('/'))
    .sort();
}
