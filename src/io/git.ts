/** Asks git: as a process of its own, with arguments that no shell reads, and without changing anything. */
import { spawn } from 'node:child_process';
import { causeOf } from './systemErrors.ts';

/** Why git has no answer, in words to follow "kindred: ". */
export interface GitProblem {
  readonly problem: string;
}

/** What is not to depend on somebody's settings. */
const settled = ['-c', 'core.quotePath=false', '-c', 'color.ui=false', '-c', 'core.fsmonitor=false'];

interface Answer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** What git prints; or its exit code and what it complains of. Rejects when it cannot be started. */
function ask(folder: string, given: readonly string[], input?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', folder, ...settled, ...given], {
      // It locks nothing, so that a folder may be read-only; its complaints are in English; nobody is asked for a password.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: '' },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    // When it ends without reading everything, its exit code says why.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code: code ?? 128, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') }),
    );
    child.stdin.end(input ?? '');
  });
}

/** A repository, as seen from a folder in it. */
export class Git {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** The repository that a folder lies in, or why there is none. */
  static async open(folder: string): Promise<Git | GitProblem> {
    try {
      const { code, stderr } = await ask(folder, ['rev-parse', '--show-toplevel']);
      if (code === 0) return new Git(folder);
      if (/not a git repository|must be run in a work tree/.test(stderr)) {
        return { problem: `${folder} is in no Git working tree; run it in one, or use --baseline.` };
      }
      return { problem: `git cannot read the repository (${firstLine(stderr)}).` };
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return { problem: isMissing ? 'there is no git; install it, or use --baseline.' : `git: ${causeOf(error)}.` };
    }
  }

  /** What git prints; undefined when it refuses. */
  async text(...given: readonly string[]): Promise<string | undefined> {
    const { code, stdout } = await ask(this.#folder, given);
    return code === 0 ? stdout.toString('utf8') : undefined;
  }

  /** @throws when git refuses what it has no reason to */
  async must(...given: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await ask(this.#folder, given);
    if (code !== 0) throw new Error(`git ${given[0]} failed: ${firstLine(stderr)}`);
    return stdout.toString('utf8');
  }

  /** The commit that a name stands for. */
  async commitOf(ref: string): Promise<string | undefined> {
    const found = await this.text('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    return found?.trim();
  }

  /** The commit that two have in common, or why there is none. */
  async mergeBase(ref: string): Promise<{ readonly commit: string } | GitProblem> {
    const [commit, head, shallow] = await Promise.all([
      this.commitOf(ref),
      this.commitOf('HEAD'),
      this.text('rev-parse', '--is-shallow-repository'),
    ]);
    const isShallow = shallow?.trim() === 'true';
    if (commit === undefined) {
      const help = isShallow ? `the clone is shallow: run git fetch --unshallow origin` : 'fetch it, or check the name';
      return { problem: `there is no commit ${ref}; ${help}.` };
    }
    if (head === undefined) return { problem: 'the repository has no commit yet.' };
    const base = (await this.text('merge-base', commit, head))?.trim();
    if (base !== undefined && base !== '') return { commit: base };
    return {
      problem: isShallow
        ? `the clone is shallow and lacks the commit that HEAD and ${ref} have in common; run git fetch --unshallow.`
        : `HEAD and ${ref} have no commit in common.`,
    };
  }

  /** The contents of objects, in their order; undefined for one that is not there. */
  async contents(objects: readonly string[]): Promise<(Buffer | undefined)[]> {
    if (objects.length === 0) return [];
    const { stdout } = await ask(this.#folder, ['cat-file', '--batch'], `${objects.join('\n')}\n`);
    let at = 0;
    return objects.map(() => {
      const end = stdout.indexOf(0x0a, at);
      if (end < 0) return undefined;
      const size = /^\S+ \w+ (\d+)$/.exec(stdout.toString('latin1', at, end))?.[1];
      at = end + 1;
      if (size === undefined) return undefined;
      const content = stdout.subarray(at, at + Number(size));
      at += Number(size) + 1;
      return content;
    });
  }
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? 'it does not say why').replace(
    /^(?:fatal|error): /,
    '',
  );
}
