/** Implements Explain Match in the editor: compares two passages of texts that the host sends. */
import { explainPassages, type PassageExplanation, type PassageText } from '../../core/engine/explainPassages.ts';
import { type FileLexicons, fileLexicons } from '../../core/engine/languages/allLexicons.ts';
import { fallbackLexicon } from '../../core/engine/languages/lexicons/fallback.ts';
import { textOf } from '../../scan/io/decode.ts';
import type { ExplainParams, ExplainPassage } from '../protocol/calls.ts';
import { type Languages, lexiconOfText } from './languages.ts';

const encoder = new TextEncoder();

/** Maximum number of shared features and of differing features to return. */
const maxFeatures = 30;

/** @param knownLanguages  lexicons of languages without a built-in lexicon */
export function explainMatch(
  { a, b, options, languages }: ExplainParams,
  knownLanguages: Languages,
): PassageExplanation {
  const others = fileLexicons(knownLanguages.lexiconsFor(languages));
  const [x, y] = [passageOf(a, others), passageOf(b, others)];
  return explainPassages(x, y, options, { limit: maxFeatures, decode: textOf });
}

function passageOf({ path, text, languageId, ...place }: ExplainPassage, others: FileLexicons): PassageText {
  const lexicon = lexiconOfText(path, languageId, others) ?? fallbackLexicon;
  const lines = { start: place.startLine, end: place.endLine };
  const columns = { start: place.startColumn, end: place.endColumn };
  return { path, text: encoder.encode(text), lines, columns, lexicon };
}
