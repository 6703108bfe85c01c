/** Runs `kindred check`: determines the base before the scan, and judges the findings after it. */
import { posix } from 'node:path';
import type { Findings, SkippedFile } from '../../core/engine/report/report.ts';
import { percentOf } from '../../core/engine/rows/shares.ts';
import { areSameTokens, PassageTokens } from '../../core/engine/passageTokens.ts';
import { type BaselineEntry, matchBaseline } from '../gate/baseline.ts';
import { type DivergedGroup, divergedCopies, type Place, type ContentCheck } from '../gate/divergedCopies.ts';
import {
  countedCrossing,
  countedNew,
  countedRows,
  type JudgedGroup,
  judgeGroups,
  withCrossings,
} from '../gate/judgeGroups.ts';
import type { Texts } from '../gate/freshLines.ts';
import { checkLimits, type LimitResult, verdictOf } from '../gate/limits.ts';
import { Changes, type NewCopies, newCopies } from '../gate/newCopies.ts';
import { uncomparedWords } from '../gate/uncompared.ts';
import { type Boundaries, partsOf } from '../../scan/io/boundaries.ts';
import { baselineFileName } from '../../scan/io/fileNames.ts';
import { Git, type GitProblem } from '../../scan/io/git.ts';
import type { Listing } from '../../scan/io/sources.ts';
import type { Gate } from './gate.ts';
import { readBaseline, readBaselineAt, type ReadBaseline } from './readBaseline.ts';
import {
  baseTree,
  changesSince,
  findBase,
  type GitBase,
  type GitChanges,
  stagedTree,
  type TreeInput,
  type TreePlace,
} from './gitBase.ts';
import { ignoredIn, type JudgedReport, projectBaselines, readProjectBaseline } from './ignoring.ts';
import type { ScannedTree } from './scannedTree.ts';
import { linesOf } from './sourceTexts.ts';
import { type WorktreeCopies, worktreeCopies } from './worktreeCopies.ts';
import { scanToFollow } from '../../scan/indexer/scan.ts';

/** Result of a check other than its findings. */
export interface CheckResult {
  readonly holds: boolean;
  /** The verdict, as a sentence. */
  readonly message: string;
  readonly since: GitBase | undefined;
  /** Path of the baseline file, as the user has written it. */
  readonly baseline: string | undefined;
  readonly limits: readonly LimitResult[];
  /** New groups in counted categories, in the order of the report. */
  readonly newGroups: readonly JudgedGroup[];
  /** Groups with copies on both sides of a boundary, in the order of the report. */
  readonly crossing: readonly JudgedGroup[];
  /** Rows that count toward the limit on all rows, as opposed to the limit on new ones. */
  readonly rows: readonly JudgedGroup[];
  readonly diverged: readonly DivergedGroup[];
  /** Added lines that another worktree adds, too, if worktrees were compared. They count toward no limit. */
  readonly worktrees: WorktreeCopies | undefined;
  /** Paths of changed files that could not be read. */
  readonly unread: readonly string[];
  /** Description of the files that could not be compared, or `undefined` if all were. */
  readonly uncompared: string | undefined;
}

export type CheckedFindings = JudgedReport & { readonly check: CheckResult };

/** A check before the scan. Its arguments are valid. */
export interface CheckRun {
  /** Returns the files to scan. With `--staged`, their staged contents. */
  readonly input: (listing: Listing) => Promise<TreeInput>;
  /** Judges the findings of the scan. Returns `undefined` after a cancellation. */
  readonly judge: (scanned: ScannedTree) => Promise<CheckedFindings | undefined>;
}

export interface CheckedTree extends TreePlace {
  /** The folder to which paths are relative. */
  readonly root: string;
  readonly boundaries: Boundaries;
}

/** Begins a check of a tree. Returns the reason if the check is impossible. */
export async function beginCheck(
  gate: Gate,
  { root, boundaries, ...place }: CheckedTree,
  environment: NodeJS.ProcessEnv,
): Promise<CheckRun | GitProblem> {
  if (gate.boundaries && Object.keys(boundaries).length < 2) {
    return { problem: '--boundaries needs at least two named parts under "boundaries" in .kindredrc.jsonc.' };
  }
  const isByGit = gate.since !== undefined || gate.staged || gate.worktrees;
  const git = isByGit ? await Git.open(root) : undefined;
  if (git && 'problem' in git) return git;
  const base = git && (await findBase(git, gate, environment));
  if (base && 'problem' in base) return base;
  const baseline = await baselineOf(gate, git, base);
  if (baseline && 'problem' in baseline) return baseline;
  const ignoring = baseline ?? (await projectEntries(root, git, base));
  if ('problem' in ignoring) return ignoring;
  return {
    input: (listing) =>
      git && gate.staged ? stagedTree(git, listing, place) : Promise.resolve({ listing, texts: [] }),
    judge: async (scanned) => {
      const compared = git && base ? await compareWithBase(git, base, scanned, gate, place) : nothingCompared;
      if (compared === undefined) return undefined;
      const { sources } = place;
      const { counted, staged } = gate;
      const worktrees =
        git && gate.worktrees ? await worktreeCopies(git, { root, sources, counted, staged }, scanned) : undefined;
      return judge({ gate, base, baseline, ignoring, compared, worktrees, scanned, boundaries });
    },
  };
}

/**
 * Returns the entries of the given baseline. If there is a base, reads the baseline from the base, because otherwise a
 * change could exempt itself. Returns an empty list if the base has no baseline.
 */
async function baselineOf(
  { baseline }: Gate,
  git: Git | undefined,
  base: GitBase | undefined,
): Promise<ReadBaseline | undefined> {
  if (baseline === undefined) return undefined;
  return git && base ? ((await readBaselineAt(git, base.commit, baseline)) ?? []) : readBaseline(baseline);
}

/**
 * If no baseline is given, returns the entries of the project's baseline that ignore groups. If there is a base, reads
 * the baseline from the base.
 */
async function projectEntries(
  root: string,
  git: Git | undefined,
  base: GitBase | undefined,
): Promise<readonly BaselineEntry[] | { readonly problem: string }> {
  if (!git || !base) return readProjectBaseline(root);
  for (const file of projectBaselines(root)) {
    const read = await readBaselineAt(git, base.commit, file);
    if (read !== undefined && !('problem' in read && read.isMissing)) return read;
  }
  return [];
}

interface BaseComparison {
  readonly changes: GitChanges | undefined;
  readonly copies: NewCopies | undefined;
  readonly diverged: readonly DivergedGroup[];
  /** Files that were skipped in the scan of the base. */
  readonly skipped: readonly SkippedFile[];
}

const nothingCompared: BaseComparison = { changes: undefined, copies: undefined, diverged: [], skipped: [] };

async function compareWithBase(
  git: Git,
  { commit }: GitBase,
  scanned: ScannedTree,
  { staged, counted }: Gate,
  place: TreePlace,
): Promise<BaseComparison | undefined> {
  const found = await changesSince(git, commit, { staged });
  if (found.files.length === 0) return { ...nothingCompared, changes: found, copies: new Map() };
  const tree = await baseTree(git, scanned.listing, found, place);
  const base = await reportOfBase(scanned, tree, found);
  if (base === undefined) return undefined;
  const changes = new Changes(found.files);
  const texts = {
    base: linesOf(tree.listing, tree.texts),
    now: linesOf(scanned.listing, scanned.request.texts),
  };
  return {
    changes: found,
    copies: newCopies(scanned.findings.groups, base.groups, changes, texts),
    diverged: divergedCopies(
      base.groups.filter(({ category }) => counted.has(category)),
      changes,
      sameTokensIn(texts),
    ),
    skipped: base.skipped,
  };
}

/** Returns a function that compares the tokens of a place in the base and of a current one; false without a text. */
function sameTokensIn({ base, now }: Texts): ContentCheck {
  const tokens = new PassageTokens();
  const tokensAt = ({ path, startLine, endLine }: Place, linesIn: Texts['base']): Uint32Array | undefined => {
    const lines = linesIn(path)?.slice(startLine - 1, endLine);
    return lines && tokens.of(path, Buffer.from(lines.join('\n')));
  };
  return (before, after) => {
    const [x, y] = [tokensAt(before, base), tokensAt(after, now)];
    return x !== undefined && y !== undefined && areSameTokens(x, y);
  };
}

/** Inputs of a verdict. */
interface Judgement {
  readonly gate: Gate;
  readonly base: GitBase | undefined;
  readonly baseline: readonly BaselineEntry[] | undefined;
  /** Entries of the baseline. An entry with a reason ignores its group. */
  readonly ignoring: readonly BaselineEntry[];
  readonly compared: BaseComparison;
  readonly worktrees: WorktreeCopies | undefined;
  readonly scanned: ScannedTree;
  readonly boundaries: Boundaries;
}

function judge({
  gate,
  base,
  baseline,
  ignoring,
  compared,
  worktrees,
  scanned,
  boundaries,
}: Judgement): CheckedFindings {
  const { findings } = scanned;
  const matched = matchBaseline(findings.groups, ignoring);
  const { ignored, aside, shown } = ignoredIn(scanned, matched);
  const baselineMatch = baseline && matched;
  const judged = judgeGroups(findings.groups, { copies: compared.copies, baseline: baselineMatch, ignored, aside });
  const groups = gate.boundaries ? withCrossings(judged, partsOf(boundaries), gate.counted, baselineMatch) : judged;
  const crossing = countedCrossing(groups);
  const newGroups = countedNew(groups, gate.counted);
  const rows = countedRows(groups, gate.counted);
  const limits = checkLimits(gate.limits, {
    'max-new': newGroups.length,
    'max-groups': rows.length,
    'max-percent': duplicatedPercent(shown, gate),
    boundaries: crossing.length,
    'fail-on-diverged': compared.diverged.length,
    'fail-on-stale': baseline ? matched.stale.length : 0,
    'fail-on-empty': findings.totals.files === 0 ? 1 : 0,
  });
  const uncompared = uncomparedWords(findings.skipped) ?? uncomparedWords(compared.skipped);
  const check: CheckResult = {
    ...verdictOf(limits, uncompared, gate.allowsIncomplete),
    since: base,
    baseline: gate.baseline,
    limits,
    newGroups,
    crossing,
    rows,
    diverged: compared.diverged,
    worktrees,
    unread: unreadAmong(compared.changes, scanned),
    uncompared,
  };
  return { findings: { ...findings, groups }, shown, ignoredGroups: ignored.size, check };
}

/** Returns the percentage of duplicated lines in the counted categories, rounded as in the report. */
function duplicatedPercent({ totals }: Findings, { counted }: Gate): number {
  let [duplicated, lines] = [0, 0];
  for (const [category, of] of Object.entries(totals.categories)) {
    if (!(counted as ReadonlySet<string>).has(category)) continue;
    duplicated += of.duplicatedLines;
    lines += of.lines;
  }
  return percentOf(duplicated, lines);
}

/** Returns changed files, except baselines, that were skipped, unreadable, or in a submodule: not compared. */
function unreadAmong(changes: GitChanges | undefined, { findings, listing, request }: ScannedTree): string[] {
  if (changes === undefined) return [];
  const skipped = new Set(findings.skipped.map(({ path }) => path));
  const read = new Set(
    [...listing.files, ...request.texts].map(({ path }) => path).filter((path) => !skipped.has(path)),
  );
  const changed = changes.files.flatMap(({ path }) => (path === undefined || read.has(path) ? [] : [path]));
  const unread = changed.filter((path) => posix.basename(path) !== baselineFileName);
  return [...new Set([...unread, ...changes.submodules])].sort();
}

/** Returns the findings of the base, with the token weights of the current report. Returns `undefined` if canceled. */
async function reportOfBase(
  { findings, request, monitor, idfTable }: ScannedTree,
  base: TreeInput,
  changes: GitChanges,
): Promise<Findings | undefined> {
  const changed = new Set([...changes.files.map(({ path }) => path), ...changes.files.map(({ basePath }) => basePath)]);
  const partners = new Set<string>();
  for (const { passages } of findings.groups) {
    if (passages.some(({ path }) => changed.has(path))) for (const { path } of passages) partners.add(path);
  }
  // With `--staged`, the staged text of a file may replace the file even if it has not changed since the base.
  const texts = request.texts.filter(({ path }) => partners.has(path) && !changed.has(path));
  const { findings: found } = await scanToFollow(
    {
      ...request,
      listing: { files: base.listing.files.filter(({ path }) => partners.has(path)), skipped: [] },
      texts: [...base.texts, ...texts],
      idfTable: idfTable(),
      store: undefined,
    },
    { ...monitor, onProgress: () => undefined },
    'findings',
  );
  return monitor.cancelled() || !found.complete ? undefined : found;
}
