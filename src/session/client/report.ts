/**
 * Converts a response of the worker to a report for the views, in slices that do not block the thread. If the response
 * is relative to an earlier report, unchanged parts stay the same objects.
 */
import { append } from '../../core/collections/lists.ts';
import type { Findings, Group, Passage, SkippedFile } from '../../core/engine/report/report.ts';
import { withoutIgnored } from '../../review/gate/withoutIgnored.ts';
import type { HiddenFiles } from '../../scan/io/sources.ts';
import type { Judgement } from '../protocol/judgement.ts';
import { changeList } from '../../core/collections/listDifference.ts';
import type { ReportResponse } from '../protocol/messages.ts';
import { unpackGroups } from '../../scan/io/packedGroups.ts';
import { type Base, changeGroups, type PackedFindings, unpackSkipped } from '../protocol/packedFindings.ts';
import { outermost } from './outermost.ts';
import { Slices } from './slices.ts';

/** A report, with its passages by group and by file. */
export interface Report {
  readonly generation: number;
  /** The complete report, with ignored groups. Later responses may be relative to it. Views use the other fields. */
  readonly found: FullReport;
  readonly judgement: Judgement;
  /** Ignored groups, without the groups that are shown inside their rows. */
  readonly ignored: readonly Group[];
  /** All groups that are shown, in the order of the report. */
  readonly all: readonly Group[];
  /** The findings without ignored groups and groups of whole files. */
  readonly findings: Findings;
  /** The shown groups of whole files. */
  readonly fileGroups: readonly Group[];
  /** For each path, the passages of groups in the file, in any order. Groups of whole files are not included. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
  /** For each path, the groups of whole files to which the file belongs. */
  readonly fileCopies: ReadonlyMap<string, readonly Copy[]>;
  /** Reasons why no files are left to compare, most frequent first. Empty if there are files. */
  readonly hidden: readonly HiddenFiles[];
  readonly elapsedMs: number;
  readonly madeAt: Date;
}

export interface Copy {
  readonly group: Group;
  /** Index of the passage in the group's passages. */
  readonly place: number;
  readonly passage: Passage;
}

/** The parts of a report that depend on its groups. */
type GroupedParts = Pick<Report, 'all' | 'copies' | 'fileCopies'>;

/** A report including ignored groups. */
interface FullReport extends GroupedParts, Omit<Findings, 'groups'> {}

/** The parts of a response from which a report is made. */
export type PackedReport = Pick<ReportResponse, 'generation' | 'findings' | 'judgement' | 'hidden' | 'elapsedMs'>;

/**
 * Reads the report in a response. `before` is the report that the host had when it sent the request. Returns
 * `undefined` if the response is relative to another report.
 */
export async function readReport(
  { generation, findings, judgement, hidden, elapsedMs }: PackedReport,
  before: Report | undefined,
): Promise<Report | undefined> {
  const { base, complete, totals } = findings;
  const slices = new Slices();
  if (base !== undefined && base.generation !== before?.generation) return undefined;
  const { all, copies, fileCopies } =
    base === undefined ? await groupAll(findings, slices) : groupByEarlier({ ...findings, base }, before!.found);
  const skipped: SkippedFile[] = [...(base?.hasSameSkipped ? before!.findings.skipped : [])];
  for (const entry of unpackSkipped(findings)) {
    skipped.push(entry);
    if (slices.isUsedUp) await slices.next();
  }
  const earlierFindings = base === undefined ? { files: [], folders: [] } : before!.found;
  const files = changeList(earlierFindings.files, findings.files).items;
  const folders = changeList(earlierFindings.folders, findings.folders).items;
  // Start a new slice, so that the views can begin right away.
  await slices.next();
  const found = { all, copies, fileCopies, complete, totals, files, folders, skipped };
  return { generation, found, ...shownOf(found, judgement), hidden, elapsedMs, madeAt: new Date() };
}

export function judgedReport(report: Report, judgement: Judgement): Report {
  return { ...report, ...shownOf(report.found, judgement) };
}

type ShownReport = Pick<Report, 'judgement' | 'ignored' | 'findings' | 'fileGroups'> & GroupedParts;

/** Returns the part of a report that is shown. Reuses objects that contain nothing ignored. */
function shownOf(found: FullReport, judgement: Judgement): ShownReport {
  const { all, copies, fileCopies, complete, files, folders, skipped } = found;
  const ids = new Set(judgement.sources.flatMap(({ groups }) => groups));
  const left = withoutIgnored({ groups: all, files, folders }, { groups: ids, passages: new Map(judgement.aside) });
  const isSame = left.groups === all;
  const [before, after] = isSame ? [] : [new Set(all), new Set(left.groups)];
  const removedGroups = isSame ? [] : all.filter((group) => !after!.has(group));
  const addedGroups = isSame ? [] : left.groups.filter((group) => !before!.has(group));
  return {
    judgement,
    ignored: outermost(removedGroups.filter(({ id }) => ids.has(id))),
    all: left.groups,
    copies: isSame ? copies : changeLists(copies, removedGroups.filter(isOfPassages), addedGroups.filter(isOfPassages)),
    fileCopies: isSame
      ? fileCopies
      : changeLists(fileCopies, removedGroups.filter(isOfFiles), addedGroups.filter(isOfFiles)),
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

async function groupAll(findings: PackedFindings, slices: Slices): Promise<GroupedParts> {
  const all: Group[] = [];
  const copies = new Map<string, Copy[]>();
  const fileCopies = new Map<string, Copy[]>();
  for (const group of unpackGroups(findings)) {
    all.push(group);
    for (const copy of copiesOf(group)) append(isOfFiles(group) ? fileCopies : copies, copy.passage.path, copy);
    if (slices.isUsedUp) await slices.next();
  }
  return { all, copies, fileCopies };
}

function groupByEarlier(findings: PackedFindings & { readonly base: Base }, before: GroupedParts): GroupedParts {
  const { groups, added: addedGroups, removed: removedGroups } = changeGroups(findings, before.all);
  return {
    all: groups,
    copies: changeLists(before.copies, removedGroups.filter(isOfPassages), addedGroups.filter(isOfPassages)),
    fileCopies: changeLists(before.fileCopies, removedGroups.filter(isOfFiles), addedGroups.filter(isOfFiles)),
  };
}

/** Replaces the passages of some groups in a map of lists. Unchanged lists stay the same objects. */
function changeLists(
  lists: ReadonlyMap<string, readonly Copy[]>,
  removedGroups: readonly Group[],
  addedGroups: readonly Group[],
): ReadonlyMap<string, readonly Copy[]> {
  const changed = new Map(lists);
  const groups = new Set(removedGroups);
  for (const path of new Set(removedGroups.flatMap(({ passages }) => passages.map((passage) => passage.path)))) {
    const left = lists.get(path)!.filter(({ group }) => !groups.has(group));
    if (left.length > 0) changed.set(path, left);
    else changed.delete(path);
  }
  const added = new Map<string, Copy[]>();
  for (const group of addedGroups) for (const copy of copiesOf(group)) append(added, copy.passage.path, copy);
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
