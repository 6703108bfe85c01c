/** `kindred find src/a.ts:10-42`: finds near-duplicates of a passage, or of a text from standard input. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lexiconForLanguage, lexiconForPath, unnamedLexicon } from '../../core/engine/languages/lexicon.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import { checkOptions, defaultOptions } from '../../core/engine/options.ts';
import type { SimilarPassage, SimilarPassages, SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import type { SimilarText } from '../../scan/indexer/liveScan.ts';
import { scanToFollow, type ScanRequest } from '../../scan/indexer/scan.ts';
import type { ScanMonitor } from '../../scan/indexer/scanInput.ts';
import { readSource } from '../../scan/io/readSource.ts';
import type { FindArguments } from './arguments.ts';
import type { Problem } from './scanArguments.ts';
import { linesOf, nameFrom } from './places.ts';
import { printable, printableJson } from './printable.ts';
import { count, percent } from './quantities.ts';
import { parsePlace, type Place } from './runExplain.ts';

/** A text to find, and its origin. */
export interface Wanted extends SimilarText {
  /** Absolute path and lines; `undefined` for standard input. */
  readonly origin: { readonly file: string; readonly startLine: number; readonly endLine: number } | undefined;
}

export interface FindReport {
  readonly tool: { readonly name: 'kindred'; readonly version: string };
  /** Absolute path of the folder that paths are relative to. */
  readonly root: string;
  readonly wanted: Wanted;
  readonly similar: SimilarPassages;
  /** Duration of the search without reading and indexing. */
  readonly searchMs: number;
}

/** Returns the text to find, or an error message. */
export function readWanted({
  place,
  language,
  maxDistance,
  minSimilarity,
}: Pick<FindArguments, 'place' | 'language' | 'maxDistance' | 'minSimilarity'>): Wanted | Problem {
  const given = {
    ...(maxDistance === undefined ? {} : { maxDistance }),
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
  };
  const [wrong] = checkOptions({ ...defaultOptions, ...given });
  if (wrong) return problem(wrong.replace('maxDistance', '--k').replace('minSimilarity', '--min-similarity'));
  return place === undefined ? readStandardInput(language) : readPlace(parsePlace(place));
}

/** Returns the search query for a text in a report of `root`. */
export function queryOf(
  { maxDistance, minSimilarity, most }: FindArguments,
  { origin }: Wanted,
  root: string,
): SimilarQuery {
  return {
    ...(maxDistance === undefined ? {} : { maxDistance }),
    ...(minSimilarity === undefined ? {} : { minSimilarity }),
    origin: origin && { ...origin, path: pathIn(root, origin.file) },
    most,
  };
}

/** Returns the text of a place, or an error message. Columns are ignored. */
function readPlace({ file, lines }: Place): Wanted | Problem {
  if (!existsSync(file)) return problem(`there is no file ${file}; check the path.`);
  const source = readSource({ file, path: file }, { maxFileSizeBytes: 2 ** 30, generated: true }, (size) =>
    Buffer.alloc(size),
  );
  if ('skipped' in source) return problem(`${file} cannot be compared: ${source.skipped.reason}.`);
  const all = Buffer.from(source.bytes).toString('utf8').split('\n');
  const { start, end } = lines ?? { start: 1, end: all.length };
  if (start < 1 || end < start) {
    return problem(
      `${file}:${start}-${end} is not a valid range of lines; lines count from 1, and the end must not precede the start.`,
    );
  }
  if (start > all.length) return problem(`${file} has only ${all.length} lines; line ${start} does not exist.`);
  const endLine = Math.min(end, all.length);
  const bytes = Buffer.from(all.slice(start - 1, endLine).join('\n'), 'utf8');
  return { bytes, lexicon: lexiconForPath(file), origin: { file: path.resolve(file), startLine: start, endLine } };
}

/** Returns standard input, or an error message about its language. */
function readStandardInput(language: string | undefined): Wanted | Problem {
  const lexicon = language === undefined ? unnamedLexicon() : lexiconNamed(language);
  if (lexicon === undefined) {
    return problem(
      `--language: there is no language "${language}"; use an identifier such as typescript or a file extension such as ts.`,
    );
  }
  return { bytes: readFileSync(0), lexicon, origin: undefined };
}

function lexiconNamed(language: string): Lexicon | undefined {
  const name = language.toLowerCase().replace(/^\./, '');
  const ofEnding = lexiconForPath(`text.${name}`);
  return lexiconForLanguage(name) ?? (ofEnding === fallbackLexicon ? undefined : ofEnding);
}

/** Indexes the listed files, and searches for the text; returns `undefined` if cancelled. */
export async function findIn(
  request: ScanRequest,
  wanted: Wanted,
  query: SimilarQuery,
  monitor: ScanMonitor,
): Promise<Pick<FindReport, 'similar' | 'searchMs'> | Problem | undefined> {
  const { bytes, lexicon } = wanted;
  const { found, findings } = await scanToFollow({ ...request, scope: { bytes, lexicon, query } }, monitor, 'index');
  if (monitor.cancelled()) return undefined;
  if (findings.skipped.some(({ setting }) => setting === 'memory')) {
    const left = findings.totals.skipped;
    return problem(
      `not all files fit into memory (${count(left, 'file')} left out); raise --memory or search fewer files.`,
    );
  }
  return found;
}

/** Returns the path of a file in a report of `root`. */
function pathIn(root: string, file: string): string {
  return path.relative(root, file).replaceAll(path.sep, '/');
}

export function renderFound(report: FindReport, format: FindArguments['format'], from: string): string {
  return format === 'json' ? asJson(report) : asText(report, from);
}

function asJson({ tool, root, wanted: { origin }, similar, searchMs }: FindReport): string {
  const { passages, tokens, total, hasNoWindow, leftOut } = similar;
  const text = origin && {
    path: pathIn(root, origin.file),
    startLine: origin.startLine,
    endLine: origin.endLine,
  };
  const answer = {
    ...{ tool, schema: 1, root: root.replaceAll('\\', '/') },
    text: { ...text, tokens },
    ...{ total, tooShort: hasNoWindow, leftOut, searchMs: Math.round(searchMs * 10) / 10 },
    passages: passages.map(({ passage, ...likeness }) => ({ ...passage, ...likeness })),
  };
  return `${printableJson(answer, 2)}\n`;
}

function asText({ root, wanted: { origin }, similar }: FindReport, from: string): string {
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
