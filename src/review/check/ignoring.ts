/** Finds the ignored groups in the report of a tree, and removes them. */
import path from 'node:path';
import { fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import { totalsWithout } from '../../core/engine/report/totalsWithout.ts';
import type { Findings } from '../../core/engine/report/report.ts';
import { type BaselineEntry, type BaselineMatch, matchBaseline } from '../gate/baseline.ts';
import { type Ignored, ignoredAmong } from '../gate/ignoredGroups.ts';
import { type JudgedGroup, judgeGroups } from '../gate/judgeGroups.ts';
import { withoutIgnored } from '../gate/withoutIgnored.ts';
import { configuredPaths } from '../../scan/indexer/configuredPaths.ts';
import { baselineFileName } from '../../scan/io/fileNames.ts';
import { readBaseline, type ReadBaseline } from './readBaseline.ts';
import type { ScannedTree } from './scannedTree.ts';
import { commentsIn } from './sourceTexts.ts';

/**
 * Returns the entries of the project's baseline. The file is in the current folder or, if there is none, in the scanned
 * folder. Returns an empty list if there is no file. Only entries with a reason ignore groups.
 */
export function readProjectBaseline(root: string): readonly BaselineEntry[] | { readonly problem: string } {
  for (const file of projectBaselines(root)) {
    const read = readBaseline(file);
    if (!isMissing(read)) return read;
  }
  return [];
}

/** Returns the possible paths of the project's baseline, in order of precedence. */
export function projectBaselines(root: string): readonly string[] {
  const inRoot = path.join(root, baselineFileName);
  return path.resolve(baselineFileName) === inRoot ? [baselineFileName] : [baselineFileName, inRoot];
}

function isMissing(read: ReadBaseline): read is Extract<ReadBaseline, { readonly problem: string }> {
  return 'problem' in read && read.isMissing;
}

/** Findings in which each group has a judgement. */
export interface JudgedFindings extends Findings {
  readonly groups: readonly JudgedGroup[];
}

/** Findings in two forms: all groups, each with its judgement, and the findings without ignored groups. */
export interface JudgedReport {
  /** All findings, including ignored groups. Each group has a judgement. */
  readonly findings: JudgedFindings;
  /** The findings without ignored groups. */
  readonly shown: Findings;
  readonly ignoredGroups: number;
}

/** The ignored groups of a report, and the findings without them. */
export interface IgnoredGroups extends Ignored {
  readonly shown: Findings;
}

/** @param baseline  entries of the baseline that match groups; an entry with a reason ignores its group */
export function ignoredIn(scanned: ScannedTree, baseline: BaselineMatch): IgnoredGroups {
  const { findings, listing, request } = scanned;
  const regionsOf = commentsIn(listing, request.texts, request.store?.commentless(), scanned.commentless);
  const found = ignoredAmong(findings.groups, { regionsOf, baseline });
  const left = withoutIgnored(findings, found.hidden);
  const totals = totalsWithout(
    findings,
    left.groups,
    configuredPaths(request.configured, fileLexicons(request.lexicons)).chosenCategory,
  );
  return { ...found, shown: { ...findings, ...left, totals } };
}

export function judgeScan(scanned: ScannedTree, entries: readonly BaselineEntry[]): JudgedReport {
  const baseline = matchBaseline(scanned.findings.groups, entries);
  const { ignored, aside, shown } = ignoredIn(scanned, baseline);
  const groups = judgeGroups(scanned.findings.groups, { copies: undefined, baseline: undefined, ignored, aside });
  return { findings: { ...scanned.findings, groups }, shown, ignoredGroups: ignored.size };
}
