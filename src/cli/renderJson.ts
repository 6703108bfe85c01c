/** The report as JSON: docs/report.schema.json. One group or skipped file a line, so that reports can be compared. */
import type { DivergedGroup } from '../gate/divergedCopies.ts';
import type { JudgedGroup } from '../gate/judgeGroups.ts';
import type { Hidden } from '../io/sources.ts';
import { bySection } from '../wording/outline.ts';
import { printableJson } from './printable.ts';
import { type CheckedReport, isChecked, type ScanReport } from './scanReport.ts';

/** The text in pieces, to be written one after the other: a report of a large tree is never one string. */
export function* renderJson(report: ScanReport): Generator<string> {
  const { findings } = report;
  yield '{\n';
  yield `  "schema": 2,\n`;
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
  // Nobody asks for it as long as there is something to compare.
  if (findings.totals.files === 0 && report.hidden.length > 0) {
    yield ',\n';
    yield* list('hidden', report.hidden.map(hiddenEntry));
  }
  if (isChecked(report)) yield `,\n  "check": ${printableJson(checkEntry(report), 2).replaceAll('\n', '\n  ')}`;
  yield '\n}\n';
}

/** Without what the schema does not have: the parts that it crosses, which the other formats name. */
function groupEntry(group: JudgedGroup): object {
  if (group.crosses === undefined) return group;
  return Object.fromEntries(Object.entries(group).filter(([key]) => key !== 'crosses'));
}

function checkEntry({ check, ignoredGroups }: CheckedReport): object {
  const { holds, message, since, baseline, limits, newGroups, diverged, unread } = check;
  return {
    ...{ holds, message, since, baseline, limits, newGroups: newGroups.length, ignoredGroups },
    ...{ diverged: divergedAsJson(diverged), unread },
  };
}

/** The diverged groups by their ids. */
function divergedAsJson(diverged: readonly DivergedGroup[]): object[] {
  return diverged.map(({ group, edited, others }) => ({ id: group.id, edited, others }));
}

/** By a file with rules, or by the setting itself; with the setting that brings it back. */
function hiddenEntry({ by, source, files, folders }: Hidden): object {
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
