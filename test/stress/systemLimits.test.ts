/**
 * Limits that the system sets for a process: the command line either works within them, or names the limit in one
 * sentence.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { drawing, parsing } from '../passages.ts';
import { kindred, type Outcome } from '../cli/kindred.ts';

suite('limits of the system', () => {
  let folder = '';
  suiteSetup(() => {
    // Enough files for a second thread.
    const files = Object.fromEntries(Array.from({ length: 320 }, (_, file) => [`${file}.ts`, `let a${file};\n`]));
    folder = makeFolder({ ...files, 'a.ts': parsing, 'b.ts': drawing + parsing });
    const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.com'];
    for (const commandArguments of [
      ['init', '-q'],
      ['add', '--all'],
      ['commit', '-q', '-m', 'base'],
    ]) {
      execFileSync('git', ['-C', folder, ...who, ...commandArguments]);
    }
    writeFileSync(path.join(folder, 'c.ts'), parsing);
  });
  suiteTeardown(() => removeFolder(folder));

  const commands = [
    ['scan', '--workers', '2', '--format', 'json'],
    ['check', '--max-groups', '9', '--format', 'json'],
    ['check', '--since', 'HEAD', '--format', 'json'],
    ['find', 'a.ts', '--format', 'json'],
    ['baseline', 'write', '--baseline', '.git/baseline'],
    ['scan', '--cache', '.git/kindred', '--format', 'json'],
  ];

  function call(commandArguments: readonly string[], limit?: string): Promise<Outcome> {
    // kindred baseline write does not overwrite an existing file.
    rmSync(path.join(folder, '.git/baseline'), { force: true });
    return kindred(commandArguments, { cwd: folder, ...(limit === undefined ? {} : { limit }) });
  }

  for (const [i, gigabytes] of [1, 2, 4, 8, 16].entries()) {
    const command = commands[i];
    test(`${gigabytes} GB of address space are too few: ${command.join(' ')}`, async () => {
      const { code, stdout, stderr } = await call(command, `-v ${gigabytes * 2 ** 20}`);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^kindred: there is not enough memory; [^\n]+ \(ulimit -v\) to 24 GB or more\.\n$/);
    });
  }

  for (const command of commands) {
    test(`few open files: ${command.join(' ')}`, async () => {
      const expected = await call(command);
      for (const files of [20, 23, 26, 29]) {
        const { code, stdout, stderr } = await call(command, `-n ${files}`);
        if (code === 2) assert.match(stderr, tooManyFiles);
        else assert.deepEqual([code, withoutTime(stdout), stderr], [expected.code, withoutTime(expected.stdout), '']);
      }
    });
  }
});

const tooManyFiles = /^kindred: [^\n]*too many [^\n]*; raise the limit, for example with ulimit -n 1024\.\n$/;

function withoutTime(json: string): string {
  return json.replace(/"(?:elapsed|search)Ms": ?[\d.]+/, '');
}
