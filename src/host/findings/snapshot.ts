/** A report as the views need it: with the folders that its paths belong to. */
import { type Packed, readReport, type Report } from '../../client/report.ts';
import type { Folders } from '../workspace/folders.ts';

/** One report, and what is needed to read it. */
export interface Snapshot extends Report {
  /** The folders its paths belong to. */
  readonly folders: Folders;
}

/** The snapshot of a report; undefined when `readReport` has none. */
export async function makeSnapshot(
  packed: Packed,
  folders: Folders,
  before: Snapshot | undefined,
): Promise<Snapshot | undefined> {
  const report = await readReport(packed, before);
  return report && { ...report, folders };
}
