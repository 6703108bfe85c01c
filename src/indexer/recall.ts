/** What is stored of an earlier scan and still holds: the whole report, or the files that are as they were. */
import { setImmediate } from 'node:timers/promises';
import { createMemory, Kernel } from '../engine/kernel.ts';
import { stampOf } from '../io/readSource.ts';
import { isSameStamp, type ListedFile, type ScanListing } from '../io/sources.ts';
import { type Fetch, withContents } from './remoteFiles.ts';
import type { StoredDocuments } from './documentsFile.ts';
import { endOf } from './endOf.ts';
import type { StoredFindings } from './findingsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import { digestOfContents, type IndexStore, type Weighing } from './indexStore.ts';

/** What a scan begins with. */
export interface Recalled {
  readonly kernel: Kernel;
  /** Files that need not be read, and what is stored of them. */
  readonly kept: readonly IndexedFile[];
  /** Those to be read, and the digests that are stored of them. */
  readonly files: readonly ListedFile[];
  readonly digests: BigUint64Array | undefined;
  /** All that is stored, in the kernel's memory. */
  readonly documents: StoredDocuments | undefined;
}

/** What there is, and what reads those that are listed without their bytes. */
export interface ListedFiles extends ScanListing {
  readonly fetch: Fetch | undefined;
}

/** What a report is wanted for: undefined when one that is stored does not do, for texts are compared besides, say. */
export type ReportWanted = { readonly weighing: Weighing } | undefined;

/**
 * What a scan of a listing begins with, or the report that holds.
 *
 * @param mostBytes  an index that is larger, since it was made within a larger budget, is not loaded
 */
export async function recall(
  store: IndexStore | undefined,
  { fetch, ...listed }: ListedFiles,
  wanted: ReportWanted,
  mostBytes: number,
  cancelled: () => boolean,
): Promise<Recalled | StoredFindings> {
  const recalled = await recallStored(store, listed, wanted, mostBytes, cancelled);
  return 'findings' in recalled
    ? recalled
    : { ...recalled, files: await withContents(recalled.files, fetch, cancelled) };
}

async function recallStored(
  store: IndexStore | undefined,
  { files, skipped }: ScanListing,
  wanted: ReportWanted,
  mostBytes: number,
  cancelled: () => boolean,
): Promise<Recalled | StoredFindings> {
  const kernel = new Kernel(createMemory());
  const nothing = { kernel, kept: [], files, documents: undefined };
  if (store === undefined) return { ...nothing, digests: undefined };
  const documents = store.openDocuments();
  if (documents === undefined) return { ...nothing, digests: new BigUint64Array(files.length) };
  try {
    const sorted = await sortOut(files, documents, cancelled);
    const recalled = (): IndexedFile[] => sorted.kept.map((path) => documents.fileOf(path));
    // A listing that was cancelled may have no file, as the stored report of an empty folder has none.
    if (sorted.files.length === 0 && wanted !== undefined && !cancelled()) {
      const files = recalled();
      const findings = store.findingsOf(digestOfContents(files, skipped), files, wanted.weighing);
      if (findings !== undefined) return findings;
    }
    const anew = { ...nothing, digests: new BigUint64Array(files.length) };
    if (documents.sizeBytes > mostBytes) return anew;
    const loaded = await endOf(documents.loadSteps(kernel), { cancelled });
    if (loaded === undefined) return anew;
    if (loaded.result) return { kernel, ...sorted, kept: recalled(), documents };
    store.damaged('documents', 'its content is damaged');
    return anew;
  } finally {
    documents.close();
  }
}

/** Files of a listing, by whether they have to be read. */
interface SortedFiles {
  /** Paths of files that are as they were when they were stored. */
  readonly kept: readonly string[];
  /** The others, and the digest that is stored of each: 0 where none is. */
  readonly files: readonly ListedFile[];
  readonly digests: BigUint64Array;
}

/** Files that are looked at before anything else gets its turn: some milliseconds' worth. */
const filesAtOnce = 1_000;

/** Sorts files by their stamps, without opening them. When it is cancelled, the rest counts as changed. */
async function sortOut(
  listed: readonly ListedFile[],
  stored: StoredDocuments,
  cancelled: () => boolean,
): Promise<SortedFiles> {
  const kept: string[] = [];
  const files: ListedFile[] = [];
  const digests: bigint[] = [];
  for (const [place, file] of listed.entries()) {
    if (place % filesAtOnce === filesAtOnce - 1) await setImmediate();
    const before = stored.stampOf(file.path);
    const now = before === undefined || cancelled() ? undefined : stampOf(file);
    if (isSameStamp(before?.stamp, now)) {
      kept.push(file.path);
    } else {
      files.push(file);
      digests.push(before?.digest ?? 0n);
    }
  }
  return { kept, files, digests: BigUint64Array.from(digests) };
}
