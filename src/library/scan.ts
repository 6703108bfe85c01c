/**
 * Scans for other programs: texts in, findings out. The stages are the same as on the command line, but run on the
 * calling thread. The engine has no side effects, so this also works in browsers and workers. The functions block until
 * they are done, so pages should call them in a worker.
 */
import { Corpus } from '../core/engine/corpus.ts';
import { DocumentIndexer } from '../core/engine/documents/indexDocument.ts';
import { proseIsOff } from '../core/engine/documents/proseIsOff.ts';
import { createMemory, Kernel } from '../core/engine/kernel.ts';
import { lexiconForPath } from '../core/engine/languages/allLexicons.ts';
import type { LiveCorpus } from '../core/engine/liveCorpus.ts';
import { Matcher } from '../core/engine/matches/matches.ts';
import { checkOptions, defaultOptions, type Options } from '../core/engine/options.ts';
import type { CountedFile } from '../core/engine/report/makeReport.ts';
import type { Findings, SkippedFile } from '../core/engine/report/report.ts';
import type { SimilarPassages, SimilarQuery } from '../core/engine/similar/findSimilar.ts';
import { lastOf } from '../core/engine/steps.ts';
import { checkIterable, checkObject, checkWhole, nameOf } from '../core/methods/checkArgument.ts';

/** TextEncoder, which Node and browsers provide. This project does not include their types. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** A text to compare. */
export interface SourceText {
  /** Path with forward slashes. The file name determines the language, and the folders influence the category. */
  readonly path: string;
  /** Content without a byte order mark: a string, or its bytes in UTF-8. */
  readonly text: string | Uint8Array;
}

/** Options to change. All others have the values of `defaultOptions`. */
export type ScanOptions = Partial<Omit<Options, 'weights' | 'prose'>> & {
  readonly weights?: Partial<Options['weights']>;
  readonly prose?: Partial<Options['prose']>;
};

/** A completed scan. It includes the index of its files, which `find` searches. */
export interface Scan {
  /**
   * The findings, as plain data: lines and columns count from 1, similarities are from 0 to 1. Groups are sorted by
   * worth, descending; the JSON report sorts them by section first.
   */
  readonly findings: Findings;
  /** The files that were compared, sorted by path, with their numbers of lines and of duplicated lines. */
  readonly files: readonly CountedFile[];
}

/** Options of a search. */
export interface FindOptions extends SimilarQuery {
  /** File name or file extension that determines the language of the text, such as `.ts`. Default: plain text. */
  readonly language?: string;
}

/** The corpus of each scan. The first search converts it to a live corpus. */
const corpora = new WeakMap<Scan, Corpus | LiveCorpus>();

const encoder = new TextEncoder();

/**
 * Finds the passages that files share, and files that nearly repeat each other. The findings are those of the command
 * line for the same files and options. Every file is compared: the limit of the file size, the detection of generated
 * files, and the rules of Git apply only on the command line.
 *
 * The order of the files does not matter. The texts are not kept. The index of the texts is kept as long as the
 * returned object exists.
 *
 * @param files    at most one for each path
 * @param options  options that differ from `defaultOptions`
 * @throws TypeError if an argument has the wrong type
 * @throws RangeError if a path occurs twice, an option is unknown or out of range, or the index exceeds the memory
 * @example
 * ```js
 * const files = [
 *   { path: 'src/a.ts', text: first },
 *   { path: 'src/b.ts', text: second },
 * ];
 * for (const { passages } of scan(files, { minTokens: 30 }).findings.groups) console.log(passages);
 * ```
 */
export function scan(files: Iterable<SourceText>, options: ScanOptions = {}): Scan {
  const complete = completed(options);
  const kernel = new Kernel(createMemory());
  const { corpus, skipped } = indexed(kernel, files, complete);
  const plan = lastOf(corpus.planSteps());
  const records = new Matcher(kernel, plan.task, complete).matchSeeds(0, plan.task.seeds.count);
  const findings = lastOf(plan.finishSteps(records, { skipped, complete: true }));
  const counted = corpus.countedFiles()!.sort((a, b) => (a.path < b.path ? -1 : 1));
  const done: Scan = { findings, files: counted };
  corpora.set(done, corpus);
  return done;
}

/**
 * Finds the passages that a text, or a part of it, nearly duplicates. To search for several texts, pass a scan, so that
 * the index is prepared only once. Passages are sorted by the amount of text they match, descending.
 *
 * @param text     the text to search for
 * @param files    files, or a scan of them
 * @param options  options of the search. Files are indexed with the default options; use a scan for others
 * @throws TypeError if an argument has the wrong type
 * @throws RangeError if a path occurs twice, an option is out of range, or the index exceeds the memory
 * @example
 * ```js
 * const { passages } = find(text, scan(files), { language: '.ts', most: 5 });
 * for (const { passage, similarity } of passages) console.log(passage.path, passage.startLine, similarity);
 * ```
 */
export function find(text: string, files: Iterable<SourceText> | Scan, options: FindOptions = {}): SimilarPassages {
  if (typeof text !== 'string') throw new TypeError(`text must be a string, not ${nameOf(text)}.`);
  checkObject('options', options);
  const { language = 'text.txt', ...query } = options;
  if (typeof language !== 'string') throw new TypeError(`language must be a string, not ${nameOf(language)}.`);
  checkQuery(query);
  const [bytes, lexicon] = [encoder.encode(text), lexiconForPath(language)];
  const live = typeof files === 'object' && 'findings' in files ? liveCorpusOf(files) : undefined;
  if (live) return live.findSimilar(bytes, lexicon, query)!;
  const { corpus } = indexed(new Kernel(createMemory()), files as Iterable<SourceText>, defaultOptions);
  return lastOf(corpus.findSimilarSteps([{ bytes, lexicon, query }]))[0];
}

function checkQuery({
  maxDistance = defaultOptions.maxDistance,
  minSimilarity = defaultOptions.minSimilarity,
  limit,
}: SimilarQuery): void {
  completed({ maxDistance, minSimilarity });
  if (limit !== undefined) checkWhole('limit', limit, 1, Number.MAX_SAFE_INTEGER);
}

/** Returns the live corpus of a scan, with an index of windows. The first search of a scan creates it. */
function liveCorpusOf(done: Scan): LiveCorpus {
  const corpus = corpora.get(done);
  if (corpus === undefined) throw new TypeError('files must be iterable or the result of scan(), not a copy of it.');
  if (!(corpus instanceof Corpus)) return corpus;
  const live = corpus.keep();
  lastOf(live.indexSteps());
  corpora.set(done, live);
  return live;
}

/** Indexes files. Skips files that the options exclude. Both resulting lists are sorted by path. */
function indexed(
  kernel: Kernel,
  files: Iterable<SourceText>,
  options: Options,
): { readonly corpus: Corpus; readonly skipped: readonly SkippedFile[] } {
  checkIterable('files', files);
  const indexer = new DocumentIndexer(kernel, options);
  const corpus = new Corpus(kernel, options);
  const paths = new Set<string>();
  const skipped: SkippedFile[] = [];
  for (const file of files) {
    checkObject('files', file);
    const { path, text } = file;
    if (typeof path !== 'string') throw new TypeError(`files: path must be a string, not ${nameOf(path)}.`);
    if (typeof text !== 'string' && !(text instanceof Uint8Array)) {
      throw new TypeError(`files: text of ${path} must be a string or a Uint8Array, not ${nameOf(text)}.`);
    }
    if (paths.has(path)) throw new RangeError(`files must hold one text for each path, but ${path} occurs twice.`);
    paths.add(path);
    const isOff = proseIsOff(path, options, new Map());
    if (isOff) {
      skipped.push(isOff);
      continue;
    }
    const bytes = typeof text === 'string' ? encoder.encode(text) : text;
    const room = indexer.reserve(bytes.length);
    room.set(bytes);
    corpus.adopt(path, indexer.index(room, lexiconForPath(path)));
  }
  skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { corpus, skipped };
}

/** Completes options with default values. */
function completed(options: ScanOptions): Options {
  checkObject('options', options);
  const { weights = {}, prose = {}, ...others } = options;
  checkObject('weights', weights);
  checkObject('prose', prose);
  const unknown = [
    ...Object.keys(others).filter((name) => !(name in defaultOptions)),
    ...Object.keys(prose).flatMap((name) => (name in defaultOptions.prose ? [] : `prose.${name}`)),
  ];
  if (unknown.length > 0) throw new RangeError(`options: there is no option ${unknown.join(', ')}.`);
  const complete: Options = {
    ...defaultOptions,
    ...others,
    weights: { ...defaultOptions.weights, ...weights },
    prose: { ...defaultOptions.prose, ...prose },
  };
  const problems = checkOptions(complete);
  if (problems.length > 0) throw new RangeError(problems.join(' '));
  return complete;
}
