/**
 * What is new since a Git ref, as the gate says for `kindred check`: asked of the worker for each folder on disk, and again
 * when there is another report or the ref stands for another base. Until the answer is there, the one before it holds.
 */
import * as vscode from 'vscode';
import type { EngineClient } from '../../client/engineClient.ts';
import { overlap } from '../../client/occurrences.ts';
import type { Copy } from '../../client/report.ts';
import type { Group, Passage } from '../../engine/report/report.ts';
import { sectionNames } from '../../wording/outline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { GitChanges } from '../workspace/gitChanges.ts';
import type { GitApi } from '../workspace/gitExtension.ts';

/** A folder, and the commit that it is compared with. */
interface Base {
  readonly folder: vscode.Uri;
  readonly commit: string;
}

/** What the gate has said of a report. */
interface Verdict {
  /** The new copies of groups that are new, by the ids of these. What is shown in the row of one is none of them. */
  readonly copies: ReadonlyMap<string, readonly Passage[]>;
  /** The files of the groups that are new. */
  readonly files: ReadonlySet<string>;
  /** The ids of all groups of the report. */
  readonly seen: ReadonlySet<string>;
  readonly bases: readonly Base[];
  /** Why it says nothing of some of the folders: a sentence for each. */
  readonly problems: readonly string[];
}

/** A commit or checkout changes many things in Git: all that follow each other within this time are one. */
const quietMs = 300;

export class NewSince implements vscode.Disposable {
  readonly #client: Pick<EngineClient, 'check'>;
  readonly #findings: FindingsModel;
  readonly #git: () => Promise<GitApi | undefined>;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when other groups may be new, or it can be told for other folders. */
  readonly onDidChange = this.#changed.event;
  readonly #subscription: vscode.Disposable;
  #ref: string | undefined;
  #verdict: Verdict | undefined;
  /** The generation of the report that was asked about last. */
  #asked: number | undefined;
  /** Rises with each question: the answers to earlier ones are void. */
  #questions = 0;
  #repositories: vscode.Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Pick<EngineClient, 'check'>, findings: FindingsModel, git: () => Promise<GitApi | undefined>) {
    this.#client = client;
    this.#findings = findings;
    this.#git = git;
    this.#subscription = vscode.Disposable.from(
      findings.onDidChange(() => this.#followReport()),
      // VS Code hears of what Git commonly writes, and not of a branch that somebody moves elsewhere.
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#followGit();
      }),
    );
  }

  /** Undefined while nobody asks. */
  get ref(): string | undefined {
    return this.#ref;
  }

  /** Why it cannot be told what is new, or not of every folder. */
  get trouble(): string | undefined {
    const problems = this.#verdict?.problems ?? [];
    return problems.length > 0 ? problems.join(' ') : undefined;
  }

  /**
   * Asks what is new since a ref from now on; undefined: nothing any more. Returns why it cannot be told, and then everything
   * stays as it was. Before there is a report, nobody can say that.
   */
  async use(ref: string | undefined): Promise<string | undefined> {
    if (ref === this.#ref) return undefined;
    const report = this.#findings.report;
    const verdict = ref !== undefined && report ? await this.#ask(ref, report) : undefined;
    if (verdict && verdict.bases.length === 0) return verdict.problems.join(' ');
    this.#questions++;
    this.#ref = ref;
    this.#verdict = verdict;
    this.#asked = verdict && report?.generation;
    this.#repositories?.dispose();
    this.#repositories = undefined;
    if (ref !== undefined) void this.#listen(ref);
    // A report may have come meanwhile.
    this.#followReport();
    return undefined;
  }

  /**
   * Whether a group is new; of one that is shown in the row of a new one, whether some of it stands in a copy that was added. Where
   * nobody can tell, every group counts as new.
   */
  has(group: Group): boolean {
    const verdict = this.#verdict;
    if (verdict === undefined) return false;
    if (verdict.bases.length === 0) return true;
    if (verdict.seen.has(group.id)) {
      return verdict.copies.has(group.id) || group.passages.some((passage) => this.#isInNew(group, passage));
    }
    // It has come with an edit, and is asked about: most likely it is what there was in these files a moment ago.
    return group.passages.every(({ path }) => verdict.files.has(path));
  }

  /** Whether a copy was added; of a group that is shown in the row of a new one, whether it stands in a copy that was. */
  isNewCopy({ group, passage }: Copy): boolean {
    const own = this.#verdict?.copies.get(group.id);
    return own ? own.some((it) => isIn(passage, it) && isIn(it, passage)) : this.#isInNew(group, passage);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#repositories?.dispose();
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  /** Whether a passage of a group stands in a new copy of the row that the group is shown in. */
  #isInNew({ parent }: Group, passage: Passage): boolean {
    if (parent === undefined) return false;
    return this.#verdict?.copies.get(parent)?.some((it) => isIn(passage, it)) === true;
  }

  #followReport(): void {
    const { report } = this.#findings;
    if (report && report.generation !== this.#asked) void this.#askAgain();
  }

  async #askAgain(): Promise<void> {
    const [ref, { report }] = [this.#ref, this.#findings];
    if (ref === undefined || report === undefined) return;
    const question = ++this.#questions;
    this.#asked = report.generation;
    const verdict = await this.#ask(ref, report);
    if (question !== this.#questions) return;
    this.#verdict = verdict;
    this.#changed.fire();
  }

  async #ask(ref: string, report: Snapshot): Promise<Verdict> {
    const location = { viewId: 'kindred.groups' };
    return vscode.window.withProgress({ location }, () => this.#answer(ref, report));
  }

  async #answer(ref: string, { folders, all }: Snapshot): Promise<Verdict> {
    const copies = new Map<string, readonly Passage[]>();
    const files = new Set<string>();
    const bases: Base[] = [];
    const problems: string[] = [];
    const roots = folders.roots.flatMap((root) => ('folder' in root ? [root] : []));
    if (!vscode.workspace.isTrusted) problems.push(notInRestrictedMode());
    else if (roots.length === 0) problems.push(vscode.l10n.t('Only folders on disk can be compared with Git.'));
    for (const { folder, prefix } of vscode.workspace.isTrusted ? roots : []) {
      const answer = await this.#client.check({ prefix, gate: gateSince(ref) }).catch((error: unknown) => ({
        ...{ check: undefined, problem: String(error) },
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

  /** Asks again when the ref, or what is checked out, has come to stand for another base. */
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
      void this.#isMoved().then((isMoved) => (isMoved ? this.#askAgain() : undefined));
    }, quietMs);
  }

  async #isMoved(): Promise<boolean> {
    const [ref, verdict, git] = [this.#ref, this.#verdict, await this.#git()];
    if (ref === undefined || verdict === undefined || git === undefined) return false;
    // Of a folder that could not be told of, another state of the repository may help.
    if (verdict.problems.length > 0) return true;
    const bases = verdict.bases.map(async ({ folder, commit }) => {
      const repository = git.getRepository(folder);
      return repository !== null && (await repository.getMergeBase(ref, 'HEAD').catch(() => undefined)) !== commit;
    });
    return (await Promise.all(bases)).includes(true);
  }
}

/** That of `kindred check --since`, for what is repeated in any category: a filter by categories stands beside this one. */
function gateSince(ref: string): Parameters<EngineClient['check']>[0]['gate'] {
  return {
    ...{ since: { ref }, staged: false, baseline: undefined, limits: {}, boundaries: false },
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

/** Why nothing is asked of Git in a folder that nobody trusts. */
export function notInRestrictedMode(): string {
  return vscode.l10n.t('In Restricted Mode, nothing is compared with Git.');
}
