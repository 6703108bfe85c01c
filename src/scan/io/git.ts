/**
 * Runs git in a separate process without a shell. Never changes anything, and never lets git run a program that the
 * repository configures. No other module starts git.
 */
import { spawn } from 'node:child_process';
import { GitFailure } from './gitFailure.ts';
import { causeOf, isSystemError } from './systemErrors.ts';
import { systemLimitOf } from './systemLimits.ts';

/** Reason why git failed. It can be printed after "kindred: ". */
export interface GitProblem {
  readonly problem: string;
}

/**
 * Arguments of every call. They make the output independent of the user's settings. They also prevent git from running
 * programs named in the configuration, attributes, or hooks of a repository, so that untrusted trees can be checked.
 * Filters must be disabled one by one (`withoutFilters`).
 */
const safely = [
  ...['--no-pager', '-c', 'core.quotePath=false', '-c', 'color.ui=false'],
  // An empty value disables the file system monitor in every version. In older versions, "false" would be the name of a
  // program to run.
  ...['-c', 'core.fsmonitor='],
  // git diff would refresh the index, write it, and run the hook post-index-change.
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'diff.autoRefreshIndex=false'],
];

/**
 * Arguments of every diff. Without them, git would search submodules for changes, using the configuration of the
 * submodule and not the arguments in `safely`.
 */
const diffSafely = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--submodule=short'];

/** Environment variables of every call, in addition to those of this process. */
const environment = {
  // Git takes no locks, so that a folder may be read-only. Its messages are in English, and it never asks for a
  // password.
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: '',
  // Prevent downloads in partial clones, because a transport may run core.sshCommand, a credential helper, or a program
  // in the URL. Versions before 2.45 ignore the first variable. The second variable permits no transports, and
  // overrides the configuration.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
};

interface Answer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Runs git. Returns its exit code, its output, and its error output. Rejects if git cannot be started. */
function runGit(folder: string, gitArguments: readonly string[], input?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['-C', folder, ...safely, ...gitArguments], {
      env: { ...process.env, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    child.on('error', reject);
    // If there are no file descriptors left for the pipes, the streams do not exist, and only the event `error` is
    // emitted.
    if ((child.stdout as unknown) === undefined) return;
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (data: Buffer) => out.push(data));
    child.stderr.on('data', (data: Buffer) => err.push(data));
    // Git may exit before it has read all input. Ignore the error of the pipe, because the exit code shows the reason.
    child.stdin.on('error', () => undefined);
    child.on('close', (code) =>
      resolve({ code: code ?? 128, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') }),
    );
    child.stdin.end(input ?? '');
  });
}

/** Returns arguments that disable all configured filters, or the reason why this is impossible. */
async function withoutFilters(folder: string): Promise<readonly string[] | GitProblem> {
  // Exit code 1 means that there are no filters.
  const { code, stdout, stderr } = await runGit(folder, [
    'config',
    '--null',
    '--name-only',
    '--get-regexp',
    '^filter[.]',
  ]);
  if (code > 1) return { problem: `git cannot read its configuration (${firstLine(stderr)}).` };
  const names = new Set<string>();
  for (const key of stdout.toString('utf8').split('\0')) {
    const [, name] = /^filter\.(.*)\.[^.]*$/s.exec(key) ?? [];
    if (name !== undefined) names.add(name);
  }
  const unsafe = [...names].find((name) => name.includes('='));
  if (unsafe !== undefined) {
    // A name with "=" cannot be passed as an argument, because git would take the rest of the name for the value.
    return {
      problem: `the configuration of git has the filter ${JSON.stringify(unsafe)}, which cannot be disabled; rename it.`,
    };
  }
  return [...names].flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  );
}

/** A repository. Git runs in one of its folders. */
export class Git {
  readonly #folder: string;
  readonly #withoutFilters: readonly string[];

  private constructor(folder: string, filtersOff: readonly string[]) {
    this.#folder = folder;
    this.#withoutFilters = filtersOff;
  }

  /** Opens the repository that contains a folder, or returns the reason why there is none. */
  static async open(folder: string): Promise<Git | GitProblem> {
    try {
      const { code, stderr } = await runGit(folder, ['rev-parse', '--show-toplevel']);
      if (code === 0) {
        const filtersOff = await withoutFilters(folder);
        return 'problem' in filtersOff ? filtersOff : new Git(folder, filtersOff);
      }
      if (/not a git repository|must be run in a work tree/.test(stderr)) {
        return { problem: `${folder} is not in a Git working tree; use a folder in a repository, or a baseline.` };
      }
      return { problem: `git cannot read the repository (${firstLine(stderr)}); git status in ${folder} says more.` };
    } catch (error) {
      if (systemLimitOf(error) !== undefined || !isSystemError(error)) throw error;
      if (error.code === 'ENOENT') return { problem: 'git is not available; install it, or use a baseline.' };
      return { problem: `git cannot be started (${causeOf(error)}); check what PATH leads to.` };
    }
  }

  /** Runs git. Returns its output, or `undefined` if git fails. */
  async text(...gitArguments: readonly string[]): Promise<string | undefined> {
    const { code, stdout } = await this.#run(gitArguments);
    return code === 0 ? stdout.toString('utf8') : undefined;
  }

  /**
   * Runs git and returns its output.
   *
   * @throws GitFailure if git fails
   */
  async must(...gitArguments: readonly string[]): Promise<string> {
    return (await this.#must(gitArguments)).toString('utf8');
  }

  /**
   * Runs `git diff` on the working tree or, with `--cached`, on the index.
   *
   * @throws GitFailure
   */
  diff(...diffArguments: readonly string[]): Promise<string> {
    return this.must('diff', ...diffSafely, ...diffArguments);
  }

  /** Returns true if the folder has uncommitted changes. A submodule counts as changed only if its commit differs. */
  async isChanged(): Promise<boolean> {
    return Boolean(await this.text('status', '--porcelain', '--ignore-submodules=dirty', '--', '.'));
  }

  async commitOf(ref: string): Promise<string | undefined> {
    const found = await this.text('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    return found?.trim();
  }

  /**
   * Returns the number of commits that a shallow clone has, if it lacks some of those after a ref. Returns `undefined`
   * if it has all of them.
   *
   * @param since  ref; `undefined` for the entire history
   */
  async shallowCommits(since: string | undefined): Promise<number | undefined> {
    if (!(await this.#isShallow())) return undefined;
    // The oldest commits of a shallow clone have no parents.
    const range = since === undefined ? 'HEAD' : `${since}..HEAD`;
    const oldest = await this.must('rev-list', '--max-parents=0', '--max-count=1', '--end-of-options', range, '--');
    return oldest === '' ? undefined : Number(await this.must('rev-list', '--count', 'HEAD', '--'));
  }

  async #isShallow(): Promise<boolean> {
    return (await this.text('rev-parse', '--is-shallow-repository'))?.trim() === 'true';
  }

  /** Returns the merge base of a ref and HEAD, or the reason if there is none. */
  async mergeBase(ref: string): Promise<{ readonly commit: string } | GitProblem> {
    const [commit, head, isShallow] = await Promise.all([this.commitOf(ref), this.commitOf('HEAD'), this.#isShallow()]);
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

  /**
   * Returns the contents of objects, in order.
   *
   * @throws GitFailure if git fails or an object is missing
   */
  async contents(objects: readonly string[]): Promise<Buffer[]> {
    const contents = await this.existingContents(objects);
    return contents.map((content, i) => {
      if (content === undefined) throw new GitFailure(`git lacks the object ${objects[i]!}; ${remedy}.`);
      return content;
    });
  }

  /**
   * Returns the contents of objects, in order: `undefined` for each object that does not exist.
   *
   * @param objects  ids, or paths in a commit such as `1a2b3c:src/a.ts`. Must not contain line breaks
   * @throws GitFailure if git fails
   */
  async existingContents(objects: readonly string[]): Promise<(Buffer | undefined)[]> {
    if (objects.length === 0) return [];
    const stdout = await this.#must(['cat-file', '--batch'], `${objects.join('\n')}\n`);
    let at = 0;
    return objects.map(() => {
      const end = stdout.indexOf(0x0a, at);
      const size = /^\S+ \w+ (\d+)$/.exec(stdout.toString('latin1', at, end))?.[1];
      at = end + 1;
      if (size === undefined) return undefined;
      const content = stdout.subarray(at, at + Number(size));
      at += Number(size) + 1;
      return content;
    });
  }

  /**
   * Returns the commits after a ref, or all commits up to HEAD, newest first and without merges. Each commit consists
   * of the character U+0001; its id, day, subject, and body, each followed by a NUL; and its modified files in the
   * format of `--raw -z`.
   *
   * @throws GitFailure
   */
  modifications(since: string | undefined): Promise<string> {
    const range = since === undefined ? 'HEAD' : `${since}..HEAD`;
    const format = '--format=%x01%H%x00%cs%x00%s%x00%b%x00';
    const listed = ['--no-merges', '--diff-filter=M', '--no-renames', '--raw', '-z', '--no-abbrev', '--no-relative'];
    return this.must('log', ...diffSafely, ...listed, '--no-show-signature', format, '--end-of-options', range, '--');
  }

  /**
   * Returns the patches of commits. Each patch is a line with the commit's id, followed by the diffs of the files that
   * the commit modified.
   *
   * @throws GitFailure
   */
  async patches(commits: readonly string[], context: number): Promise<string> {
    const shown = ['-r', '--patch', `--unified=${context}`, '--diff-filter=M', '--no-renames'];
    return (await this.#must(['diff-tree', '--stdin', ...diffSafely, ...shown], `${commits.join('\n')}\n`)).toString();
  }

  async #must(gitArguments: readonly string[], input?: string): Promise<Buffer> {
    const { code, stdout, stderr } = await this.#run(gitArguments, input);
    if (code !== 0) throw new GitFailure(`git ${gitArguments[0]} failed (${firstLine(stderr)}); ${remedyFor(stderr)}.`);
    return stdout;
  }

  #run(gitArguments: readonly string[], input?: string): Promise<Answer> {
    return runGit(this.#folder, [...this.#withoutFilters, ...gitArguments], input);
  }
}

const remedy = 'run git fsck, which names what is missing or damaged, and fetch or clone that again';

/** Returns advice to add to an error message of git: a command that solves the problem. */
function remedyFor(text: string): string {
  return /promisor remote|lazy fetching disabled/.test(text)
    ? 'the clone is partial and lacks objects that are compared: run git fetch --refetch --no-filter'
    : remedy;
}

/** Returns the first error in git's error output. If there is none, returns the first line, such as a warning. */
function firstLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const complaint = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines[0];
  return complaint?.replace(/^(?:fatal|error): /, '') ?? 'no reason given';
}
