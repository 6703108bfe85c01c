/** For files of no language that we know: what most languages have in common. */
import type { Lexicon } from '../lexicalRules.ts';
import { cComments, cStrings } from './rules.ts';

export const fallbackLexicon: Lexicon = {
  id: 'unknown',
  prose: false,
  // Go's modules; by their ending alone VS Code takes them for XML.
  files: 'go.mod go.work',
  letters: '$',
  rules: [...cComments, ...cStrings, { type: 'lineComment', open: '#', where: 'firstOnLine' }],
};
