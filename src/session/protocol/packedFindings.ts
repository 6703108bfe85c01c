/**
 * Compact form of findings for messages from the worker to the host. A report of a large tree has tens of thousands of
 * small objects. Reading them from a message would block the host's thread for longer than a frame. Therefore they are
 * sent as a few strings and a shared array of numbers, which are unpacked in slices. If the host has a similar report,
 * only the new groups are sent.
 */
import { changeList, differenceOf, type ListDifference } from '../../core/collections/listDifference.ts';
import { changeOfGroups } from '../../core/collections/listedGroups.ts';
import { join, packGroups, type PackedGroups, split, unpackGroups } from '../../scan/io/packedGroups.ts';
import type {
  AdmittingSetting,
  FilePair,
  Findings,
  FolderGroup,
  Group,
  SkippedFile,
  Totals,
} from '../../core/engine/report/report.ts';

/** The groups are only those that the earlier report lacks. */
export interface PackedFindings extends PackedGroups {
  readonly complete: boolean;
  readonly totals: Totals;
  /** Earlier report, whose groups are not included; `undefined` if all groups are. */
  readonly base: Base | undefined;
  /** File pairs and folder groups, as differences from those of the earlier report. */
  readonly files: ListDifference<FilePair>;
  readonly folders: ListDifference<FolderGroup>;
  /** Path, reason, and setting (or '') of each skipped file. Empty if they are the same as in the earlier report. */
  readonly skipped: string;
}

/** The earlier report of a packed report, and the differences from it. */
export interface Base {
  readonly generation: number;
  /** Description of the list of groups; see `ListDifference`. */
  readonly stretches: Int32Array;
  readonly hasSameSkipped: boolean;
}

/** @param groups  the packed groups of the findings, if they exist already */
export function packFindings(findings: Findings, groups = packGroups(findings.groups)): PackedFindings {
  return packWhole(findings, joinSkipped(findings), groups);
}

function packWhole(
  { complete, totals, groups, files, folders }: Findings,
  skipped: string,
  packed = packGroups(groups),
): PackedFindings {
  return {
    complete,
    totals,
    base: undefined,
    ids: packed.ids,
    parents: packed.parents,
    paths: packed.paths,
    numbers: packed.numbers,
    files: differenceOf([], files),
    folders: differenceOf([], folders),
    skipped,
  };
}

/** A report that was sent to the host. */
interface SentReport {
  readonly findings: Findings;
  /** Path, reason, and setting of each skipped file, joined with NUL. */
  readonly skipped: string;
}

/** Number of recent reports that are remembered. If the host has an older one, all groups are sent. */
const maxSent = 8;
/**
 * Number of new groups at or above which all groups are sent. New groups are unpacked all at once, not in slices, so
 * many of them would block the host's thread for more than a few milliseconds.
 */
const maxNew = 1_000;

/** Packs successive reports. Groups of an earlier report, the same objects, are not sent again. */
export class FindingsPacker {
  readonly #sent = new Map<number, SentReport>();

  /**
   * @param generation  generation of the report; must be greater than all previous ones
   * @param has         generation of the last report that the host has received; `undefined` to send all groups
   */
  pack(findings: Findings, generation: number, has: number | undefined): PackedFindings {
    const before = has === undefined ? undefined : this.#sent.get(has);
    const { complete, totals, files, folders } = findings;
    const skipped = findings.skipped === before?.findings.skipped ? before.skipped : joinSkipped(findings);
    for (const earlier of this.#sent.keys()) {
      if (earlier < (has ?? 0) || this.#sent.size >= maxSent) this.#sent.delete(earlier);
    }
    this.#sent.set(generation, { findings, skipped });
    if (before === undefined) return packWhole(findings, skipped);
    const { stretches, added } = changeOfGroups(before.findings, findings);
    if (added.length > maxNew) return packWhole(findings, skipped);
    const hasSameSkipped = skipped === before.skipped;
    const base = { generation: has!, stretches: Int32Array.from(stretches), hasSameSkipped };
    return {
      complete,
      totals,
      base,
      ...packGroups(added),
      files: differenceOf(before.findings.files, files),
      folders: differenceOf(before.findings.folders, folders),
      skipped: hasSameSkipped ? '' : skipped,
    };
  }
}

function joinSkipped({ skipped }: Findings): string {
  return join(skipped.flatMap(({ path, reason, setting = '' }) => [path, reason, setting]));
}

/** A list of groups, and its differences from an earlier list. */
export interface ChangedGroups {
  readonly groups: readonly Group[];
  /** Groups that only the new list contains (`added`), and groups that only the earlier list contains (`removed`). */
  readonly added: readonly Group[];
  readonly removed: readonly Group[];
}

/**
 * Unpacks the groups of a report that was sent as a difference from an earlier one.
 *
 * @param before  all groups of the earlier report, in its order
 */
export function changeGroups(
  packed: PackedFindings & { readonly base: Base },
  before: readonly Group[],
): ChangedGroups {
  const added = [...unpackGroups(packed)];
  const { items: groups, removed } = changeList(before, { stretches: packed.base.stretches, added });
  return { groups, added, removed };
}

/** Yields the skipped files of a packed report: none if they are the same as in the earlier report. */
export function* unpackSkipped({ skipped }: PackedFindings): Generator<SkippedFile, void> {
  const fields = split(skipped);
  for (let field = 0; field < fields.length; field += 3) {
    const [path = '', reason = '', setting = ''] = fields.slice(field, field + 3);
    yield setting === '' ? { path, reason } : { path, reason, setting: setting as AdmittingSetting };
  }
}
