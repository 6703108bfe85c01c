/**
 * Joins the words of code to tokens: a string, a number, a pattern, and an operator are one token each. Comments are
 * omitted. Like `wordsOf`, it does not parse.
 */
import { type Word, wordsOf } from './words.ts';

/** Languages by the beginning of their comments; all others use those of C. */
const withHashes = setOf(
  'coffeescript crystal dockerfile elixir gdscript julia makefile nim perl powershell python r ruby shellscript starlark',
);
const withDashes = setOf('ada elm haskell lua sql vhdl');
const withSemicolons = setOf('clojure lisp racket scheme');
const withPatterns = setOf('javascript javascriptreact typescript typescriptreact vue svelte');

const slashes = String.raw`\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)`;
/** Longer strings come first. A prefix such as that of `f"…"` is part of its string. */
const strings = String.raw`(?:(?<![\p{L}\p{N}_])[bBfFlLrRuU]{1,2}|[@$]{1,2})?(?:"""[^]*?"""|"(?:\\[^]|[^"\\\r\n])*")`;
const quotes = String.raw`(?:(?<![\p{L}\p{N}_])[bBfFrRuU]{1,2}(?=')|(?<![\p{L}\p{N}]))(?:'''[^]*?'''|'(?:\\[^]|[^'\\\r\n])*')`;
/** A single quote also begins a lifetime. */
const characters = String.raw`'(?:\\[^\r\n']+|[^\\'\r\n])'`;
const templates = '`(?:\\\\[^]|[^`\\\\])*`';
const patterns = String.raw`(?<=(?:[(,=:[!&|?{};]|\breturn|=>)\s*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\r\n])*\]|[^/\\[\r\n])+\/[a-z]*`;
const numbers = String.raw`(?<![\p{L}\p{N}_$])\p{N}[\p{L}\p{N}_]*(?:\.\p{N}[\p{L}\p{N}_]*)*`;
const operators = String.raw`===|!==|\*\*=|\.\.\.|\.\.=|<=>|[=!<>]=|[-+*\/%&|^]=|[-=]>|::|:=|\?\.|\?\?=?|&&|\|\||\+\+|--|\*\*|\.\.|<-|\|>`;

const scanners = new Map<string, RegExp>();

/** Returns the tokens of code, in order. @param language  VS Code id; `undefined`: comments as in C */
export function tokensOf(text: string, language = ''): Word[] {
  const tokens: Word[] = [];
  const joined = [...text.matchAll(scannerOf(language))];
  let at = 0;
  let end = 0;
  for (const word of wordsOf(text, language === '' ? undefined : language)) {
    // It is in the last token, or in a comment.
    if (word.start < end) continue;
    while (at < joined.length && joined[at]!.index < word.start) at++;
    const found = joined[at];
    if (found?.index !== word.start) {
      tokens.push(word);
      continue;
    }
    const [joinedText, isComment] = found;
    end = word.start + joinedText.length;
    if (isComment === undefined) tokens.push({ ...word, text: joinedText, end, kind: 'fixed' });
  }
  return tokens;
}

/** Returns an expression for tokens of several words; its first group is a comment. */
function scannerOf(language: string): RegExp {
  const known = scanners.get(language);
  if (known) return known;
  const begin = withHashes.has(language)
    ? String.raw`(?<![\p{L}\p{N}$\\{&])#[^\r\n]*`
    : withDashes.has(language)
      ? String.raw`--(?:\[\[[^]*?\]\]|[^\r\n]*)`
      : withSemicolons.has(language)
        ? String.raw`;[^\r\n]*`
        : language === 'php'
          ? String.raw`${slashes}|#(?!\[)[^\r\n]*`
          : slashes;
  const parts = [
    `(${begin})`,
    strings,
    language === 'rust' ? characters : quotes,
    templates,
    ...(withPatterns.has(language) ? [patterns] : []),
    numbers,
    operators,
  ];
  const scanner = new RegExp(parts.join('|'), 'gu');
  scanners.set(language, scanner);
  return scanner;
}

/** Returns true if a token is a string, a pattern, or a number. */
export function isLiteral({ text, kind }: Word): boolean {
  return (
    kind === 'fixed' && (/^\p{N}/u.test(text) || (text.length > 1 && /^(?:[\p{L}@$]{0,2}["'`]|\/.*\/)/su.test(text)))
  );
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
