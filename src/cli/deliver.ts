/** Writes a report to where it was asked for, in each format. */
import path from 'node:path';
import { causeOf, isSystemError } from '../io/systemErrors.ts';
import { coloursFor, plain } from './colours.ts';
import type { Destination, FormatName } from './formats/destinations.ts';
import { prefixFor, type Surroundings } from './formats/listed.ts';
import { renderAs } from './formats/render.ts';
import { beginFile, type PendingFile, writeTo } from './output.ts';
import { printable } from './printable.ts';
import { renderSummary } from './renderSummary.ts';
import type { TextView } from './renderText.ts';
import type { Extent } from './scanArguments.ts';
import { isChecked, type ScanReport } from './scanReport.ts';

/** A destination with its file, which lies beside its place until it is whole. */
export interface Begun {
  readonly destination: Destination;
  readonly file: PendingFile | undefined;
}

/** Begins the files of all destinations; when one cannot be written to, says why and leaves none. */
export function beginFiles(destinations: readonly Destination[]): readonly Begun[] | { readonly problem: string } {
  const begun: Begun[] = [];
  for (const destination of destinations) {
    const file = destination.file === undefined ? undefined : beginFile(destination.file);
    if (file && 'problem' in file) {
      discardFiles(begun);
      return { problem: `${destination.option}: ${file.problem}` };
    }
    begun.push({ destination, file });
  }
  return begun;
}

/** Removes those that are not whole. */
export function discardFiles(begun: readonly Begun[]): void {
  for (const { file } of begun) file?.discard();
}

/** Whether a file, by its absolute path, is one that the report goes to: it is no source. */
export function isReport(begun: readonly Begun[], name: string): boolean {
  return begun.some(({ destination, file }) => {
    return file !== undefined && (file.name === name || path.resolve(destination.file!) === name);
  });
}

/**
 * Writes the report everywhere. When nothing else goes to standard output, the summary does, with the names of the files.
 * Returns why a report could not be written.
 */
export async function deliver(
  report: ScanReport,
  begun: readonly Begun[],
  extent: Extent,
  { stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>,
): Promise<string | undefined> {
  const view = viewOf({ stdout, env }, extent);
  const surroundings: Surroundings = { prefix: prefixFor(report.root, view.from), environment: env };
  const unwritten = await writeReports(begun, view, stdout, (format, of) => renderAs(format, report, of, surroundings));
  if (unwritten !== undefined) return unwritten;
  const problem = begun.some(({ destination }) => destination.format === 'github')
    ? await writeStepSummary(report, surroundings)
    : undefined;
  const summary = async (): Promise<Iterable<string>> =>
    isChecked(report)
      ? (await import('./check/renderCheck.ts')).renderVerdict(report, view)
      : renderSummary(report, view);
  await summarize(begun, stdout, summary);
  return problem;
}

/** How text looks where the person is. */
export function viewOf({ stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>, extent: Extent): TextView {
  return { colours: coloursFor(stdout, env), width: stdout.columns || 100, ...extent, from: process.cwd() };
}

/**
 * Writes a report in each format to its place. Returns why one could not be written.
 *
 * @param view      of standard output; in a file text has no colours
 * @param renderIn  the report in a format, in pieces
 */
export async function writeReports(
  begun: readonly Begun[],
  view: TextView,
  stdout: NodeJS.Process['stdout'],
  renderIn: (format: FormatName, view: TextView) => Promise<Iterable<string>>,
): Promise<string | undefined> {
  for (const { destination, file } of begun) {
    if (file === undefined) {
      await writeTo(stdout, await renderIn(destination.format, view));
      continue;
    }
    const pieces = await renderIn(destination.format, { ...view, colours: plain, width: 100 });
    try {
      file.write(pieces);
      file.commit();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      return `cannot write the report to ${destination.file} (${causeOf(error)}).`;
    }
  }
  return undefined;
}

/** When nothing else goes to standard output, writes a summary there, with the names of the files. */
export async function summarize(
  begun: readonly Begun[],
  stdout: NodeJS.Process['stdout'],
  summary: () => Promise<Iterable<string>>,
): Promise<void> {
  if (begun.some(({ file }) => file === undefined)) return;
  const places = begun.map(({ destination }) => printable(destination.file!));
  await writeTo(stdout, [...(await summary()), `Report written to ${places.join(', ')}.\n`]);
}

async function writeStepSummary(report: ScanReport, surroundings: Surroundings): Promise<string | undefined> {
  const { appendSummary } = await import('./formats/github.ts');
  try {
    appendSummary(report, surroundings);
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `cannot write the summary of the step (${causeOf(error)}).`;
  }
}
