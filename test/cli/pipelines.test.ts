/** Code for CI pipelines: the steps of the action as scripts, the hook, and the GitLab job, without the services. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { root } from '../../scripts/project.mjs';
import { makeFolder, removeFolder } from '../io/temporaryFolder.ts';
import { awkwardFiles } from './formats/reports.ts';
import { kindred } from './kindred.ts';

interface Step {
  readonly id: string;
  readonly if?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(path.join(root, 'action.yml'), 'utf8')) as Action;

suite('action', () => {
  let folder: string;

  setup(() => {
    const files = Object.entries(awkwardFiles).map(([name, text]) => [`repo/${name}`, text] as const);
    folder = makeFolder({ ...Object.fromEntries(files), 'runner/temp': '', 'bin/gh': '', output: '', summary: '' });
    // Records the calls, is logged in as an app, and lists the comments that the test provides.
    writeFileSync(
      path.join(folder, 'bin/gh'),
      `#!/bin/sh
echo "$@" >> '${folder}/asked'
case "$*" in
  *viewer*) echo 'kindred-app[bot]';;
  *--jq*) cat '${folder}/known' 2>/dev/null;;
esac
:
`,
    );
    chmodSync(path.join(folder, 'bin/gh'), 0o755);
  });

  teardown(() => removeFolder(folder));

  /** Runs a step as GitHub does. Returns the exit code and the output. */
  function run(
    id: string,
    values: Readonly<Record<string, string>>,
  ): { readonly code: number | null; readonly text: string } {
    const step = action.runs.steps.find((one) => one.id === id)!;
    const env = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => {
        const key = /^\$\{\{ (.*) \}\}$/.exec(value)![1];
        return [name, values[key] ?? action.inputs[key.replace('inputs.', '')].default];
      }),
    );
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run!],
      {
        cwd: path.join(folder, 'repo'),
        encoding: 'utf8',
        env: {
          HOME: folder,
          PATH: `${path.join(folder, 'bin')}:${process.env['PATH']}`,
          GITHUB_REPOSITORY: 'o/r',
          RUNNER_TEMP: path.join(folder, 'runner'),
          GITHUB_OUTPUT: path.join(folder, 'output'),
          GITHUB_STEP_SUMMARY: path.join(folder, 'summary'),
          ...env,
        },
      },
    );
    return { code: status, text: stdout + stderr };
  }

  const surroundings = { 'github.action_path': root };
  const outputs = (): Record<string, string> =>
    Object.fromEntries(
      readFileSync(path.join(folder, 'output'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );

  test('scans, annotates, and passes on its output files', () => {
    assert.deepEqual(run('build', surroundings), { code: 0, text: '' });
    const { code, text } = run('scan', surroundings);
    assert.equal(code, 0, text);
    assert.match(text, /^::warning file=src\//m);
    const written = outputs();
    assert.match(written['percentage'], /^\d+(?:\.\d+)?$/);
    assert.deepEqual([written['new-groups'], written['status']], ['', '0']);
    assert.equal((JSON.parse(readFileSync(written['sarif-path'], 'utf8')) as { version: string }).version, '2.1.0');
    assert.match(readFileSync(written['comment-path'], 'utf8'), /^<!-- kindred -->\n/);
    assert.match(readFileSync(path.join(folder, 'summary'), 'utf8'), /^<!-- kindred -->\n/);
    for (const { value } of Object.values(action.outputs)) {
      assert.ok(/^\$\{\{ steps\.scan\.outputs\.(.*) \}\}$/.exec(value)![1] in written, value);
    }
    assert.equal(run('verdict', { 'steps.scan.outputs.status': written['status'] }).code, 0);
  });

  test('fails the step if it cannot run, and the job at its end if a limit is exceeded', () => {
    const { code, text } = run('scan', { ...surroundings, 'inputs.path': 'nowhere' });
    assert.equal(code, 2, text);
    assert.match(text, /there is no file or folder nowhere/);
    assert.equal(run('verdict', { 'steps.scan.outputs.status': '1' }).code, 1);
  });

  test('passes on the percentage for the comment, without tests and ignored copies', () => {
    const { code, text } = run('scan', surroundings);
    assert.equal(code, 0, text);
    const percentage = (): string => {
      const { percentage: handed, 'comment-path': comment } = outputs();
      const [, commented] = /^Duplicated: ([\d.]+)% of source /m.exec(readFileSync(comment, 'utf8'))!;
      assert.equal(handed, commented);
      return handed;
    };
    const all = percentage();
    const source = path.join(folder, 'repo/src/d.ts');
    writeFileSync(source, `// kindred-ignore-file\n${readFileSync(source, 'utf8')}`);
    run('scan', surroundings);
    assert.ok(Number(percentage()) < Number(all), all);
  });

  test('comments once, and then updates its own comment only', () => {
    run('scan', surroundings);
    const values = {
      'github.event.pull_request.number': '7',
      'steps.scan.outputs.comment-path': outputs()['comment-path'],
      'inputs.token': 'secret',
    };
    const body = '<!-- kindred -->\n## Kindred: no new duplicates';
    const foreign = [
      { id: 40, login: 'mallory', body },
      { id: 41, login: 'github-actions[bot]', body },
      { id: 42, login: null, body },
      { id: 43, login: 'kindred-app[bot]', body: `Of all comments, \n${body}` },
      { id: 44, login: 'kindred-app[bot]', body: null },
    ];
    const own = [45, 46].map((id) => ({ id, login: 'kindred-app[bot]', body }));
    for (const oldComments of [[], foreign, [...foreign, ...own]]) {
      writeFileSync(path.join(folder, 'known'), oldComments.map((comment) => `${JSON.stringify(comment)}\n`).join(''));
      const { code, text } = run('comment', values);
      assert.equal(code, 0, text);
    }
    const requests = readFileSync(path.join(folder, 'asked'), 'utf8').trim().split('\n');
    const post = 'POST repos/o/r/issues/7/comments';
    assert.deepEqual(
      requests.flatMap((call) => /--method (.*) --field body=@/.exec(call)?.[1] ?? []),
      [post, post, 'PATCH repos/o/r/issues/comments/45'],
    );
  });

  test('no script contains an expression, so external input is never executed', () => {
    for (const { run: script = '' } of action.runs.steps) assert.doesNotMatch(script, /\$\{\{/);
    assert.equal(action.runs.using, 'composite');
  });
});

suite('hook, job, and problem matcher', () => {
  test('the problem matcher finds each place of the text report with its message', async () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
    const [{ pattern }] = manifest.contributes.problemMatchers;
    const [heading, place] = pattern.map(({ regexp }) => new RegExp(regexp));
    const folder = makeFolder(awkwardFiles);
    try {
      const lines = (await kindred(['scan', '--all'], { cwd: folder })).stdout.split('\n');
      const found: string[] = [];
      // Match like VS Code: a heading with a place after it, followed by any number of places.
      for (let at = 0; at < lines.length; at++) {
        const message = heading.exec(lines[at])?.[pattern[0].message!];
        if (message === undefined) continue;
        for (let next = at + 1; ; next++) {
          const match = place.exec(lines[next] ?? '');
          if (match === null) break;
          found.push(`${match[pattern[1].file!]} ${match[pattern[1].line!]} ${message}`);
        }
      }
      assert.deepEqual(
        found.map((text) => text.replace(/ \d+ .*/, '')).sort(),
        Object.keys(awkwardFiles)
          .filter((name) => name.endsWith('.ts'))
          .sort(),
      );
      assert.ok(found.includes('src/a.ts 1 Exact copies of code: 2 places, 11 lines'), found.join('\n'));
    } finally {
      removeFolder(folder);
    }
  });

  interface Manifest {
    readonly contributes: {
      readonly problemMatchers: readonly {
        readonly pattern: readonly {
          readonly regexp: string;
          readonly message?: number;
          readonly file?: number;
          readonly line?: number;
        }[];
      }[];
    };
  }

  test('the hook runs the command of the package on the whole tree', () => {
    const [hook] = parse(readFileSync(path.join(root, '.pre-commit-hooks.yaml'), 'utf8')) as Record<string, unknown>[];
    const { bin } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      bin: Record<string, string>;
    };
    assert.ok(String(hook['entry']).split(' ')[0] in bin);
    assert.deepEqual([hook['pass_filenames'], hook['always_run'], hook['language']], [false, true, 'node']);
  });

  test("the job's script writes the files that its artifacts name", () => {
    const { kindred: job } = parse(readFileSync(path.join(root, 'docs/kindred.gitlab-ci.yml'), 'utf8')) as {
      kindred: {
        script: readonly string[];
        artifacts: { paths: readonly string[]; reports: Readonly<Record<string, string>> };
      };
    };
    const folder = makeFolder(awkwardFiles);
    try {
      const script = job.script.join('\n');
      const { status, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
        cwd: folder,
        encoding: 'utf8',
        env: {
          PATH: process.env['PATH'],
          KINDRED: `${process.execPath} ${root}/dist/cli.js`,
          KINDRED_ARGUMENTS: 'scan',
        },
      });
      assert.equal(status, 0, stderr);
      for (const file of [...job.artifacts.paths, ...Object.values(job.artifacts.reports)]) {
        assert.ok(existsSync(path.join(folder, file)), file);
      }
    } finally {
      removeFolder(folder);
    }
  });
});
