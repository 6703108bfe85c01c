/** A report as the views need it, made from what the worker sent, in slices that leave the window free. */
import { setImmediate } from 'node:timers/promises';
import type { Findings, Group, Passage } from '../engine/report.ts';
import type { ReportResponse } from '../protocol/messages.ts';
import { unpackGroups, unpackSkipped } from '../protocol/packedFindings.ts';
import type { Folders } from './folders.ts';

/** One report, and what is needed to read it. */
export interface Snapshot {
  readonly generation: number;
  /** Its groups are those of passages alone. */
  readonly findings: Findings;
  /** The groups of whole files. */
  readonly fileGroups: readonly Group[];
  /** The copies in each file, by its path; in a file in no order. Those of whole files are none. */
  readonly copies: ReadonlyMap<string, readonly Copy[]>;
  /** The folders its paths belong to. */
  readonly folders: Folders;
  /** The versions of the documents that were open when it was asked for, by the text of their URI. */
  readonly versions: ReadonlyMap<string, number>;
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

/** How long to work before everything else in the extension host gets its turn: well under a frame. */
export const sliceMs = 5;

export async function makeSnapshot(
  response: ReportResponse,
  folders: Folders,
  versions: Snapshot['versions'],
): Promise<Snapshot> {
  const { generation, findings, elapsedMs } = response;
  const groups: Group[] = [];
  const fileGroups: Group[] = [];
  const copies = new Map<string, Copy[]>();
  let pauseAt = performance.now() + sliceMs;
  for (const group of unpackGroups(findings)) {
    (group.kind === 'file' ? fileGroups : groups).push(group);
    for (const [place, passage] of group.kind === 'file' ? [] : group.passages.entries()) {
      const inFile = copies.get(passage.path);
      if (inFile) inFile.push({ group, place, passage });
      else copies.set(passage.path, [{ group, place, passage }]);
    }
    if (performance.now() < pauseAt) continue;
    await setImmediate();
    pauseAt = performance.now() + sliceMs;
  }
  const { complete, totals } = findings;
  return {
    generation,
    findings: { complete, totals, groups, skipped: unpackSkipped(findings) },
    fileGroups,
    copies,
    folders,
    versions,
    elapsedMs,
    madeAt: new Date(),
  };
}
