/**
 * Index that is kept between two runs, in files, because they change at different times:
 *
 *   NAME.documents   state of each file, and its document (documentsFile.ts)
 *   NAME.matches     token weights, and matches between documents (matchesFile.ts)
 *   NAME.findings    the last report, and digests of its inputs (findingsFile.ts)
 *   NAME.weights     token weights that a search measured, and the digest of the measured files (weightsFile.ts)
 *   NAME.comments    stamps of files without comments about copies (commentlessFiles.ts)
 *
 * Files of other programs or options are ignored until they are overwritten. Damage is logged, and the index is
 * rebuilt. The method may change with any version, so digests of the program files are part of the keys.
 */
import { hash64 } from '../../core/methods/hash64.ts';
import { type DocumentTotals, partsOf, totalsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Skipped } from '../../core/engine/report/report.ts';
import type { CheckedFile, Content, Opened } from '../io/checkedFile.ts';
import { CommentlessFiles, readStamps, stampPieces } from './commentlessFiles.ts';
import type { FolderLimits } from '../io/sources.ts';
import type { EarlierMatches } from './earlierMatches.ts';
import { documentPieces, StoredDocuments } from './documentsFile.ts';
import { digestOfEpoch } from './epoch.ts';
import { findingsPieces, readFindings, type StoredFindings } from './findingsFile.ts';
import type { IndexedFile } from './indexedFile.ts';
import { matchesPieces, readMatchesFile } from './matchesFile.ts';
import { type MeasuredWeights, readWeights, weightPieces } from './weightsFile.ts';

export interface StoreIdentity {
  readonly options: Options;
  readonly sources: FolderLimits;
  /** For languages without a built-in table. */
  readonly lexicons: readonly Lexicon[];
  /** All settings that determine which files are compared and their categories. */
  readonly files: string;
  /** Digest of the script that indexes files: dist/scanThread.js. */
  readonly scanThread: string;
  /** Digest of the script that reports: dist/cli.js or dist/worker.js. */
  readonly program: string;
}

/** The stored files. Node keeps them on disk, and a browser in the storage of VS Code. */
export interface StoreFiles {
  /** Returns the name of a file for messages. */
  nameOf(name: FileName): string;
  open(name: FileName, key: bigint): Opened;
  /** Replaces a file, unless `cancelled` returns true. Returns the reason of a failure. */
  write(name: FileName, content: Content, cancelled: () => boolean): Promise<string | undefined>;
}

/**
 * Source of the token weights. `kept`: the stored table, if there is one, while its epoch lasts (epoch.ts). `measured`:
 * the scanned files, so that the result depends only on them and the options.
 */
export type Weighing = 'kept' | 'measured';

export interface IndexState {
  readonly kernel: Kernel;
  readonly files: readonly IndexedFile[];
  /** If `undefined`, the stored report is kept. */
  readonly report: StoredFindings | undefined;
  readonly matches: EarlierMatches | undefined;
  /** Number of files added, removed or changed since the files were stored; Infinity if they are not stored. */
  readonly changedFiles: number;
  /** Called after the files have been stored. */
  readonly onWritten?: () => void;
}

/** Maximum number of files that may differ from their stored state. Both a share and a number apply. */
export interface Tolerance {
  readonly share: number;
  readonly files: number;
}

/** `undefined` in a browser, which does not tell. */
const icuVersion = typeof process === 'undefined' ? undefined : process.versions['icu'];

const none: Tolerance = { share: 0, files: 0 };

export class IndexStore {
  readonly #files: StoreFiles;
  readonly #warn: (problem: string) => void;
  /** Each file has its own key, so files cannot be confused. */
  readonly #keys: Readonly<Record<FileName, bigint>>;
  readonly #options: Options;
  /** Contents on disk; `undefined` before they are read. */
  #findings: { readonly content: StoredFindings | undefined } | undefined;
  #matches: { readonly content: EarlierMatches | undefined } | undefined;
  #weights: { readonly content: MeasuredWeights | undefined } | undefined;
  #pendingWeights: MeasuredWeights | undefined;
  #isDamaged = false;
  /** False after `distrust`. */
  #isTrusted = true;
  /** True if a stored file has been opened. */
  #isUsed = false;
  /** Reason of the last failed write of each file. */
  readonly #problems = new Map<FileName, string>();
  #pending: (() => IndexState) | undefined;
  #commentless: CommentlessFiles | undefined;

  /** @param warn  receives messages about files that cannot be read or written */
  constructor(
    files: StoreFiles,
    { options, sources, lexicons, files: settings, scanThread, program }: StoreIdentity,
    warn: (problem: string) => void,
  ) {
    this.#files = files;
    this.#warn = warn;
    this.#options = options;
    const { maxFileSizeBytes, generated, inFolders } = sources;
    // ICU dictionaries determine words in scripts without spaces.
    const indexing = [
      scanThread,
      icuVersion,
      ofIndexing(options),
      lexicons,
      maxFileSizeBytes,
      generated,
      ...(inFolders ?? []),
    ];
    const reporting = [...indexing, program, options, settings];
    const keyOf = (name: FileName, madeBy: readonly unknown[]): bigint => hash64(JSON.stringify([name, ...madeBy]));
    this.#keys = {
      documents: keyOf('documents', indexing),
      matches: keyOf('matches', indexing),
      findings: keyOf('findings', reporting),
      comments: keyOf('comments', [program]),
      weights: keyOf('weights', indexing),
    };
  }

  /** Returns the stored findings; `undefined` if there are none from the same program and options. */
  findings(): StoredFindings | undefined {
    const waiting = this.#pending?.().report;
    if (waiting !== undefined) return waiting;
    this.#findings ??= { content: this.#read('findings', readFindings) };
    return this.#findings.content;
  }

  /** Returns the stored matches; `undefined` if there are none from the same program and index. */
  matches(): EarlierMatches | undefined {
    const waiting = this.#pending?.().matches;
    if (waiting !== undefined) return waiting;
    const read = (file: CheckedFile): EarlierMatches | undefined => readMatchesFile(file, this.#options);
    this.#matches ??= { content: this.#read('matches', read) };
    return this.#matches.content;
  }

  /** Returns the files without comments about copies. Additions are stored with the rest. */
  commentless(): CommentlessFiles {
    return (this.#commentless ??= new CommentlessFiles(this.#read('comments', readStamps)));
  }

  /** Returns the stored findings if a scan of these files, with this digest, would find the same. */
  findingsOf(contents: bigint, files: readonly IndexedFile[], weighing: Weighing): StoredFindings | undefined {
    const findings = this.findings();
    if (findings?.contents !== contents) return undefined;
    if (!areTotalsWithin(findings.findings.totals, files)) {
      this.damaged('findings', damagedPiece);
      return undefined;
    }
    if (weighing === 'measured') return findings;
    const matches = this.matches();
    return matches !== undefined && findings.idfTable === digestOfEpoch(matches.epoch) ? findings : undefined;
  }

  /** Returns the idf table of files with this digest; `undefined` if no search has measured them. */
  idfTableOf(contents: bigint): Uint8Array | undefined {
    this.#weights ??= { content: this.#read('weights', readWeights) };
    const { content } = this.#weights;
    return content?.contents === contents ? content.idfTable : undefined;
  }

  /** Sets the token weights that `save` writes. */
  replaceWeights(weights: MeasuredWeights): void {
    this.#pendingWeights = weights;
  }

  /** Opens the stored files, to be closed by the caller; `undefined` if there are none. */
  openDocuments(): StoredDocuments | undefined {
    const file = this.#open('documents');
    if (file === undefined) return undefined;
    const documents = unlessThrown(() => StoredDocuments.read(file));
    if (documents !== undefined) return documents;
    file.close();
    this.damaged('documents', damagedPiece);
    return undefined;
  }

  /** Logs once that a file is damaged and therefore ignored. The cause has probably damaged the others too. */
  damaged(name: FileName, reason: string): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#warn(`Cannot use the stored index ${this.#files.nameOf(name)} (${reason}); rebuilding it.`);
  }

  /**
   * Ignores all stored files until they are overwritten, because a scan that used them failed. Returns false if none
   * was used.
   */
  distrust(): boolean {
    if (!this.#isUsed) return false;
    this.damaged('documents', damagedPiece);
    this.#isTrusted = this.#isUsed = false;
    this.#pending = undefined;
    this.#findings = this.#matches = this.#weights = { content: undefined };
    this.#commentless = new CommentlessFiles();
    return true;
  }

  /** Sets the state that `save` writes. The kernel memory must not change until then. */
  replace(state: IndexState): void {
    this.follow(() => state);
  }

  /** Sets a function that returns the state for `save` on demand. */
  follow(state: () => IndexState): void {
    this.#pending = state;
  }

  /**
   * Writes changes. If it is cancelled or fails, the stored files are kept, and a later call may write them.
   *
   * @param tolerance  stored files are kept while fewer files have changed; these are read again instead
   */
  async save(cancelled: () => boolean = () => false, tolerance = none): Promise<void> {
    await this.#saveCommentless(cancelled);
    await this.#saveWeights(cancelled);
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
    // Written last, so that findings are never newer than their token weights.
    if (report !== undefined) {
      if (await this.#write('findings', findingsPieces(report), cancelled)) this.#findings = { content: report };
      else isWhole = false;
      if (cancelled()) return;
    }
    if (isWhole) this.#pending = undefined;
  }

  async #saveCommentless(cancelled: () => boolean): Promise<void> {
    const stamps = this.#commentless?.changed();
    if (stamps === undefined || !(await this.#write('comments', stampPieces(stamps), cancelled))) return;
    this.#commentless = new CommentlessFiles(stamps);
  }

  async #saveWeights(cancelled: () => boolean): Promise<void> {
    const weights = this.#pendingWeights;
    if (weights === undefined || !(await this.#write('weights', weightPieces(weights), cancelled))) return;
    this.#weights = { content: weights };
    this.#pendingWeights = undefined;
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
    const opened = this.#files.open(name, this.#keys[name]);
    if (opened.type === 'damaged') this.damaged(name, opened.reason);
    if (opened.type !== 'file') return undefined;
    this.#isUsed = true;
    return opened;
  }

  /** Returns true on success. A repeated problem with the same file is logged only once, until a write succeeds. */
  async #write(name: FileName, pieces: Iterable<Uint8Array>, cancelled: () => boolean): Promise<boolean> {
    const problem = await this.#files.write(name, { key: this.#keys[name], pieces }, cancelled);
    const isTold = problem === this.#problems.get(name);
    if (problem === undefined) this.#problems.delete(name);
    else this.#problems.set(name, problem);
    if (problem !== undefined && !isTold)
      this.#warn(`Cannot store the index in ${this.#files.nameOf(name)}: ${problem}.`);
    return problem === undefined && !cancelled();
  }
}

/** True if files stored with some options can be used with others. */
export function storesAlike(before: Options, after: Options): boolean {
  return JSON.stringify(ofIndexing(before)) === JSON.stringify(ofIndexing(after));
}

/** Returns the options that affect indexing, without those that select matches among indexed windows. */
function ofIndexing(options: Options): Options {
  const prose = { ...options.prose, maxDistance: 0, minSimilarity: 0 };
  return { ...options, maxDistance: 0, minLines: 0, minSimilarity: 0, prose };
}

export type FileName = 'documents' | 'matches' | 'findings' | 'comments' | 'weights';

const damagedPiece = 'its content is damaged';

/** True if a report counts no more than its files have. It may lack some for want of memory. */
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
 * Returns a digest of the inputs of a report: of the files, in any order, and of skipped files. With the same options
 * and program, the same digest means the same report.
 */
export function digestOfContents(files: readonly IndexedFile[], skipped: readonly Skipped[]): bigint {
  const left = ({ path, reason, setting }: Skipped): string => `${path}\0\0${reason}\0${setting ?? ''}`;
  const lines = files.map(({ path, content, digest }) =>
    'reason' in content ? left(content) : `${path}\0${digest.toString(16)}`,
  );
  return hash64([...lines, ...skipped.map(left)].sort().join('\n'));
}
