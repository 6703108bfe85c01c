/** Prose: words only. */
import type { Lexicon } from '../lexicalRules.ts';

const prose = { prose: true, rules: [] } as const;

const markdown: Lexicon = {
  ...prose,
  id: 'markdown',
  aliases: 'md mdx rmd quarto',
  files: '.md .markdown .mdown .mkd .mkdn .mdwn .mdtext .mdx .rmd .qmd .livemd .mdc .prompt.md',
};

const restructuredText: Lexicon = { ...prose, id: 'restructuredtext', aliases: 'rst', files: '.rst .rest' };

const asciidoc: Lexicon = { ...prose, id: 'asciidoc', aliases: 'adoc', files: '.adoc .asciidoc .asc' };

const latex: Lexicon = {
  ...prose,
  id: 'latex',
  tex: true,
  aliases: 'tex bibtex doctex context',
  files: '.tex .ltx .sty .dtx .bib .bbl .texi .texinfo',
};

const plaintext: Lexicon = {
  ...prose,
  id: 'plaintext',
  aliases: 'text txt textile mediawiki org cucumber gherkin',
  files: `.txt .text .org .textile .wiki .mediawiki .creole .rtf.txt .feature .story README LICENSE LICENCE COPYING
    AUTHORS CONTRIBUTORS CONTRIBUTING CHANGELOG CHANGES NEWS NOTICE HISTORY INSTALL TODO MAINTAINERS CREDITS THANKS
    PATENTS`,
};

export const proseLexicons: readonly Lexicon[] = [markdown, restructuredText, asciidoc, latex, plaintext];
