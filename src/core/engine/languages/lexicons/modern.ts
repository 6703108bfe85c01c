/** Compiled languages with nested comments, interpolation, raw strings: Rust, Swift, Kotlin, Scala, Dart, others. */
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
  aliases: 'rs',
  files: '.rs',
  keywords: `as async await become box break const continue crate do dyn else enum extern fn for if impl in let loop
    macro match mod move mut pub ref return static struct trait try type unsafe use where while yield`,
  introducing: 'union',
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
  files: '.swift .swiftinterface',
  letters: '$',
  keywords: `as associatedtype await break case catch class continue default defer deinit do else enum extension
    fallthrough fileprivate for func guard if import in init inout internal is let operator precedencegroup private
    protocol public repeat rethrows return static struct subscript switch throw throws try typealias var where while`,
  introducing: `actor any async borrowing consuming convenience didSet dynamic final get indirect infix isolated lazy
    mutating nonisolated nonmutating open optional override postfix prefix required set some unowned weak willSet`,
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
  aliases: 'kt kts',
  files: '.kt .kts .ktm',
  keywords: `as break catch class constructor continue do else finally for fun if import in interface is object
    package return throw try typealias val var when while`,
  introducing: `abstract actual annotation companion const crossinline data dynamic enum expect external final get
    infix init inline inner internal lateinit noinline open operator out override private protected public reified
    sealed set suspend tailrec value vararg`,
  between: 'by where',
  values: 'true false null this super it',
  imports: { statements: 'import', headers: 'package' },
  rules: [...nestedComments, ...dollarStrings, quoted("'"), verbatim('`', { sense: 'name' }), shebang],
};

const scala: Lexicon = {
  id: 'scala',
  files: '.scala .sc .sbt .mill',
  letters: '$',
  keywords: `abstract case catch class def do else enum export extends extension final finally for forSome given if
    implicit import lazy macro match new object override package private protected return sealed then throw trait try
    type val var while with yield`,
  introducing: 'end infix inline opaque open transparent using',
  between: 'derives',
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
  files: '.dart',
  letters: '$',
  keywords: `assert await break case catch class const continue default do else enum export extends final finally for
    Function if implements import in is library new operator part rethrow return switch throw try var void while with
    yield`,
  introducing: `abstract async base covariant deferred dynamic extension external factory get hide interface late
    mixin required sealed set show static sync typedef`,
  between: 'as on when',
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
  aliases: 'gradle jenkinsfile',
  files: '.groovy .gvy .gy .gsh .gradle .nf Jenkinsfile',
  letters: '$',
  keywords: `abstract assert boolean break byte case catch char class const continue def default do double else enum
    extends final finally float for goto if implements import in instanceof int interface long native new package
    private protected public return short static strictfp switch synchronized throw throws transient try void volatile
    while`,
  introducing: 'trait var',
  between: 'as',
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
  files: '.vala .vapi',
  keywords: `abstract as async base break case catch class const construct continue default delegate delete do else
    ensures enum errordomain extern finally for foreach if in inline interface internal is namespace new out override
    private protected public ref requires return sizeof static struct switch throw throws try typeof unowned var
    virtual void volatile weak while yield`,
  introducing: 'dynamic get lock owned set signal',
  values: 'true false null this',
  imports: { semicolons: true, headers: 'using' },
  rules: [...cComments, ...cStrings, verbatim('"""', { multiline: true })],
};

export const modernLexicons: readonly Lexicon[] = [rust, swift, kotlin, scala, dart, groovy, zig, nim, haxe, vala];
