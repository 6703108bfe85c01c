/** JavaScript and related languages, and Python. */
import type { LexicalRule, Lexicon, StringRule } from '../lexicalRules.ts';
import { cComments, cStrings, hashComment, quoted, shebang } from './rules.ts';

const scriptRules: readonly LexicalRule[] = [
  ...cComments,
  // Not directly after a name, because an apostrophe in the text of JSX does not begin a string.
  quoted('"', { where: 'apart' }),
  quoted("'", { where: 'apart' }),
  quoted('`', { multiline: true, hole: ['${', '}'], sense: 'template' }),
  { type: 'regex', open: '/' },
  // Treat </ as an operator, because the slash in a closing tag of JSX does not begin a regular expression.
  { type: 'token', open: '</' },
  shebang,
];

const scriptKeywords = `await break case catch class const continue debugger default delete do else enum export extends
  finally for function if implements in instanceof let new return super switch throw try typeof var void while with
  yield`;

const scriptIntroducing = 'async get interface package private protected public set static';

const javascript: Lexicon = {
  id: 'javascript',
  aliases: 'javascriptreact js jsx mjs node',
  files: '.js .mjs .cjs .jsx .es6 .jsm .pac .wxs .gs .jake',
  letters: '$#',
  keywords: scriptKeywords,
  introducing: scriptIntroducing,
  between: 'of',
  values: 'true false null undefined this super',
  imports: { statements: 'import', declarations: 'const let var', require: 'require', reexports: 'export' },
  rules: scriptRules,
};

const typescript: Lexicon = {
  ...javascript,
  id: 'typescript',
  aliases: 'typescriptreact ts tsx mts',
  files: '.ts .mts .cts .tsx',
  introducing: `${scriptIntroducing} abstract asserts declare infer keyof module namespace override readonly type unique`,
  between: 'as is of satisfies',
  typeNames: 'any bigint boolean never number object string symbol unknown',
};

const coffeescript: Lexicon = {
  id: 'coffeescript',
  aliases: 'coffee',
  files: '.coffee .cson .iced Cakefile',
  letters: '$@',
  keywords: `and await break by case catch class continue default delete do else export extends finally for from if in
    instanceof is isnt loop new not of or return super switch then throw try typeof unless until when while yield`,
  values: 'true false null undefined this yes no on off',
  imports: { statements: 'import', require: 'require' },
  rules: [
    hashComment,
    { type: 'blockComment', open: '###', close: '###' },
    quoted('"', { multiline: true, hole: ['#{', '}'] }),
    quoted("'", { multiline: true }),
    quoted('"""', { multiline: true, hole: ['#{', '}'] }),
    quoted("'''", { multiline: true }),
    quoted('`', { multiline: true, sense: 'script' }),
    { type: 'regex', open: '/', command: true },
    quoted('///', { multiline: true, sense: 'regex' }),
  ],
};

/** Returns all spellings of a prefix with uppercase and lowercase letters. */
function casesOf(letters: string): string[] {
  if (letters === '') return [''];
  return casesOf(letters.slice(1)).flatMap((rest) => [letters[0] + rest, letters[0].toUpperCase() + rest]);
}

function pythonString(prefix: string, quote: string): StringRule {
  const isFormatted = /[ft]/i.test(prefix);
  return {
    ...quoted(quote),
    open: prefix + quote,
    multiline: quote.length === 3,
    code: quote.length === 3,
    docstring: !isFormatted && !/b/i.test(prefix),
    sense: prefix.toLowerCase().replace('u', ''),
    ...(isFormatted ? { hole: ['{', '}'] as const } : {}),
  };
}

const pythonPrefixes = ['', ...'r u b f t br rb fr rf tr rt'.split(' ')].flatMap(casesOf);

const python: Lexicon = {
  id: 'python',
  aliases: 'py python3 pycon starlark cython',
  files: `.py .pyi .pyw .pyx .pxd .pxi .rpy .gyp .gypi .bzl .star .ipy .smk SConstruct SConscript wscript BUILD
    BUILD.bazel WORKSPACE Snakefile`,
  keywords: `and as assert async await break class continue def del elif else except finally for global if in is
    lambda nonlocal not or pass raise return try while with yield`,
  introducing: 'case match',
  values: 'True False None self cls',
  imports: { statements: 'import from' },
  rules: [
    hashComment,
    ...pythonPrefixes.flatMap((prefix) => ['"', "'", '"""', "'''"].map((quote) => pythonString(prefix, quote))),
  ],
};

const gdscript: Lexicon = {
  id: 'gdscript',
  files: '.gd',
  letters: '$@',
  keywords: `and as assert await break class class_name const continue elif else enum extends for func if in is match
    not or pass preload return signal static super var void while yield`,
  values: 'true false null self',
  rules: [
    hashComment,
    ...cStrings,
    quoted('"""', { multiline: true, docstring: true }),
    quoted("'''", { multiline: true }),
  ],
};

export const scriptLexicons: readonly Lexicon[] = [javascript, typescript, coffeescript, python, gdscript];
