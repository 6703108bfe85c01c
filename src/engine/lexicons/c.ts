/** Languages of C's family. */
import type { LexicalRule, Lexicon } from '../lexicon.ts';

export const cComments: readonly LexicalRule[] = [
  { type: 'lineComment', open: '//' },
  { type: 'blockComment', open: '/*', close: '*/' },
];

/** Strings and characters of one line with backslash escapes. */
export const cStrings: readonly LexicalRule[] = [
  { type: 'string', open: '"', close: '"', escape: '\\' },
  { type: 'string', open: "'", close: "'", escape: '\\' },
];

const prefixedStrings = (prefixes: string): LexicalRule[] =>
  prefixes.split(' ').flatMap((prefix): LexicalRule[] => [
    { type: 'string', open: `${prefix}"`, close: '"', escape: '\\' },
    { type: 'string', open: `${prefix}'`, close: "'", escape: '\\' },
  ]);

const rawStrings = (prefixes: string): LexicalRule[] =>
  prefixes.split(' ').map((prefix) => ({
    type: 'fenced',
    open: `${prefix}"`,
    fence: '',
    fenceEnd: '(',
    close: [')', '"'],
    sense: 'raw',
  }));

const cKeywords = `auto break case char const continue default do double else enum extern float for goto if inline int
  long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
  define undef ifdef ifndef elif endif pragma error warning line defined`;

const c: Lexicon = {
  id: 'c',
  prose: false,
  files: '.c .h .xbm .xpm',
  keywords: `${cKeywords} _Bool _Complex _Imaginary _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert
    _Thread_local`,
  values: 'NULL true false nullptr',
  imports: { directives: 'include import include_next' },
  quotedDigits: true,
  rules: [
    { type: 'lineComment', open: '//', continued: true },
    { type: 'blockComment', open: '/*', close: '*/' },
    ...cStrings,
    ...prefixedStrings('L u U u8'),
  ],
};

const cpp: Lexicon = {
  id: 'cpp',
  prose: false,
  aliases: 'cuda-cpp',
  files: '.cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .inl .ipp .tpp .txx .ixx .cppm .cu .cuh .ino',
  keywords: `${cKeywords} alignas alignof asm bool catch char8_t char16_t char32_t class co_await co_return co_yield
    concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export final friend mutable
    namespace new noexcept operator override private protected public reinterpret_cast requires static_assert
    static_cast template thread_local throw try typeid typename virtual wchar_t`,
  values: 'NULL true false nullptr this',
  imports: { directives: 'include import include_next', headers: 'using import module', modifiers: 'export' },
  quotedDigits: true,
  rules: [...c.rules, ...rawStrings('R LR uR UR u8R')],
};

const java: Lexicon = {
  id: 'java',
  prose: false,
  files: '.java .jav .jsh',
  keywords: `abstract assert boolean break byte case catch char class const continue default do double else enum
    extends final finally float for goto if implements instanceof int interface long native new non-sealed permits
    private protected public record return sealed short static strictfp super switch synchronized throw throws
    transient try var void volatile while yield`,
  values: 'true false null this super',
  letters: '$',
  imports: { statements: 'import', headers: 'package' },
  rules: [...cComments, ...cStrings, { type: 'string', open: '"""', close: '"""', escape: '\\', multiline: true }],
};

const go: Lexicon = {
  id: 'go',
  prose: false,
  files: '.go',
  keywords: `break case chan const continue default defer else fallthrough for func go goto if interface map range
    return select struct switch type var`,
  values: 'true false nil iota',
  imports: { calls: 'import', headers: 'package' },
  rules: [
    ...cComments,
    ...cStrings,
    { type: 'string', open: '`', close: '`', multiline: true, sense: 'raw' },
    { type: 'token', open: '<-' },
    { type: 'token', open: '&^' },
    { type: 'token', open: '&^=' },
  ],
};

export const cLexicons: readonly Lexicon[] = [c, cpp, java, go];
