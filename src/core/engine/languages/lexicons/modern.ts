/** Compiled languages with nested comments, interpolation and raw strings: Rust, Swift, Kotlin, Scala, Dart and others. */
import type { FencedRule, Lexicon, StringRule } from '../lexicalRules.ts';
import {
  cComments,
  cStrings,
  hashFenced,
  nestedComments,
  operators,
  prefixed,
  quoted,
  shebang,
  slashComment,
  verbatim,
} from './rules.ts';

const rust: Lexicon = {
  id: 'rust',
  prose: false,
  aliases: 'rs',
  files: '.rs',
  keywords: `as async await become box break const continue crate do dyn else enum extern fn for if impl in let loop
    macro match mod move mut pub ref return static struct trait try type union unsafe use where while yield`,
  values: 'true false self Self super',
  imports: { semicolons: true, statements: 'use', headers: 'mod extern', modifiers: 'pub' },
  rules: [
    ...nestedComments,
    quoted('"', { multiline: true }),
    { type: 'character', open: "'" },
    ...prefixed('b c', quoted('"', { multiline: true, sense: 'b' })),
    ...prefixed('b', quoted("'", { sense: 'b' })),
    ...['r', 'br', 'cr'].map(hashFenced),
    // This rule is needed because #![…] is an attribute, not a comment.
    { type: 'lineComment', open: '#!/', where: 'firstColumn' },
    ...operators('..='),
  ],
};

/** Raw strings of Swift: #"…"#, ##"…"##, and the same with triple quotes. */
const swiftRaw = (quotes: string): FencedRule => ({
  type: 'fenced',
  open: '#',
  fence: '#',
  fenceEnd: quotes,
  close: [`${quotes}#`, ''],
  sense: 'raw',
});

const swift: Lexicon = {
  id: 'swift',
  prose: false,
  files: '.swift .swiftinterface',
  letters: '$',
  keywords: `actor any as associatedtype async await borrowing break case catch class consuming continue convenience
    default defer deinit didSet do dynamic else enum extension fallthrough fileprivate final for func get guard if
    import in indirect infix init inout internal is isolated lazy let mutating nonisolated nonmutating open operator
    optional override postfix precedencegroup prefix private protocol public repeat required rethrows return set some
    static struct subscript switch throw throws try typealias unowned var weak where while willSet`,
  values: 'true false nil self Self super',
  imports: { statements: 'import' },
  rules: [
    ...nestedComments,
    quoted('"', { hole: ['\\(', ')'] }),
    quoted('"""', { hole: ['\\(', ')'], multiline: true }),
    swiftRaw('"""'),
    swiftRaw('"'),
    { type: 'regex', open: '/' },
    { ...swiftRaw('/'), sense: 'regex' },
    shebang,
    verbatim('`', { sense: 'name' }),
  ],
};

/** Strings with embedded code, ${…}, in single and in triple quotes. Triple-quoted strings have no escapes. */
const dollarStrings: readonly StringRule[] = [
  quoted('"', { hole: ['${', '}'] }),
  verbatim('"""', { hole: ['${', '}'], multiline: true }),
];

const kotlin: Lexicon = {
  id: 'kotlin',
  prose: false,
  aliases: 'kt kts',
  files: '.kt .kts .ktm',
  keywords: `abstract actual annotation as break by catch class companion const constructor continue crossinline data
    do dynamic else enum expect external final finally for fun get if import in infix init inline inner interface
    internal is lateinit noinline object open operator out override package private protected public reified return
    sealed set suspend tailrec throw try typealias val value var vararg when where while`,
  values: 'true false null this super it',
  imports: { statements: 'import', headers: 'package' },
  rules: [...nestedComments, ...dollarStrings, quoted("'"), verbatim('`', { sense: 'name' }), shebang],
};

const scala: Lexicon = {
  id: 'scala',
  prose: false,
  files: '.scala .sc .sbt .mill',
  letters: '$',
  keywords: `abstract case catch class def derives do else end enum export extends extension final finally for forSome
    given if implicit import inline infix lazy macro match new object opaque open override package private protected
    return sealed then throw trait transparent try type using val var while with yield`,
  values: 'true false null this super',
  imports: { statements: 'import', headers: 'package' },
  rules: [
    ...nestedComments,
    ...dollarStrings,
    { type: 'character', open: "'" },
    verbatim('`', { sense: 'name' }),
    shebang,
    ...operators('<- <: >: ::: :+ +: ++='),
  ],
};

const dart: Lexicon = {
  id: 'dart',
  prose: false,
  files: '.dart',
  letters: '$',
  keywords: `abstract as assert async await base break case catch class const continue covariant default deferred do
    dynamic else enum export extends extension external factory final finally for Function get hide if implements
    import in interface is late library mixin new of on operator part required rethrow return sealed set show static
    switch sync throw try typedef var void when while with yield`,
  values: 'true false null this super',
  imports: { semicolons: true, statements: 'import export part library' },
  rules: [
    ...nestedComments,
    shebang,
    ...['"', "'"].flatMap((quote): StringRule[] => [
      quoted(quote, { hole: ['${', '}'] }),
      quoted(quote.repeat(3), { hole: ['${', '}'], multiline: true }),
      ...prefixed('r', verbatim(quote, { sense: 'raw' })),
      ...prefixed('r', verbatim(quote.repeat(3), { sense: 'raw', multiline: true })),
    ]),
  ],
};

const groovy: Lexicon = {
  id: 'groovy',
  prose: false,
  aliases: 'gradle jenkinsfile',
  files: '.groovy .gvy .gy .gsh .gradle .nf Jenkinsfile',
  letters: '$',
  keywords: `abstract as assert boolean break byte case catch char class const continue def default do double else enum
    extends final finally float for goto if implements import in instanceof int interface long native new package
    private protected public return short static strictfp switch synchronized throw throws trait transient try var
    void volatile while`,
  values: 'true false null this super it',
  imports: { statements: 'import', headers: 'package' },
  rules: [
    ...cComments,
    quoted('"', { hole: ['${', '}'] }),
    quoted("'"),
    quoted('"""', { hole: ['${', '}'], multiline: true }),
    quoted("'''", { multiline: true }),
    { type: 'regex', open: '/' },
    ...operators('=~ ==~ *. .& .@'),
  ],
};

const zig: Lexicon = {
  id: 'zig',
  prose: false,
  files: '.zig .zon',
  keywords: `addrspace align allowzero and anyframe anytype asm async await break callconv catch comptime const
    continue defer else enum errdefer error export extern fn for if inline linksection noalias noinline nosuspend
    opaque or orelse packed pub resume return struct suspend switch test threadlocal try union unreachable
    usingnamespace var volatile while`,
  values: 'true false null undefined',
  imports: { declarations: 'const var', require: 'import' },
  rules: [slashComment, ...cStrings, { type: 'string', open: '\\\\', close: '\n' }],
};

const nim: Lexicon = {
  id: 'nim',
  prose: false,
  files: '.nim .nims .nimble',
  quotedDigits: true,
  keywords: `addr and as asm bind block break case cast concept const continue converter defer discard distinct div do
    elif else end enum except export finally for func if in interface is isnot iterator let macro method mixin mod not
    notin object of or out proc ptr raise ref return shl shr static template try tuple type using var when while xor
    yield`,
  values: 'true false nil self',
  imports: { statements: 'import from include' },
  rules: [
    { type: 'lineComment', open: '#' },
    { type: 'blockComment', open: '#[', close: ']#', nested: true },
    quoted('"'),
    verbatim('"""', { multiline: true }),
    ...prefixed('r', verbatim('"', { doubled: true, sense: 'raw' })),
    ...prefixed('r', verbatim('"""', { multiline: true, sense: 'raw' })),
    { type: 'character', open: "'" },
  ],
};

const haxe: Lexicon = {
  id: 'haxe',
  prose: false,
  files: '.hx .hxml',
  letters: '$',
  keywords: `abstract break case cast catch class continue default do dynamic else enum extends extern final for
    function if implements in inline interface macro new operator overload override package private public return
    static switch throw try typedef untyped using var while`,
  values: 'true false null this super',
  imports: { semicolons: true, statements: 'import', headers: 'package using' },
  rules: [
    ...cComments,
    quoted('"', { multiline: true }),
    quoted("'", { multiline: true, hole: ['${', '}'] }),
    { type: 'regex', open: '~/' },
  ],
};

const vala: Lexicon = {
  id: 'vala',
  prose: false,
  files: '.vala .vapi',
  keywords: `abstract as async base break case catch class const construct continue default delegate delete do dynamic
    else ensures enum errordomain extern finally for foreach get if in inline interface internal is lock namespace new
    out override owned private protected public ref requires return set signal sizeof static struct switch throw
    throws try typeof unowned var virtual void volatile weak while yield`,
  values: 'true false null this',
  imports: { semicolons: true, headers: 'using' },
  rules: [...cComments, ...cStrings, verbatim('"""', { multiline: true })],
};

export const modernLexicons: readonly Lexicon[] = [rust, swift, kotlin, scala, dart, groovy, zig, nim, haxe, vala];
