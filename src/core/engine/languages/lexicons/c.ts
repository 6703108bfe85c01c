/** C and its descendants. */
import type { FencedRule, LexicalRule, Lexicon } from '../lexicalRules.ts';
import { cComments, cStrings, doubled, operators, prefixed, quoted, starComment, verbatim } from './rules.ts';

const cKeywords = `auto break case char const continue default do double else enum extern float for goto if inline int
  long register restrict return short signed sizeof static struct switch typedef typeof union unsigned void volatile
  while define undef ifdef ifndef elif elifdef elifndef endif pragma defined`;

/** Words of directives: `#error`. */
const cIntroducing = 'error line warning';

const cDirectives = { directives: 'include import include_next embed' };

const c: Lexicon = {
  id: 'c',
  files: '.c .h .xbm .xpm',
  keywords: `${cKeywords} _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert
    _Thread_local bool constexpr static_assert thread_local`,
  introducing: cIntroducing,
  values: 'NULL true false nullptr',
  imports: { semicolons: true, ...cDirectives },
  quotedDigits: true,
  rules: [
    { type: 'lineComment', open: '//', continued: true },
    starComment,
    ...cStrings,
    ...prefixed('L u U u8', quoted('"')),
    ...prefixed('L u U u8', quoted("'")),
  ],
};

/** Raw strings of C++: R"name( … )name". */
const rawString = (prefix: string): FencedRule => ({
  type: 'fenced',
  open: `${prefix}"`,
  fence: '',
  fenceEnd: '(',
  marks: true,
  code: true,
  close: [')', '"'],
  sense: 'raw',
});

const cpp: Lexicon = {
  id: 'cpp',
  aliases: 'cuda-cpp cuda c++ cxx arduino',
  files: '.cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .inl .ipp .tpp .txx .ixx .cppm .ccm .cu .cuh .ino .metal .cl',
  keywords: `${cKeywords} alignas alignof asm bool catch char8_t char16_t char32_t class co_await co_return co_yield
    concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export final friend mutable
    namespace new noexcept operator override private protected public reinterpret_cast requires static_assert
    static_cast template thread_local throw try typeid typename using virtual wchar_t`,
  introducing: cIntroducing,
  values: 'NULL true false nullptr this',
  imports: { semicolons: true, ...cDirectives, headers: 'using import module', modifiers: 'export' },
  quotedDigits: true,
  rules: [...c.rules, ...['R', 'LR', 'uR', 'UR', 'u8R'].map(rawString), ...operators('->* .*')],
};

const objectiveC: Lexicon = {
  id: 'objective-c',
  aliases: 'objective-cpp objc objectivec',
  files: '.m .mm',
  keywords: `${cKeywords} id nonatomic readonly strong weak`,
  introducing: `${cIntroducing} autoreleasepool class dynamic encode end implementation interface optional package
    private property protected protocol public required selector synthesize`,
  between: 'in',
  values: 'nil Nil NULL YES NO true false self super',
  imports: { semicolons: true, ...cDirectives },
  rules: [...c.rules, { type: 'string', open: '@"', close: '"', escape: '\\' }],
};

const java: Lexicon = {
  id: 'java',
  files: '.java .jav .jsh',
  letters: '$',
  keywords: `abstract assert boolean break byte case catch char class const continue default do double else enum
    extends final finally float for goto if implements instanceof int interface long native new non-sealed private
    protected public return short static strictfp switch synchronized throw throws transient try void volatile while
    yield`,
  introducing: 'record sealed var',
  between: 'permits',
  values: 'true false null this super',
  imports: { semicolons: true, statements: 'import', headers: 'package' },
  rules: [...cComments, ...cStrings, quoted('"""', { multiline: true })],
};

const apex: Lexicon = {
  ...java,
  id: 'apex',
  files: '.cls .trigger .apex',
  foldCase: true,
  imports: {},
  rules: [...cComments, ...cStrings],
};

/** Raw strings of C#: three or more quotes open the string, and the same number closes it. */
const csharpRaw = (prefix: string): FencedRule => ({
  type: 'fenced',
  open: `${prefix}"""`,
  fence: '"',
  code: true,
  close: ['"""', ''],
  sense: 'raw',
});

const csharpRules: readonly LexicalRule[] = [
  ...cComments,
  ...cStrings,
  { ...doubled('"', { multiline: true, code: true, sense: 'raw' }), open: '@"' },
  { ...quoted('"', { hole: ['{', '}'], sense: '$' }), open: '$"' },
  { ...doubled('"', { multiline: true, code: true, hole: ['{', '}'], sense: '$raw' }), open: '$@"' },
  { ...doubled('"', { multiline: true, code: true, hole: ['{', '}'], sense: '$raw' }), open: '@$"' },
  ...['', '$', '$$', '$$$'].map(csharpRaw),
];

const csharp: Lexicon = {
  id: 'csharp',
  aliases: 'cs c# razor aspnetcorerazor',
  files: '.cs .csx .cake .razor .cshtml',
  keywords: `abstract as await bool break byte case catch char checked class const continue decimal default delegate
    do double else enum event explicit extern finally fixed float for foreach goto if implicit in int interface
    internal is lock long managed nameof new not notnull object operator or out override params private protected
    public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch throw try typeof uint
    ulong unchecked unmanaged unsafe ushort using virtual void volatile while endregion endif pragma define`,
  introducing: `add alias async dynamic file from get global group init join let nullable orderby partial record
    region remove required scoped select set var yield`,
  between: 'ascending by descending equals into on when where with',
  values: 'true false null this base',
  imports: { semicolons: true, headers: 'using', modifiers: 'global' },
  rules: csharpRules,
};

const go: Lexicon = {
  id: 'go',
  aliases: 'golang',
  files: '.go',
  keywords: `break case chan const continue default defer else fallthrough for func go goto if interface map range
    return select struct switch type var`,
  values: 'true false nil iota',
  imports: { calls: 'import', headers: 'package' },
  rules: [
    ...cComments,
    ...cStrings,
    verbatim('`', { multiline: true, code: true, sense: 'raw' }),
    ...operators('<- &^ &^='),
  ],
};

const d: Lexicon = {
  id: 'd',
  files: '.d .di',
  keywords: `abstract alias align asm assert auto bool break byte case cast catch cdouble char class const continue
    dchar debug default delegate delete deprecated do double else enum export extern final finally float for foreach
    foreach_reverse function goto if immutable in inout int interface invariant is lazy long mixin new nothrow out
    override package pragma private protected public pure real ref return scope shared short static struct switch
    synchronized template throw try typeid typeof ubyte uint ulong union unittest ushort version void wchar while with`,
  introducing: 'body',
  values: 'true false null this super',
  imports: { semicolons: true, statements: 'import', headers: 'module', modifiers: 'public private static' },
  rules: [
    ...cComments,
    { type: 'blockComment', open: '/+', close: '+/', nested: true },
    quoted('"', { multiline: true }),
    quoted("'"),
    verbatim('`', { multiline: true, sense: 'raw' }),
    ...prefixed('r', verbatim('"', { multiline: true, sense: 'raw' })),
  ],
};

const glsl: Lexicon = {
  id: 'glsl',
  aliases: 'hlsl shaderlab wgsl',
  files: '.glsl .vert .frag .geom .comp .tesc .tese .hlsl .hlsli .fx .fxh .cginc .compute .shader .usf .ush .wgsl',
  keywords: `${cKeywords} attribute bool cbuffer discard flat fn highp in inout layout let lowp mat2 mat3 mat4 mediump
    out precision sampler2D samplerCube smooth technique uniform var varying vec2 vec3 vec4 float2 float3 float4`,
  introducing: cIntroducing,
  values: 'true false',
  imports: cDirectives,
  rules: [...cComments, quoted('"')],
};

const verilog: Lexicon = {
  id: 'verilog',
  aliases: 'systemverilog',
  files: '.v .vh .sv .svh .svi',
  letters: '$',
  keywords: `always always_comb always_ff always_latch and assert assign automatic begin bit break buf case casex casez
    class clocking const constraint continue cover covergroup default defparam disable do edge else end endcase
    endclass endfunction endgenerate endinterface endmodule endpackage endtask enum event extends extern final for
    forever fork function generate genvar if iff initial inout input inside int integer interface join local
    localparam logic longint module modport negedge new nor not or output package packed parameter posedge property
    protected pure rand reg repeat return sequence signed static string struct task time timescale type typedef union
    unique unsigned virtual void wait while wire xor`,
  imports: { semicolons: true, directives: 'include', headers: 'import' },
  rules: [...cComments, quoted('"')],
};

const solidity: Lexicon = {
  id: 'solidity',
  files: '.sol',
  keywords: `abstract address anonymous assembly bool break bytes calldata case catch constant constructor continue
    contract default delete do else emit enum event external fallback for function if immutable indexed int interface
    internal is library mapping memory modifier new override payable private public pure return returns revert storage
    string struct switch throw try type uint unchecked using view virtual while pragma`,
  introducing: 'error receive',
  values: 'true false this super',
  imports: { semicolons: true, statements: 'import pragma' },
  rules: [...cComments, ...cStrings],
};

export const cLexicons: readonly Lexicon[] = [c, cpp, objectiveC, java, apex, csharp, go, d, glsl, verilog, solidity];
