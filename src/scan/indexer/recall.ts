/** Reuses results of an earlier scan that are still valid: the stored report, or the documents of unchanged files. */
import { nextTurn } from '../../core/collections/threads.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { isSameStamp, type ListedFile, type ScanListing } from '../io/sources.ts';
import { type FileFetcher, withContents } from './remoteFiles.ts';
import type { StoredDocuments } from './documentsFile.ts';
import { endOf } from './endOf.ts';
import type { StoredFindings } from './findingsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import type { IndexStore, WeightOrigin } from './indexStore.ts';

export interface RecalledIndex {
  readonly kernel: Kernel;
  /** Unchanged files, with their stored documents. */
  readonly kept: readonly IndexedFile[];
  /** Files that must be read, and the digests of their stored texts. */
  readonly files: readonly ListedFile[];
  readonly digests: BigUint64Array | undefined;
  /** All stored documents. They have been loaded into kernel memory. */
  readonly documents: StoredDocuments | undefined;
}

/** The files of a scan. `fetch` reads those that were listed without their bytes. */
export interface ListedFiles extends ScanListing {
  readonly fetch: FileFetcher | undefined;
  readonly reader: SourceReader;
}

/**
 * Conditions under which the stored report may be used. `undefined` if it must not be used, for example because the
 * scan also compares texts in memory.
 */
export type ReportCondition = { readonly weighing: WeightOrigin } | undefined;

/**
 * Returns everything stored that a scan can reuse: the stored report if it is still valid; otherwise, the documents of
 * unchanged files.
 *
 * @param maxBytes  maximum size of the stored documents. If they are larger, they were stored with a larger memory
 *   budget, and are not loaded
 */
export async function recall(
  store: IndexStore | undefined,
  { fetch, ...listed }: ListedFiles,
  reportCondition: ReportCondition,
  maxBytes: number,
  cancelled: () => boolean,
): Promise<RecalledIndex | StoredFindings> {
  const recalled = await recallStored(store, listed, reportCondition, maxBytes, cancelled);
  return 'findings' in recalled
    ? recalled
    : { ...recalled, files: await withContents(recalled.files, fetch, cancelled) };
}

async function recallStored(
  store: IndexStore | undefined,
  { files, skipped, reader }: Omit<ListedFiles, 'fetch'>,
  reportCondition: ReportCondition,
  maxBytes: number,
  cancelled: () => boolean,
): Promise<RecalledIndex | StoredFindings> {
  const kernel = new Kernel(createMemory());
  const nothing = { kernel, kept: [], files, documents: undefined };
  if (store === undefined) return { ...nothing, digests: undefined };
  const documents = store.openDocuments();
  if (documents === undefined) return { ...nothing, digests: new BigUint64Array(files.length) };
  try {
    const sorted = await sortOut(files, documents, reader, cancelled);
    const recalled = (): IndexedFile[] => sorted.kept.map((path) => documents.fileOf(path));
    // A canceled listing may be empty. It must not be mistaken for an empty folder with a stored report.
    if (sorted.files.length === 0 && reportCondition !== undefined && !cancelled()) {
      const files = recalled();
      const findings = store.findingsOf(files, skipped, reportCondition.weighing);
      if (findings !== undefined) return findings;
    }
    const anew = { ...nothing, digests: new BigUint64Array(files.length) };
    if (documents.sizeBytes() > maxBytes) return anew;
    const loaded = await endOf(documents.loadSteps(kernel), { cancelled });
    if (loaded === undefined) return anew;
    if (loaded.result) return { kernel, ...sorted, kept: recalled(), documents };
    store.damaged('documents', 'its content is damaged');
    return anew;
  } finally {
    documents.close();
  }
}

interface SortedFiles {
  /** Paths of files that have not changed since they were stored. */
  readonly kept: readonly string[];
  /** All other files, and for each file the digest of its stored text, or 0 if no text is stored. */
  readonly files: readonly ListedFile[];
  readonly digests: BigUint64Array;
}

/** Number of files to check between two yields to the event loop. Checking them takes a few milliseconds. */
const filesAtOnce = 1_000;

/**
 * Separates unchanged files from the others by their stamps, without opening files. After a cancellation, all files
 * that were not checked yet are treated as changed.
 */
async function sortOut(
  listed: readonly ListedFile[],
  stored: StoredDocuments,
  reader: SourceReader,
  cancelled: () => boolean,
): Promise<SortedFiles> {
  const kept: string[] = [];
  const files: ListedFile[] = [];
  const digests: bigint[] = [];
  for (const [place, file] of listed.entries()) {
    if (place % filesAtOnce === filesAtOnce - 1) await nextTurn();
    const before = stored.stampOf(file.path);
    const now = before === undefined || cancelled() ? undefined : reader.stampOf(file);
    if (isSameStamp(before?.stamp, now)) {
      kept.push(file.path);
    } else {
      files.push(file);
      digests.push(before?.digest ?? 0n);
    }
  }
  return { kept, files, digests: BigUint64Array.from(digests) };
}
