/** JavaScript and its kin, and Python. */
import type { LexicalRule, Lexicon } from '../lexicon.ts';
import { cComments, cStrings } from './c.ts';

const scriptRules: readonly LexicalRule[] = [
  ...cComments,
  ...cStrings,
  { type: 'string', open: '`', close: '`', escape: '\\', multiline: true, hole: ['${', '}'], sense: 'template' },
  { type: 'regex', open: '/' },
  // JSX: the slash of a closing tag begins no regular expression.
  { type: 'token', open: '</' },
  { type: 'lineComment', open: '#!', where: 'firstColumn' },
  { type: 'lineComment', open: '<!--' },
];

const scriptKeywords = `async await break case catch class const continue debugger default delete do else enum export
  extends finally for function if implements in instanceof interface let new of package private protected public
  return static switch throw try typeof var void while with yield get set`;

const scriptImports = {
  statements: 'import',
  declarations: 'const let var',
  require: 'require',
  reexports: 'export',
};

const scriptValues = 'true false null undefined this super';

const javascript: Lexicon = {
  id: 'javascript',
  prose: false,
  aliases: 'javascriptreact',
  files: '.js .mjs .cjs .jsx .es6 .jsm .pac .wxs',
  letters: '$',
  keywords: scriptKeywords,
  values: scriptValues,
  imports: scriptImports,
  rules: scriptRules,
};

const typescript: Lexicon = {
  ...javascript,
  id: 'typescript',
  aliases: 'typescriptreact',
  files: '.ts .mts .cts .tsx',
  keywords: `${scriptKeywords} abstract as any asserts bigint boolean declare infer is keyof module namespace never
    number object override readonly satisfies string symbol type unique unknown`,
};

const pythonString = (prefix: string, quote: string): LexicalRule => ({
  type: 'string',
  open: prefix + quote,
  close: quote,
  escape: '\\',
  multiline: quote.length === 3,
  docstring: !/[bf]/i.test(prefix),
  sense: prefix.toLowerCase().replace('u', ''),
  ...(/[ft]/i.test(prefix) ? { hole: ['{', '}'] as const } : {}),
});

/** r, b, f, u and their mixtures, in either case. */
const pythonPrefixes = ['', ...'r u b f t br rb fr rf tr rt'.split(' ')].flatMap(casesOf);

function casesOf(letters: string): string[] {
  if (letters === '') return [''];
  return casesOf(letters.slice(1)).flatMap((rest) => [letters[0] + rest, letters[0].toUpperCase() + rest]);
}

const python: Lexicon = {
  id: 'python',
  prose: false,
  files: '.py .pyi .pyw .pyx .pxd .pxi .rpy .gyp .gypi .bzl SConstruct SConscript wscript BUILD.bazel WORKSPACE',
  keywords: `and as assert async await break case class continue def del elif else except finally for global if in is
    lambda match nonlocal not or pass raise return try while with yield`,
  values: 'True False None self cls',
  imports: { statements: 'import from' },
  rules: [
    { type: 'lineComment', open: '#' },
    ...pythonPrefixes.flatMap((prefix) => ['"', "'", '"""', "'''"].map((quote) => pythonString(prefix, quote))),
  ],
};

export const scriptLexicons: readonly Lexicon[] = [javascript, typescript, python];
