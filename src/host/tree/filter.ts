/**
 * The filter of the tree: the groups that have a copy in an open file, in a file that is changed in Git, or whose paths or texts
 * contain something. It follows what is open, what is changed, and each new report.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { GitChanges } from '../workspace/gitChanges.ts';
import { gitChanges } from '../workspace/gitChanges.ts';
import { openFiles } from '../workspace/openFiles.ts';

export type Filter =
  | { readonly type: 'open' }
  | { readonly type: 'changed' }
  /** Letters match whatever their case. */
  | { readonly type: 'contains'; readonly text: string };

export function isFilter(value: unknown): value is Filter {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  if (value.type === 'contains') return 'text' in value && typeof value.text === 'string' && value.text !== '';
  return value.type === 'open' || value.type === 'changed';
}

export class TreeFilter implements vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when it has come to let other groups through. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #active: Filter | undefined;
  #git: GitChanges | undefined;
  /** The paths of files that are let through, of a filter by files. */
  #paths: ReadonlySet<string> = new Set();
  /** Of a filter by text what is known of groups: reports leave a group the same object for as long as it stays as it is. */
  #contains = new WeakMap<Group, boolean>();
  /** Ends the reading of files that is going on. */
  #reading: vscode.CancellationTokenSource | undefined;

  constructor(findings: FindingsModel, text: SavedText) {
    this.#findings = findings;
    this.#text = text;
    this.#subscription = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabs(() => this.#followFiles()),
      findings.onDidChange(() => void this.#followReport()),
    );
  }

  get active(): Filter | undefined {
    return this.#active;
  }

  /**
   * Filters by something else; undefined: by nothing. Resolves when all that is known of it: false when it is by what is changed
   * in Git and there is no Git, and then everything stays as it was.
   */
  async use(filter: Filter | undefined): Promise<boolean> {
    const git = filter?.type === 'changed' ? await gitChanges() : undefined;
    if (filter?.type === 'changed' && git === undefined) return false;
    this.#git?.dispose();
    this.#git = git;
    git?.onDidChange(() => this.#followFiles());
    this.#active = filter;
    this.#contains = new WeakMap();
    this.#paths = this.#pathsNow();
    this.#changed.fire();
    await this.#read();
    return true;
  }

  /** Whether a group is let through. Of a text that is not read yet, only its paths are known. */
  lets(group: Group): boolean {
    const filter = this.#active;
    if (filter === undefined) return true;
    if (filter.type !== 'contains') return group.passages.some(({ path }) => this.#paths.has(path));
    return this.#contains.get(group) ?? hasInPaths(group, filter.text.toLowerCase());
  }

  dispose(): void {
    this.#reading?.cancel();
    this.#git?.dispose();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Files were opened, closed or changed. */
  #followFiles(): void {
    if (this.#active === undefined || this.#active.type === 'contains') return;
    const paths = this.#pathsNow();
    if (paths.size === this.#paths.size && [...paths].every((path) => this.#paths.has(path))) return;
    this.#paths = paths;
    this.#changed.fire();
  }

  async #followReport(): Promise<void> {
    this.#followFiles();
    await this.#read();
  }

  #pathsNow(): ReadonlySet<string> {
    const folders = this.#findings.snapshot?.folders;
    const files = this.#active?.type === 'open' ? openFiles() : (this.#git?.files() ?? []);
    return new Set(files.flatMap((file) => folders?.pathOf(file) ?? []));
  }

  /** Reads the texts of groups that are not known yet, each file once. */
  async #read(): Promise<void> {
    this.#reading?.cancel();
    const filter = this.#active;
    const groups = this.#findings.snapshot?.all.filter((group) => !this.#contains.has(group)) ?? [];
    if (filter?.type !== 'contains' || groups.length === 0) return;
    const reading = new vscode.CancellationTokenSource();
    this.#reading = reading;
    const { token } = reading;
    const text = filter.text.toLowerCase();
    const found = new Set(groups.filter((group) => hasInPaths(group, text)));
    const byFile = new Map<string, { group: Group; passage: Passage }[]>();
    for (const group of groups) {
      // Of whole files their passages tell where it is.
      for (const passage of group.kind === 'file' ? [] : group.passages) {
        const here = byFile.get(passage.path);
        if (here) here.push({ group, passage });
        else byFile.set(passage.path, [{ group, passage }]);
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

function hasInPaths({ passages }: Group, text: string): boolean {
  return passages.some(({ path }) => path.toLowerCase().includes(text));
}
