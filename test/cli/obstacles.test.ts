/** Obstacles in a tree, on a disk, and in arguments: each causes at most one clear sentence, and never a hang. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../scripts/project.mjs';
import { formatNames } from '../../src/surfaces/cli/formats/destinations.ts';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing } from '../passages.ts';
import { dataIn } from './formats/pageData.ts';
import { type JsonReport, kindred, type Outcome, placesOf, whenReadingBegins } from './kindred.ts';

const twoCopies = { 'a.ts': parsing, 'b.ts': drawing + parsing };
const theirPlaces = ['a.ts:1-15 b.ts:16-30'];

suite('obstacles', () => {
  let folder = '';
  setup(() => {
    folder = makeFolder(twoCopies);
  });
  teardown(() => removeFolder(folder));

  function call(...commandArguments: readonly string[]): Promise<Outcome> {
    return kindred(commandArguments, { cwd: folder });
  }

  async function refused(commandArguments: readonly string[], sentence: string): Promise<void> {
    assert.deepEqual(await call(...commandArguments), { code: 2, stdout: '', stderr: `kindred: ${sentence}\n` });
  }

  function makePipe(name: string): void {
    execFileSync('mkfifo', [path.join(folder, name)]);
  }

  suite('pipes and devices', () => {
    test('in place of files with rules are reported, and the other files are compared', async () => {
      mkdirSync(path.join(folder, 'sub'));
      for (const name of ['.gitignore', '.gitattributes', 'sub/.git', 'sub/.gitignore']) makePipe(name);
      symlinkSync('/dev/zero', path.join(folder, '.ignore'));
      const { code, stdout, stderr } = await call('scan', '--format', 'json');
      assert.deepEqual(
        [code, stderr.split('\n')],
        [
          0,
          [
            'kindred: .gitignore is not a file; its rules are ignored.',
            'kindred: .ignore is not a file; its rules are ignored.',
            'kindred: .gitattributes is not a file; its attributes are ignored.',
            'kindred: sub/.gitignore is not a file; its rules are ignored.',
            '',
          ],
        ],
      );
      const report = JSON.parse(stdout) as JsonReport;
      assert.deepEqual(placesOf(report), theirPlaces);
      assert.deepEqual(
        report.skipped.map(({ path: name, reason }) => `${name}: ${reason}`),
        ['.gitattributes', '.gitignore', '.ignore', 'sub/.gitignore'].map((name) => `${name}: not a file`),
      );
    });

    test('in place of a configuration are rejected', async () => {
      makePipe('.kindredrc.jsonc');
      await refused(['scan'], '.kindredrc.jsonc is not a file.');
      makePipe('other');
      await refused(['scan', '--config', 'other'], 'other is not a file.');
      await refused(['scan', '--config', '/dev/zero'], '/dev/zero is not a file.');
    });

    test('in place of scanned or explained files are named', async () => {
      makePipe('pipe');
      assert.match((await call('scan', 'pipe')).stdout, /1 × not a file: pipe\n/);
      await refused(['explain', 'a.ts', 'pipe'], 'pipe cannot be compared: not a file.');
    });

    test('in place of the cache are replaced', async () => {
      await call('scan', '--cache', 'cache');
      const names = readdirSync(path.join(folder, 'cache'));
      removeFolder(path.join(folder, 'cache'));
      mkdirSync(path.join(folder, 'cache'));
      for (const name of names) makePipe(`cache/${name}`);
      const { code, stderr } = await call('scan', '--cache', 'cache');
      assert.equal(code, 0);
      assert.match(stderr, /^kindred: Cannot use the stored index .* \(not a file\); rebuilding it\.\n$/);
      assert.equal((await call('scan', '--cache', 'cache')).stderr, '');
    });
  });

  test('reports files that are too large for rules or configurations', async () => {
    writeFileSync(path.join(folder, '.gitignore'), 'x\n'.repeat(600_000));
    const { code, stderr } = await call('scan');
    assert.deepEqual([code, stderr], [0, 'kindred: .gitignore is too large (limit 1 MB); its rules are ignored.\n']);
    writeFileSync(path.join(folder, '.kindredrc.jsonc'), ' '.repeat(2 ** 20 + 1));
    await refused(['scan'], '.kindredrc.jsonc is too large (limit 1 MB).');
  });

  test('patterns with exponential backtracking take no longer than others', async () => {
    const name = `${'a'.repeat(240)}.ts`;
    writeFileSync(path.join(folder, '.gitignore'), `x${' '.repeat(100_000)}y\n*a*a*a*a*a*a*a*a*c\n`);
    writeFileSync(path.join(folder, name), parsing);
    writeFileSync(path.join(folder, '.kindredrc.jsonc'), JSON.stringify({ exclude: ['*a*a*a*a*a*a*a*a*c'] }));
    const { code, stdout } = await call('scan', '--format', 'json');
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as JsonReport).totals.files, 5);
  });

  test('invalid globs are rejected', async () => {
    await refused(
      ['scan', '--include', 'a'.repeat(65_537)],
      `--include: "${'a'.repeat(59)}…" has 65,537 characters; a glob may have at most 4,096.`,
    );
    await refused(
      ['scan', '--exclude', '!(a|b).ts'],
      '--exclude: "!(a|b).ts" begins with "!"; use include with "(a|b).ts" instead.',
    );
    await refused(
      ['scan', '--exclude', 'x/(a|b).ts'],
      '--exclude: "x/(a|b).ts" uses parentheses for alternatives; use braces instead: {a,b}.',
    );
    const tooMany = 'the globs are too long; with braces expanded, together they may have at most 200,000 characters.';
    await refused(['scan', '--exclude', '{a,b}'.repeat(100)], `--exclude: ${tooMany}`);
    const exclude = Array.from({ length: 70_000 }, (_, at) => `file${at}.ts`);
    writeFileSync(path.join(folder, 'many.json'), JSON.stringify({ exclude }));
    await refused(['scan', '--config', 'many.json'], `many.json, line 1: exclude: ${tooMany}`);
  });

  test('reports the rule that hides all files', async () => {
    writeFileSync(path.join(folder, '.gitignore'), '/*\n');
    mkdirSync(path.join(folder, 'sub'));
    assert.equal(
      (await call('scan')).stdout,
      'Nothing to compare: no source files in ..\nHidden:\n   3 files and 1 folder by .gitignore (--no-gitignore reads them)\n',
    );
    assert.match((await call('scan', '--no-gitignore')).stdout, /^1 group with 2 passages/m);
    assert.match(
      (await call('scan', '--no-gitignore', '--include', '*.py', '--exclude', 'sub')).stdout,
      /\nHidden:\n {3}3 files \(not matched by --include\)\n {3}1 folder \(matched by --exclude\)\n$/,
    );
  });

  suite('output', () => {
    test('reports a failure of the reader', () => {
      const full = openSync('/dev/full', 'w');
      const sentence = 'kindred: cannot write to standard output (the disk is full).\n';
      for (const commandArguments of [
        ['cli.js', 'scan'],
        ['kindred.cjs', '--version'],
      ]) {
        const [program = '', command = ''] = commandArguments;
        const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'dist', program), command], {
          cwd: folder,
          encoding: 'utf8',
          stdio: ['ignore', full, 'pipe'],
        });
        assert.deepEqual([commandArguments, status, stderr], [commandArguments, 2, sentence]);
      }
      closeSync(full);
    });

    test('truncated in a file is an error in every format', () => {
      // Long names make every report larger than the limit. The system truncates a write there, as on a full disk.
      const long = 'x'.repeat(200);
      mkdirSync(path.join(folder, long));
      for (const name of ['c', 'd', 'e']) writeFileSync(path.join(folder, long, `${long}${name}.ts`), parsing);
      for (const format of formatNames) {
        const command = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@" > out`;
        const commandArguments = [process.execPath, path.join(root, 'dist/cli.js'), 'scan', '--format', format];
        const { status, stderr } = spawnSync('sh', ['-c', command, ...commandArguments], {
          cwd: folder,
          encoding: 'utf8',
        });
        const sentence = 'kindred: cannot write to standard output (the file would be too large).\n';
        assert.deepEqual([format, status, stderr], [format, 2, sentence]);
      }
    });

    test('to a disk that becomes full is an error, and leaves no trace', async () => {
      const preload = path.join(folder, 'full.mjs');
      writeFileSync(
        preload,
        `
          import fs from 'node:fs';
          import { syncBuiltinESMExports } from 'node:module';
          fs.writeSync = () => {
            throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
          };
          syncBuiltinESMExports();
        `,
      );
      const env = { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
      assert.deepEqual(await kindred(['scan', '--output', 'out.json'], { cwd: folder, env }), {
        code: 2,
        stdout: '',
        stderr: 'kindred: cannot write the report to out.json (the disk is full).\n',
      });
      assert.deepEqual(readdirSync(folder).sort(), ['a.ts', 'b.ts', 'full.mjs']);
    });

    test('is not affected by leftovers of another process with the same id', async () => {
      writeFileSync(path.join(folder, '.out.json.1.tmp'), '');
      // In a container, each process has the id 1.
      const preload = path.join(folder, 'one.mjs');
      writeFileSync(preload, `Object.defineProperty(process, 'pid', { value: 1 });`);
      const env = { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };
      const { code, stderr } = await kindred(['scan', '--output', 'out.json'], { cwd: folder, env });
      assert.deepEqual([code, stderr], [0, '']);
      assert.ok(existsSync(path.join(folder, 'out.json')));
    });

    test('with an invalid or too long file name is rejected', async () => {
      await refused(['scan', '--output', ''], '--output must name a file; its value is empty.');
      await refused(['scan', '--cache', ''], '--cache must name a folder; its value is empty.');
      await refused(['scan', '--config', ''], '--config must name a file; its value is empty.');
      await refused(['scan', ''], 'the name of the file or folder is empty.');
      const long = 'x'.repeat(300);
      await refused(['scan', '--output', long], `--output: cannot write ${long} (the name is too long).`);
      await refused(['scan', '--config', long], `${long} cannot be read (the name is too long).`);
      await refused(['scan', long], `${long} cannot be accessed (the name is too long).`);
      await refused(
        ['scan', '--cache', long],
        `--cache: cannot write to ${long} (the name is too long); specify another folder.`,
      );
      // The name of the temporary file is not longer.
      const longest = 'y'.repeat(255);
      assert.equal((await call('scan', '--output', longest)).code, 0);
    });
  });

  test('a cache that contains the sources is rejected', async () => {
    const own = 'which is to be scanned; specify a separate folder, such as .kindred.';
    await refused(['scan', '--cache', '.'], `--cache: the cache folder . contains ., ${own}`);
    mkdirSync(path.join(folder, 'sub'));
    await refused(['scan', 'sub', '--cache', '.'], `--cache: the cache folder . contains sub, ${own}`);
    assert.equal((await call('scan', '--cache', 'sub')).code, 0);
  });

  test('an invalid amount of memory is rejected', async () => {
    await refused(
      ['scan', '--memory', '99999999999999999999'],
      '--memory must be a size such as 512mb or 2gb, not "99999999999999999999".',
    );
  });

  test('a configuration in UTF-16 is read, and rejected if it is not text or is nested too deeply', async () => {
    const name = path.join(folder, '.kindredrc.jsonc');
    writeFileSync(name, Buffer.from('\ufeff{ "minLines": 0 }', 'utf16le'));
    await refused(['scan'], '.kindredrc.jsonc, line 1: minLines must be a whole number from 1 to 1000, not 0.');
    writeFileSync(name, Buffer.from('{ "minLines": 0 }', 'utf16le'));
    await refused(['scan'], '.kindredrc.jsonc is not a text file; save it as UTF-8.');
    writeFileSync(name, `{\n"include":\n${'['.repeat(20_000)}`);
    await refused(['scan'], '.kindredrc.jsonc, line 3: lists and objects are nested more than 100 deep.');
  });

  test('keep control characters from the terminal', async () => {
    const steering = '\u001bc\u009bJ\u202e';
    const harmless = '·c·J·';
    const steers = (text: string): boolean => ['\u001b', '\u009b', '\u202e'].some((sign) => text.includes(sign));
    await refused(['scan', `no${steering}where`], `there is no file or folder no${harmless}where; check the path.`);
    await refused(
      ['scan', '--exclude', `!${steering}`],
      `--exclude: "!${harmless}" begins with "!"; use include with "${harmless}" instead.`,
    );
    await refused(['scan', `--${steering}`], `there is no option --${harmless}; kindred scan --help lists them.`);
    writeFileSync(path.join(folder, 'rc'), JSON.stringify({ [`minTokens${steering}`]: 1 }));
    await refused(
      ['scan', '--config', 'rc'],
      `rc, line 1: there is no key "minTokens${harmless}"; did you mean "minTokens"?`,
    );
    const { stdout, stderr } = await call('scan', '--output', `out${steering}`);
    assert.ok(stdout.endsWith(`Report written to out${harmless}.\n`) && !steers(stderr));
    mkdirSync(path.join(folder, `sub${steering}`));
    mkdirSync(path.join(folder, `sub${steering}`, '.gitignore'));
    assert.match(
      (await call('scan')).stderr,
      /^kindred: sub·c·J·\/\.gitignore is not a file; its rules are ignored\.\n$/,
    );
    writeFileSync(path.join(folder, `sub${steering}`, 'b.ts'), parsing);
    const json = (await call('scan', '--format', 'json')).stdout;
    assert.ok(!steers(json));
    assert.ok(JSON.stringify(JSON.parse(json)).includes(`sub\\u001bc\u009bJ\u202e/b.ts`));
  });

  test('control characters in a file name are escaped in every format, and exact in JSON', async () => {
    const name = 'a\u001b[31m\u001b]0;title\u0007\u0007\u009bJ\u202eb.ts';
    const harmless = 'a·[31m·]0;title···J·b.ts';
    const steers = (text: string): boolean =>
      ['\u001b', '\u0007', '\u009b', '\u202e'].some((sign) => text.includes(sign));
    rmSync(path.join(folder, 'a.ts'));
    writeFileSync(path.join(folder, name), parsing);
    const reports = formatNames.map((format) => `${format}=out.${format}`).join(',');
    const summary = path.join(folder, 'summary');
    const { code, stderr } = await kindred(['scan', '--format', reports], {
      cwd: folder,
      env: { GITHUB_STEP_SUMMARY: summary },
    });
    assert.deepEqual([code, stderr], [0, '']);
    const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');
    for (const format of formatNames) assert.ok(!steers(read(`out.${format}`)), format);
    for (const format of ['text', 'markdown', 'github', 'junit', 'csv']) {
      assert.ok(read(`out.${format}`).includes(harmless), format);
    }
    assert.ok(read('summary').includes(harmless) && !steers(read('summary')));
    assert.ok(dataIn(read('out.html')).paths.includes(harmless));
    for (const format of ['json', 'gitlab', 'codeclimate', 'rdjson']) {
      assert.ok(JSON.stringify(JSON.parse(read(`out.${format}`))).includes(JSON.stringify(name)), format);
    }
    assert.ok(read('out.sarif').includes(`"uri":"${encodeURIComponent(name)}"`));
    for (const [tree, file] of Object.entries({ old: name, new: 'b.ts' })) {
      mkdirSync(path.join(folder, tree));
      writeFileSync(path.join(folder, tree, file), parsing);
    }
    const compared = await call('scan', '--format', 'markdown', '--compare', 'old', 'new');
    assert.ok(compared.stdout.includes(harmless) && !steers(compared.stdout), compared.stderr);
  });

  test('lines that end with only a carriage return are counted', async () => {
    const lines = Array.from(
      { length: 40 },
      (_, at) => `export const before${at} = ${at}; // ${'word '.repeat(at % 5)}`,
    );
    const old = `${lines.join('\n')}\n${parsing}`.replaceAll('\n', '\r');
    writeFileSync(path.join(folder, 'b.ts'), old);
    writeFileSync(path.join(folder, 'a.ts'), (parsing + drawing).replaceAll('\n', '\r'));
    const { stdout } = await call('scan');
    const [first = ''] = parsing.split('\n');
    assert.match(stdout, /a\.ts:1-15\n {3}b\.ts:41-55\n/);
    assert.equal(stdout.split('\n')[5], `     ${first}`);
    const name = path.join(folder, '.kindredrc.jsonc');
    writeFileSync(name, '{\r"k": 3,\r\n"minLines": 0 }');
    await refused(['scan'], '.kindredrc.jsonc, line 3: minLines must be a whole number from 1 to 1000, not 0.');
  });

  suite('signals', () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      test(`${signal} ends with ${code} and a report marked as partial; a second one ends immediately`, async () => {
        const again = (times: number): Promise<Outcome> => {
          const deed = `process.emit('${signal}', '${signal}');\n`;
          const env = whenReadingBegins(folder, deed.repeat(times));
          return kindred(['scan', '--format', 'json', '--output', 'report.json', '.'], { cwd: folder, env });
        };
        const first = await again(1);
        assert.deepEqual([first.code, first.stderr], [code, 'kindred: interrupted; the result is partial.\n']);
        const report = JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')) as JsonReport;
        assert.equal(report.complete, false);
        const second = await again(2);
        assert.deepEqual([second.code, second.stderr], [code, '']);
        assert.deepEqual(readdirSync(folder).sort(), ['a.ts', 'b.ts', 'report.json', 'signal.mjs']);
      });
    }
  });
});
