/**
 * An index that is kept between two runs, as three files beside each other, because they change at different times:
 *
 *   NAME.documents   what is known of each file, and its document (documentsFile.ts)
 *   NAME.matches     how telling tokens are, and what was found between documents (matchesFile.ts)
 *   NAME.findings    the last report, and digests of what it was made from (findingsFile.ts)
 *
 * What was made by another program or with other options is left alone until it is written over. What is damaged is told
 * in a line, and made anew. The method and its numbers may change with any version, so the programs themselves are part of
 * the keys.
 */
import { readFileSync } from 'node:fs';
import { hash64, hashBytes64 } from '../methods/hash64.ts';
import { type DocumentTotals, partsOf, totalsOf } from '../engine/documents/namedDocument.ts';
import type { Kernel } from '../engine/kernel.ts';
import type { Lexicon } from '../engine/languages/lexicalRules.ts';
import type { Options } from '../engine/options.ts';
import type { Skipped } from '../engine/report/report.ts';
import { type CheckedFile, openChecked, writeChecked } from '../io/checkedFile.ts';
import { CommentlessFiles, readStamps, stampPieces } from './commentlessFiles.ts';
import type { FolderLimits } from '../io/sources.ts';
import type { EarlierMatches } from './earlierMatches.ts';
import { documentPieces, StoredDocuments } from './documentsFile.ts';
import { digestOfEpoch } from './epoch.ts';
import { findingsPieces, readFindings, type StoredFindings } from './findingsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import { matchesPieces, readMatchesFile } from './matchesFile.ts';

/** What a store belongs to. */
export interface StoreIdentity {
  readonly options: Options;
  readonly sources: FolderLimits;
  /** For files that have no table of ours. */
  readonly lexicons: readonly Lexicon[];
  /** All that decides what is compared and of which category it is, besides what is on disk. */
  readonly files: string;
  /** The script that indexes files: dist/scanThread.js. */
  readonly scanThread: URL;
  /** The script that reports: dist/cli.js or dist/worker.js. What a script imports it names with a digest, so its bytes tell all. */
  readonly program: URL;
}

/**
 * By which table matches are weighed. `kept`: by the stored one, when there is one, as long as its epoch lasts (epoch.ts).
 * `measured`: by that of the files that are scanned, so that nothing but they and the options counts.
 */
export type Weighing = 'kept' | 'measured';

/** What a scan hands over to be kept. */
export interface IndexState {
  readonly kernel: Kernel;
  readonly files: readonly IndexedFile[];
  /** Undefined for what is stored of it to stay. */
  readonly report: StoredFindings | undefined;
  readonly matches: EarlierMatches | undefined;
  /** How many files have come, gone or changed since the files were stored; Infinity when they are not. */
  readonly changedFiles: number;
  /** Called when the files have been stored. */
  readonly onWritten?: () => void;
}

/** How many files may differ from what is stored of them: both a share of all, and a number. */
export interface Tolerance {
  readonly share: number;
  readonly files: number;
}

const none: Tolerance = { share: 0, files: 0 };

export class IndexStore {
  readonly #place: string;
  readonly #warn: (problem: string) => void;
  /** Each file has its own, so that none is read in the place of another. */
  readonly #keys: Readonly<Record<FileName, bigint>>;
  readonly #options: Options;
  /** What is on disk; undefined before it was read. */
  #findings: { readonly content: StoredFindings | undefined } | undefined;
  #matches: { readonly content: EarlierMatches | undefined } | undefined;
  #isDamaged = false;
  /** False after `distrust`. */
  #isTrusted = true;
  /** True if a file that is stored has been opened. */
  #isUsed = false;
  /** Why files could not be written the last time. */
  readonly #problems = new Map<FileName, string>();
  #pending: (() => IndexState) | undefined;
  #commentless: CommentlessFiles | undefined;

  /**
   * @param place  the files without their endings: absolute
   * @param warn   takes a sentence about a file that cannot be read or written
   */
  constructor(
    place: string,
    { options, sources, lexicons, files, scanThread, program }: StoreIdentity,
    warn: (problem: string) => void,
  ) {
    this.#place = place;
    this.#warn = warn;
    this.#options = options;
    const { maxFileSizeBytes, generated, inFolders } = sources;
    // ICU's dictionaries say what a word is in scripts without blanks.
    const indexing = [
      digestOfFile(scanThread),
      process.versions['icu'],
      ofIndexing(options),
      lexicons,
      maxFileSizeBytes,
      generated,
      ...(inFolders ?? []),
    ];
    const reporting = [...indexing, digestOfFile(program), options, files];
    const keyOf = (name: FileName, madeBy: readonly unknown[]): bigint => hash64(JSON.stringify([name, ...madeBy]));
    this.#keys = {
      documents: keyOf('documents', indexing),
      matches: keyOf('matches', indexing),
      findings: keyOf('findings', reporting),
      comments: keyOf('comments', [digestOfFile(program)]),
    };
  }

  /** The findings of the last time; undefined when there are none that the same program made with the same options. */
  get findings(): StoredFindings | undefined {
    const waiting = this.#pending?.().report;
    if (waiting !== undefined) return waiting;
    this.#findings ??= { content: this.#read('findings', readFindings) };
    return this.#findings.content;
  }

  /** The matches of the last time; undefined when there are none that the same program made of the same index. */
  get matches(): EarlierMatches | undefined {
    const waiting = this.#pending?.().matches;
    if (waiting !== undefined) return waiting;
    const read = (file: CheckedFile): EarlierMatches | undefined => readMatchesFile(file, this.#options);
    this.#matches ??= { content: this.#read('matches', read) };
    return this.#matches.content;
  }

  /** Files that have no comment about copies; what is added is stored with the rest. */
  get commentless(): CommentlessFiles {
    return (this.#commentless ??= new CommentlessFiles(this.#read('comments', readStamps)));
  }

  /** The findings of the last time, when a scan of these files, with this digest, would find the same. */
  findingsOf(contents: bigint, files: readonly IndexedFile[], weighing: Weighing): StoredFindings | undefined {
    const { findings } = this;
    if (findings?.contents !== contents) return undefined;
    if (!areTotalsWithin(findings.findings.totals, files)) {
      this.damaged('findings', damagedPiece);
      return undefined;
    }
    if (weighing === 'measured') return findings;
    const { matches } = this;
    return matches !== undefined && findings.idfTable === digestOfEpoch(matches.epoch) ? findings : undefined;
  }

  /** What is known of files, to be closed; undefined when there is nothing to go by. */
  openDocuments(): StoredDocuments | undefined {
    const file = this.#open('documents');
    if (file === undefined) return undefined;
    const documents = unlessThrown(() => StoredDocuments.read(file));
    if (documents !== undefined) return documents;
    file.close();
    this.damaged('documents', damagedPiece);
    return undefined;
  }

  /** Says that a file is not used, and why: once, for what has damaged one has most likely damaged all. */
  damaged(name: FileName, reason: string): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#warn(`Cannot use the stored index ${this.#place}.${name} (${reason}); rebuilding it.`);
  }

  /**
   * Leaves all files alone that are stored, since a scan with them failed, until they are written over. Returns false when
   * none was used.
   */
  distrust(): boolean {
    if (!this.#isUsed) return false;
    this.damaged('documents', damagedPiece);
    this.#isTrusted = this.#isUsed = false;
    this.#pending = undefined;
    this.#findings = this.#matches = { content: undefined };
    this.#commentless = new CommentlessFiles();
    return true;
  }

  /** Takes what `save` is to write. The kernel's memory must stay as it is until then. */
  replace(state: IndexState): void {
    this.follow(() => state);
  }

  /** Takes what tells what `save` is to write, once that is needed. */
  follow(state: () => IndexState): void {
    this.#pending = state;
  }

  /**
   * Writes what has changed. When it is cancelled, or cannot write, what was stored before stays; a later call may do it.
   *
   * @param tolerance  what is stored of files stays while no more of them have changed: they are read again instead
   */
  async save(cancelled: () => boolean = () => false, tolerance = none): Promise<void> {
    await this.#saveCommentless(cancelled);
    if (this.#pending === undefined || cancelled()) return;
    const state = this.#pending();
    const { changedFiles, files, matches, report } = state;
    let isWhole = true;
    if (changedFiles > tolerance.files || changedFiles > tolerance.share * files.length) {
      if (await this.#write('documents', documentPieces(state), cancelled)) state.onWritten?.();
      else isWhole = false;
      if (cancelled()) return;
    }
    if (matches !== undefined && matches !== this.#matches?.content) {
      const pieces = matchesPieces(matches, this.#options);
      if (await this.#write('matches', pieces, cancelled)) this.#matches = { content: matches };
      else isWhole = false;
      if (cancelled()) return;
    }
    // Last: findings are never newer than the table by which they were weighed.
    if (report !== undefined) {
      if (await this.#write('findings', findingsPieces(report), cancelled)) this.#findings = { content: report };
      else isWhole = false;
      if (cancelled()) return;
    }
    if (isWhole) this.#pending = undefined;
  }

  async #saveCommentless(cancelled: () => boolean): Promise<void> {
    const stamps = this.#commentless?.changed;
    if (stamps === undefined || !(await this.#write('comments', stampPieces(stamps), cancelled))) return;
    this.#commentless = new CommentlessFiles(stamps);
  }

  #read<T>(name: FileName, read: (file: CheckedFile) => T | undefined): T | undefined {
    const file = this.#open(name);
    if (file === undefined) return undefined;
    const content = unlessThrown(() => read(file));
    file.close();
    if (content === undefined) this.damaged(name, damagedPiece);
    return content;
  }

  #open(name: FileName): CheckedFile | undefined {
    if (!this.#isTrusted) return undefined;
    const opened = openChecked(`${this.#place}.${name}`, this.#keys[name], hashBytes64);
    if (opened.type === 'damaged') this.damaged(name, opened.reason);
    if (opened.type !== 'file') return undefined;
    this.#isUsed = true;
    return opened;
  }

  /** Whether it was written. The same problem with the same file is told once, until it was written. */
  async #write(name: FileName, pieces: Iterable<Uint8Array>, cancelled: () => boolean): Promise<boolean> {
    const file = `${this.#place}.${name}`;
    const problem = await writeChecked(file, { key: this.#keys[name], pieces }, hashBytes64, cancelled);
    const isTold = problem === this.#problems.get(name);
    if (problem === undefined) this.#problems.delete(name);
    else this.#problems.set(name, problem);
    if (problem !== undefined && !isTold) this.#warn(`Cannot store the index in ${file}: ${problem}.`);
    return problem === undefined && !cancelled();
  }
}

/** Whether what is stored of files with some options is of use with others. */
export function storesAlike(before: Options, after: Options): boolean {
  return JSON.stringify(ofIndexing(before)) === JSON.stringify(ofIndexing(after));
}

/** Options without those that say which of the windows, once they are indexed, make a match. */
function ofIndexing(options: Options): Options {
  const prose = { ...options.prose, maxDistance: 0, minSimilarity: 0 };
  return { ...options, maxDistance: 0, minLines: 0, minSimilarity: 0, prose };
}

type FileName = 'documents' | 'matches' | 'findings' | 'comments';

const damagedPiece = 'its content is damaged';

/** True if a report counts no more than its files have; it may have left some out for want of memory. */
function areTotalsWithin(totals: DocumentTotals, files: readonly IndexedFile[]): boolean {
  const most = totalsOf(files.flatMap(({ path, content }) => ('reason' in content ? [] : partsOf(path, content))));
  return totals.files <= most.files && totals.lines <= most.lines && totals.tokens <= most.tokens;
}

/** Returns the result of reading a file that may be forged; `undefined` if reading throws. */
function unlessThrown<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The digest of what a report is made from: of the files, in any order, and of what was left out besides. With the same
 * options and program, the same digest means the same report.
 */
export function digestOfContents(files: readonly IndexedFile[], skipped: readonly Skipped[]): bigint {
  const left = ({ path, reason, setting }: Skipped): string => `${path}\0\0${reason}\0${setting ?? ''}`;
  const lines = files.map(({ path, content, digest }) =>
    'reason' in content ? left(content) : `${path}\0${digest.toString(16)}`,
  );
  return hash64([...lines, ...skipped.map(left)].sort().join('\n'));
}

/** The digest of a file of this program. */
function digestOfFile(file: URL): string {
  return hashBytes64(readFileSync(file)).toString(16);
}
