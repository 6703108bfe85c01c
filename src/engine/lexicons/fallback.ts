/** For files of no language that we know: what most languages have in common. */
import type { Lexicon } from '../lexicon.ts';
import { cComments, cStrings } from './rules.ts';

export const fallbackLexicon: Lexicon = {
  id: 'unknown',
  prose: false,
  files: '',
  letters: '$',
  rules: [...cComments, ...cStrings, { type: 'lineComment', open: '#', where: 'firstOnLine' }],
};
