/** Asks for a Git ref. Suggestions come from VS Code's Git extension. */
import * as vscode from 'vscode';
import type { Commit, GitApi, Ref, Repository } from '../workspace/gitExtension.ts';
import { whyNoGit } from '../inBrowser.ts';
import { baseName } from '../wording.ts';

const recentCommits = 10;
/** Maximum number of tags and remote branches to suggest. The user can also type any ref. */
const maxListedRefs = 200;

/** Common names of the default branch, the most common first, for remotes that do not state their default branch. */
const defaultBranches = ['main', 'master', 'trunk', 'develop'];

interface Choice extends vscode.QuickPickItem {
  /** The ref. Missing for separators, and for the item that lets the user type one. */
  readonly ref?: string;
}

/** Returns the ref that the user selects, or why none can be selected. Returns `undefined` if the user cancels. */
export async function promptForRef(
  git: GitApi | undefined,
): Promise<string | { readonly problem: string } | undefined> {
  // In Restricted Mode, VS Code does not activate its Git extension, so explain that first.
  const reason = whyNoGit();
  if (reason !== undefined) return { problem: reason };
  if (git === undefined) {
    return { problem: vscode.l10n.t('Git is not available: enable the setting "git.enabled", or install Git.') };
  }
  const repositories = repositoriesOfFolders(git);
  if (repositories.length === 0) {
    return { problem: vscode.l10n.t('No folder of this window is in a Git repository that is open in VS Code.') };
  }
  const refChoice = await vscode.window.showQuickPick(refChoices(repositories), {
    placeHolder: vscode.l10n.t('Branch, tag, or commit to compare with, from its merge base with HEAD'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return refChoice && (refChoice.ref ?? promptForOtherRef(repositories));
}

/** Returns the repositories that contain the workspace folders on disk, without duplicates. */
function repositoriesOfFolders(git: GitApi): Repository[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const byRoot = new Map<string, Repository>();
  for (const { uri } of folders) {
    const repository = uri.scheme === 'file' ? git.getRepository(uri) : null;
    if (repository) byRoot.set(repository.rootUri.toString(), repository);
  }
  return [...byRoot.values()];
}

/** Returns the suggestions, most likely first. If several repositories have the same ref, it is listed once. */
export async function refChoices(repositories: readonly Repository[]): Promise<Choice[]> {
  const refsByRepository = await Promise.all(repositories.map(readRefs));
  const nameOf = ({ rootUri }: Repository): string => baseName(rootUri.path);
  const taken = new Set<string>();
  const choices: Choice[] = [];
  const add = (heading: string, found: readonly FoundRef[]): void => {
    const left = found.filter(({ ref }) => !taken.has(ref));
    if (left.length > 0) choices.push({ label: heading, kind: vscode.QuickPickItemKind.Separator });
    for (const { ref, label = ref, description, icon, repository } of left) {
      if (taken.has(ref)) continue;
      taken.add(ref);
      const beside = repositories.length > 1 ? [nameOf(repository)] : [];
      choices.push({
        ref,
        label: `$(${icon}) ${label}`,
        description: [description, ...beside].filter(Boolean).join(' · '),
      });
    }
  };
  add(
    vscode.l10n.t('suggested'),
    refsByRepository.flatMap((of) => [
      ...found(of, of.defaultBranch, 'git-branch', vscode.l10n.t('default branch')),
      ...found(of, of.upstream, 'cloud', vscode.l10n.t('upstream of {0}', of.head ?? 'HEAD')),
      ...found(of, 'HEAD', 'git-commit', vscode.l10n.t('uncommitted changes')),
    ]),
  );
  const named = (of: RepositoryRefs, type: Ref['type'], icon: string): FoundRef[] =>
    of.refs
      .filter((ref) => ref.type === type && !isPointer(ref))
      .flatMap(({ name, commit }) => found(of, name, icon, commit?.slice(0, 8)));
  add(
    vscode.l10n.t('branches'),
    refsByRepository.flatMap((of) => named(of, 0, 'git-branch')),
  );
  add(
    vscode.l10n.t('remote branches'),
    refsByRepository.flatMap((of) => named(of, 1, 'cloud').slice(0, maxListedRefs)),
  );
  add(
    vscode.l10n.t('tags'),
    refsByRepository.flatMap((of) => named(of, 2, 'tag').slice(0, maxListedRefs)),
  );
  add(
    vscode.l10n.t('recent commits'),
    refsByRepository.flatMap((of) =>
      of.commits.map(({ hash, message }): FoundRef => {
        const [label = ''] = message.split('\n');
        return {
          ref: hash.slice(0, 12),
          label,
          description: hash.slice(0, 8),
          icon: 'git-commit',
          repository: of.repository,
        };
      }),
    ),
  );
  const other = `$(edit) ${vscode.l10n.t('Other Ref or Commit…')}`;
  return [...choices, { label: '', kind: vscode.QuickPickItemKind.Separator }, { label: other, alwaysShow: true }];
}

interface RepositoryRefs {
  readonly repository: Repository;
  readonly refs: readonly Ref[];
  readonly commits: readonly Commit[];
  /** Name of the current branch; `undefined` if HEAD is detached. */
  readonly head: string | undefined;
  readonly upstream: string | undefined;
  readonly defaultBranch: string | undefined;
}

interface FoundRef {
  readonly ref: string;
  readonly label?: string;
  readonly description: string;
  readonly icon: string;
  readonly repository: Repository;
}

function found({ repository }: RepositoryRefs, ref: string | undefined, icon: string, description = ''): FoundRef[] {
  return ref === undefined ? [] : [{ ref, icon, description, repository }];
}

async function readRefs(repository: Repository): Promise<RepositoryRefs> {
  const [refs, commits] = await Promise.all([
    repository.getRefs({ sort: 'committerdate' }),
    // `log` rejects if the repository has no commits.
    repository.log({ maxEntries: recentCommits }).catch(() => []),
  ]);
  const { HEAD } = repository.state;
  const upstream = HEAD?.upstream && `${HEAD.upstream.remote}/${HEAD.upstream.name}`;
  return { repository, refs, commits, head: HEAD?.name, upstream, defaultBranch: defaultOf(refs, HEAD?.name) };
}

/** Returns the default branch. If there are several candidates, prefers one on a remote. */
function defaultOf(refs: readonly Ref[], head: string | undefined): string | undefined {
  const isRemote = ({ type, name }: Ref): boolean => type === 1 && name !== undefined;
  const remotes = [...new Set(refs.filter(isRemote).map(({ name }) => name!.split('/')[0]!))];
  // A remote's HEAD points to its default branch.
  const remoteHead = refs.find((ref) => isRemote(ref) && isPointer(ref));
  const possible = remoteHead
    ? refs.filter((ref) => isRemote(ref) && !isPointer(ref) && ref.commit === remoteHead.commit)
    : refs.filter(({ type, name }) => type !== 2 && name !== head);
  const names = possible.flatMap(({ name }) => name ?? []);
  const usual = defaultBranches.flatMap((branch) => [
    ...['origin', 'upstream', ...remotes].map((remote) => `${remote}/${branch}`),
    branch,
  ]);
  return usual.find((name) => names.includes(name)) ?? (remoteHead && (names[0] ?? remoteHead.name));
}

/** Returns true for a ref that points to a branch, such as `origin/HEAD`. */
function isPointer({ name }: Ref): boolean {
  return name?.endsWith('/HEAD') === true;
}

/** Asks the user to type a ref, and checks that the ref exists. */
async function promptForOtherRef(repositories: readonly Repository[]): Promise<string | undefined> {
  const isCommit = async (ref: string): Promise<boolean> => {
    const lookups = repositories.map((repository) =>
      repository.getCommit(ref).then(
        () => true,
        () => false,
      ),
    );
    return (await Promise.all(lookups)).includes(true);
  };
  const typed = await vscode.window.showInputBox({
    prompt: vscode.l10n.t('Show what is new since this branch, tag, or commit'),
    placeHolder: 'origin/main',
    validateInput: async (value) => {
      const ref = value.trim();
      // Git would interpret a ref that begins with a hyphen as an option.
      const isRef = ref !== '' && !ref.startsWith('-') && (await isCommit(ref));
      return isRef || ref === ''
        ? undefined
        : vscode.l10n.t('Commit {0} does not exist. Fetch it, or check the name.', ref);
    },
  });
  return typed?.trim() || undefined;
}
