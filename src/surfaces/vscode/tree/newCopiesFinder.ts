/**
 * Finds the copies that are new since a Git ref, like `kindred check`. The worker checks each folder that is on disk.
 * It checks again for every new report, and when the merge base changes. Until then, the previous result stays in
 * effect.
 */
import * as vscode from 'vscode';
import type { CheckParams } from '../../../session/protocol/calls.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import { overlap } from '../../../core/collections/textPositions.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { sectionNames } from '../../../presentation/wording/outline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { whyNoGit } from '../inBrowser.ts';
import { GitChanges } from '../workspace/gitChanges.ts';
import type { GitApi } from '../workspace/gitExtension.ts';
import { Subscriber } from '../subscriber.ts';

interface Base {
  readonly folder: vscode.Uri;
  readonly commit: string;
}

/** Result of a check of one report. */
interface Verdict {
  /** New copies by group id. Nested groups are not included. */
  readonly copies: ReadonlyMap<string, readonly Passage[]>;
  readonly files: ReadonlySet<string>;
  /** Ids of all groups in the report that was checked. */
  readonly seen: ReadonlySet<string>;
  readonly bases: readonly Base[];
  /** Error messages for folders that could not be checked. */
  readonly problems: readonly string[];
}

/** Delay in milliseconds. A commit or checkout causes many events in succession, which are handled together. */
const quietMs = 300;

export class NewCopiesFinder extends Subscriber {
  readonly #client: Pick<EngineClient, 'call'>;
  readonly #findings: FindingsModel;
  readonly #git: () => Promise<GitApi | undefined>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the set of new groups may have changed, or the set of folders that could be checked. */
  readonly onDidChange = this.#changed.event;
  #ref: string | undefined;
  #verdict: Verdict | undefined;
  /** Generation of the report for which a check was last started. */
  #checkedGeneration: number | undefined;
  /** Number of the latest check. Results of older checks are discarded. */
  #lastCheck = 0;
  #repositories: vscode.Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Pick<EngineClient, 'call'>, findings: FindingsModel, git: () => Promise<GitApi | undefined>) {
    super();
    this.#client = client;
    this.#findings = findings;
    this.#git = git;
    this.own(
      { dispose: () => clearTimeout(this.#timer) },
      { dispose: () => void this.#repositories?.dispose() },
      findings.onDidChange(() => this.#followReport()),
      // VS Code watches the most important files of Git, but may miss a branch that another program has moved.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#followGit();
      }),
      this.#changed,
    );
  }

  /** Git ref to compare with; `undefined` if this is turned off. */
  get ref(): string | undefined {
    return this.#ref;
  }

  /** Returns the reason why new copies are unknown for some or all folders; `undefined` if they are known. */
  trouble(): string | undefined {
    const problems = this.#verdict?.problems ?? [];
    return problems.length > 0 ? problems.join(' ') : undefined;
  }

  /**
   * Sets the Git ref; `undefined` turns this off. If the check fails, changes nothing and returns the reason. Cannot
   * fail before the first report.
   */
  async use(ref: string | undefined): Promise<string | undefined> {
    if (ref === this.#ref) return undefined;
    const report = this.#findings.report;
    const verdict = ref !== undefined && report ? await this.#check(ref, report) : undefined;
    if (verdict && verdict.bases.length === 0) return verdict.problems.join(' ');
    this.#lastCheck++;
    this.#ref = ref;
    this.#verdict = verdict;
    this.#checkedGeneration = verdict && report?.generation;
    this.#repositories?.dispose();
    this.#repositories = undefined;
    if (ref !== undefined) void this.#listen(ref);
    // A report may have arrived during the check.
    this.#followReport();
    return undefined;
  }

  /**
   * Returns true if a group is new. A nested group is new if the group around it is new and one of its passages is in
   * an added copy. If no folder could be checked, every group counts as new.
   */
  has(group: Group): boolean {
    const verdict = this.#verdict;
    if (verdict === undefined) return false;
    if (verdict.bases.length === 0) return true;
    if (verdict.seen.has(group.id)) {
      return verdict.copies.has(group.id) || group.passages.some((passage) => this.#isInNew(group, passage));
    }
    // The group is not in the report that was checked, and is being checked now. It probably replaces a group in the
    // same files. So treat it as new if all of its files have new copies.
    return group.passages.every(({ path }) => verdict.files.has(path));
  }

  /** Returns true if a copy was added or, for a nested group, is inside an added copy of the group around it. */
  isNewCopy({ group, passage }: Copy): boolean {
    const own = this.#verdict?.copies.get(group.id);
    return own ? own.some((it) => isIn(passage, it) && isIn(it, passage)) : this.#isInNew(group, passage);
  }

  /** Returns true if a passage is inside an added copy of the parent group. */
  #isInNew({ parent }: Group, passage: Passage): boolean {
    if (parent === undefined) return false;
    return this.#verdict?.copies.get(parent)?.some((it) => isIn(passage, it)) === true;
  }

  #followReport(): void {
    const { report } = this.#findings;
    if (report && report.generation !== this.#checkedGeneration) void this.#checkAgain();
  }

  async #checkAgain(): Promise<void> {
    const [ref, { report }] = [this.#ref, this.#findings];
    if (ref === undefined || report === undefined) return;
    const check = ++this.#lastCheck;
    this.#checkedGeneration = report.generation;
    const verdict = await this.#check(ref, report);
    if (check !== this.#lastCheck) return;
    this.#verdict = verdict;
    this.#changed.fire();
  }

  async #check(ref: string, report: Snapshot): Promise<Verdict> {
    const location = { viewId: 'kindred.groups' };
    return vscode.window.withProgress({ location }, () => this.#verdictOf(ref, report));
  }

  async #verdictOf(ref: string, { folders, all }: Snapshot): Promise<Verdict> {
    const copies = new Map<string, readonly Passage[]>();
    const files = new Set<string>();
    const bases: Base[] = [];
    const problems: string[] = [];
    const roots = folders.roots().flatMap((root) => ('folder' in root ? [root] : []));
    const reason = whyNoGit();
    if (reason !== undefined) problems.push(reason);
    else if (roots.length === 0) problems.push(vscode.l10n.t('Only folders on disk can be compared with Git.'));
    for (const { folder, prefix } of reason === undefined ? roots : []) {
      const answer = await this.#client.call('check', { prefix, gate: gateSince(ref) }).catch((error: unknown) => ({
        check: undefined,
        problem: String(error),
      }));
      if (answer.check === undefined) {
        const where = prefix === '' ? '' : `${prefix.slice(0, -1)}: `;
        problems.push(where + answer.problem);
        continue;
      }
      const { newGroups, since } = answer.check;
      bases.push({ folder: vscode.Uri.file(folder), commit: since?.commit ?? '' });
      for (const { id, passages } of newGroups) {
        copies.set(id, [...(copies.get(id) ?? []), ...passages.filter(({ isNew }) => isNew === true)]);
        for (const { path } of passages) files.add(path);
      }
    }
    return { copies, files, seen: new Set(all.map(({ id }) => id)), bases, problems };
  }

  /** Starts to watch the repositories. Checks again when the merge base of HEAD and the ref changes. */
  async #listen(ref: string): Promise<void> {
    const git = await this.#git();
    if (git === undefined || ref !== this.#ref || this.#repositories) return;
    const changes = new GitChanges(git);
    changes.onDidChange(() => this.#followGit());
    this.#repositories = changes;
  }

  #followGit(): void {
    clearTimeout(this.#timer);
    if (this.#ref === undefined) return;
    this.#timer = setTimeout(() => {
      void this.#isMoved().then((isMoved) => (isMoved ? this.#checkAgain() : undefined));
    }, quietMs);
  }

  async #isMoved(): Promise<boolean> {
    const [ref, verdict, git] = [this.#ref, this.#verdict, await this.#git()];
    if (ref === undefined || verdict === undefined || git === undefined) return false;
    // If a folder could not be checked, any change of its repository may make that possible.
    if (verdict.problems.length > 0) return true;
    const bases = verdict.bases.map(async ({ folder, commit }) => {
      const repository = git.getRepository(folder);
      return repository !== null && (await repository.getMergeBase(ref, 'HEAD').catch(() => undefined)) !== commit;
    });
    return (await Promise.all(bases)).includes(true);
  }
}

/** Returns parameters like those of `kindred check --since`, for all categories, which are a filter of their own. */
function gateSince(ref: string): CheckParams['gate'] {
  return {
    since: { ref },
    staged: false,
    baseline: undefined,
    limits: {},
    boundaries: false,
    worktrees: false,
    counted: new Set(sectionNames.filter((name) => name !== 'folders')),
    allowsIncomplete: true,
  };
}

function isIn(inner: Passage, outer: Passage): boolean {
  return (
    inner.path === outer.path &&
    inner.startLine >= outer.startLine &&
    inner.endLine <= outer.endLine &&
    overlap(inner, outer)
  );
}
