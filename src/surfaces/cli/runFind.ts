/** `kindred find src/a.ts:10-42`: finds near-duplicates of a passage, a text, or the lines that a diff adds. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { lexiconForLanguage, lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import { checkOptions, defaultOptions } from '../../core/engine/options.ts';
import type { SimilarPassage, SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import type { SimilarText } from '../../scan/indexer/liveScan.ts';
import { scanToFollow, type ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import type { FindArguments } from './arguments.ts';
import { addedTexts } from './addedTexts.ts';
import type { Problem } from './scanArguments.ts';
import { linesOf } from '../../presentation/wording/lineRange.ts';
import { nameFrom } from './places.ts';
import { printable, printableJson } from '../../presentation/wording/printable.ts';
import { count, percent } from './quantities.ts';
import { parsePlace, readPlace } from './readPlace.ts';

/** A text to search for, and its origin. */
export interface TextToFind extends SimilarText {
  /** Absolute path and lines of the text; `undefined` for standard input. */
  readonly origin: { readonly file: string; readonly startLine: number; readonly endLine: number } | undefined;
}

export interface FindReport {
  readonly tool: { readonly name: 'kindred'; readonly version: string };
  /** Absolute path of the folder to which paths are relative. */
  readonly root: string;
  /** Results, in the order of the texts. */
  readonly found: readonly FoundText[];
  /** Duration of the search in milliseconds, not counting reading and indexing. */
  readonly searchMs: number;
}

/** A text, and its near-duplicates. */
export interface FoundText {
  readonly searchedText: TextToFind;
  readonly similar: SimilarPassages;
}

/** Returns the texts to search for, or an error message. Only a diff can have several texts. */
export function readTexts(findArguments: FindArguments): readonly TextToFind[] | Problem {
  if (findArguments.isDiff) {
    const wrong = problemOfLimits(findArguments);
    return wrong === undefined ? readDiff() : problem(wrong);
  }
  const searchedText = readTextToFind(findArguments);
  return 'problem' in searchedText ? searchedText : [searchedText];
}

/** Returns the text to search for, or an error message. */
export function readTextToFind({
  place,
  language,
  maxDistance,
  minSimilarity,
}: Pick<FindArguments, 'place' | 'language' | 'maxDistance' | 'minSimilarity'>): TextToFind | Problem {
  const wrong = problemOfLimits({ maxDistance, minSimilarity });
  if (wrong !== undefined) return problem(wrong);
  return place === undefined ? readStandardInput(language) : readText(place);
}

function problemOfLimits({
  maxDistance = defaultOptions.maxDistance,
  minSimilarity = defaultOptions.minSimilarity,
}: Pick<FindArguments, 'maxDistance' | 'minSimilarity'>): string | undefined {
  const [wrong] = checkOptions({ ...defaultOptions, maxDistance, minSimilarity });
  return wrong?.replace('maxDistance', '--max-distance').replace('minSimilarity', '--min-similarity');
}

/** Returns the query for a text. Paths in it are relative to `root`. */
export function queryOf(
  { maxDistance, minSimilarity, limit }: Pick<FindArguments, 'maxDistance' | 'minSimilarity' | 'limit'>,
  { origin }: TextToFind,
  root: string,
): SimilarQuery {
  return {
    maxDistance,
    minSimilarity,
    origin: origin && { ...origin, path: pathIn(root, origin.file) },
    limit,
  };
}

/** Returns the texts that the diff on standard input adds, or an error message. */
function readDiff(): readonly TextToFind[] | Problem {
  const texts = addedTexts(readFileSync(0, 'utf8'), process.cwd());
  if ('problem' in texts) return problem(texts.problem);
  return texts.map(({ path: name, file = path.resolve(name), startLine, endLine, text }) => ({
    bytes: Buffer.from(text, 'utf8'),
    lexicon: lexiconForPath(name),
    origin: { file, startLine, endLine },
  }));
}

/** Returns the text at a place, or an error message. Columns are ignored. */
function readText(written: string): TextToFind | Problem {
  const place = parsePlace(written);
  if ('problem' in place) return place;
  const { file, lines } = place;
  const read = readPlace({ file, lines, columns: undefined });
  if ('problem' in read) return read;
  const all = Buffer.from(read).toString('utf8').split('\n');
  const { start, end } = lines ?? { start: 1, end: all.length };
  if (start > all.length) return problem(`${file} has only ${all.length} lines; line ${start} does not exist.`);
  const endLine = Math.min(end, all.length);
  const bytes = Buffer.from(all.slice(start - 1, endLine).join('\n'), 'utf8');
  return { bytes, lexicon: lexiconForPath(file), origin: { file: path.resolve(file), startLine: start, endLine } };
}

/** Returns the text on standard input, or an error message about its language. */
function readStandardInput(language: string | undefined): TextToFind | Problem {
  const example = 'use an identifier such as typescript, a file extension such as ts, or a file name.';
  if (language === undefined) return problem(`--stdin requires --language; ${example}`);
  const lexicon = lexiconNamed(language);
  if (lexicon === undefined) return problem(`--language: there is no language "${language}"; ${example}`);
  return { bytes: readFileSync(0), lexicon, origin: undefined };
}

function lexiconNamed(language: string): Lexicon | undefined {
  const name = language.toLowerCase().replace(/^\./, '');
  const ofEnding = lexiconForPath(`text.${name}`);
  return lexiconForLanguage(name) ?? (ofEnding === fallbackLexicon ? undefined : ofEnding);
}

/** Indexes files and searches them for texts. Returns `undefined` if canceled. */
export async function findIn(
  request: ScanRequest,
  searchedTexts: readonly TextToFind[],
  queryFor: (searchedText: TextToFind) => SimilarQuery,
  monitor: ScanMonitor,
): Promise<Pick<FindReport, 'found' | 'searchMs'> | Problem | undefined> {
  const scope = searchedTexts.map((one) => ({ bytes: one.bytes, lexicon: one.lexicon, query: queryFor(one) }));
  const { found, findings } = await scanToFollow({ ...request, scope }, monitor, 'index');
  if (monitor.cancelled()) return undefined;
  if (findings.skipped.some(({ setting }) => setting === 'memory')) {
    const left = findings.totals.skipped;
    return problem(
      `not all files fit into memory (${count(left, 'file')} left out); raise --memory or search fewer files.`,
    );
  }
  return (
    found && {
      found: found.similar.map((similar, place) => ({ searchedText: searchedTexts[place]!, similar })),
      searchMs: found.searchMs,
    }
  );
}

/** Returns the path of a file relative to `root`. */
function pathIn(root: string, file: string): string {
  return path.relative(root, file).replaceAll(path.sep, '/');
}

export function renderFound(
  report: FindReport,
  { format, isDiff }: Pick<FindArguments, 'format' | 'isDiff'>,
  from: string,
): string {
  const { tool, root, found, searchMs } = report;
  if (format === 'json') {
    const head = { tool, schema: 1, root: root.replaceAll('\\', '/') };
    const answers = found.map((one) => asJson(one, root));
    const ms = Math.round(searchMs * 10) / 10;
    const answer = isDiff ? { ...head, searchMs: ms, texts: answers } : { ...head, ...answers[0], searchMs: ms };
    return `${printableJson(answer, 2)}\n`;
  }
  if (!isDiff) return found.map((one) => asText(one, root, from)).join('');
  const copied = found.filter(({ similar }) => similar.total > 0);
  const short = found.filter(({ similar }) => similar.hasNoWindow).length;
  const left = short > 0 ? `, ${short} too short to search for` : '';
  const summary = `${count(found.length, 'added passage')}, ${copied.length} with near-duplicates${left}\n`;
  return [...copied.map((one) => asText(one, root, from)), summary].join('');
}

function asJson({ searchedText: { origin }, similar }: FoundText, root: string) {
  const { passages, tokens, total, hasNoWindow, leftOut } = similar;
  const text = origin && {
    path: pathIn(root, origin.file),
    startLine: origin.startLine,
    endLine: origin.endLine,
  };
  return {
    text: { ...text, tokens },
    total,
    tooShort: hasNoWindow,
    leftOut,
    passages: passages.map(({ passage, ...likeness }) => ({ ...passage, ...likeness })),
  };
}

function asText({ searchedText: { origin }, similar }: FoundText, root: string, from: string): string {
  const { passages, tokens, total, hasNoWindow, leftOut } = similar;
  const what = origin ? printable(`${nameFrom(from, origin.file)}:${linesOf(origin)}`) : 'The text';
  if (hasNoWindow) return `${what} is too short or too uniform to search for (${count(tokens, 'token')}).\n`;
  const found = total === 0 ? 'no near-duplicates' : count(total, 'near-duplicate');
  const lines = passages.map((one) => line(one, root, from));
  const more = total > passages.length ? [`  … and ${count(total - passages.length, 'more passage')}; see --most`] : [];
  const { documents } = leftOut;
  const left = documents > 0 ? [`Not compared, because too many files resemble it: ${count(documents, 'file')}.`] : [];
  return [`${what} (${count(tokens, 'token')}): ${found}`, ...lines, ...more, ...left, ''].join('\n');
}

function line({ passage, type, similarity, covered, textLines }: SimilarPassage, root: string, from: string): string {
  const place = printable(`${nameFrom(from, path.join(root, passage.path))}:${linesOf(passage)}`);
  const { start, end } = textLines;
  const part = covered < 0.95 ? `  (lines ${start}-${end} of the text)` : '';
  return `  ${percent(similarity).padStart(6)}  ${typeNames[type].padEnd(7)}  ${place}${part}`;
}

const typeNames = { exact: 'exact', renamed: 'renamed', near: 'edited' } as const;

function problem(words: string): Problem {
  return { type: 'problem', problem: words };
}
