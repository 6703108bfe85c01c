/**
 * Renders a report as JSON, as described in docs/report.schema.json. Each group or skipped file is on its own line, so
 * that reports can be diffed.
 */
import type { DivergedGroup } from '../../../review/gate/divergedCopies.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';
import type { HiddenFiles } from '../../../scan/io/sources.ts';
import { bySection } from '../../../presentation/wording/outline.ts';
import { printableJson } from '../../../presentation/wording/printable.ts';
import { type CheckedReport, isChecked, type ScanReport } from '../scanReport.ts';

/** Yields the report in pieces, because a report of a large tree may exceed the maximum length of a string. */
export function* renderJson(report: ScanReport): Generator<string> {
  const { findings } = report;
  yield '{\n';
  yield `  "schema": 3,\n`;
  yield `  "tool": ${printableJson(report.tool)},\n`;
  yield `  "root": ${printableJson(report.root.replaceAll('\\', '/'))},\n`;
  yield `  "complete": ${printableJson(findings.complete)},\n`;
  yield `  "options": ${printableJson(report.options)},\n`;
  yield `  "totals": ${printableJson({ ...findings.totals, elapsedMs: Math.round(report.elapsedMs) })},\n`;
  yield* list('folders', findings.folders);
  yield ',\n';
  yield* list('files', findings.files);
  yield ',\n';
  yield* list('groups', bySection(findings.groups).map(groupEntry));
  yield ',\n';
  yield* list('skipped', findings.skipped);
  // List hidden files only if there is nothing to compare.
  if (findings.totals.files === 0 && report.hidden.length > 0) {
    yield ',\n';
    yield* list('hidden', report.hidden.map(hiddenEntry));
  }
  if (isChecked(report)) yield `,\n  "check": ${printableJson(checkEntry(report), 2).replaceAll('\n', '\n  ')}`;
  yield '\n}\n';
}

/** Omits the boundaries that a group crosses, because the schema has no field for them. Other formats show them. */
function groupEntry(group: JudgedGroup): object {
  if (group.crosses === undefined) return group;
  return Object.fromEntries(Object.entries(group).filter(([key]) => key !== 'crosses'));
}

function checkEntry({ check, ignoredGroups }: CheckedReport): object {
  const { holds, message, since, baseline, limits, newGroups, diverged, worktrees, unread } = check;
  return {
    holds,
    message,
    since,
    baseline,
    limits,
    newGroups: newGroups.length,
    ignoredGroups,
    diverged: divergedAsJson(diverged),
    worktrees,
    unread,
  };
}

/** Returns the diverged groups in the form of the JSON report, which refers to groups by id. */
function divergedAsJson(diverged: readonly DivergedGroup[]): object[] {
  return diverged.map(({ group, edited, others }) => ({ id: group.id, edited, others }));
}

/** Returns the entry for files that a rule or setting hides. Names the setting that would include them. */
function hiddenEntry({ by, source, files, folders }: HiddenFiles): object {
  return by === 'rules' ? { source, files, folders, setting: 'gitignore' } : { files, folders, setting: by };
}

function* list(key: string, items: readonly unknown[]): Generator<string> {
  if (items.length === 0) {
    yield `  "${key}": []`;
    return;
  }
  yield `  "${key}": [\n`;
  for (const [place, item] of items.entries())
    yield `    ${printableJson(item)}${place < items.length - 1 ? ',' : ''}\n`;
  yield '  ]';
}
