/** Declares the API of VS Code's Git extension, which may be missing or disabled. */
import * as vscode from 'vscode';

/** Excerpt of https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts, version 1. */
interface GitExtension {
  getAPI(version: 1): GitApi;
}

/** Repositories in the window, and events about them. */
export interface Repositories<Kind = Repository> {
  readonly repositories: readonly Kind[];
  readonly onDidOpenRepository: vscode.Event<Kind>;
  readonly onDidCloseRepository: vscode.Event<Kind>;
}

export interface GitApi extends Repositories {
  /** While the state is `uninitialized`, Git may not have found all repositories yet. */
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
  /** Rejects if the ref does not exist. */
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
  /** Untracked files. Missing in old versions of VS Code, in which the list of changes includes them. */
  readonly untrackedChanges?: readonly Change[];
  readonly onDidChange: vscode.Event<void>;
}

interface Change {
  /** URI of the file. For a renamed file, this is the old URI. */
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
}

export interface Ref {
  /** 0: branch. 1: remote branch, with the remote as part of its name. 2: tag. */
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

/** Maximum time in milliseconds to wait until VS Code has found the repositories of a new window. */
const maxWaitMs = 10_000;

/**
 * Returns the API once the folders' repositories have been found. Returns `undefined` if the extension is missing or
 * disabled, or if Git is not installed.
 */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  try {
    const api = (extension.isActive ? extension.exports : await extension.activate()).getAPI(1);
    await initialized(api);
    return api;
  } catch {
    // `getAPI` throws if `git.enabled` is off, or if Git is not installed.
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
