/** Type of an indexed file, for scans, live updates, and the index store. */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import type { Skipped } from '../../core/engine/report/report.ts';
import type { FileStamp } from '../io/sources.ts';

/** An indexed file, or the reason why it was skipped. */
export interface IndexedFile {
  readonly path: string;
  readonly content: DocumentIndex | Skipped;
  /** Digest of the text; 0 if the file was skipped, or if digests are not needed. */
  readonly digest: bigint;
  /** Stamp of the file on disk; `undefined` if the text differs from it. Such files are not stored. */
  readonly stamp: FileStamp | undefined;
}
