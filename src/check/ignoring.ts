/** What is ignored of a scanned tree, and the report without it. */
import path from 'node:path';
import { fileLexicons } from '../engine/languages/lexicon.ts';
import { totalsWithout } from '../engine/report/totalsWithout.ts';
import type { Findings } from '../engine/report/report.ts';
import { type BaselineEntry, type BaselineMatch, matchBaseline } from '../gate/baseline.ts';
import { ignoredGroups, type Ignoring, passagesAside } from '../gate/ignoredGroups.ts';
import { type JudgedGroup, judgeGroups } from '../gate/judgeGroups.ts';
import { withoutIgnored } from '../gate/withoutIgnored.ts';
import type { Group } from '../engine/report/report.ts';
import { configuredPaths } from '../indexer/configuredPaths.ts';
import { baselineFileName } from '../io/fileNames.ts';
import { readBaseline, type ReadBaseline } from './readBaseline.ts';
import type { ScannedTree } from './scannedTree.ts';
import { commentsIn } from './sourceTexts.ts';

/**
 * The entries of the project's own baseline, of which those with a reason ignore: in the current folder, as `kindred ignored`
 * has it, else in the one that is scanned. None when there is no such file.
 */
export function readProjectBaseline(root: string): readonly BaselineEntry[] | { readonly problem: string } {
  for (const file of projectBaselines(root)) {
    const read = readBaseline(file);
    if (!isMissing(read)) return read;
  }
  return [];
}

/** The files that the project's baseline may be in, the first one first. */
export function projectBaselines(root: string): readonly string[] {
  const inRoot = path.join(root, baselineFileName);
  return path.resolve(baselineFileName) === inRoot ? [baselineFileName] : [baselineFileName, inRoot];
}

function isMissing(read: ReadBaseline): read is Extract<ReadBaseline, { readonly problem: string }> {
  return 'problem' in read && read.isMissing;
}

/** Findings whose groups are judged. */
export interface JudgedFindings extends Findings {
  readonly groups: readonly JudgedGroup[];
}

/** What was found, and what of it is ignored. */
export interface JudgedReport {
  /** All that was found, with what is said of each group. */
  readonly findings: JudgedFindings;
  /** The same without what is ignored. */
  readonly shown: Findings;
  /** How many groups that are. */
  readonly ignoredGroups: number;
}

/** What is ignored of a report, and what it comes to without. */
export interface IgnoredInTree {
  readonly ignored: ReadonlyMap<Group, Ignoring>;
  /** The findings without what is ignored. */
  readonly shown: Findings;
}

/** @param baseline  what the baseline knows of the groups, by which those are ignored that have an entry with a reason */
export function ignoredIn(scanned: ScannedTree, baseline: BaselineMatch): IgnoredInTree {
  const { findings, listing, request } = scanned;
  const regionsOf = commentsIn(listing, request.texts, request.store?.commentless, scanned.commentless);
  const ignored = ignoredGroups(findings.groups, { regionsOf, baseline });
  const aside = passagesAside(findings.groups, ignored, regionsOf);
  const left = withoutIgnored(findings, {
    groups: new Set(Array.from(ignored.keys(), ({ id }) => id)),
    passages: new Map(Array.from(aside, ([{ id }, places]) => [id, places])),
  });
  const totals = totalsWithout(
    findings,
    left.groups,
    configuredPaths(request.configured, fileLexicons(request.lexicons)).chosen,
  );
  return { ignored, shown: { ...findings, ...left, totals } };
}

/** The report of a scan, with what is ignored. */
export function judgeScan(scanned: ScannedTree, entries: readonly BaselineEntry[]): JudgedReport {
  const baseline = matchBaseline(scanned.findings.groups, entries);
  const { ignored, shown } = ignoredIn(scanned, baseline);
  const groups = judgeGroups(scanned.findings.groups, { copies: undefined, baseline: undefined, ignored });
  return { findings: { ...scanned.findings, groups }, shown, ignoredGroups: ignored.size };
}
