/**
 * The stored report of an index: the file NAME.findings. All pieces are JSON. The first one contains the report without
 * its groups, and digests of its inputs. Each of the others is a list of groups.
 */
import type { Findings, Group } from '../../core/engine/report/report.ts';
import { isPossibleReport } from '../../core/engine/report/isPossible.ts';
import type { CheckedFile } from '../io/checkedFile.ts';

/** A report, the digest of the compared files (`digestOfContents`), and the digest of its idf table. */
export interface StoredFindings {
  readonly findings: Findings;
  readonly contents: bigint;
  readonly idfTable: bigint;
}

interface StoredSummary extends Pick<Findings, 'totals' | 'files' | 'folders' | 'skipped'> {
  /** Digests as hexadecimal numbers. */
  readonly contents: string;
  readonly idfTable: string;
}

/** Maximum number of groups in a piece, so that its JSON has only some megabytes. */
const groupsOfPiece = 4_000;

export function* findingsPieces({ findings, contents, idfTable }: StoredFindings): Generator<Uint8Array> {
  const { totals, skipped, groups, files, folders } = findings;
  const digests = { contents: contents.toString(16), idfTable: idfTable.toString(16) };
  const summary: StoredSummary = { ...digests, totals, files, folders, skipped };
  const encoder = new TextEncoder();
  yield encoder.encode(JSON.stringify(summary));
  for (let start = 0; start < groups.length; start += groupsOfPiece) {
    yield encoder.encode(JSON.stringify(groups.slice(start, start + groupsOfPiece)));
  }
}

/** Returns the stored report, or `undefined` if the stored file is damaged or the report is invalid. */
export function readFindings(file: CheckedFile): StoredFindings | undefined {
  const decoder = new TextDecoder();
  const pieces: unknown[] = [];
  for (const [place, size] of file.sizes.entries()) {
    const bytes = new Uint8Array(size);
    if (!file.read(place, bytes)) return undefined;
    pieces.push(JSON.parse(decoder.decode(bytes)));
  }
  const { contents, idfTable, ...rest } = pieces[0] as StoredSummary;
  const groups = (pieces.slice(1) as Group[][]).flat();
  const findings: unknown = { ...rest, complete: true, groups };
  if (!isPossibleReport(findings)) return undefined;
  return { contents: BigInt(`0x${contents}`), idfTable: BigInt(`0x${idfTable}`), findings };
}
