/**
 * Writes GitHub Actions annotations as workflow commands. GitHub shows only 10 annotations of each kind per step, so
 * only the first groups are annotated. The step summary contains all groups.
 */
import { appendFileSync, statSync } from 'node:fs';
import { printableLines } from '../../../presentation/wording/printable.ts';
import { incompleteTitle, type ScanReport, uncomparedIn } from '../scanReport.ts';
import { editedCopies, editedMessage, editedTitle } from './edited.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { subjectOf } from './groupTitle.ts';
import { type ListedGroup, openGroups, othersOf, type Surroundings, withoutOld } from './listed.ts';
import { renderMarkdown } from './markdown.ts';

/**
 * Maximum number of annotations of each kind: errors, warnings, and notices. GitHub also has a limit of 50 per job,
 * which includes those of other tools.
 */
const maxPerKind = 10;
/** Maximum number of annotations of all kinds together. */
const maxAnnotations = 20;
/** Maximum size of a step summary in bytes. GitHub rejects larger summaries entirely. */
const maxSummaryBytes = 1_048_576;
const maxNamed = 5;

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

export function* renderGithub(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const left = { error: maxPerKind, warning: maxPerKind, note: 0 };
  const uncompared = uncomparedIn(report);
  if (uncompared !== undefined) {
    const level = report.check?.holds === false ? 'error' : 'warning';
    left[level]--;
    yield command(level, { title: incompleteTitle }, `${uncompared}.`);
  }
  const annotated = withoutOld(openGroups(report), report).filter(({ level }) => left[level]-- > 0);
  for (const listed of annotated.slice(0, maxAnnotations)) yield annotationOf(listed, surroundings);
  for (const edited of editedCopies(report).slice(0, Math.max(0, left.warning))) {
    const { path, startLine, endLine } = edited.copy;
    const properties = { file: surroundings.prefix + path, line: startLine, endLine, title: editedTitle };
    yield command('warning', properties, editedMessage(edited, surroundings));
  }
}

function annotationOf(listed: ListedGroup, surroundings: Surroundings): string {
  const { group, primary, level } = listed;
  const isFile = group.kind === 'file';
  const properties = {
    file: surroundings.prefix + primary.path,
    line: isFile ? 1 : primary.startLine,
    endLine: isFile ? 1 : primary.endLine,
    title: `${group.isNew ? 'New: ' : ''}${kindOf(group)}`,
  };
  const message = `${subjectOf(group)}; also in ${othersOf(listed, surroundings, maxNamed)}`;
  return command(commands[level], properties, message);
}

function command(name: string, properties: Readonly<Record<string, string | number>>, message: string): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return printableLines(`::${name} ${written.join(',')}::${escapeData(message)}\n`);
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Appends the report to the summary of the step, if GitHub provides a file for it.
 *
 * @throws a system error if the file cannot be written
 */
export function appendSummary(report: ScanReport, surroundings: Surroundings): void {
  const file = surroundings.environment['GITHUB_STEP_SUMMARY'];
  if (!file) return;
  const there = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const text = [...renderMarkdown(report, surroundings)].join('');
  if (there + Buffer.byteLength(text) <= maxSummaryBytes) appendFileSync(file, text);
}
