import path from 'node:path';
import { causeOf, isSystemError } from '../../scan/io/systemErrors.ts';
import { coloursFor, plain } from './colours.ts';
import type { Destination, FormatName } from './formats/destinations.ts';
import { prefixFor, type Surroundings } from './formats/listed.ts';
import { renderAs } from './formats/render.ts';
import { beginFile, type Output, type PendingFile, type Streams, writeTo } from './output.ts';
import { printable } from '../../presentation/wording/printable.ts';
import { renderSummary } from './formats/textSummary.ts';
import type { TextView } from './formats/text.ts';
import type { Extent } from './scanArguments.ts';
import { isChecked, type ScanReport } from './scanReport.ts';
import { wrapLines } from './wrapLines.ts';

/** A destination of a report, with the temporary file that will be moved there. */
export interface BegunOutput {
  readonly destination: Destination;
  readonly file: PendingFile | undefined;
}

/** Creates temporary files for all destinations. If one fails, removes the others and returns an error message. */
export function beginFiles(
  destinations: readonly Destination[],
): readonly BegunOutput[] | { readonly problem: string } {
  const begun: BegunOutput[] = [];
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

export function discardFiles(begun: readonly BegunOutput[]): void {
  for (const { file } of begun) file?.discard();
}

/** Returns true if an absolute path is a destination of the report. Such files are not scanned. */
export function isReport(begun: readonly BegunOutput[], name: string): boolean {
  return begun.some(({ destination, file }) => {
    return file !== undefined && (file.name === name || path.resolve(destination.file!) === name);
  });
}

/**
 * Writes the report to all destinations. If none of them is standard output, prints a summary there with the names of
 * the files. Returns an error message if writing fails.
 */
export async function deliver(
  report: ScanReport,
  begun: readonly BegunOutput[],
  extent: Extent,
  { stdout, env }: Pick<Streams, 'stdout' | 'env'>,
): Promise<string | undefined> {
  const view = viewOf({ stdout, env }, extent);
  const surroundings: Surroundings = { prefix: prefixFor(report.root, view.from), environment: env };
  const unwritten = await writeReports(begun, view, stdout, (format, of) => renderAs(format, report, of, surroundings));
  if (unwritten !== undefined) return unwritten;
  const problem = begun.some(({ destination }) => destination.format === 'github')
    ? await writeStepSummary(report, surroundings)
    : undefined;
  const summary = async (): Promise<Iterable<string>> => {
    const pieces = isChecked(report)
      ? (await import('./check/renderCheck.ts')).renderVerdict(report, view)
      : renderSummary(report, view);
    return forTerminal(pieces, view);
  };
  await summarize(begun, stdout, summary);
  return problem;
}

/** Returns the display options for the user's terminal. */
export function viewOf({ stdout, env }: Pick<Streams, 'stdout' | 'env'>, extent: Extent): TextView {
  const { columns } = stdout;
  // Do not wrap lines in the terminal of VS Code, because the problem matcher `$kindred` expects headings on one line.
  const wrapAt = env['TERM_PROGRAM'] === 'vscode' ? undefined : columns;
  return { colours: coloursFor(stdout, env), width: columns || 100, wrapAt, ...extent, from: process.cwd() };
}

/**
 * Writes a report to its destinations. Returns an error message if writing fails.
 *
 * @param view      display options for standard output; files have no colors
 * @param renderIn  yields the text of the report in the given format
 */
export async function writeReports(
  begun: readonly BegunOutput[],
  view: TextView,
  stdout: Output,
  renderIn: (format: FormatName, view: TextView) => Promise<Iterable<string>>,
): Promise<string | undefined> {
  for (const { destination, file } of begun) {
    if (file === undefined) {
      const pieces = await renderIn(destination.format, view);
      await writeTo(stdout, destination.format === 'text' ? forTerminal(pieces, view) : pieces);
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

function forTerminal(pieces: Iterable<string>, { wrapAt }: TextView): Iterable<string> {
  return wrapAt ? wrapLines(pieces, wrapAt) : pieces;
}

/** If no report goes to standard output, prints a summary there with the names of the files. */
export async function summarize(
  begun: readonly BegunOutput[],
  stdout: Output,
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
