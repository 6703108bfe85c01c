/**
 * An index that is kept between runs. It consists of several files, because its parts change at different times:
 *
 *   NAME.documents   state of each file, and its document (documentsFile.ts)
 *   NAME.matches     token weights, and matches between documents (matchesFile.ts)
 *   NAME.findings    the last report, and digests of its inputs (findingsFile.ts)
 *   NAME.weights     token weights that a search measured, and the digest of the measured files (weightsFile.ts)
 *   NAME.comments    stamps of files without comments about copies (commentlessFiles.ts)
 *
 * Files that another version of the program or other options have written are ignored until they are overwritten.
 * Damage is logged, and the index is rebuilt. The keys of the files include digests of the program files, because any
 * version may change the methods.
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
  /** Lexicons of languages that have no built-in table. */
  readonly lexicons: readonly Lexicon[];
  /** All settings that determine which files are compared and which categories they have, as text. */
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
  /** Replaces a file, unless `cancelled` returns true. Returns the reason if that fails. */
  write(name: FileName, content: Content, cancelled: () => boolean): Promise<string | undefined>;
}

/**
 * Source of the token weights. `kept`: the stored table, if there is one, while its epoch lasts (epoch.ts). `measured`:
 * a table measured on the scanned files, so that the result depends only on them and the options.
 */
export type Weighing = 'kept' | 'measured';

export interface IndexState {
  readonly kernel: Kernel;
  readonly files: readonly IndexedFile[];
  /** Report to store; if `undefined`, the stored report is kept. */
  readonly report: StoredFindings | undefined;
  readonly matches: EarlierMatches | undefined;
  /**
   * Number of files that differ from the stored ones, including added and removed files. Infinity if no files are
   * stored.
   */
  readonly changedFiles: number;
  /** Called after the files have been stored. */
  readonly onWritten?: () => void;
}

/**
 * Maximum number of files that may differ from the stored ones without a new store. Both the share and the number
 * apply.
 */
export interface Tolerance {
  readonly share: number;
  readonly files: number;
}

/** Version of ICU; `undefined` in browsers, which do not provide it. */
const icuVersion = typeof process === 'undefined' ? undefined : process.versions['icu'];

const none: Tolerance = { share: 0, files: 0 };

export class IndexStore {
  readonly #files: StoreFiles;
  readonly #warn: (problem: string) => void;
  /** Key of each file. Keys differ, so files cannot be confused. */
  readonly #keys: Readonly<Record<FileName, bigint>>;
  readonly #options: Options;
  /** Content of each stored file; `undefined` until it is read. */
  #findings: { readonly content: StoredFindings | undefined } | undefined;
  #matches: { readonly content: EarlierMatches | undefined } | undefined;
  #weights: { readonly content: MeasuredWeights | undefined } | undefined;
  #pendingWeights: MeasuredWeights | undefined;
  #isDamaged = false;
  /** False after `distrust`. */
  #isTrusted = true;
  /** True if a stored file has been opened. */
  #isUsed = false;
  /** For each file, the reason why the last write failed. */
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
    // The version of ICU is included because its dictionaries determine the words of scripts without spaces.
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

  /** Returns the stored findings, or `undefined` if this version with these options has stored none. */
  findings(): StoredFindings | undefined {
    const waiting = this.#pending?.().report;
    if (waiting !== undefined) return waiting;
    this.#findings ??= { content: this.#read('findings', readFindings) };
    return this.#findings.content;
  }

  /** Returns the stored matches, or `undefined` if this version has stored none with the same index. */
  matches(): EarlierMatches | undefined {
    const waiting = this.#pending?.().matches;
    if (waiting !== undefined) return waiting;
    const read = (file: CheckedFile): EarlierMatches | undefined => readMatchesFile(file, this.#options);
    this.#matches ??= { content: this.#read('matches', read) };
    return this.#matches.content;
  }

  /** Returns the known files without comments about copies. `save` stores entries that are added to it. */
  commentless(): CommentlessFiles {
    return (this.#commentless ??= new CommentlessFiles(this.#read('comments', readStamps)));
  }

  /** Returns the stored findings if a scan of files with this digest would give the same result. */
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

  /** Returns the idf table of the files with this digest, or `undefined` if no search has measured them. */
  idfTableOf(contents: bigint): Uint8Array | undefined {
    this.#weights ??= { content: this.#read('weights', readWeights) };
    const { content } = this.#weights;
    return content?.contents === contents ? content.idfTable : undefined;
  }

  /** Sets the token weights that the next `save` writes. */
  replaceWeights(weights: MeasuredWeights): void {
    this.#pendingWeights = weights;
  }

  /** Opens the stored documents, which the caller must close. Returns `undefined` if there are none. */
  openDocuments(): StoredDocuments | undefined {
    const file = this.#open('documents');
    if (file === undefined) return undefined;
    const documents = unlessThrown(() => StoredDocuments.read(file));
    if (documents !== undefined) return documents;
    file.close();
    this.damaged('documents', damagedPiece);
    return undefined;
  }

  /**
   * Logs once that a file is damaged and is ignored. The other files are not reported, because the cause has probably
   * damaged them, too.
   */
  damaged(name: FileName, reason: string): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#warn(`Cannot use the stored index ${this.#files.nameOf(name)} (${reason}); rebuilding it.`);
  }

  /**
   * Ignores all stored files until they are overwritten, because a scan that used them has failed. Returns false if no
   * stored file was used.
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

  /** Sets the state that the next `save` writes. Until then, the kernel memory must not change. */
  replace(state: IndexState): void {
    this.follow(() => state);
  }

  /** Sets a function from which `save` gets the state to write. */
  follow(state: () => IndexState): void {
    this.#pending = state;
  }

  /**
   * Writes changed files. If writing is canceled or fails, the previous files are kept, and a later call may try again.
   *
   * @param tolerance  stored documents are not rewritten if at most this many files have changed. The next run will
   *                   read these files again
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
    // Write the findings last, so that they are never newer than their token weights.
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

/** True if files that were stored with some options can be used with other options. */
export function storesAlike(before: Options, after: Options): boolean {
  return JSON.stringify(ofIndexing(before)) === JSON.stringify(ofIndexing(after));
}

/** Returns the options that affect indexing, without those that only select matches among indexed windows. */
function ofIndexing(options: Options): Options {
  const prose = { ...options.prose, maxDistance: 0, minSimilarity: 0 };
  return { ...options, maxDistance: 0, minLines: 0, minSimilarity: 0, prose };
}

export type FileName = 'documents' | 'matches' | 'findings' | 'comments' | 'weights';

const damagedPiece = 'its content is damaged';

/**
 * True if the totals of a report are not greater than those of its files. They may be smaller if memory was
 * insufficient.
 */
function areTotalsWithin(totals: DocumentTotals, files: readonly IndexedFile[]): boolean {
  const most = totalsOf(files.flatMap(({ path, content }) => ('reason' in content ? [] : partsOf(path, content))));
  return totals.files <= most.files && totals.lines <= most.lines && totals.tokens <= most.tokens;
}

/**
 * Returns the result of `read`, or `undefined` if it throws. A stored file may be forged, so reading it may fail in any
 * way.
 */
function unlessThrown<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Returns a digest of the inputs of a report: the files, in any order, and the skipped files. With the same options and
 * program, reports with the same digest are equal.
 */
export function digestOfContents(files: readonly IndexedFile[], skipped: readonly Skipped[]): bigint {
  const left = ({ path, reason, setting }: Skipped): string => `${path}\0\0${reason}\0${setting ?? ''}`;
  const lines = files.map(({ path, content, digest }) =>
    'reason' in content ? left(content) : `${path}\0${digest.toString(16)}`,
  );
  return hash64([...lines, ...skipped.map(left)].sort().join('\n'));
}
