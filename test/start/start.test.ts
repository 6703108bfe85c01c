/** `npm start -- <folder>`: its reaction to wrong calls, the window it opens, and complete cleanup when stopped. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBrowser } from '../../scripts/browser.mjs';
import { root } from '../../scripts/project.mjs';

const folder = path.join(root, 'test', 'fixtures', 'shop');

suite('npm start', () => {
  test('without a folder asks for one', () => checkRefusal([], 'Name one folder to open: npm start -- <folder>'));

  test('rejects a folder that does not exist', () =>
    checkRefusal([path.join(root, 'no-such')], `There is no folder ${path.join(root, 'no-such')}.`));

  test('rejects a file', () =>
    checkRefusal([path.join(root, 'package.json')], `There is no folder ${path.join(root, 'package.json')}.`));

  test('with --server opens and scans the folder in a browser, and Ctrl+C ends everything', async () => {
    const start = new Start(['--server', '--no-build', folder], {});
    try {
      const address = await start.line(/http:\/\/\S+/);
      const groups = processes().filter((process) => process.parent === start.pid);
      assert.ok(groups.length > 0, 'no server was started');
      const browser = await openBrowser({ width: 1000, height: 700 });
      try {
        await browser.page.goto(address);
        // The view appears without a click.
        await browser.page.locator('.sidebar .monaco-list-row', { hasText: 'dates.ts, period.ts' }).first().waitFor();
      } finally {
        await browser.close();
      }
      assert.equal(await start.interrupt(), 0);
      const isLeft = (): boolean => processes().some((process) => groups.some((group) => group.id === process.group));
      // A killed process takes a moment to end. One that stays makes the test time out.
      while (isLeft()) await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await start.interrupt();
    }
  });

  test('with a desktop opens the folder in the installed VS Code, and Ctrl+C ends it', async () => {
    const programs = mkdtempSync(path.join(tmpdir(), 'kindred-start-'));
    const log = path.join(programs, 'log.json');
    writeFileSync(path.join(programs, 'code'), fakeCode(log));
    // The program is CommonJS, also if the folder for temporary files has a package.json of modules.
    writeFileSync(path.join(programs, 'package.json'), '{}');
    chmodSync(path.join(programs, 'code'), 0o755);
    const start = new Start(['--no-build', folder], { PATH: `${programs}:${process.env['PATH']}`, DISPLAY: ':99' });
    try {
      await start.line(/is open in VS Code/);
      await start.line(/window \d+/);
      const { programArguments, settings, pid } = JSON.parse(readFileSync(log, 'utf8')) as {
        programArguments: string[];
        settings: Record<string, unknown>;
        pid: number;
      };
      assert.equal(programArguments.at(-1), folder);
      assert.ok(programArguments.includes(`--extensionDevelopmentPath=${root}`));
      assert.equal(settings['kindred.scanOnStartup'], 'always');
      assert.equal(settings['kindred.showViewOnStartup'], true);
      assert.equal(await start.interrupt(), 0);
      assert.deepEqual(
        processes().filter((process) => process.id === pid),
        [],
      );
    } finally {
      await start.interrupt();
      rmSync(programs, { recursive: true });
    }
  });
});

/**
 * Creates a `code` like the installed one: a program that starts the window separately, waits for it, and leaves the
 * window's process id in the profile. It records its arguments.
 */
function fakeCode(log: string): string {
  return `#!${process.execPath}
const { spawn } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const programArguments = process.argv.slice(2);
const profile = programArguments[programArguments.indexOf('--user-data-dir') + 1];
const settings = JSON.parse(readFileSync(profile + '/User/settings.json', 'utf8'));
const window = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
writeFileSync(profile + '/code.lock', String(window.pid));
writeFileSync(${JSON.stringify(log)}, JSON.stringify({ programArguments, settings, pid: window.pid }));
console.log('window ' + window.pid);
window.on('exit', () => process.exit(0));
`;
}

async function checkRefusal(programArguments: readonly string[], sentence: string): Promise<void> {
  const start = new Start(programArguments, {});
  assert.equal(await start.ended, 2);
  assert.equal(start.output.trim(), sentence);
}

/** A running scripts/start.mjs. */
class Start {
  output = '';
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;

  constructor(programArguments: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [path.join(root, 'scripts', 'start.mjs'), ...programArguments], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Returns the part of the output that matches, as soon as it is available. */
  async line(pattern: RegExp): Promise<string> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found !== null) return found[0];
      const next = await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), this.ended]);
      if (!Array.isArray(next)) throw new Error(`It ended early:\n${this.output}`);
    }
  }

  /** Presses Ctrl+C, once or again, and waits. */
  async interrupt(): Promise<number | null> {
    this.#child.kill('SIGINT');
    return this.ended;
  }
}

interface RunningProcess {
  readonly id: number;
  readonly parent: number;
  readonly group: number;
}

/** Returns all running processes of this machine, without zombies. */
function processes(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      let stat: string;
      try {
        stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      } catch {
        return []; // The process ended meanwhile.
      }
      // Format: 1234 (the name) S parent group …. The name may contain any characters, including parentheses.
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return state === 'Z' ? [] : [{ id: Number(name), parent: Number(parent), group: Number(group) }];
    });
}
