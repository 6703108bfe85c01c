/** Rules that many languages share. */
import type { FencedRule, LexicalRule, StringRule } from '../lexicalRules.ts';

export const slashComment: LexicalRule = { type: 'lineComment', open: '//' };
export const hashComment: LexicalRule = { type: 'lineComment', open: '#' };
export const starComment: LexicalRule = { type: 'blockComment', open: '/*', close: '*/' };

/** The interpreter line of a script. */
export const shebang: LexicalRule = { type: 'lineComment', open: '#!', where: 'firstColumn' };

/** `//` and `/* *\/` comments, which do not nest. */
export const cComments: readonly LexicalRule[] = [slashComment, starComment];
export const nestedComments: readonly LexicalRule[] = [
  slashComment,
  { type: 'blockComment', open: '/*', close: '*/', nested: true },
];

type StringOptions = Omit<StringRule, 'type' | 'open' | 'close'>;

/** Returns a rule for strings with the same quote at both ends and backslash escapes, unless `options` differ. */
export function quoted(quote: string, options: StringOptions = {}): StringRule {
  return { type: 'string', open: quote, close: quote, escape: '\\', ...options };
}

/** Returns a rule for strings without escapes, in which a doubled quote stands for one quote. */
export function doubled(quote: string, options: StringOptions = {}): StringRule {
  return { type: 'string', open: quote, close: quote, doubled: true, ...options };
}

/** Returns a rule for strings without escapes. */
export function verbatim(quote: string, options: StringOptions = {}): StringRule {
  return { type: 'string', open: quote, close: quote, ...options };
}

/** Returns a copy of a string rule for each prefix. Prefixes are separated by spaces. */
export function prefixed(prefixes: string, rule: StringRule): StringRule[] {
  return prefixes.split(' ').map((prefix) => ({ ...rule, open: prefix + rule.open }));
}

/** Single-line strings and characters with backslash escapes. */
export const cStrings: readonly LexicalRule[] = [quoted('"'), quoted("'")];

/** Returns a rule for raw strings that are fenced by any number of #: r"…", r#"…"#, r##"…"##. */
export function hashFenced(prefix: string): FencedRule {
  return { type: 'fenced', open: prefix, fence: '#', fenceEnd: '"', close: ['"', ''], code: true, sense: 'raw' };
}

/** Strings in long brackets of Lua and CMake: [[…]], [=[…]=]. */
export const longBrackets: FencedRule = { type: 'fenced', open: '[', fence: '=', fenceEnd: '[', close: [']', ']'] };

export function longBracketComment(open: string): FencedRule {
  return { ...longBrackets, open: `${open}[`, comment: true };
}

/** Returns rules for operators that the lexer does not recognize without a rule. Operators are separated by spaces. */
export function operators(list: string): LexicalRule[] {
  return list.split(' ').map((open) => ({ type: 'token', open }));
}
