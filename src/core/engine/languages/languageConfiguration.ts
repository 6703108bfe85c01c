/**
 * Creates lexicons for languages that Kindred has no lexicon for, from the `language-configuration.json` that VS Code
 * extensions contribute (see VS Code's Language Configuration Guide).
 */
import { fieldOf, itemsOf } from '../../collections/parsedValues.ts';
import type { LexicalRule, Lexicon } from './lexicalRules.ts';

/**
 * Returns the lexicon of a language configuration. Comments are taken from its `comments`, and strings from the quotes
 * that are closed automatically. The lexicon has no keywords and no imports.
 *
 * @param id             the language's identifier in VS Code
 * @param configuration  the parsed file; values that VS Code does not document are ignored
 */
export function lexiconFromLanguageConfiguration(id: string, configuration: unknown): Lexicon {
  const comments = commentsOf(fieldOf(configuration, 'comments'));
  const taken = new Set(comments.rules.map(({ open }) => open));
  const strings = quotesOf(configuration).filter((quote) => !taken.has(quote));
  return {
    id,
    files: '',
    letters: '$',
    commentWords: comments.words.join(' '),
    rules: [...comments.rules, ...strings.map(stringRule)],
  };
}

/** Maximum length in bytes of the text that opens or closes a comment or string. */
const maxMarkBytes = 8;

function commentsOf(comments: unknown): { rules: LexicalRule[]; words: string[] } {
  const rules: LexicalRule[] = [];
  const words: string[] = [];
  const line = fieldOf(comments, 'lineComment');
  const open = typeof line === 'string' ? line : fieldOf(line, 'comment');
  if (isWord(open)) words.push(open);
  else if (isMark(open)) {
    const where = fieldOf(line, 'noIndent') === true ? { where: 'firstColumn' as const } : {};
    rules.push({ type: 'lineComment', open, ...where });
  }
  const [blockOpen, blockClose] = itemsOf(fieldOf(comments, 'blockComment'));
  if (isMark(blockOpen) && isMark(blockClose)) {
    rules.push({ type: 'blockComment', open: blockOpen, close: blockClose });
  }
  return { rules, words };
}

/**
 * If a pair of `autoClosingPairs` or `surroundingPairs` consists of quotes that can begin a string, returns them: ", ',
 * or `, once or three times.
 */
function quotesOf(configuration: unknown): string[] {
  const pairs = ['autoClosingPairs', 'surroundingPairs'].flatMap((name) => itemsOf(fieldOf(configuration, name)));
  const quotes = pairs
    .map((pair) => (Array.isArray(pair) ? (pair as unknown[]) : [fieldOf(pair, 'open'), fieldOf(pair, 'close')]))
    .filter(([open, close]) => open === close)
    .map(([open]) => open)
    .filter((open) => typeof open === 'string')
    .filter((open) => /^(["'`])(\1\1)?$/.test(open));
  return [...new Set(quotes)];
}

function stringRule(quote: string): LexicalRule {
  return { type: 'string', open: quote, close: quote, escape: '\\', multiline: quote.length === 3 || quote === '`' };
}

/** Returns true if a value can open or close a comment or string: ASCII, no white space, no letter first. */
function isMark(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]+$/.test(value) && /^[^\w$]/.test(value) && value.length <= maxMarkBytes;
}

/** Returns true if a value is a word that can begin a comment, such as REM. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]+$/i.test(value);
}
