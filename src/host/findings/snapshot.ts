/** A report with the folders of its paths, as the views need it. */
import { type Packed, readReport, type Report } from '../../session/report.ts';
import type { Folders } from '../workspace/folders.ts';

export interface Snapshot extends Report {
  readonly folders: Folders;
}

/** Returns the snapshot of a report; `undefined` if `readReport` returns none. */
export async function makeSnapshot(
  packed: Packed,
  folders: Folders,
  before: Snapshot | undefined,
): Promise<Snapshot | undefined> {
  const report = await readReport(packed, before);
  return report && { ...report, folders };
}
