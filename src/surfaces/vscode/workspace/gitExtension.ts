/** Types for the API of VS Code's Git extension, which may be missing or disabled. */
import * as vscode from 'vscode';

/** Part of https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts, version 1. */
interface GitExtension {
  getAPI(version: 1): GitApi;
}

/** Repositories in the window, and the events about them. */
export interface Repositories<Kind = Repository> {
  readonly repositories: readonly Kind[];
  readonly onDidOpenRepository: vscode.Event<Kind>;
  readonly onDidCloseRepository: vscode.Event<Kind>;
}

export interface GitApi extends Repositories {
  /** While this is `uninitialized`, some repositories may be missing. */
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): Repository | null;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: RepositoryState & {
    readonly HEAD: Branch | undefined;
  };
  getConfig(key: string): Promise<string>;
  getGlobalConfig(key: string): Promise<string>;
  /** Rejects if there is no such ref. */
  getCommit(ref: string): Promise<Commit>;
  getMergeBase(ref: string, other: string): Promise<string | undefined>;
  getRefs(query: { readonly sort?: 'alphabetically' | 'committerdate' }): Promise<readonly Ref[]>;
  /** Latest commits first. */
  log(options: { readonly maxEntries: number }): Promise<readonly Commit[]>;
}

export interface RepositoryState {
  readonly indexChanges: readonly Change[];
  readonly workingTreeChanges: readonly Change[];
  readonly mergeChanges: readonly Change[];
  /** Untracked files. Missing in old versions of VS Code, whose list of changes includes them. */
  readonly untrackedChanges?: readonly Change[];
  readonly onDidChange: vscode.Event<void>;
}

interface Change {
  /** URI of the file; for a renamed file, the old URI. */
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
}

export interface Ref {
  /** 0 for a branch, 1 for a remote branch, whose name includes the remote, 2 for a tag. */
  readonly type: 0 | 1 | 2;
  readonly name?: string;
  readonly commit?: string;
}

interface Branch extends Partial<Ref> {
  readonly upstream?: { readonly remote: string; readonly name: string };
}

export interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly commitDate?: Date;
}

/** Maximum time to wait until VS Code has found the repositories of a new window. */
const maxWaitMs = 10_000;

/**
 * Returns the API after the repositories of the folders have been found; `undefined` if the extension is missing or
 * disabled, or Git is not installed.
 */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  try {
    const api = (extension.isActive ? extension.exports : await extension.activate()).getAPI(1);
    await initialized(api);
    return api;
  } catch {
    // `getAPI` throws if `git.enabled` is off or Git is not installed.
    return undefined;
  }
}

async function initialized(api: GitApi): Promise<void> {
  if (api.state === 'initialized') return;
  const subscriptions: vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxWaitMs);
    subscriptions.push(
      api.onDidChangeState(() => resolve()),
      new vscode.Disposable(() => clearTimeout(timer)),
    );
  });
  vscode.Disposable.from(...subscriptions).dispose();
}
