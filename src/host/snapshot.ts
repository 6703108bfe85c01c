/** A report as the views need it, made from what the worker sent, in slices that leave the window free. */
import type { Findings, Group, Passage, Skipped } from '../engine/report.ts';
import type { ReportResponse } from '../protocol/messages.ts';
import { unpackGroups, unpackSkipped } from '../protocol/packedFindings.ts';
import type { Folders } from './folders.ts';
import { Slices } from './slices.ts';

/** One report, and what is needed to read it. */
export interface Snapshot {
  readonly generation: number;
  /** Its groups are those of passages alone. */
  readonly findings: Findings;
  /** The groups of whole files. */
  readonly fileGroups: readonly Group[];
  /** The copies in each file, by its path; in a file in no order. Those of whole files are none. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
  /** Each file as a member of groups of whole files, by its path. */
  readonly wholes: ReadonlyMap<string, readonly Copy[]>;
  /** The folders its paths belong to. */
  readonly folders: Folders;
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

export async function makeSnapshot(response: ReportResponse, folders: Folders): Promise<Snapshot> {
  const { generation, findings, elapsedMs } = response;
  const groups: Group[] = [];
  const fileGroups: Group[] = [];
  const copies = new Map<string, Copy[]>();
  const wholes = new Map<string, Copy[]>();
  const skipped: Skipped[] = [];
  const slices = new Slices();
  for (const group of unpackGroups(findings)) {
    const [ofKind, members] = group.kind === 'file' ? [fileGroups, wholes] : [groups, copies];
    ofKind.push(group);
    for (const [place, passage] of group.passages.entries()) append(members, passage.path, { group, place, passage });
    if (slices.isUsedUp) await slices.next();
  }
  for (const entry of unpackSkipped(findings)) {
    skipped.push(entry);
    if (slices.isUsedUp) await slices.next();
  }
  const { complete, totals } = findings;
  // What the views make of it begins with a slice of its own.
  await slices.next();
  return {
    generation,
    findings: { complete, totals, groups, skipped },
    ...{ fileGroups, copies, wholes, folders, elapsedMs },
    madeAt: new Date(),
  };
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
