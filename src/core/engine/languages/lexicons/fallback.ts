/** Fallback lexicon for files in unknown languages. It has the features that most languages share. */
import type { Lexicon } from '../lexicalRules.ts';
import { cComments, cStrings } from './rules.ts';

export const fallbackLexicon: Lexicon = {
  id: 'unknown',
  // Files of Go modules. VS Code would treat .mod files as XML.
  files: 'go.mod go.work',
  letters: '$',
  rules: [...cComments, ...cStrings, { type: 'lineComment', open: '#', where: 'firstOnLine' }],
};
