/** Reuses stored results of an earlier scan that are still valid: the whole report, or unchanged files. */
import { nextTurn } from '../../core/collections/threads.ts';
import { createMemory, Kernel } from '../../core/engine/kernel.ts';
import type { SourceReader } from '../io/sourceReader.ts';
import { isSameStamp, type ListedFile, type ScanListing } from '../io/sources.ts';
import { type Fetch, withContents } from './remoteFiles.ts';
import type { StoredDocuments } from './documentsFile.ts';
import { endOf } from './endOf.ts';
import type { StoredFindings } from './findingsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import { digestOfContents, type IndexStore, type Weighing } from './indexStore.ts';

export interface Recalled {
  readonly kernel: Kernel;
  /** Files that need not be read, with their stored state. */
  readonly kept: readonly IndexedFile[];
  /** Files to be read, and their stored digests. */
  readonly files: readonly ListedFile[];
  readonly digests: BigUint64Array | undefined;
  /** All stored documents, in kernel memory. */
  readonly documents: StoredDocuments | undefined;
}

/** Listed files, and the reader of those that are listed without their bytes. */
export interface ListedFiles extends ScanListing {
  readonly fetch: Fetch | undefined;
  readonly reader: SourceReader;
}

/** Requirements for a stored report; `undefined` if it cannot be used, for example because texts are compared too. */
export type ReportWanted = { readonly weighing: Weighing } | undefined;

/**
 * Returns the starting point of a scan, or the stored report if it is still valid.
 *
 * @param maxBytes  a larger index, made with a larger budget, is not loaded
 */
export async function recall(
  store: IndexStore | undefined,
  { fetch, ...listed }: ListedFiles,
  wanted: ReportWanted,
  maxBytes: number,
  cancelled: () => boolean,
): Promise<Recalled | StoredFindings> {
  const recalled = await recallStored(store, listed, wanted, maxBytes, cancelled);
  return 'findings' in recalled
    ? recalled
    : { ...recalled, files: await withContents(recalled.files, fetch, cancelled) };
}

async function recallStored(
  store: IndexStore | undefined,
  { files, skipped, reader }: Omit<ListedFiles, 'fetch'>,
  wanted: ReportWanted,
  maxBytes: number,
  cancelled: () => boolean,
): Promise<Recalled | StoredFindings> {
  const kernel = new Kernel(createMemory());
  const nothing = { kernel, kept: [], files, documents: undefined };
  if (store === undefined) return { ...nothing, digests: undefined };
  const documents = store.openDocuments();
  if (documents === undefined) return { ...nothing, digests: new BigUint64Array(files.length) };
  try {
    const sorted = await sortOut(files, documents, reader, cancelled);
    const recalled = (): IndexedFile[] => sorted.kept.map((path) => documents.fileOf(path));
    // A cancelled listing may be empty, and must not match the stored report of an empty folder.
    if (sorted.files.length === 0 && wanted !== undefined && !cancelled()) {
      const files = recalled();
      const findings = store.findingsOf(digestOfContents(files, skipped), files, wanted.weighing);
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
  /** The other files, and the stored digest of each: 0 if there is none. */
  readonly files: readonly ListedFile[];
  readonly digests: BigUint64Array;
}

/** Files checked before yielding: a few milliseconds. */
const filesAtOnce = 1_000;

/** Sorts files by their stamps, without opening them. If it is cancelled, the rest counts as changed. */
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
