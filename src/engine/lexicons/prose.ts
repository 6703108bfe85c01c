/** Languages that are text for people: words only. */
import type { Lexicon } from '../lexicon.ts';

const markdown: Lexicon = {
  id: 'markdown',
  prose: true,
  files: '.md .markdown .mdown .mkd .mkdn .mdwn .mdx .rmd .qmd README.md',
  rules: [],
};

const plaintext: Lexicon = {
  id: 'plaintext',
  prose: true,
  files: '.txt .text README LICENSE LICENCE COPYING AUTHORS CONTRIBUTORS CHANGELOG CHANGES NEWS NOTICE HISTORY',
  rules: [],
};

export const proseLexicons: readonly Lexicon[] = [markdown, plaintext];
