/** Rules that many languages share. */
import type { FencedRule, LexicalRule, StringRule } from '../lexicalRules.ts';

export const slashComment: LexicalRule = { type: 'lineComment', open: '//' };
export const hashComment: LexicalRule = { type: 'lineComment', open: '#' };
export const starComment: LexicalRule = { type: 'blockComment', open: '/*', close: '*/' };

/** The line that names an interpreter. */
export const shebang: LexicalRule = { type: 'lineComment', open: '#!', where: 'firstColumn' };

/** `//` and, without nesting, `/* *\/`. */
export const cComments: readonly LexicalRule[] = [slashComment, starComment];
export const nestedComments: readonly LexicalRule[] = [
  slashComment,
  { type: 'blockComment', open: '/*', close: '*/', nested: true },
];

type StringOptions = Omit<StringRule, 'type' | 'open' | 'close'>;

/** A string that closes with what it opened with, with backslash escapes; `options` say more, or otherwise. */
export function quoted(quote: string, options: StringOptions = {}): StringRule {
  return { type: 'string', open: quote, close: quote, escape: '\\', ...options };
}

/** The same without escapes; the quote written twice stands for itself. */
export function doubled(quote: string, options: StringOptions = {}): StringRule {
  return { type: 'string', open: quote, close: quote, doubled: true, ...options };
}

/** The same without escapes. */
export function verbatim(quote: string, options: StringOptions = {}): StringRule {
  return { type: 'string', open: quote, close: quote, ...options };
}

/** Copies of a string rule for each of the prefixes, which are separated by blanks. */
export function prefixed(prefixes: string, rule: StringRule): StringRule[] {
  return prefixes.split(' ').map((prefix) => ({ ...rule, open: prefix + rule.open }));
}

/** Strings and characters of one line with backslash escapes. */
export const cStrings: readonly LexicalRule[] = [quoted('"'), quoted("'")];

/** r"…", r#"…"#, r##"…"##. */
export function hashFenced(prefix: string): FencedRule {
  return { type: 'fenced', open: prefix, fence: '#', fenceEnd: '"', close: ['"', ''], code: true, sense: 'raw' };
}

/** Lua's [[…]], [=[…]=]; CMake's too. */
export const longBrackets: FencedRule = { type: 'fenced', open: '[', fence: '=', fenceEnd: '[', close: [']', ']'] };

export function longBracketComment(open: string): FencedRule {
  return { ...longBrackets, open: `${open}[`, comment: true };
}

/** Operators of several characters that the lexer does not know of itself; separated by blanks. */
export function operators(list: string): LexicalRule[] {
  return list.split(' ').map((open) => ({ type: 'token', open }));
}
