/** What is known of a file of a scan: for a scan to compare, for what follows it up, and for what stores it. */
import type { DocumentIndex } from '../engine/documents/documents.ts';
import type { Skipped } from '../engine/report/report.ts';
import type { FileStamp } from '../io/sources.ts';

/** A file as it was indexed, or the reason why it was left out. */
export interface IndexedFile {
  readonly path: string;
  readonly content: DocumentIndex | Skipped;
  /** The digest of the text; 0 when it was left out, or nobody asked. */
  readonly digest: bigint;
  /** Undefined for what is not on disk as it is here: such a one is not stored. */
  readonly stamp: FileStamp | undefined;
}
