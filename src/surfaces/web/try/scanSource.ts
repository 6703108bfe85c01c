/** Reads the files of a folder or archive, and scans them with the library. */
import { textOfCells } from '../../../core/engine/languages/notebook.ts';
import type { SkippedFile } from '../../../core/engine/report/report.ts';
import { type Scan, scan } from '../../../library/scan.ts';
import { judgeBytes, maxBytesOf, tooLarge } from '../../../scan/io/judgeContent.ts';
import { changeOptions } from '../../../scan/io/configuration.ts';
import type { Project } from './projectFile.ts';
import type { Problem, Progress, ScanRequest, ScanResult, ScanSource } from './messages.ts';
import { reasonOf, zipFiles } from './zipFiles.ts';

/** Maximum size in bytes of an archive, and of all texts. Their index needs three to four times as much memory. */
const maxTotalBytes = 256 * 2 ** 20;

/** Number of files to read concurrently, because each read waits for the disk. */
const filesAtOnce = 32;
/** Minimum time in milliseconds between two progress messages. */
const progressEveryMs = 100;

export interface ScannedSource {
  readonly scan: Scan;
  readonly result: ScanResult;
}

interface Readable {
  readonly path: string;
  readonly sizeBytes: number;
  readonly read: () => Promise<Uint8Array>;
}

interface Sources {
  readonly name: string;
  readonly files: readonly Readable[];
  readonly skipped: readonly SkippedFile[];
  readonly project: Project;
}

/** @param report  called with the progress */
export async function scanSource(
  { source, options }: ScanRequest,
  report: (progress: Progress) => void,
): Promise<ScannedSource | Problem> {
  const sources = await sourcesOf(source);
  if ('type' in sources) return sources;
  const { name, files, project } = sources;
  const progress = new Reporter(report, files.length);
  const skipped = [...sources.skipped];
  const texts: { readonly path: string; readonly text: Uint8Array }[] = [];
  for (let first = 0; first < files.length; first += filesAtOnce) {
    progress.send('reading', first);
    const some = files.slice(first, first + filesAtOnce);
    for (const [place, text] of (await Promise.all(some.map((file) => textOf(file, project)))).entries()) {
      const { path } = some[place]!;
      if ('reason' in text) skipped.push({ path, ...text });
      else texts.push({ path, text: text.bytes });
    }
  }
  if (texts.length === 0) return { type: 'nothing', skipped };
  const done = scan(progress.through(texts), changeOptions(project.options, options));
  return {
    scan: done,
    result: {
      name,
      findings: done.findings,
      files: done.files,
      skipped: [...skipped, ...done.findings.skipped],
      project,
      texts,
    },
  };
}

async function sourcesOf(source: ScanSource): Promise<Sources | Problem> {
  if (source.type === 'files') {
    const files = source.files.map(([path, file]) => ({
      path,
      sizeBytes: file.size,
      read: async () => new Uint8Array(await file.arrayBuffer()),
    }));
    const { project } = source;
    const { small, large } = bySize(files, project);
    const { name, skipped } = source;
    return problemOfSize(name, sizeOf(small)) ?? { name, files: small, skipped: [...skipped, ...large], project };
  }
  const { name, size } = source.file;
  const problem = problemOfSize(name, size);
  if (problem) return problem;
  const zip = await zipFiles(name, new Uint8Array(await source.file.arrayBuffer()));
  if ('type' in zip) return zip;
  const { listing, sizes, inflate } = zip;
  const files = listing.paths.map((path) => ({ path, sizeBytes: sizes.get(path)! }));
  const { project } = listing;
  const { small, large } = bySize(files, project);
  const excess = problemOfSize(name, sizeOf(small));
  if (excess) return excess;
  try {
    const contents = inflate();
    return {
      name,
      files: small.map((file) => ({ ...file, read: () => Promise.resolve(contents.get(file.path)!) })),
      skipped: [...listing.skipped, ...large],
      project,
    };
  } catch (error) {
    return { type: 'badZip', name, reason: reasonOf(error) };
  }
}

type SizedFile = Pick<Readable, 'path' | 'sizeBytes'>;

function sizeOf(files: readonly SizedFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function problemOfSize(name: string, sizeBytes: number): Problem | undefined {
  return sizeBytes > maxTotalBytes ? { type: 'tooLarge', name, sizeBytes, limitBytes: maxTotalBytes } : undefined;
}

/** Splits files into those up to the maximum size and larger ones. */
function bySize<File extends SizedFile>(
  files: readonly File[],
  { sources }: Project,
): { readonly small: readonly File[]; readonly large: readonly SkippedFile[] } {
  const small: File[] = [];
  const large: SkippedFile[] = [];
  for (const file of files) {
    const { path, sizeBytes } = file;
    const maxBytes = maxBytesOf(path, sources.maxFileSizeBytes);
    if (sizeBytes <= maxBytes) small.push(file);
    else large.push({ path, ...tooLarge(sizeBytes, maxBytes) });
  }
  return { small, large };
}

/** Returns the text of a file, or the reason for skipping it. */
async function textOf({ path, read }: Readable, { sources }: Project): Promise<ReturnType<typeof judgeBytes>> {
  try {
    return judgeBytes(path, await read(), { ...sources, textOfCells }, (size) => new Uint8Array(size));
  } catch (error) {
    return { reason: `unreadable (${reasonOf(error)})` };
  }
}

/** Sends progress messages, at most one per interval. */
class Reporter {
  readonly #report: (progress: Progress) => void;
  readonly #total: number;
  #next = 0;

  constructor(report: (progress: Progress) => void, total: number) {
    this.#report = report;
    this.#total = total;
  }

  send(stage: Progress['stage'], done: number): void {
    if (performance.now() < this.#next) return;
    this.#next = performance.now() + progressEveryMs;
    this.#report({ stage, done, total: this.#total });
  }

  /** The scan requests an item only after it has indexed the previous item, so this loop can report the progress. */
  *through<Item>(items: readonly Item[]): Generator<Item> {
    for (const [place, item] of items.entries()) {
      this.send('indexing', place);
      yield item;
    }
    this.#next = 0;
    this.send('comparing', this.#total);
  }
}
