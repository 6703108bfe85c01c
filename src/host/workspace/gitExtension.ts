/**
 * The Git extension that comes with VS Code. It may be switched off or missing, so nothing depends on it.
 */
import * as vscode from 'vscode';

/** What we need of https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts, version 1. */
interface GitExtension {
  getAPI(version: 1): GitApi;
}

/** The repositories of the window, as they come and go. */
export interface Repositories<Kind = Repository> {
  readonly repositories: readonly Kind[];
  readonly onDidOpenRepository: vscode.Event<Kind>;
  readonly onDidCloseRepository: vscode.Event<Kind>;
}

export interface GitApi extends Repositories {
  /** Until it is initialized, it may not know all repositories. */
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
  /** Rejects a name that stands for no commit. */
  getCommit(ref: string): Promise<Commit>;
  getMergeBase(ref: string, other: string): Promise<string | undefined>;
  getRefs(query: { readonly sort?: 'alphabetically' | 'committerdate' }): Promise<readonly Ref[]>;
  /** The latest ones first. */
  log(options: { readonly maxEntries: number }): Promise<readonly Commit[]>;
}

export interface RepositoryState {
  readonly indexChanges: readonly Change[];
  readonly workingTreeChanges: readonly Change[];
  readonly mergeChanges: readonly Change[];
  /** Missing in old versions, where new files are among the changes. */
  readonly untrackedChanges?: readonly Change[];
  readonly onDidChange: vscode.Event<void>;
}

interface Change {
  /** Of a file that was renamed, what it was called. */
  readonly uri: vscode.Uri;
  readonly renameUri?: vscode.Uri;
}

export interface Ref {
  /** 0: a branch; 1: a branch of a remote, its name with that of the remote; 2: a tag. */
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

/** Longest that VS Code is given to find the repositories of a window that has just opened. */
const mostWaitMs = 10_000;

/** Undefined when the extension is missing or switched off, or there is no Git. It knows the repositories of the folders. */
export async function gitApi(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  try {
    const api = (extension.isActive ? extension.exports : await extension.activate()).getAPI(1);
    await initialized(api);
    return api;
  } catch {
    // It refuses when `git.enabled` is off, or no Git is installed.
    return undefined;
  }
}

async function initialized(api: GitApi): Promise<void> {
  if (api.state === 'initialized') return;
  const subscriptions: vscode.Disposable[] = [];
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, mostWaitMs);
    subscriptions.push(
      api.onDidChangeState(() => resolve()),
      new vscode.Disposable(() => clearTimeout(timer)),
    );
  });
  vscode.Disposable.from(...subscriptions).dispose();
}
