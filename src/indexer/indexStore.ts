/**
 * An index that is kept between two runs, as three files beside each other, because they change at different times:
 *
 *   NAME.documents   what is known of each file, and the arrays of its document as they lie in the kernel's memory
 *   NAME.matches     how telling tokens are, and what was found between documents (matchesFile.ts)
 *   NAME.findings    the last report, and digests of what it was made from
 *
 * What was made by another program or with other options is left alone until it is written over. What is damaged is told
 * in a line, and made anew. The method and its numbers may change with any version, so the programs themselves are part of
 * the keys.
 */
import { readFileSync } from 'node:fs';
import { hash64, hashBytes64 } from '../engine/hash64.ts';
import { documentBytes, type DocumentIndex, type DocumentShape, placeDocument, shapeOf } from '../engine/documents.ts';
import type { Kernel } from '../engine/kernel.ts';
import type { Lexicon } from '../engine/lexicon.ts';
import type { Options } from '../engine/options.ts';
import type { Findings, Group, Skipped, Totals } from '../engine/report.ts';
import { type CheckedFile, openChecked, writeChecked } from '../io/checkedFile.ts';
import type { FileStamp, SourceOptions } from '../io/sources.ts';
import type { EarlierMatches } from './earlierMatches.ts';
import { digestOfEpoch } from './epoch.ts';
import { matchesPieces, readMatchesFile } from './matchesFile.ts';

/** A file as it was indexed, or the reason why it was left out. */
export interface IndexedFile {
  readonly path: string;
  readonly content: DocumentIndex | Skipped;
  /** The digest of the text; 0 when it was left out, or nobody asked. */
  readonly digest: bigint;
  /** Undefined for what is not on disk as it is here: such a one is not stored. */
  readonly stamp: FileStamp | undefined;
}

/** What a store belongs to. */
export interface StoreIdentity {
  readonly options: Options;
  readonly sources: SourceOptions;
  /** For files that have no table of ours. */
  readonly lexicons: readonly Lexicon[];
  /** All that decides what is compared, besides what is on disk. */
  readonly files: string;
  /** The script that indexes files: dist/lane.js. */
  readonly lane: URL;
}

/** A report, and the digests of what it was made from: of the files (`digestOfContents`) and of the table of rarities. */
export interface StoredFindings {
  readonly findings: Findings;
  readonly contents: bigint;
  readonly rarities: bigint;
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
  readonly #documentsKey: bigint;
  readonly #findingsKey: bigint;
  readonly #options: Options;
  /** What is on disk; undefined before it was read. */
  #findings: { readonly content: StoredFindings | undefined } | undefined;
  #matches: { readonly content: EarlierMatches | undefined } | undefined;
  #isDamaged = false;
  #pending: (() => IndexState) | undefined;

  /**
   * @param place  the two files without their endings: absolute
   * @param warn   takes a sentence about a file that cannot be read or written
   */
  constructor(
    place: string,
    { options, sources, lexicons, files, lane }: StoreIdentity,
    warn: (problem: string) => void,
  ) {
    this.#place = place;
    this.#warn = warn;
    this.#options = options;
    const { maxFileSizeBytes, generated } = sources;
    // ICU's dictionaries say what a word is in scripts without blanks.
    const indexing = [
      digestOfFile(lane),
      process.versions['icu'],
      ofIndexing(options),
      lexicons,
      maxFileSizeBytes,
      generated,
    ];
    this.#documentsKey = hash64(JSON.stringify(indexing));
    this.#findingsKey = hash64(JSON.stringify([...indexing, digestOfFile(new URL(import.meta.url)), options, files]));
  }

  /** The findings of the last time; undefined when there are none that the same program made with the same options. */
  get findings(): StoredFindings | undefined {
    const waiting = this.#pending?.().report;
    if (waiting !== undefined) return waiting;
    this.#findings ??= { content: this.#read('findings', this.#findingsKey, readFindings) };
    return this.#findings.content;
  }

  /** The matches of the last time; undefined when there are none that the same program made of the same index. */
  get matches(): EarlierMatches | undefined {
    const waiting = this.#pending?.().matches;
    if (waiting !== undefined) return waiting;
    const read = (file: CheckedFile): EarlierMatches | undefined => readMatchesFile(file, this.#options);
    this.#matches ??= { content: this.#read('matches', this.#documentsKey, read) };
    return this.#matches.content;
  }

  /** The findings of the last time, when a scan of files with this digest would find the same. */
  findingsOf(contents: bigint, weighing: Weighing): StoredFindings | undefined {
    const { findings } = this;
    if (findings?.contents !== contents) return undefined;
    if (weighing === 'measured') return findings;
    const { matches } = this;
    return matches !== undefined && findings.rarities === digestOfEpoch(matches.epoch) ? findings : undefined;
  }

  /** What is known of files, to be closed; undefined when there is nothing to go by. */
  openDocuments(): StoredDocuments | undefined {
    const file = this.#open('documents', this.#documentsKey);
    if (file === undefined) return undefined;
    const documents = StoredDocuments.read(file);
    if (documents !== undefined) return documents;
    file.close();
    this.damaged('documents', damagedPiece);
    return undefined;
  }

  /** Says that a file is not used, and why: once, for what has damaged one has most likely damaged all. */
  damaged(name: FileName, reason: string): void {
    if (this.#isDamaged) return;
    this.#isDamaged = true;
    this.#warn(`The stored index ${this.#place}.${name} cannot be used (${reason}); it is made anew.`);
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
    if (this.#pending === undefined) return;
    const state = this.#pending();
    const { changedFiles, files, matches, report } = state;
    if (changedFiles > tolerance.files || changedFiles > tolerance.share * files.length) {
      await this.#write('documents', this.#documentsKey, documentPieces(state), cancelled);
      if (cancelled()) return;
      state.onWritten?.();
    }
    if (matches !== undefined && matches !== this.#matches?.content) {
      await this.#write('matches', this.#documentsKey, matchesPieces(matches, this.#options), cancelled);
      if (cancelled()) return;
      this.#matches = { content: matches };
    }
    // Last: findings are never newer than the table by which they were weighed.
    if (report !== undefined) {
      await this.#write('findings', this.#findingsKey, findingsPieces(report), cancelled);
      if (cancelled()) return;
      this.#findings = { content: report };
    }
    this.#pending = undefined;
  }

  #read<T>(name: FileName, key: bigint, read: (file: CheckedFile) => T | undefined): T | undefined {
    const file = this.#open(name, key);
    if (file === undefined) return undefined;
    const content = read(file);
    file.close();
    if (content === undefined) this.damaged(name, damagedPiece);
    return content;
  }

  #open(name: FileName, key: bigint): CheckedFile | undefined {
    const opened = openChecked(`${this.#place}.${name}`, key, hashBytes64);
    if (opened.type === 'damaged') this.damaged(name, opened.reason);
    return opened.type === 'file' ? opened : undefined;
  }

  async #write(name: FileName, key: bigint, pieces: Iterable<Uint8Array>, cancelled: () => boolean): Promise<void> {
    const file = `${this.#place}.${name}`;
    const problem = await writeChecked(file, { key, pieces }, hashBytes64, cancelled);
    if (problem !== undefined) this.#warn(`The index cannot be stored in ${file}: ${problem}.`);
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

type FileName = 'documents' | 'matches' | 'findings';

const damagedPiece = 'a checksum is wrong';

/** What is stored of files. */
export class StoredDocuments {
  readonly #file: CheckedFile;
  readonly #files: ReadonlyMap<string, StoredFile>;
  /** Where the arrays lie, once they are loaded. */
  #base = 0;

  private constructor(file: CheckedFile, files: ReadonlyMap<string, StoredFile>) {
    this.#file = file;
    this.#files = files;
  }

  /** Undefined when it is damaged. */
  static read(file: CheckedFile): StoredDocuments | undefined {
    const texts = new Uint8Array(file.sizes[0] ?? 0);
    const numbers = new Float64Array((file.sizes[1] ?? 0) / 8);
    if (!file.read(0, texts) || !file.read(1, new Uint8Array(numbers.buffer))) return undefined;
    const { paths, contents } = JSON.parse(new TextDecoder().decode(texts)) as StoredTexts;
    const files = new Map<string, StoredFile>();
    let offset = 0;
    paths.forEach((path, place) => {
      const content = contents[place]!;
      const known = readNumbers(numbers, place);
      if ('reason' in content) {
        files.set(path, { ...known, content: { path, ...content } });
        return;
      }
      files.set(path, { ...known, content: { shape: content, offset } });
      offset += documentBytes(content);
    });
    const documents = new StoredDocuments(file, files);
    return documents.sizeBytes === offset ? documents : undefined;
  }

  get size(): number {
    return this.#files.size;
  }

  /** Of all documents together. */
  get sizeBytes(): number {
    return this.#file.sizes.slice(2).reduce((sum, size) => sum + size, 0);
  }

  /** What is known of a file without its document. */
  stampOf(path: string): Pick<StoredFile, 'stamp' | 'digest'> | undefined {
    return this.#files.get(path);
  }

  /** Reads all arrays into the kernel's memory; false, and the memory is as it was, when they are damaged. */
  load(kernel: Kernel): boolean {
    const mark = kernel.mark();
    this.#base = kernel.allocate(this.sizeBytes);
    let start = this.#base;
    for (const [place, size] of this.#file.sizes.slice(2).entries()) {
      if (!this.#file.read(place + 2, kernel.bytes.subarray(start, start + size))) {
        kernel.release(mark);
        return false;
      }
      start += size;
    }
    return true;
  }

  /** A file that is stored: its document, which is there once it is loaded, or why it was left out. */
  fileOf(path: string): IndexedFile {
    const stored = this.#files.get(path);
    if (stored === undefined) throw new RangeError(`${path} is not stored.`);
    const { stamp, digest, content } = stored;
    if ('reason' in content) return { path, content, digest, stamp };
    return { path, content: placeDocument(content.shape, this.#base + content.offset), digest, stamp };
  }

  close(): void {
    this.#file.close();
  }
}

interface StoredFile {
  readonly stamp: FileStamp;
  readonly digest: bigint;
  readonly content: Skipped | { readonly shape: DocumentShape; readonly offset: number };
}

/** The first piece, as JSON. The second one has the numbers of each file. */
interface StoredTexts {
  readonly paths: readonly string[];
  /** For each file the shape of its document, or why it was left out. */
  readonly contents: readonly (DocumentShape | Omit<Skipped, 'path'>)[];
}

/** Numbers of a file: its stamp, and its digest in two halves. */
const numbersOfFile = 4;
/** Arrays are written about this much at a time: some milliseconds' worth. */
const pieceBytes = 1 << 23;

function* documentPieces({ kernel, files }: IndexState): Generator<Uint8Array> {
  const stamped = files.flatMap((file) => (file.stamp === undefined ? [] : [{ ...file, stamp: file.stamp }]));
  const texts: StoredTexts = {
    paths: stamped.map(({ path }) => path),
    contents: stamped.map(({ content }) => ('reason' in content ? refusalOf(content) : shapeOf(content))),
  };
  yield new TextEncoder().encode(JSON.stringify(texts));
  const numbers = stamped.flatMap(({ stamp: { sizeBytes, mtimeMs }, digest }) => [
    ...[sizeBytes, mtimeMs, Number(digest >> 32n), Number(digest & 0xffff_ffffn)],
  ]);
  yield new Uint8Array(Float64Array.from(numbers).buffer);

  let piece = new Uint8Array(pieceBytes);
  let end = 0;
  for (const { content } of stamped) {
    if ('reason' in content) continue;
    const size = documentBytes(content);
    if (end + size > piece.length) {
      if (end > 0) yield piece.subarray(0, end);
      end = 0;
      if (size > piece.length) piece = new Uint8Array(size);
    }
    piece.set(kernel.bytes.subarray(content.tokens, content.tokens + size), end);
    end += size;
  }
  if (end > 0) yield piece.subarray(0, end);
}

function refusalOf({ reason, setting }: Skipped): Omit<Skipped, 'path'> {
  return setting === undefined ? { reason } : { reason, setting };
}

function readNumbers(numbers: Float64Array, place: number): Pick<StoredFile, 'stamp' | 'digest'> {
  const [sizeBytes = 0, mtimeMs = 0, high = 0, low = 0] = numbers.subarray(place * numbersOfFile);
  return { stamp: { sizeBytes, mtimeMs }, digest: (BigInt(high) << 32n) | BigInt(low) };
}

/** The first piece of the findings, as JSON; the others are lists of groups. */
interface StoredSummary {
  /** Digests, in hexadecimal digits. */
  readonly contents: string;
  readonly rarities: string;
  readonly totals: Totals;
  readonly skipped: readonly Skipped[];
}

/** Groups in a piece: no text is longer than some megabytes. */
const groupsOfPiece = 4_000;

function* findingsPieces({ findings, contents, rarities }: StoredFindings): Generator<Uint8Array> {
  const { totals, skipped, groups } = findings;
  const digests = { contents: contents.toString(16), rarities: rarities.toString(16) };
  const summary: StoredSummary = { ...digests, totals, skipped };
  const encoder = new TextEncoder();
  yield encoder.encode(JSON.stringify(summary));
  for (let start = 0; start < groups.length; start += groupsOfPiece) {
    yield encoder.encode(JSON.stringify(groups.slice(start, start + groupsOfPiece)));
  }
}

function readFindings(file: CheckedFile): StoredFindings | undefined {
  const decoder = new TextDecoder();
  const pieces: unknown[] = [];
  for (const [place, size] of file.sizes.entries()) {
    const bytes = new Uint8Array(size);
    if (!file.read(place, bytes)) return undefined;
    pieces.push(JSON.parse(decoder.decode(bytes)));
  }
  const { contents, rarities, totals, skipped } = pieces[0] as StoredSummary;
  const groups = (pieces.slice(1) as Group[][]).flat();
  const findings = { complete: true, totals, groups, skipped };
  return { contents: BigInt(`0x${contents}`), rarities: BigInt(`0x${rarities}`), findings };
}

/**
 * The digest of what a report is made from: of the files, in any order, and of what was left out besides. With the same
 * options and program, the same digest means the same report.
 */
export function digestOfContents(files: readonly IndexedFile[], skipped: readonly Skipped[]): bigint {
  const left = ({ path, reason, setting = '' }: Skipped): string => `${path}\0\0${reason}\0${setting}`;
  const lines = files.map(({ path, content, digest }) =>
    'reason' in content ? left(content) : `${path}\0${digest.toString(16)}`,
  );
  return hash64([...lines, ...skipped.map(left)].sort().join('\n'));
}

/** The digest of a file of this program. */
function digestOfFile(file: URL): string {
  return hashBytes64(readFileSync(file)).toString(16);
}
