/**
 * Splits code into tokens. A string, number, regular expression, or operator is a single token. Comments are left out.
 * As in `wordsOf`, there is no parser.
 */
import { setOf } from '../../core/collections/lists.ts';
import { type Word, wordsOf } from './words.ts';

/** Languages by how their comments begin. All languages that are not listed use the comments of C. */
const withHashes = setOf(
  'coffeescript crystal dockerfile elixir gdscript julia makefile nim perl powershell python r ruby shellscript starlark',
);
const withDashes = setOf('ada elm haskell lua sql vhdl');
const withSemicolons = setOf('clojure lisp racket scheme');
const withPatterns = setOf('javascript javascriptreact typescript typescriptreact vue svelte');

const slashes = String.raw`\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)`;
/** Longer quotes come first. A prefix is part of the string, as in `f"…"`. */
const strings = String.raw`(?:(?<![\p{L}\p{N}_])[bBfFlLrRuU]{1,2}|[@$]{1,2})?(?:"""[^]*?"""|"(?:\\[^]|[^"\\\r\n])*")`;
const quotes = String.raw`(?:(?<![\p{L}\p{N}_])[bBfFrRuU]{1,2}(?=')|(?<![\p{L}\p{N}]))(?:'''[^]*?'''|'(?:\\[^]|[^'\\\r\n])*')`;
/** Character literals only, because a single quote may also begin a lifetime in Rust. */
const characters = String.raw`'(?:\\[^\r\n']+|[^\\'\r\n])'`;
const templates = '`(?:\\\\[^]|[^`\\\\])*`';
const patterns = String.raw`(?<=(?:[(,=:[!&|?{};]|\breturn|=>)\s*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\r\n])*\]|[^/\\[\r\n])+\/[a-z]*`;
const numbers = String.raw`(?<![\p{L}\p{N}_$])\p{N}[\p{L}\p{N}_]*(?:\.\p{N}[\p{L}\p{N}_]*)*`;
const operators = String.raw`===|!==|\*\*=|\.\.\.|\.\.=|<=>|[=!<>]=|[-+*\/%&|^]=|[-=]>|::|:=|\?\.|\?\?=?|&&|\|\||\+\+|--|\*\*|\.\.|<-|\|>`;

/** Operators between a value or type and its member. */
export const memberSigns = setOf('. -> :: ?.');

const scanners = new Map<string, RegExp>();

/**
 * Returns the tokens of code, in order.
 *
 * @param language  VS Code id of the language; '' for C-style comments
 */
export function tokensOf(text: string, language = ''): Word[] {
  const tokens: Word[] = [];
  const append = (token: Word): void => {
    // After a dot, a reserved word is a name.
    const isMember = memberSigns.has(tokens.at(-1)?.text ?? '') && /^[\p{L}_$]/u.test(token.text);
    tokens.push(isMember ? { ...token, kind: 'name' } : token);
  };
  const joined = [...text.matchAll(scannerOf(language))];
  let at = 0;
  let end = 0;
  for (const word of wordsOf(text, language === '' ? undefined : language)) {
    // This word is inside the previous token or a comment.
    if (word.start < end) continue;
    while (at < joined.length && joined[at]!.index < word.start) at++;
    const found = joined[at];
    if (found?.index !== word.start) {
      append(word);
      continue;
    }
    const [joinedText, isComment] = found;
    end = word.start + joinedText.length;
    if (isComment === undefined) append({ ...word, text: joinedText, end, kind: 'fixed' });
  }
  return tokens;
}

/** Returns a regular expression that matches comments (group 1) and tokens that consist of several words. */
function scannerOf(language: string): RegExp {
  const cachedScanner = scanners.get(language);
  if (cachedScanner) return cachedScanner;
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

/** Returns true if a token is a string, regular expression, or number. */
export function isLiteral({ text, kind }: Word): boolean {
  return (
    kind === 'fixed' && (/^\p{N}/u.test(text) || (text.length > 1 && /^(?:[\p{L}@$]{0,2}["'`]|\/.*\/)/su.test(text)))
  );
}

const values = setOf('true false null undefined None nil True False nullptr NULL Nil YES NO this self super Self');
const primitives = setOf(
  'int long short char float double bool boolean byte void unsigned signed string String str number any object Object ' +
    'i8 i16 i32 i64 u8 u16 u32 u64 usize isize f32 f64 int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 ' +
    'float64 size_t decimal uchar list dict tuple set bytes',
);

/** Returns true if a word is a built-in type in most languages. */
export function isPrimitive({ text }: Word): boolean {
  return primitives.has(text);
}

/** Returns true if a token is a value or type by itself: a name, a literal, `null`, `this`, `int`. */
export function isOperand(token: Word): boolean {
  return token.kind === 'name' || isLiteral(token) || values.has(token.text) || primitives.has(token.text);
}

/** Returns the tokens with literals and types as names, because only names may differ in an alignment. */
export function asNames(tokens: readonly Word[]): Word[] {
  return tokens.map((token) => (isOperand(token) ? { ...token, kind: 'name' } : token));
}

/** Returns the text of tokens on one line. White space inside a literal stays, unless it breaks the line. */
export function onOneLine(text: string, tokens: readonly Word[]): string {
  return tokens
    .map(({ start, end }, at) => {
      const between = at === 0 ? '' : text.slice(tokens[at - 1]!.end, start).replaceAll(/\s+/g, ' ');
      return between + text.slice(start, end).replaceAll(/\s*[\r\n]\s*/g, ' ');
    })
    .join('');
}
