/** Renders a report in Reviewdog Diagnostic Format: a diagnostic per group, with the other places as related. */
import type { Group } from '../../../core/engine/report/report.ts';
import type { Place } from '../../../review/gate/divergedCopies.ts';
import { printableList } from '../../../presentation/wording/printable.ts';
import type { ScanReport } from '../scanReport.ts';
import { type ListedEdit, editedCopies, editedMessage, editedTitle } from './edited.ts';
import { titleOf } from './groupTitle.ts';
import { type ListedGroup, openGroups, othersOf, type Surroundings, withoutOld } from './listed.ts';

const maxNamed = 3;
/** Maximum number of related locations. Reviewdog lists them in a comment. */
const maxRelated = 20;

export function* renderRdjson(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const diagnostics = [
    ...withoutOld(openGroups(report), report).map((listed) => diagnosticOf(listed, surroundings)),
    ...editedCopies(report).map((edited) => diagnosticOfEdited(edited, surroundings)),
  ];
  yield '{"source":{"name":"kindred"},"diagnostics":';
  yield* printableList(diagnostics);
  yield '}\n';
}

const severities = { error: 'ERROR', warning: 'WARNING', note: 'INFO' } as const;

function diagnosticOf(listed: ListedGroup, surroundings: Surroundings): object {
  const { group, level, primary, others } = listed;
  return {
    message: `${titleOf(group)}; also in ${othersOf(listed, surroundings, maxNamed)}`,
    location: locationOf(group, primary, surroundings),
    severity: severities[level],
    code: { value: group.id },
    related_locations: others.slice(0, maxRelated).map((passage) => ({
      message: 'Copy',
      location: locationOf(group, passage, surroundings),
    })),
  };
}

function diagnosticOfEdited(edited: ListedEdit, surroundings: Surroundings): object {
  const { group, copy, others } = edited;
  return {
    message: `${editedTitle}: ${editedMessage(edited, surroundings)}`,
    location: locationOf(group, copy, surroundings),
    severity: severities.warning,
    code: { value: group.id },
    related_locations: others.slice(0, maxRelated).map((place) => ({
      message: 'Not edited',
      location: locationOf(group, place, surroundings),
    })),
  };
}

/** Returns a location with lines only, because this format counts columns in bytes. */
function locationOf({ kind }: Group, { path, startLine, endLine }: Place, { prefix }: Surroundings): object {
  const isFile = kind === 'file';
  return {
    path: prefix + path,
    range: { start: { line: isFile ? 1 : startLine }, end: { line: isFile ? 1 : endLine } },
  };
}
