/** Writes a report to where it was asked for, in each format. */
import path from 'node:path';
import { causeOf, isSystemError } from '../io/systemErrors.ts';
import { coloursFor, plain } from './colours.ts';
import type { Destination } from './formats/destinations.ts';
import { prefixFor, type Surroundings } from './formats/listed.ts';
import { renderAs } from './formats/render.ts';
import { beginFile, type PendingFile, writeTo } from './output.ts';
import { printable } from './printable.ts';
import { renderSummary } from './renderSummary.ts';
import type { TextView } from './renderText.ts';
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
  extent: Pick<TextView, 'folders' | 'rows' | 'inFolders' | 'all'>,
  { stdout, env }: Pick<NodeJS.Process, 'stdout' | 'env'>,
): Promise<string | undefined> {
  const current = process.cwd();
  const view: TextView = { colours: coloursFor(stdout, env), width: stdout.columns || 100, ...extent, from: current };
  const surroundings: Surroundings = { prefix: prefixFor(report.root, current), environment: env };
  for (const { destination, file } of begun) {
    const { format } = destination;
    if (file === undefined) {
      await writeTo(stdout, await renderAs(format, report, view, surroundings));
    } else {
      const pieces = await renderAs(format, report, { ...view, colours: plain, width: 100 }, surroundings);
      try {
        file.write(pieces);
        file.commit();
      } catch (error) {
        if (!isSystemError(error)) throw error;
        return `cannot write the report to ${destination.file} (${causeOf(error)}).`;
      }
    }
  }
  const problem = begun.some(({ destination }) => destination.format === 'github')
    ? await writeStepSummary(report, surroundings)
    : undefined;
  if (begun.every(({ file }) => file !== undefined)) {
    const places = begun.map(({ destination }) => printable(destination.file!));
    const summary = isChecked(report)
      ? (await import('./check/renderCheck.ts')).renderVerdict(report, view)
      : renderSummary(report, view);
    await writeTo(stdout, [...summary, `Report written to ${places.join(', ')}.\n`]);
  }
  return problem;
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
