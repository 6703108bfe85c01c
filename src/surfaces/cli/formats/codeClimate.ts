/**
 * Renders a report as Code Climate issues, which GitLab reads as a Code Quality report. There is one issue per place,
 * because GitLab marks lines. An issue's fingerprint is a hash of the group, the file, and the number of earlier places
 * in the same file. So the fingerprint is unique, and stays the same when lines move. A check against a base also lists
 * old groups, because GitLab compares the report with that of the target branch, and would report missing issues as
 * fixed.
 */
import { createHash } from 'node:crypto';
import type { Group } from '../../../core/engine/report/report.ts';
import type { Place } from '../../../review/gate/divergedCopies.ts';
import { printableList } from '../../../presentation/wording/printable.ts';
import type { ScanReport } from '../scanReport.ts';
import { type ListedEdit, editedCopies, editedMessage, editedTitle } from './edited.ts';
import { subjectOf } from './groupTitle.ts';
import { type ListedGroup, openGroups, othersOf, type Surroundings } from './listed.ts';

/** Maximum number of other places named in a description. */
const maxNamed = 3;

export function* renderCodeClimate(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const issues = [
    ...openGroups(report).flatMap((listed) => issuesOf(listed, surroundings)),
    ...editedCopies(report).map((edited) => issueOfEdited(edited, surroundings)),
  ];
  yield* printableList(issues);
  yield '\n';
}

const severities = { error: 'major', warning: 'minor', note: 'info' } as const;

function issuesOf(listed: ListedGroup, surroundings: Surroundings): object[] {
  const { group, level } = listed;
  const before = new Map<string, number>();
  return group.passages.map((passage) => {
    const ordinal = before.get(passage.path) ?? 0;
    before.set(passage.path, ordinal + 1);
    const others = group.passages.filter((other) => other !== passage);
    return {
      type: 'issue',
      check_name: `kindred/${group.kind === 'file' ? 'duplicate-file' : group.kind === 'prose' ? 'duplicate-text' : 'duplicate-code'}`,
      description: `${subjectOf(group)}; also in ${othersOf({ ...listed, others }, surroundings, maxNamed)}`,
      categories: ['Duplication'],
      severity: severities[level],
      fingerprint: fingerprintOf(`${group.id}\0${passage.path}\0${ordinal}`),
      location: placeOf(group, passage, surroundings),
      other_locations: others.slice(0, maxOthers).map((other) => placeOf(group, other, surroundings)),
    };
  });
}

function issueOfEdited(edited: ListedEdit, surroundings: Surroundings): object {
  const { group, copy, others } = edited;
  return {
    type: 'issue',
    check_name: 'kindred/diverged-copy',
    description: `${editedTitle}: ${editedMessage(edited, surroundings)}`,
    categories: ['Bug Risk'],
    severity: severities.warning,
    fingerprint: fingerprintOf(`diverged ${group.id}\0${copy.path}\0${copy.diff.join('\n')}`),
    location: placeOf(group, copy, surroundings),
    other_locations: others.slice(0, maxOthers).map((place) => placeOf(group, place, surroundings)),
  };
}

function fingerprintOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Maximum number of other places per issue, so that the report's size is not quadratic in that of a group. */
const maxOthers = 10;

function placeOf({ kind }: Group, { path, startLine, endLine }: Place, { prefix }: Surroundings): object {
  return { path: prefix + path, lines: kind === 'file' ? { begin: 1, end: 1 } : { begin: startLine, end: endLine } };
}
