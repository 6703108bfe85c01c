/**
 * The stored index, which is kept between runs. It consists of several files, because its parts change at different
 * times:
 *
 *   NAME.documents   state of each file, and its document (documentsFile.ts) NAME.matches     token weights, and
 *   matches between documents (matchesFile.ts) NAME.findings    the last report, and digests of its inputs
 *   (findingsFile.ts) NAME.weights     token weights that a search measured, and the digest of the measured files
 *   (weightsFile.ts) NAME.comments    stamps of files without ignore comments (commentlessFiles.ts)
 *
 * Files written by another version of the program, or with other options, are ignored until they are overwritten.
 * Damage is logged, and the index is rebuilt. Each file has a key, which includes digests of the program files, because
 * any version may change the methods.
 */
import { hash64 } from '../../core/methods/hash64.ts';
import { type DocumentTotals, partsOf, totalsOf } from '../../core/engine/documents/namedDocument.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Findings, SkippedFile } from '../../core/engine/report/report.ts';
import { byPath } from '../io/byPath.ts';
import type { CheckedFile, Content, OpenedFile } from '../io/checkedFile.ts';
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
  /** Lexicons of languages without a built-in lexicon. */
  readonly lexicons: readonly Lexicon[];
  /** All settings that determine which files are compared and which categories they have, as one text. */
  readonly files: string;
  /** Digest of dist/scanThread.js, the script that indexes files. */
  readonly scanThread: string;
  /** Digest of dist/cli.js or dist/worker.js, the script that makes reports. */
  readonly program: string;
}

/** Access to the stored files, which Node keeps on disk and a browser in the storage of VS Code. */
export interface StoreFiles {
  /** Returns the name of a file to be shown in messages. */
  nameOf(name: FileName): string;
  open(name: FileName, key: bigint): OpenedFile;
  /** Replaces a file. Returns the reason if this fails. If `cancelled` returns true, keeps the existing file. */
  write(name: FileName, content: Content, cancelled: () => boolean): Promise<string | undefined>;
}

/**
 * Origin of the token weights. `kept`: the stored table, as long as its epoch lasts (epoch.ts); if no table is stored,
 * a new one is measured. `measured`: a table measured from the scanned files, so that the result depends only on the
 * files and the options.
 */
export type WeightOrigin = 'kept' | 'measured';

export interface IndexState {
  readonly kernel: Kernel;
  readonly files: readonly IndexedFile[];
  /** Report to store. If `undefined`, the stored report is not replaced. */
  readonly report: StoredFindings | undefined;
  readonly matches: EarlierMatches | undefined;
  /** Number of files that differ from the stored ones, with added and removed files. Infinity if none are stored. */
  readonly changedFiles: number;
  /** Called after the files have been stored. */
  readonly onWritten?: () => void;
}

/**
 * Maximum number of changed files, and maximum share of all files, at which the stored documents are not written again.
 * If either limit is exceeded, they are written.
 */
export interface Tolerance {
  readonly share: number;
  readonly files: number;
}

/** Version of ICU, or `undefined` in browsers, where it is unknown. */
const icuVersion = typeof process === 'undefined' ? undefined : process.versions['icu'];

const none: Tolerance = { share: 0, files: 0 };

export class IndexStore {
  readonly #files: StoreFiles;
  readonly #warn: (problem: string) => void;
  /** Key of each file. The keys of the files of one index differ, so no file is mistaken for another. */
  readonly #keys: Readonly<Record<FileName, bigint>>;
  readonly #options: Options;
  /** Content of each stored file, if it has been read; `content` is `undefined` if it is unusable. */
  #findings: { readonly content: StoredFindings | undefined } | undefined;
  #matches: { readonly content: EarlierMatches | undefined } | undefined;
  #weights: { readonly content: MeasuredWeights | undefined } | undefined;
  #pendingWeights: MeasuredWeights | undefined;
  #isDamaged = false;
  /** False after `distrust` was called. Then all stored files are ignored. */
  #isTrusted = true;
  /** True if at least one stored file has been opened. */
  #isUsed = false;
  /** Reason why the last attempt to write a file failed, by file. */
  readonly #problems = new Map<FileName, string>();
  #pending: (() => IndexState) | undefined;
  #commentless: CommentlessFiles | undefined;

  /** Text of the key of reports. It depends on everything that affects a report of given documents. */
  #reportKey(): string {
    return this.#keys.findings.toString(16);
  }

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
    // Include the version of ICU, because its dictionaries determine the words of scripts without spaces.
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

  /** Returns the stored findings. Returns `undefined` if none were stored by this version with these options. */
  findings(): StoredFindings | undefined {
    const waiting = this.#pending?.().report;
    if (waiting !== undefined) return waiting;
    this.#findings ??= { content: this.#read('findings', readFindings) };
    return this.#findings.content;
  }

  /** Returns the matches that this version has stored with the same settings for indexing, if any. */
  matches(): EarlierMatches | undefined {
    const waiting = this.#pending?.().matches;
    if (waiting !== undefined) return waiting;
    const read = (file: CheckedFile): EarlierMatches | undefined =>
      readMatchesFile(file, this.#options, this.#reportKey());
    this.#matches ??= { content: this.#read('matches', read) };
    return this.#matches.content;
  }

  /** Returns the files that are known to contain no comments about copies. `save` writes new entries. */
  commentless(): CommentlessFiles {
    return (this.#commentless ??= new CommentlessFiles(this.#read('comments', readStamps)));
  }

  /**
   * Returns the findings of a new scan of these files, if the stored groups are valid for them. Otherwise returns
   * `undefined`.
   *
   * @param leftOut  skipped files that are not in `files`
   */
  findingsOf(
    files: readonly IndexedFile[],
    leftOut: readonly SkippedFile[],
    weighing: WeightOrigin,
  ): StoredFindings | undefined {
    const stored = this.findings();
    if (stored?.contents !== digestOfContents(files)) return undefined;
    if (!areTotalsWithin(stored.findings.totals, files)) {
      this.damaged('findings', damagedPiece);
      return undefined;
    }
    if (weighing === 'kept') {
      const matches = this.matches();
      if (matches === undefined || stored.idfTable !== digestOfEpoch(matches.epoch)) return undefined;
    }
    return { ...stored, findings: withSkipped(stored.findings, files, leftOut) };
  }

  /** Returns the idf table of the files with this digest. Returns `undefined` if no search has measured it. */
  idfTableOf(contents: bigint): Uint8Array | undefined {
    this.#weights ??= { content: this.#read('weights', readWeights) };
    const { content } = this.#weights;
    return content?.contents === contents ? content.idfTable : undefined;
  }

  /** Sets the idf table that the next `save` writes. */
  replaceWeights(weights: MeasuredWeights): void {
    this.#pendingWeights = weights;
  }

  /** Opens the stored documents. The caller must close them. Returns `undefined` if there are none. */
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
   * Logs that a file is damaged and will be ignored. Logs only the first damaged file, because the others are probably
   * damaged for the same reason.
   */
  damaged(name: FileName, reason: string): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#warn(`Cannot use the stored index ${this.#files.nameOf(name)} (${reason}); rebuilding it.`);
  }

  /**
   * Ignores all stored files until they are overwritten. Called after a failed scan that used them. Returns false if no
   * stored file was used, so they cannot be the cause of the failure.
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

  /** Sets the state that the next `save` writes. Kernel memory must not change until then. */
  replace(state: IndexState): void {
    this.follow(() => state);
  }

  /** Sets a function that returns the state when `save` needs it. */
  follow(state: () => IndexState): void {
    this.#pending = state;
  }

  /**
   * Writes the files whose content has changed. If writing is canceled or fails, the previous files remain, and a later
   * call tries again.
   *
   * @param tolerance  maximum number of changed files for which stored documents are not written again. The next run
   *   then reads these files
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
      const pieces = matchesPieces(matches, this.#options, this.#reportKey());
      if (await this.#write('matches', pieces, cancelled)) this.#matches = { content: matches };
      else isWhole = false;
      if (cancelled()) return;
    }
    // Write the findings last, so that stored findings never belong to a newer idf table than the stored one.
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

  /** Writes a file. Returns true on success. Logs a repeated problem with a file once until a write succeeds. */
  async #write(name: FileName, pieces: Iterable<Uint8Array>, cancelled: () => boolean): Promise<boolean> {
    const problem = await this.#files.write(name, { key: this.#keys[name], pieces }, cancelled);
    const isLogged = problem === this.#problems.get(name);
    if (problem === undefined) this.#problems.delete(name);
    else this.#problems.set(name, problem);
    if (problem !== undefined && !isLogged)
      this.#warn(`Cannot store the index in ${this.#files.nameOf(name)}: ${problem}.`);
    return problem === undefined && !cancelled();
  }
}

/** Returns true if files stored with some options can also be used with other options. */
export function storesAlike(before: Options, after: Options): boolean {
  return JSON.stringify(ofIndexing(before)) === JSON.stringify(ofIndexing(after));
}

/** Returns the options that affect indexing. Options that only select matches get a fixed value. */
function ofIndexing(options: Options): Options {
  const prose = { ...options.prose, maxDistance: 0, minSimilarity: 0 };
  return { ...options, maxDistance: 0, minLines: 0, minSimilarity: 0, prose };
}

export type FileName = 'documents' | 'matches' | 'findings' | 'comments' | 'weights';

const damagedPiece = 'its content is damaged';

/** Returns true if a report's totals are not greater than those of its files. Lack of memory makes them smaller. */
function areTotalsWithin(totals: DocumentTotals, files: readonly IndexedFile[]): boolean {
  const limits = totalsOf(files.flatMap(({ path, content }) => ('reason' in content ? [] : partsOf(path, content))));
  return totals.files <= limits.files && totals.lines <= limits.lines && totals.tokens <= limits.tokens;
}

/** Returns the result of `read`, or `undefined` if it throws in any way, because a stored file may be forged. */
function unlessThrown<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Returns a digest of the compared files, regardless of their order. If the digests of two scans are equal, so are
 * their groups, provided that options and program are the same. Skipped files do not count, because they affect no
 * group.
 */
export function digestOfContents(files: readonly IndexedFile[]): bigint {
  const lines = files.flatMap(({ path, content, digest }) =>
    'reason' in content ? [] : `${path}\0${digest.toString(16)}`,
  );
  return hash64(lines.sort().join('\n'));
}

/** Returns stored findings with the files that are skipped now; the same object if they are the same. */
function withSkipped(stored: Findings, files: readonly IndexedFile[], leftOut: readonly SkippedFile[]): Findings {
  const compared = new Set<string>();
  const skipped = [...leftOut];
  for (const { path, content } of files) {
    if ('reason' in content) skipped.push(content);
    else compared.add(path);
  }
  // The comparison itself may have skipped some of the files for lack of memory.
  skipped.push(...stored.skipped.filter(({ path, setting }) => setting === 'memory' && compared.has(path)));
  skipped.sort(byPath);
  const isSame = ({ path, reason, setting }: SkippedFile, at: number): boolean => {
    const before = stored.skipped[at];
    return before?.path === path && before.reason === reason && before.setting === setting;
  };
  if (skipped.length === stored.skipped.length && skipped.every(isSame)) return stored;
  return { ...stored, skipped, totals: { ...stored.totals, skipped: skipped.length } };
}
