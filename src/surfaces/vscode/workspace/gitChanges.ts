/**
 * Determines the files changed in Git since the last commit (staged or not), and the configured author name. Both come
 * from VS Code's Git extension.
 */
import * as vscode from 'vscode';
import { gitApi, type Repositories, type RepositoryState } from './gitExtension.ts';
import { Subscriber } from '../subscriber.ts';

type Git = Repositories<{ readonly state: RepositoryState }>;

export class GitChanges extends Subscriber {
  readonly #git: Git;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the set of changed files may have changed. */
  readonly onDidChange = this.#changed.event;
  #repositories: vscode.Disposable;

  constructor(git: Git) {
    super();
    this.#git = git;
    this.#repositories = this.#listen();
    const listenAgain = (): void => {
      this.#repositories.dispose();
      this.#repositories = this.#listen();
      this.#changed.fire();
    };
    this.own(
      { dispose: (): void => void this.#repositories.dispose() },
      git.onDidOpenRepository(listenAgain),
      git.onDidCloseRepository(listenAgain),
      this.#changed,
    );
  }

  files(): vscode.Uri[] {
    return this.#git.repositories.flatMap(({ state }) =>
      [state.indexChanges, state.workingTreeChanges, state.mergeChanges, state.untrackedChanges ?? []]
        .flat()
        .map(({ uri, renameUri }) => renameUri ?? uri),
    );
  }

  #listen(): vscode.Disposable {
    return vscode.Disposable.from(
      ...this.#git.repositories.map(({ state }) => state.onDidChange(() => this.#changed.fire())),
    );
  }
}

/** Returns the changes; `undefined` without the Git extension, or if no folder is in a repository. */
export async function gitChanges(): Promise<GitChanges | undefined> {
  const git = await gitApi();
  return git && git.repositories.length > 0 ? new GitChanges(git) : undefined;
}

/** Returns the author name that is configured in Git for the repository of a file; `undefined` if there is none. */
export async function gitUserName(file: vscode.Uri): Promise<string | undefined> {
  try {
    const repository = (await gitApi())?.getRepository(file);
    if (!repository) return undefined;
    // `getConfig` rejects if the value is not set.
    const name = await repository.getConfig('user.name').catch(() => repository.getGlobalConfig('user.name'));
    return name.trim() || undefined;
  } catch {
    return undefined;
  }
}
