/** `kindred org scan`: finds near-duplicates across all repositories. */
import type { OrgScanArguments } from '../orgArguments.ts';
import { writeTo } from '../output.ts';
import { renderAsJson, renderAsText } from './renderScan.ts';
import type { OrgOutcome } from './runOrg.ts';
import { type OrgSession, scanThread } from './session.ts';

export async function scanOrganisation(given: OrgScanArguments, session: OrgSession): Promise<OrgOutcome> {
  const { index, progress, interrupted } = session;
  const monitor = { onProgress: progress, cancelled: interrupted };
  const compared = await index.compare({ scanThread, monitor, workers: given.workers });
  if (compared === undefined) {
    await session.tell(['interrupted; the index is unchanged.']);
    return session.interruptedCode();
  }
  const report = { ...compared, version: session.version };
  await writeTo(session.stdout, given.format === 'json' ? renderAsJson(report) : renderAsText(report, given));
  return 0;
}
