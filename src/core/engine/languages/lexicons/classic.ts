/**
 * Pascal, BASIC, Fortran, Ada, MATLAB, hardware description languages, and assembly languages. In most of their
 * strings, '' stands for a quote, and there are no escapes.
 */
import type { Lexicon } from '../lexicalRules.ts';
import { cComments, doubled, hashComment, operators, quoted, slashComment, starComment, verbatim } from './rules.ts';

const pascal: Lexicon = {
  id: 'pascal',
  aliases: 'delphi objectpascal',
  files: '.pas .pp .dpr .dpk .lpr .inc.pas',
  foldCase: true,
  keywords: `and array as asm begin case class const constructor destructor div do downto else end except exports file
    finalization finally for function goto if implementation in inherited initialization inline interface is label
    library mod nil not object of on or out overload override packed private procedure program property protected
    public published raise record repeat resourcestring set shl shr string then threadvar to try type unit until uses
    var virtual while with xor`,
  imports: { semicolons: true, statements: 'uses', headers: 'unit program' },
  rules: [
    slashComment,
    { type: 'blockComment', open: '{', close: '}' },
    { type: 'blockComment', open: '(*', close: '*)' },
    doubled("'"),
  ],
};

const vb: Lexicon = {
  id: 'vb',
  aliases: 'vba vbnet vbscript visualbasic basic',
  files: '.vb .bas .vbs .frm .vba .bi .fb',
  foldCase: true,
  keywords: `and andalso as boolean byref byte byval call case catch class const continue date decimal declare default
    dim do double each else elseif end enum event exit finally for friend function get global gosub goto handles if
    implements in inherits integer interface is isnot let lib like long loop mod module mustinherit mustoverride
    namespace new next not object of on option optional or orelse overloads overridable overrides paramarray partial
    private property protected public raiseevent readonly redim resume return select set shadows shared short single
    static step stop string structure sub then throw to try type until using wend when while with withevents
    writeonly xor`,
  values: 'true false nothing me mybase',
  commentWords: 'rem',
  imports: { headers: 'imports' },
  rules: [{ type: 'lineComment', open: "'" }, doubled('"')],
};

const fortran: Lexicon = {
  id: 'fortran',
  aliases: 'fortran-modern FortranFreeForm FortranFixedForm fortran_fixed-form',
  files: '.f .for .ftn .f77 .f90 .f95 .f03 .f08 .f18',
  foldCase: true,
  keywords: `allocatable allocate assign associate block call case character class close common complex contains
    continue cycle data deallocate dimension do double else elseif end enddo endif entry equivalence exit external
    format function goto if implicit in include inout integer intent interface intrinsic kind logical module namelist
    none nullify only open operator optional out parameter pointer precision print private procedure program public
    pure read real recursive result return save select stop subroutine target then type use where while write`,
  imports: { headers: 'use' },
  rules: [{ type: 'lineComment', open: '!' }, doubled("'"), doubled('"'), ...operators('=> // == /= .. ::')],
};

const ada: Lexicon = {
  id: 'ada',
  files: '.adb .ads .ada .gpr',
  foldCase: true,
  keywords: `abort abs abstract accept access aliased all and array at begin body case constant declare delay delta
    digits do else elsif end entry exception exit for function generic goto if in interface is limited loop mod new not
    null of or others out overriding package pragma private procedure protected raise range record rem renames requeue
    return reverse select separate some subtype synchronized tagged task terminate then type until use when while with
    xor`,
  imports: { semicolons: true, headers: 'with use' },
  rules: [
    { type: 'lineComment', open: '--' },
    doubled('"'),
    { type: 'character', open: "'" },
    ...operators('=> /= **'),
  ],
};

const vhdl: Lexicon = {
  id: 'vhdl',
  files: '.vhd .vhdl .vho',
  foldCase: true,
  keywords: `abs access after alias all and architecture array assert attribute begin block body buffer bus case
    component configuration constant downto else elsif end entity exit file for function generate generic group if
    impure in inertial inout is label library linkage loop map mod nand new next nor not null of on open or others out
    package port postponed procedure process pure range record register reject rem report return rol ror select
    severity shared signal sla sll sra srl subtype then to transport type unaffected units until use variable wait
    when while with xnor xor`,
  imports: { semicolons: true, headers: 'library use' },
  rules: [
    { type: 'lineComment', open: '--' },
    starComment,
    doubled('"'),
    { type: 'character', open: "'" },
    ...operators('<= => /= **'),
  ],
};

const matlab: Lexicon = {
  id: 'matlab',
  aliases: 'octave scilab',
  files: '.mlx .octave .sci .sce',
  keywords: `arguments break case catch classdef continue else elseif end enumeration events for function global if
    methods otherwise parfor persistent properties return spmd switch try while`,
  values: 'true false pi inf nan NaN Inf',
  rules: [
    { type: 'lineComment', open: '%' },
    { type: 'blockComment', open: '%{', close: '%}', where: 'firstOnLine' },
    doubled("'", { where: 'value' }),
    doubled('"'),
    ...operators('.* ./ .^ \\ ~='),
  ],
};

const cobol: Lexicon = {
  id: 'cobol',
  files: '.cob .cbl .cobol .cpy .cpb',
  foldCase: true,
  innerLetters: '-',
  keywords: `accept add call close compute copy data display divide division else end end-if end-perform evaluate exec
    exit file go identification if initialize input inspect into move multiply not open output perform pic picture
    procedure program-id read redefines replacing return rewrite section select stop string subtract then to until
    using value varying when working-storage write`,
  imports: { statements: 'copy' },
  rules: [
    { type: 'lineComment', open: '*>' },
    { type: 'lineComment', open: '      *', where: 'firstColumn' },
    doubled("'"),
    doubled('"'),
  ],
};

const assembly: Lexicon = {
  id: 'asm',
  aliases: 'assembly nasm masm gas arm riscv mips x86 asm-intel-x86-generic',
  files: '.s .asm .nasm .a51 .inc.s',
  letters: '.%$@',
  quotedDigits: false,
  rules: [
    ...cComments,
    { type: 'lineComment', open: ';' },
    { type: 'lineComment', open: '#', where: 'afterBlank' },
    quoted('"'),
  ],
};

const abap: Lexicon = {
  id: 'abap',
  files: '.abap',
  foldCase: true,
  innerLetters: '-',
  keywords: `append assign at begin by call case catch check class clear collect condense data define delete do else
    elseif end endcase endclass endform endfunction endif endloop endmethod endtry endwhile exit export field-symbols
    form from function get if implementation import in into is let loop method methods modify move new not of or
    parameters perform private protected public raise raising read report return select sort split table tables then
    to try type types using value when where while with write`,
  rules: [
    { type: 'lineComment', open: '*', where: 'firstColumn' },
    { type: 'lineComment', open: '"' },
    doubled("'"),
    doubled('`'),
    quoted('|', { hole: ['{', '}'] }),
  ],
};

const vim: Lexicon = {
  id: 'viml',
  aliases: 'vim vimscript',
  files: '.vim .vimrc .gvimrc _vimrc .exrc',
  keywords: `abort au augroup autocmd call catch command const continue echo echoerr else elseif endfor endfunction
    endif endtry endwhile execute finally for function if in let map nmap nnoremap noremap normal return set setlocal
    silent throw try unlet vnoremap while`,
  rules: [{ type: 'lineComment', open: '"', where: 'firstOnLine' }, quoted('"'), doubled("'")],
};

const autohotkey: Lexicon = {
  id: 'ahk',
  aliases: 'autohotkey autoit',
  files: '.ahk .au3',
  foldCase: true,
  letters: '$',
  keywords:
    'break case continue else exit for func function gosub goto if in local loop return select switch then wend while',
  imports: { directives: 'include' },
  rules: [
    { type: 'lineComment', open: ';', where: 'afterBlank' },
    starComment,
    doubled('"'),
    verbatim("'"),
    { type: 'escaped', open: '`' },
  ],
};

const stata: Lexicon = {
  id: 'stata',
  aliases: 'sas spss',
  files: '.do .ado .sas',
  keywords:
    'by data else end foreach forvalues gen generate if in local macro merge proc replace run set sort use using while',
  rules: [...cComments, { type: 'lineComment', open: '*', where: 'firstOnLine' }, doubled('"'), hashComment],
};

export const classicLexicons: readonly Lexicon[] = [
  pascal,
  vb,
  fortran,
  ada,
  vhdl,
  matlab,
  cobol,
  assembly,
  abap,
  vim,
  autohotkey,
  stata,
];
