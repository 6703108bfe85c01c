/**
 * Filter of the tree: a list of conditions, all of which a group must meet. Some conditions depend on sets of files:
 * open files, the active file, or files changed in Git. These sets are updated when they change, and at every report.
 * The conditions are stored in the workspace state.
 */
import * as vscode from 'vscode';
import { append } from '../../../core/collections/lists.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { Category } from '../../../core/engine/rows/category.ts';
import { sectionNames } from '../../../presentation/wording/outline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { GitChanges } from '../workspace/gitChanges.ts';
import { gitChanges } from '../workspace/gitChanges.ts';
import { openFiles } from '../workspace/openFiles.ts';
import { whyNoGit } from '../inBrowser.ts';
import type { NewCopiesFinder } from './newCopiesFinder.ts';
import { Subscriber } from '../subscriber.ts';

export type Filter =
  /** The group has a copy in an open file (`open`), in the active file, or in a file changed in Git. */
  | { readonly type: 'open' }
  | { readonly type: 'active' }
  | { readonly type: 'changed' }
  /** The group is new or has changed since the window opened. */
  | { readonly type: 'new' }
  /** The group is not in the baseline, or has more copies than there. */
  | { readonly type: 'unknown' }
  /** The group has a copy that was added since the merge base of HEAD and a Git ref. */
  | { readonly type: 'since'; readonly ref: string }
  /**
   * The group has a copy in the folder or file with this report path. If `other` is given, the group also has a copy in
   * that folder or file. If `isInside` is true, the group has at least two copies in the first folder or file.
   */
  | { readonly type: 'folder'; readonly path: string; readonly other?: string; readonly isInside?: true }
  /** The group belongs to one of these categories. */
  | { readonly type: 'category'; readonly of: readonly Category[] }
  /** The group consists of exact, renamed, or otherwise edited copies. */
  | { readonly type: 'likeness'; readonly of: readonly Group['type'][] }
  /** The group has a path or text that contains a string, ignoring case. */
  | { readonly type: 'contains'; readonly text: string };

/** Types of conditions that depend on a set of files. */
type FileCondition = 'open' | 'active' | 'changed';

const byFiles: readonly FileCondition[] = ['open', 'active', 'changed'];
export const categories: readonly Category[] = sectionNames.filter((name) => name !== 'folders');
/** Key in the workspace state; the value is the list of conditions. */
const filtersKey = 'filters';
export const likenesses = ['exact', 'renamed', 'near'] as const satisfies Group['type'][];

export function isFilter(value: unknown): value is Filter {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  const filter = value as Readonly<Record<string, unknown>>;
  switch (filter['type']) {
    case 'contains':
      return typeof filter['text'] === 'string' && filter['text'] !== '';
    case 'since':
      return typeof filter['ref'] === 'string' && filter['ref'] !== '';
    case 'folder':
      return (
        isPath(filter['path']) &&
        (filter['other'] === undefined || isPath(filter['other'])) &&
        (filter['isInside'] === undefined || filter['isInside'] === true)
      );
    case 'category':
      return isListOf(filter['of'], categories);
    case 'likeness':
      return isListOf(filter['of'], likenesses);
    default:
      return (
        filter['type'] === 'new' || filter['type'] === 'unknown' || byFiles.some((type) => type === filter['type'])
      );
  }
}

export class TreeFilter extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #activeFile: () => vscode.Uri | undefined;
  readonly #newSince: NewCopiesFinder;
  readonly #store: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the filter matches other groups than before. */
  readonly onDidChange = this.#changed.event;
  #active: readonly Filter[] = [];
  #git: GitChanges | undefined;
  /** For each type of condition, the paths of its set of files. */
  #paths: ReadonlyMap<FileCondition, ReadonlySet<string>> = new Map();
  /** Cached results of the condition `contains`. Later reports use the same objects for unchanged groups. */
  #contains = new WeakMap<Group, boolean>();
  /** Cancels a reading of files that is in progress. */
  #reading: vscode.CancellationTokenSource | undefined;

  /**
   * @param activeFile  returns the file in the active editor, also in a comparison
   * @param store       workspace state
   */
  constructor(
    findings: FindingsModel,
    text: SavedText,
    newSince: NewCopiesFinder,
    store: vscode.Memento,
    activeFile: () => vscode.Uri | undefined,
  ) {
    super();
    this.#findings = findings;
    this.#text = text;
    this.#newSince = newSince;
    this.#store = store;
    this.#activeFile = activeFile;
    this.own(
      { dispose: () => this.#reading?.cancel() },
      { dispose: () => this.#git?.dispose() },
      newSince.onDidChange(() => this.#changed.fire()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#followFiles()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#followFiles()),
      findings.onDidChange(() => void this.#followReport()),
      this.#changed,
    );
  }

  /** Current conditions, at most one of each type. Empty if there is no filter. */
  get active(): readonly Filter[] {
    return this.#active;
  }

  /** Returns why a condition cannot be evaluated for some or all folders; `undefined` if all can. */
  trouble(): string | undefined {
    return this.#newSince.ref === undefined ? undefined : this.#newSince.trouble();
  }

  /** Restores the conditions of the last session, except those that cannot be evaluated. */
  async restore(): Promise<void> {
    const kept = this.#store.get<unknown>(filtersKey);
    const filters = Array.isArray(kept) ? kept.filter(isFilter) : [];
    // If Git fails, use only the conditions that do not need it. Keep all of them stored, because Git may work in the
    // next window.
    for (const left of [filters, filters.filter(({ type }) => type !== 'changed' && type !== 'since')]) {
      if (left.length === 0 || this.#active.length > 0) return;
      if ((await this.#put(left)) === undefined) return;
    }
  }

  /** Replaces the conditions, and reads all necessary files. If Git fails, changes nothing and returns the reason. */
  async use(filters: readonly Filter[]): Promise<string | undefined> {
    const problem = await this.#put(filters);
    if (problem !== undefined) return problem;
    // Do not store it, because "new" refers to this window.
    const kept = filters.filter(({ type }) => type !== 'new');
    void this.#store.update(filtersKey, kept.length > 0 ? kept : undefined);
    return undefined;
  }

  async #put(filters: readonly Filter[]): Promise<string | undefined> {
    const isByGit = filters.some(({ type }) => type === 'changed');
    const git = isByGit ? (this.#git ?? (await gitChanges())) : undefined;
    if (isByGit && git === undefined) {
      return whyNoGit() ?? vscode.l10n.t('This filter requires a Git repository.');
    }
    const since = filters.find((filter) => filter.type === 'since');
    const problem = await this.#newSince.use(since?.ref);
    if (problem !== undefined) return problem;
    if (git !== this.#git) {
      this.#git?.dispose();
      this.#git = git;
      git?.onDidChange(() => this.#followFiles());
    }
    this.#active = filters;
    this.#contains = new WeakMap();
    this.#paths = this.#pathsNow();
    this.#changed.fire();
    await this.#read();
    return undefined;
  }

  /** Returns true if a group matches the filter. `contains` searches only paths until the texts have been read. */
  accepts(group: Group): boolean {
    return this.#active.every((filter) => this.#meets(group, filter));
  }

  /** Returns true if a copy was added since the Git ref of the filter. */
  isNewCopy(copy: Copy): boolean {
    return this.#newSince.isNewCopy(copy);
  }

  #meets(group: Group, filter: Filter): boolean {
    switch (filter.type) {
      case 'open':
      case 'active':
      case 'changed': {
        const paths = this.#paths.get(filter.type);
        return group.passages.some(({ path }) => paths?.has(path));
      }
      case 'new':
        return this.#findings.isNew(group);
      case 'unknown':
        return this.#findings.isUnknown(group);
      case 'since':
        return this.#newSince.has(group);
      case 'folder':
        return (
          countIn(group, filter.path) >= (filter.isInside ? 2 : 1) &&
          (filter.other === undefined || countIn(group, filter.other) > 0)
        );
      case 'category':
        return filter.of.includes(group.category);
      case 'likeness':
        return filter.of.includes(group.type);
      case 'contains':
        return this.#contains.get(group) ?? hasInPaths(group, filter.text.toLowerCase());
    }
  }

  /** Updates the sets of files after files were opened, closed, or changed, or after another editor became active. */
  #followFiles(): void {
    const paths = this.#pathsNow();
    const isSame = [...paths].every(([type, set]) => haveSame(set, this.#paths.get(type)));
    if (isSame) return;
    this.#paths = paths;
    this.#changed.fire();
  }

  async #followReport(): Promise<void> {
    this.#followFiles();
    await this.#read();
  }

  #pathsNow(): ReadonlyMap<FileCondition, ReadonlySet<string>> {
    const folders = this.#findings.snapshot?.folders;
    const types = byFiles.filter((type) => this.#active.some((filter) => filter.type === type));
    return new Map(
      types.map((type) => [type, new Set(this.#files(type).flatMap((file) => folders?.pathOf(file) ?? []))]),
    );
  }

  #files(type: FileCondition): readonly vscode.Uri[] {
    switch (type) {
      case 'open':
        return openFiles();
      case 'active': {
        const file = this.#activeFile();
        return file ? [file] : [];
      }
      case 'changed':
        return this.#git?.files() ?? [];
    }
  }

  /** Reads the texts of groups for which no result is cached. Reads each file only once. */
  async #read(): Promise<void> {
    this.#reading?.cancel();
    const filter = this.#active.find(({ type }) => type === 'contains');
    const groups = this.#findings.snapshot?.all.filter((group) => !this.#contains.has(group)) ?? [];
    if (filter?.type !== 'contains' || groups.length === 0) return;
    const reading = new vscode.CancellationTokenSource();
    this.#reading = reading;
    const { token } = reading;
    const text = filter.text.toLowerCase();
    const found = new Set(groups.filter((group) => hasInPaths(group, text)));
    const byFile = new Map<string, { group: Group; passage: Passage }[]>();
    for (const group of groups) {
      // Skip groups of whole files: the passages in these files are read anyway.
      for (const passage of group.kind === 'file' ? [] : group.passages) {
        append(byFile, passage.path, { group, passage });
      }
    }
    const read = async (here: readonly { group: Group; passage: Passage }[]): Promise<void> => {
      const left = here.filter(({ group }) => !found.has(group));
      if (left.length === 0 || token.isCancellationRequested) return;
      const lines = await this.#text.linesOf(this.#findings.uriOf(left[0]!.passage), 1, Infinity);
      const lower = lines.map((line) => line.toLowerCase());
      for (const { group, passage } of left) {
        const { startLine, endLine } = this.#findings.now(passage);
        if (lower.slice(startLine - 1, endLine).some((line) => line.includes(text))) found.add(group);
      }
    };
    await vscode.window.withProgress({ location: { viewId: 'kindred.groups' } }, () =>
      Promise.all(Array.from(byFile.values(), read)),
    );
    if (token.isCancellationRequested) return;
    for (const group of groups) this.#contains.set(group, found.has(group));
    this.#changed.fire();
  }
}

function countIn({ passages }: Group, folder: string): number {
  return passages.filter(({ path }) => path === folder || path.startsWith(`${folder}/`)).length;
}

function hasInPaths({ passages }: Group, text: string): boolean {
  return passages.some(({ path }) => path.toLowerCase().includes(text));
}

function haveSame(x: ReadonlySet<string>, y: ReadonlySet<string> | undefined): boolean {
  return x.size === y?.size && [...x].every((path) => y.has(path));
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isListOf(value: unknown, all: readonly unknown[]): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((it) => all.includes(it));
}
