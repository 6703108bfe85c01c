/**
 * A report as whoever asks for it needs it, made from what the worker sent, in slices that leave the thread free. Of a report
 * that is told by an earlier one, what both have in common stays the same objects.
 */
import type { Findings, Group, Passage, Skipped } from '../engine/report/report.ts';
import { withoutIgnored } from '../gate/withoutIgnored.ts';
import type { Hidden } from '../io/sources.ts';
import type { Judgement } from '../protocol/judgement.ts';
import type { ReportResponse } from '../protocol/messages.ts';
import {
  type Base,
  changeGroups,
  type PackedFindings,
  unpackGroups,
  unpackSkipped,
} from '../protocol/packedFindings.ts';
import { Slices } from './slices.ts';

/** One report, by groups and by files. */
export interface Report {
  readonly generation: number;
  /** All that was found: a later report may be told by it. Views take what is shown. */
  readonly found: Found;
  readonly judgement: Judgement;
  /** What is ignored of it, without what stands in it. */
  readonly ignored: readonly Group[];
  /** All groups that are shown, in the order of the report. */
  readonly all: readonly Group[];
  /** What is shown: without what is ignored. Its groups are those of passages alone. */
  readonly findings: Findings;
  /** The groups of whole files. */
  readonly fileGroups: readonly Group[];
  /** The copies in each file, by its path; in a file in no order. Those of whole files are none. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
  /** Each file as a member of groups of whole files, by its path. */
  readonly wholes: ReadonlyMap<string, readonly Copy[]>;
  /** When no file is left to compare: what hides files, the most first. */
  readonly hidden: readonly Hidden[];
  readonly elapsedMs: number;
  readonly madeAt: Date;
}

/** One passage of one group. */
export interface Copy {
  readonly group: Group;
  /** Its place in the group's passages. */
  readonly place: number;
  readonly passage: Passage;
}

/** What of a report depends on its groups. */
type Grouped = Pick<Report, 'all' | 'copies' | 'wholes'>;

/** A report as it is, whatever of it is ignored. */
interface Found extends Grouped, Omit<Findings, 'groups'> {}

/** What of an answer a report is made of. */
export type Packed = Pick<ReportResponse, 'generation' | 'findings' | 'judgement' | 'hidden' | 'elapsedMs'>;

/** The report of an answer; undefined when it is told by another one than `before`, the one that was there when it was asked for. */
export async function readReport(
  { generation, findings, judgement, hidden, elapsedMs }: Packed,
  before: Report | undefined,
): Promise<Report | undefined> {
  const { base, complete, totals } = findings;
  const slices = new Slices();
  if (base !== undefined && base.generation !== before?.generation) return undefined;
  const { all, copies, wholes } =
    base === undefined ? await groupAll(findings, slices) : groupByEarlier({ ...findings, base }, before!.found);
  const skipped: Skipped[] = [...(base?.hasSameSkipped ? before!.findings.skipped : [])];
  for (const entry of unpackSkipped(findings)) {
    skipped.push(entry);
    if (slices.isUsedUp) await slices.next();
  }
  const rollUps = findings.rollUps ?? { files: before!.found.files, folders: before!.found.folders };
  // What the views make of it begins with a slice of its own.
  await slices.next();
  const found = { all, copies, wholes, complete, totals, ...rollUps, skipped };
  return { generation, found, ...shownOf(found, judgement), hidden, elapsedMs, madeAt: new Date() };
}

/** The same report with something else ignored. */
export function judgedReport(report: Report, judgement: Judgement): Report {
  return { ...report, ...shownOf(report.found, judgement) };
}

type Shown = Pick<Report, 'judgement' | 'ignored' | 'findings' | 'fileGroups'> & Grouped;

/** What is shown of a report. What nothing is ignored of stays the same objects. */
function shownOf(found: Found, judgement: Judgement): Shown {
  const { all, copies, wholes, complete, files, folders, skipped } = found;
  const ids = new Set(judgement.sources.flatMap(({ groups }) => groups));
  const left = withoutIgnored({ groups: all, files, folders }, { groups: ids, passages: new Map(judgement.aside) });
  const [before, after] = [new Set(all), new Set(left.groups)];
  const isSame = left.groups === all;
  const gone = isSame ? [] : all.filter((group) => !after.has(group));
  const come = isSame ? [] : left.groups.filter((group) => !before.has(group));
  return {
    judgement,
    ignored: gone.filter(({ id, parent }) => ids.has(id) && (parent === undefined || !ids.has(parent))),
    all: left.groups,
    copies: isSame ? copies : changeLists(copies, gone.filter(isOfPassages), come.filter(isOfPassages)),
    wholes: isSame ? wholes : changeLists(wholes, gone.filter(isOfFiles), come.filter(isOfFiles)),
    fileGroups: left.groups.filter(isOfFiles),
    findings: {
      complete,
      totals: judgement.totals,
      groups: left.groups.filter(isOfPassages),
      files: left.files,
      folders: left.folders,
      skipped,
    },
  };
}

async function groupAll(findings: PackedFindings, slices: Slices): Promise<Grouped> {
  const all: Group[] = [];
  const copies = new Map<string, Copy[]>();
  const wholes = new Map<string, Copy[]>();
  for (const group of unpackGroups(findings)) {
    all.push(group);
    for (const copy of copiesOf(group)) append(isOfFiles(group) ? wholes : copies, copy);
    if (slices.isUsedUp) await slices.next();
  }
  return { all, copies, wholes };
}

function groupByEarlier(findings: PackedFindings & { readonly base: Base }, before: Grouped): Grouped {
  const { groups, come, gone } = changeGroups(findings, before.all);
  return {
    all: groups,
    copies: changeLists(before.copies, gone.filter(isOfPassages), come.filter(isOfPassages)),
    wholes: changeLists(before.wholes, gone.filter(isOfFiles), come.filter(isOfFiles)),
  };
}

/** The lists without the copies of some groups, and with those of others. Those that stay as they were are the same. */
function changeLists(
  lists: ReadonlyMap<string, readonly Copy[]>,
  gone: readonly Group[],
  come: readonly Group[],
): ReadonlyMap<string, readonly Copy[]> {
  const changed = new Map(lists);
  const groups = new Set(gone);
  for (const path of new Set(gone.flatMap(({ passages }) => passages.map((passage) => passage.path)))) {
    const left = lists.get(path)!.filter(({ group }) => !groups.has(group));
    if (left.length > 0) changed.set(path, left);
    else changed.delete(path);
  }
  const added = new Map<string, Copy[]>();
  for (const group of come) for (const copy of copiesOf(group)) append(added, copy);
  for (const [path, list] of added) changed.set(path, [...(changed.get(path) ?? []), ...list]);
  return changed;
}

function isOfFiles({ kind }: Group): boolean {
  return kind === 'file';
}

function isOfPassages(group: Group): boolean {
  return !isOfFiles(group);
}

function copiesOf(group: Group): Copy[] {
  return group.passages.map((passage, place) => ({ group, place, passage }));
}

function append(lists: Map<string, Copy[]>, copy: Copy): void {
  const { path } = copy.passage;
  const list = lists.get(path);
  if (list) list.push(copy);
  else lists.set(path, [copy]);
}
