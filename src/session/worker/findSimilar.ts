/** Implements Find Similar in the editor: searches the index of the last scan for a text. */
import {
  fileLexicons,
  lexiconForLanguage,
  lexiconForPath,
  unnamedLexicon,
} from '../../core/engine/languages/allLexicons.ts';
import type { Lexicon } from '../../core/engine/languages/lexicalRules.ts';
import { cellLines, isNotebook, readNotebook } from '../../core/engine/languages/notebook.ts';
import type { SimilarQuery } from '../../core/engine/similar/findSimilar.ts';
import type { SearchedText } from '../../core/engine/windowIndex.ts';
import type { ScanInput } from '../../scan/indexer/scanInput.ts';
import { textOf } from '../../scan/io/decode.ts';
import type { SourceReader } from '../../scan/io/sourceReader.ts';
import type { FindParams, FindResult } from '../protocol/calls.ts';
import type { Search } from './indexQuestions.ts';
import { lexiconOfText, problemOfLanguage } from './languages.ts';

const encoder = new TextEncoder();

/** Documents of an index, and the reader for their files. */
type ComparedDocuments = ScanInput & { readonly reader: SourceReader };

/**
 * @param search    searches the index; `undefined` if there is none
 * @param lexicons  lexicons of languages without a built-in lexicon
 * @param compared  the compared documents, from which the text is read if the request contains none
 */
export async function findSimilar(
  search: Search | undefined,
  lexicons: readonly Lexicon[],
  compared: ComparedDocuments | undefined,
  params: FindParams,
): Promise<FindResult> {
  const started = performance.now();
  const textToFind = searchedText(lexicons, compared, params);
  if ('problem' in textToFind) return { similar: undefined, reason: 'refused', problem: textToFind.problem };
  const similar = await search?.(textToFind);
  if (similar === undefined) return { similar, reason: 'noIndex', problem: 'There is no index of a completed scan.' };
  return { similar, elapsedMs: performance.now() - started };
}

/** Returns the text and the query of a search, or an error message. */
export function searchedText(
  lexicons: readonly Lexicon[],
  compared: ComparedDocuments | undefined,
  { text, path, languageId, requiresLanguage, lines, maxDistance, minSimilarity, explains, limit }: FindParams,
): SearchedText | { readonly problem: string } {
  const own: OwnText | { readonly problem: string } =
    text === undefined ? linesOf(compared, path, lines) : { bytes: encoder.encode(text), lines };
  if ('problem' in own) return own;
  const others = fileLexicons(lexicons);
  const problem = requiresLanguage ? problemOfLanguage(path, languageId, others) : undefined;
  if (problem !== undefined) return { problem };
  const lexicon = lexiconOfText(path, languageId, others) ?? unnamedLexicon();
  const isCell = isNotebook(lexicon) && readNotebook(own.bytes) === undefined;
  return {
    bytes: own.bytes,
    lexicon: own.lexicon ?? (isCell ? lexiconOfCell(languageId) : lexicon),
    query: {
      maxDistance,
      minSimilarity,
      explains,
      origin: own.lines && originIn(path, own.lines),
      limit,
    },
  };
}

function originIn(path: string, { start, end, ...columns }: NonNullable<Lines>): SimilarQuery['origin'] {
  return { path, startLine: start, endLine: end, ...columns };
}

/** Returns the lexicon for the language of a notebook cell. Defaults to the lexicon of notebooks. */
function lexiconOfCell(languageId: string): Lexicon {
  const named = lexiconForLanguage(languageId);
  return named === undefined || isNotebook(named) ? lexiconForLanguage('python')! : named;
}

type Lines = Required<FindParams>['lines'];

interface OwnText {
  readonly bytes: Uint8Array;
  readonly lines: Lines | undefined;
  /** Lexicon of the text if it is a notebook cell. Otherwise, the path determines the lexicon. */
  readonly lexicon?: Lexicon;
}

/** Returns the requested lines of a file, or why they are not available: only compared files are read. */
function linesOf(
  compared: ComparedDocuments | undefined,
  path: string,
  wantedLines: Lines | undefined,
): OwnText | { readonly problem: string } {
  if (compared === undefined) return { problem: 'There is no index of a completed scan.' };
  const bytes = bytesOf(compared, path);
  if ('problem' in bytes) return bytes;
  const all = textOf(bytes).split('\n');
  const { start, end } = wantedLines ?? { start: 1, end: all.length };
  if (start < 1 || end < start)
    return { problem: `${path}:${start}-${end} is not a valid range of lines; lines count from 1.` };
  if (start > all.length) return { problem: `${path} has only ${all.length} lines; line ${start} does not exist.` };
  const last = Math.min(end, all.length);
  const notebook = wantedLines && isNotebook(lexiconForPath(path)) ? readNotebook(bytes) : undefined;
  if (notebook) {
    const { text, lexicon } = cellLines(bytes, notebook, { start, end: last });
    if (text.length === 0) return { problem: `${path}:${start}-${last} contains no text of a cell.` };
    return { bytes: text, lines: { start, end: last }, lexicon };
  }
  return { bytes: encoder.encode(all.slice(start - 1, last).join('\n')), lines: { start, end: last } };
}

function bytesOf(
  { listing, texts, reader }: ComparedDocuments,
  path: string,
): Uint8Array | { readonly problem: string } {
  const own = texts.find((text) => text.path === path);
  if (own) return own.bytes;
  const file = listing.files.find((one) => one.path === path);
  const skipped = listing.skipped.find((one) => one.path === path);
  if (file === undefined) {
    return {
      problem: `${path} is not compared: ${skipped?.reason ?? 'there is no such file, or a rule excludes it'}.`,
    };
  }
  if (!('file' in file)) {
    const { content } = file;
    return content instanceof Uint8Array ? content : { problem: `${path} is not available; give its text instead.` };
  }
  const source = reader.read(file, { maxFileSizeBytes: 2 ** 30, generated: true }, (size) => new Uint8Array(size));
  return 'skipped' in source ? { problem: `${path} cannot be compared: ${source.skipped.reason}.` } : source.bytes;
}
