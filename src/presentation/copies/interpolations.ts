/**
 * Finds the code inside strings, such as `${name}` in JavaScript, f"{name}" in Python, and "$name" in Kotlin. Names in
 * it are names like all others. There is no parser.
 */

/** Range in UTF-16 units; the end is exclusive. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Syntax of code in the strings of a language. */
interface Syntax {
  /** Quotes of the strings that may contain code. */
  readonly quotes: string;
  /** Prefix of the strings that may contain code. */
  readonly prefix?: RegExp;
  readonly open: string;
  readonly close: ')' | '}';
  /** True if a doubled opening bracket is a character, and a format or conversion may follow the code. */
  readonly hasFormat?: true;
  /** Present if a variable needs no brackets: the length of the sign before its name that is not part of the name. */
  readonly sign?: 0 | 1;
}

const inTemplates: Syntax = { quotes: '`', open: '${', close: '}' };
const inBraces = { open: '{', close: '}', hasFormat: true } as const;

const syntaxes = new Map<string, Syntax>();
for (const [languages, syntax] of [
  ['javascript javascriptreact typescript typescriptreact vue svelte', inTemplates],
  ['python', { ...inBraces, quotes: `"'`, prefix: /f/i }],
  ['csharp fsharp', { ...inBraces, quotes: '"', prefix: /\$/ }],
  ['rust', { ...inBraces, quotes: '"' }],
  ['coffeescript crystal elixir ruby', { quotes: '"`', open: '#{', close: '}' }],
  ['swift', { quotes: '"', open: '\\(', close: ')' }],
  ['groovy kotlin scala', { quotes: '"', open: '${', close: '}', sign: 1 }],
  ['dart', { quotes: `"'`, open: '${', close: '}', sign: 1 }],
  ['julia', { quotes: '"', open: '$(', close: ')', sign: 1 }],
  ['powershell', { quotes: '"', open: '$(', close: ')', sign: 0 }],
  ['php', { quotes: '"', open: '{', close: '}', sign: 0 }],
  ['perl shellscript', { quotes: '"', open: '${', close: '}', sign: 0 }],
] as const satisfies readonly (readonly [string, Syntax])[]) {
  for (const language of languages.split(' ')) syntaxes.set(language, syntax);
}

/**
 * Returns the ranges of code in a string, in order. The code ends before a format such as `:>10` or `!r`.
 *
 * @param text      the string with its prefix and quotes
 * @param language  VS Code id of its language. If it is `undefined`, only templates in backticks contain code
 */
export function codeInString(text: string, language: string | undefined): TextRange[] {
  const syntax = language === undefined ? inTemplates : syntaxes.get(language);
  const [begin = '', prefix = '', quote = ''] = /^([^"'`]{0,3})(["'`])/.exec(text) ?? [];
  if (syntax === undefined || quote === '' || !syntax.quotes.includes(quote)) return [];
  if (syntax.prefix?.test(prefix) === false) return [];
  const { open, hasFormat, sign } = syntax;
  const ranges: TextRange[] = [];
  for (let at = begin.length; at < text.length - 1;) {
    const name = sign === undefined || text[at] !== '$' ? null : /^\$[\p{L}_][\p{L}\p{N}_]*/u.exec(text.slice(at));
    if (hasFormat && text.startsWith(open + open, at)) at += 2 * open.length;
    else if (text.startsWith(open, at)) {
      const start = at + open.length;
      at = endOfCode(text, start, syntax);
      ranges.push({ start, end: at });
    } else if (name !== null) {
      ranges.push({ start: at + sign!, end: at + name[0].length });
      at += name[0].length;
    } else at += text[at] === '\\' ? 2 : 1;
  }
  return ranges;
}

/** Returns the end of the code that begins at a position: the closing bracket, a format, or the end of the string. */
function endOfCode(text: string, start: number, { close, hasFormat }: Syntax): number {
  let depth = 0;
  for (let at = start; at < text.length - 1; at++) {
    const sign = text[at]!;
    if (depth === 0 && sign === close) return at;
    if (depth === 0 && hasFormat && /^(?::|![rsa]\b)/.test(text.slice(at, at + 3))) return at;
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
  }
  return text.length - 1;
}
