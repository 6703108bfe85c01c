/** Fallback for files in unknown languages: the common features of most languages. */
import type { Lexicon } from '../lexicalRules.ts';
import { cComments, cStrings } from './rules.ts';

export const fallbackLexicon: Lexicon = {
  id: 'unknown',
  prose: false,
  // Go modules. VS Code would take them for XML because of their extension.
  files: 'go.mod go.work',
  letters: '$',
  rules: [...cComments, ...cStrings, { type: 'lineComment', open: '#', where: 'firstOnLine' }],
};
