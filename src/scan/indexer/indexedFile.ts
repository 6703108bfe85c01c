/** An indexed file, as used by scans, live updates, and the stored index. */
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import type { SkippedFile } from '../../core/engine/report/report.ts';
import type { FileStamp } from '../io/sources.ts';

export interface IndexedFile {
  readonly path: string;
  readonly content: DocumentIndex | SkippedFile;
  /** Digest of the text, or 0 if the file was skipped or digests are not needed. */
  readonly digest: bigint;
  /** Stamp of the file on disk. `undefined` if the indexed text differs from the file; then it is not stored. */
  readonly stamp: FileStamp | undefined;
}
