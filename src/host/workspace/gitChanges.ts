/**
 * Which files are changed in Git, and who commits, as the extension that comes with VS Code tells: against the last commit, staged or not. It may
 * be switched off or missing, so nothing depends on it.
 */
import * as vscode from 'vscode';

/** What we need of https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts, version 1. */
interface GitExtension {
  getAPI(version: 1): Repositories;
}

interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
  readonly onDidCloseRepository: vscode.Event<Repository>;
}

interface Repositories extends Git {
  getRepository(uri: vscode.Uri): Configured | null;
}

interface Configured {
  getConfig(key: string): Promise<string>;
  getGlobalConfig(key: string): Promise<string>;
}

interface Repository {
  readonly state: {
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly mergeChanges: readonly Change[];
    /** Missing in old versions, where new files are among the changes. */
    readonly untrackedChanges?: readonly Change[];
    readonly onDidChange: vscode.Event<void>;
  };
}

interface Change {
  /** Of a file that was renamed, what it was called. */
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
}

export class GitChanges implements vscode.Disposable {
  readonly #git: Git;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when other files may be changed. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #repositories: vscode.Disposable;

  constructor(git: Git) {
    this.#git = git;
    this.#repositories = this.#listen();
    const listenAgain = (): void => {
      this.#repositories.dispose();
      this.#repositories = this.#listen();
      this.#changed.fire();
    };
    this.#subscription = vscode.Disposable.from(
      git.onDidOpenRepository(listenAgain),
      git.onDidCloseRepository(listenAgain),
    );
  }

  files(): vscode.Uri[] {
    return this.#git.repositories.flatMap(({ state }) =>
      [state.indexChanges, state.workingTreeChanges, state.mergeChanges, state.untrackedChanges ?? []]
        .flat()
        .map(({ uri, renameUri }) => renameUri ?? uri),
    );
  }

  dispose(): void {
    this.#repositories.dispose();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #listen(): vscode.Disposable {
    return vscode.Disposable.from(
      ...this.#git.repositories.map(({ state }) => state.onDidChange(() => this.#changed.fire())),
    );
  }
}

/** Undefined when the extension is missing or switched off, or no folder is in a repository. */
export async function gitChanges(): Promise<GitChanges | undefined> {
  const git = await gitApi();
  return git && git.repositories.length > 0 ? new GitChanges(git) : undefined;
}

/** The name of who commits in the repository that a file is in; undefined when nobody tells. */
export async function gitUserName(file: vscode.Uri): Promise<string | undefined> {
  try {
    const repository = (await gitApi())?.getRepository(file);
    if (!repository) return undefined;
    // It rejects what is not set.
    const name = await repository.getConfig('user.name').catch(() => repository.getGlobalConfig('user.name'));
    return name.trim() || undefined;
  } catch {
    return undefined;
  }
}

async function gitApi(): Promise<Repositories | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  try {
    return (extension.isActive ? extension.exports : await extension.activate()).getAPI(1);
  } catch {
    // It refuses when `git.enabled` is off, or no Git is installed.
    return undefined;
  }
}
