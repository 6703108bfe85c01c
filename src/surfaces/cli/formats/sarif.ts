/**
 * Renders a report as SARIF 2.1.0 for GitHub code scanning and similar tools. There is one result per group, located at
 * the passage to review first.
 */
import type { Location, Log, ReportingDescriptor, Result, Run } from 'sarif';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { printableJson, printableList } from '../../../presentation/wording/printable.ts';
import { count, number } from '../quantities.ts';
import { hasBase, incompleteTitle, type ScanReport, uncomparedIn } from '../scanReport.ts';
import type { Place } from '../../../review/gate/divergedCopies.ts';
import { type ListedEdit, editedCopies, editedMessage } from './edited.ts';
import { nameOf, titleOf } from './groupTitle.ts';
import { type ListedGroup, listedGroups, type Surroundings } from './listed.ts';

/** Maximum number of results: GitHub rejects runs with more. `maxRelated` is that of related locations. */
export const maxResults = 25_000;
export const maxRelated = 999;
const maxLinks = 3;

type RuleId = 'duplicate-code' | 'duplicate-text' | 'duplicate-file' | 'diverged-copy';
const ruleIds: Readonly<Record<Group['kind'], RuleId>> = {
  code: 'duplicate-code',
  prose: 'duplicate-text',
  file: 'duplicate-file',
};

export function* renderSarif(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const groups = listedGroups(report);
  const all = [
    ...editedCopies(report).map((edited) => resultOfEdited(edited, surroundings)),
    ...groups.map((listed) => resultOf(listed, report, surroundings)),
  ];
  const results = all.slice(0, maxResults);
  const log: Log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [runOf(report, all.length, results)],
  };
  const marker = '"results":[]';
  const [before, after] = printableJson({ ...log, runs: [{ ...log.runs[0], results: [] }] }).split(marker);
  yield `${before}"results":`;
  yield* printableList(results);
  yield `${after}\n`;
}

function runOf(report: ScanReport, groups: number, results: Result[]): Run {
  const { tool, findings, scope } = report;
  const left = groups - results.length;
  const uncompared = uncomparedIn(report);
  const notifications = [
    ...(left > 0
      ? [`${number(left)} of ${count(groups, 'result')} left out: a run has ${number(maxResults)} at most.`]
      : []),
    ...(uncompared === undefined ? [] : [`${incompleteTitle}: ${uncompared}.`]),
    ...(findings.complete ? [] : ['The scan was interrupted; the results are incomplete.']),
  ];
  return {
    tool: {
      driver: { name: 'Kindred', version: tool.version, semanticVersion: tool.version, rules: Object.values(rules) },
    },
    automationDetails: { id: `kindred/${scope}/` },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the repository.' } } },
    invocations: [
      {
        executionSuccessful: findings.complete,
        ...(notifications.length > 0 && {
          toolExecutionNotifications: notifications.map((text) => ({ level: 'warning' as const, message: { text } })),
        }),
      },
    ],
    results,
  };
}

function resultOf(listed: ListedGroup, report: ScanReport, surroundings: Surroundings): Result {
  const { group, level, primary, others } = listed;
  const related = others.slice(0, maxRelated);
  const ruleId = ruleIds[group.kind];
  return {
    ruleId,
    ruleIndex: Object.keys(rules).indexOf(ruleId),
    level,
    message: { text: messageOf(listed, surroundings) },
    locations: [locationOf(group, primary, surroundings)],
    ...(related.length > 0 && {
      relatedLocations: related.map((passage, place) => ({
        id: place + 1,
        ...locationOf(group, passage, surroundings),
        message: { text: 'Copy' },
      })),
    }),
    partialFingerprints: { 'kindredGroup/v1': group.id },
    ...(hasBase(report) && { baselineState: group.isNew ? 'new' : 'unchanged' }),
    // In SARIF, an empty array means that the result is not suppressed. A missing array means that this is unknown.
    suppressions: suppressionsOf(listed),
    properties: {
      category: group.category,
      type: group.type,
      similarity: group.similarity,
      copies: group.passages.length,
      lines: group.lines,
      tokens: group.tokens,
      worth: group.worth,
    },
  };
}

/** Returns the result for an edited copy, with links to the copies that were not edited. */
function resultOfEdited(edited: ListedEdit, surroundings: Surroundings): Result {
  const { group, copy, others } = edited;
  const related = others.slice(0, maxRelated);
  return {
    ruleId: 'diverged-copy',
    ruleIndex: Object.keys(rules).indexOf('diverged-copy'),
    level: 'warning',
    message: { text: escaped(`${editedMessage(edited, surroundings)}.`) },
    locations: [locationOfLines(copy, surroundings)],
    relatedLocations: related.map((place, at) => ({
      id: at + 1,
      ...locationOfLines(place, surroundings),
      message: { text: 'Not edited' },
    })),
    partialFingerprints: { 'kindredDiverged/v1': `${group.id} ${copy.path}` },
    baselineState: 'new',
    suppressions: [],
    properties: { diff: copy.diff.join('\n') },
  };
}

function locationOfLines({ path, startLine, endLine }: Place, { prefix }: Surroundings): Location {
  const artifactLocation = { uri: uriOf(prefix + path), uriBaseId: '%SRCROOT%' };
  return { physicalLocation: { artifactLocation, region: { startLine, endLine } } };
}

function uriOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

function suppressionsOf({ group: { ignored } }: ListedGroup): NonNullable<Result['suppressions']> {
  if (ignored === undefined) return [];
  return [
    {
      kind: ignored.by === 'comment' ? 'inSource' : 'external',
      status: 'accepted',
      ...(ignored.reason !== undefined && { justification: ignored.reason }),
    },
  ];
}

/** Returns a message with links to the first other copies. A link refers to the id of a related location. */
function messageOf({ group, others }: ListedGroup, { prefix }: Surroundings): string {
  const links = others
    .slice(0, maxLinks)
    .map((passage, place) => `[${escaped(prefix + nameOf(group, passage))}](${place + 1})`);
  const more = others.length - links.length;
  const copies =
    more > 0 ? `${links.join(', ')} and ${number(more)} more` : links.join(', ').replace(/, (\[[^[]*)$/, ' and $1');
  return `${titleOf(group)}. Copies: ${copies}.`;
}

/** Escapes brackets, which are link syntax in messages (SARIF 2.1.0, section 3.11.6). */
function escaped(text: string): string {
  return text.replaceAll(/[\\[\]]/g, '\\$&');
}

function locationOf(group: Group, passage: Passage, { prefix }: Surroundings): Location {
  const uri = uriOf(prefix + passage.path);
  const { startLine, startColumn, endLine, endColumn } = passage;
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      // The result for a whole file is at its first line.
      region: group.kind === 'file' ? { startLine: 1 } : { startLine, startColumn, endLine, endColumn },
    },
  };
}

const help =
  'The passages were probably copied from each other. A change to one, such as the fix of a bug, may be needed in the others as well.\n\n' +
  'Move what they have in common to one place, or decide that they may differ and ignore the group with a reason.';

const rules: Readonly<Record<RuleId, ReportingDescriptor>> = {
  'duplicate-code': rule(
    'duplicate-code',
    'Duplicate code',
    'Code that occurs in several places, exactly or with edits.',
  ),
  'duplicate-text': rule(
    'duplicate-text',
    'Duplicate text',
    'Text that occurs in several places, exactly or with edits.',
  ),
  'duplicate-file': rule(
    'duplicate-file',
    'Duplicate file',
    'Files that are identical or nearly identical, or one of which contains the other.',
  ),
  'diverged-copy': rule(
    'diverged-copy',
    'Diverged copy',
    'A copy that was edited while other copies of it were not, which may lack the edit.',
  ),
};

function rule(id: RuleId, name: string, about: string): ReportingDescriptor {
  return {
    id,
    name: name.replace(/ (\w)/, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: name },
    fullDescription: { text: about },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: 'warning' },
    properties: { tags: ['maintainability', 'duplication'], precision: 'high', 'problem.severity': 'recommendation' },
  };
}
