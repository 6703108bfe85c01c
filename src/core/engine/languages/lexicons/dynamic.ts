/** Ruby, Perl, PHP, the shells, and other languages with heredocs or many kinds of strings. */
import type { LexicalRule, Lexicon, StringRule } from '../lexicalRules.ts';
import {
  cComments,
  cStrings,
  doubled,
  hashComment,
  longBracketComment,
  longBrackets,
  operators,
  prefixed,
  quoted,
  shebang,
  verbatim,
} from './rules.ts';

const rubyStrings: readonly StringRule[] = [
  quoted('"', { multiline: true, hole: ['#{', '}'] }),
  quoted("'", { multiline: true }),
  quoted('`', { multiline: true, hole: ['#{', '}'], sense: 'command' }),
];

const rubyRules: readonly LexicalRule[] = [
  hashComment,
  { type: 'blockComment', open: '=begin', close: '=end', where: 'firstColumn', closeInFirstColumn: true },
  ...rubyStrings,
  { type: 'regex', open: '/', command: true, multiline: true },
  { type: 'heredoc', open: '<<' },
  ...['%q', '%Q', '%w', '%W', '%i', '%I', '%s', '%x', '%'].map((open): LexicalRule => ({ type: 'quoteLike', open })),
  { type: 'quoteLike', open: '%r', sense: 'regex' },
  // Character literals, such as ?" and ?'.
  ...['?"', "?'", '?#', '?`'].map((open): LexicalRule => ({ type: 'token', open, where: 'value' })),
  // $' and the operators after it are variables.
  ...operators('=~ !~ <<= &. $\' $" $` $/ $; $, $.'),
];

const ruby: Lexicon = {
  id: 'ruby',
  aliases: 'rb jruby rake',
  files: `.rb .rbw .rbx .rjs .rake .gemspec .ru .podspec .thor .jbuilder .builder .rbi Gemfile Rakefile Guardfile
    Podfile Capfile Vagrantfile Thorfile Fastfile Appfile Brewfile Dangerfile Berksfile Puppetfile`,
  letters: '@$',
  keywords: `alias and begin break case class def do else elsif end ensure for if in module next not or redo
    rescue retry return super then undef unless until when while yield puts print raise`,
  values: 'true false nil self __FILE__ __LINE__ __method__',
  endWords: '__END__',
  imports: { calls: 'require require_relative autoload' },
  rules: rubyRules,
};

const crystal: Lexicon = {
  ...ruby,
  id: 'crystal',
  aliases: 'cr',
  files: '.cr',
  keywords: `${ruby.keywords} abstract annotation enum fun include extend lib macro private protected struct type
    select with of out sizeof typeof union uninitialized`,
  imports: { calls: 'require' },
};

const perlStrings: readonly StringRule[] = [
  quoted('"', { multiline: true }),
  quoted("'", { multiline: true }),
  quoted('`', { multiline: true, sense: 'command' }),
];

const perl: Lexicon = {
  id: 'perl',
  aliases: 'pl perl6 raku',
  files: '.pl .pm .pod .t .psgi .cgi .ph .al .raku .rakumod .p6 .pm6 cpanfile Makefile.PL Build.PL',
  letters: '$@',
  // The keywords include split, grep, and similar functions, because a slash after them begins a regular expression.
  keywords: `and cmp continue default die do else elsif eq for foreach ge given grep gt if join last le local lt map my
    ne next no not or our print push qw redo ref return say shift split state sub unless unshift until use wantarray
    when while x xor`,
  endWords: '__END__ __DATA__',
  imports: { semicolons: true, statements: 'use no', headers: 'package', calls: 'require' },
  rules: [
    hashComment,
    ...'pod head item over back begin for encoding cut'.split(' ').map((name): LexicalRule => ({
      type: 'blockComment',
      open: `=${name}`.slice(0, 8),
      close: '=cut',
      where: 'firstColumn',
      closeInFirstColumn: true,
    })),
    ...perlStrings,
    { type: 'regex', open: '/', multiline: true },
    { type: 'heredoc', open: '<<' },
    ...['q', 'qq', 'qw', 'qx'].map((open): LexicalRule => ({ type: 'quoteLike', open })),
    ...['m', 'qr'].map((open): LexicalRule => ({ type: 'quoteLike', open, sense: 'regex' })),
    ...['s', 'tr', 'y'].map((open): LexicalRule => ({ type: 'quoteLike', open, twoParts: true, sense: 'regex' })),
    ...['*"', "*'", '*`'].map((open): LexicalRule => ({ type: 'token', open, where: 'value' })),
    // Most of these are variables whose names are punctuation.
    ...operators('$# $" $\' $` $/ $\\ $; $, $. @" =~ !~ //='),
  ],
};

const php: Lexicon = {
  id: 'php',
  aliases: 'hack',
  files: '.php .php3 .php4 .php5 .php7 .php8 .phps .phpt .phtml .inc .hack .hhi .module .theme',
  letters: '$',
  keywords: `abstract and array as break callable case catch class clone const continue declare default do echo else
    elseif empty enddeclare endfor endforeach endif endswitch endwhile eval exit extends final finally fn for foreach
    function global goto if implements instanceof insteadof interface isset list match namespace new or print private
    protected public return static switch throw trait try unset use var while xor yield`,
  introducing: 'enum readonly',
  values: 'true false null self parent this',
  imports: {
    semicolons: true,
    statements: 'use',
    headers: 'namespace',
    calls: 'require require_once include include_once',
  },
  rules: [
    ...cComments,
    hashComment,
    { type: 'token', open: '#[' },
    quoted('"', { multiline: true, hole: ['{$', '}'] }),
    quoted("'", { multiline: true }),
    quoted('`', { multiline: true, sense: 'command' }),
    { type: 'heredoc', open: '<<<', blankBeforeName: true },
    ...operators('?-> <?php <?= <? ?>'),
  ],
};

const shellRules: readonly LexicalRule[] = [
  { type: 'lineComment', open: '#', where: 'afterBlank' },
  quoted('"', { multiline: true, hole: ['$(', ')'] }),
  verbatim("'", { multiline: true }),
  ...prefixed('$', quoted("'", { multiline: true, sense: 'escaped' })),
  { type: 'escaped', open: '\\' },
  { type: 'token', open: '<<<' },
  { type: 'heredoc', open: '<<', blankBeforeName: true },
  // The bracket after a pattern, as in `case x in a)`, has no opening bracket.
  { type: 'token', open: ')', where: 'pattern' },
  ...operators(';; |& >& <& &> $# ${#'),
];

const shell: Lexicon = {
  id: 'shellscript',
  aliases: 'shell sh bash zsh ksh fish console shell-session dotenv',
  files: `.sh .bash .zsh .ksh .csh .tcsh .fish .command .ebuild .eclass .bats .envrc .env .bashrc .bash_profile
    .bash_aliases .bash_logout .profile .zshrc .zprofile .zshenv .zlogin .kshrc .cshrc .xinitrc .xprofile
    configure PKGBUILD APKBUILD`,
  letters: '$',
  keywords: `break case continue declare do done elif else esac eval exec exit export fi for function if in local
    readonly return select set shift source then trap typeset unset until while`,
  values: 'true false',
  rules: shellRules,
};

const powershell: Lexicon = {
  id: 'powershell',
  aliases: 'ps1 pwsh ps',
  files: '.ps1 .psm1 .psd1 .pssc .psrc',
  foldCase: true,
  letters: '$',
  keywords: `begin break catch class continue data define do dynamicparam else elseif end enum exit filter finally for
    foreach from function hidden if in param process return static switch throw trap try until using var while`,
  imports: { headers: 'using' },
  rules: [
    { type: 'lineComment', open: '#', where: 'afterBlank' },
    { type: 'blockComment', open: '<#', close: '#>' },
    { ...doubled('"', { escape: '`', multiline: true, hole: ['$(', ')'] }) },
    doubled("'", { multiline: true }),
    { type: 'string', open: '@"', close: '"@', multiline: true, closeFirstOnLine: true },
    { type: 'string', open: "@'", close: "'@", multiline: true, closeFirstOnLine: true },
    { type: 'string', open: '${', close: '}', sense: 'name' },
    { type: 'escaped', open: '`' },
  ],
};

const batch: Lexicon = {
  id: 'bat',
  aliases: 'batch cmd dos',
  files: '.bat .cmd',
  foldCase: true,
  keywords:
    'call cd defined do echo else endlocal errorlevel exist exit for goto if in not pause popd pushd set setlocal shift',
  commentWords: 'rem',
  rules: [{ type: 'lineComment', open: '::', where: 'firstOnLine' }, verbatim('"'), { type: 'escaped', open: '^' }],
};

const lua: Lexicon = {
  id: 'lua',
  aliases: 'luau',
  files: '.lua .luau .nse .rockspec .wlua',
  keywords: `and break continue do else elseif end for function goto if in local not or repeat return then until while`,
  values: 'true false nil self',
  imports: { declarations: 'local', require: 'require' },
  rules: [
    { type: 'lineComment', open: '--' },
    longBracketComment('--'),
    longBrackets,
    ...cStrings,
    shebang,
    ...operators('~= .. ...'),
  ],
};

const tcl: Lexicon = {
  id: 'tcl',
  files: '.tcl .tk .itcl .tm .exp',
  letters: '$',
  keywords: `after append array break catch continue else elseif error eval expr for foreach global if incr info lappend
    lindex list llength namespace proc puts regexp return set split string switch then unset uplevel upvar variable
    while`,
  imports: { headers: 'package' },
  rules: [
    { type: 'lineComment', open: '#', where: 'firstOnLine' },
    quoted('"', { multiline: true, hole: ['[', ']'] }),
    { type: 'escaped', open: '\\' },
  ],
};

const awk: Lexicon = {
  id: 'awk',
  files: '.awk .gawk',
  letters: '$',
  keywords: `BEGIN END break continue delete do else exit for function getline if in next nextfile print printf return
    switch while`,
  rules: [hashComment, quoted('"'), { type: 'regex', open: '/' }, ...operators('!~')],
};

const r: Lexicon = {
  id: 'r',
  aliases: 'rscript splus',
  files: '.r .rprofile .rscript',
  innerLetters: '.',
  keywords: 'break else for function if in next repeat return while',
  values: 'TRUE FALSE NULL NA NaN Inf NA_integer_ NA_real_ NA_character_ T F',
  imports: { calls: 'library require requireNamespace' },
  rules: [
    hashComment,
    quoted('"', { multiline: true }),
    quoted("'", { multiline: true }),
    verbatim('`', { sense: 'name' }),
    ...['r', 'R'].flatMap((prefix) =>
      ['"', "'"].flatMap((quote) =>
        ['()', '[]', '{}'].map(([open, close]): LexicalRule => ({
          type: 'fenced',
          open: prefix + quote,
          fence: '-',
          fenceEnd: open,
          close: [close, quote],
          sense: 'raw',
        })),
      ),
    ),
    ...operators('<- <<- ->> %>% %in% %o% %% %/% %*% |>'),
  ],
};

const julia: Lexicon = {
  id: 'julia',
  aliases: 'jl',
  files: '.jl',
  innerLetters: '!',
  keywords: `baremodule begin break catch const continue do else elseif end export finally for function global if in
    isa let local macro module quote return struct try where while`,
  introducing: 'abstract mutable outer primitive type',
  values: 'true false nothing missing',
  imports: { statements: 'using import' },
  rules: [
    hashComment,
    { type: 'blockComment', open: '#=', close: '=#', nested: true },
    quoted('"', { multiline: true, hole: ['$(', ')'] }),
    quoted('"""', { multiline: true, hole: ['$(', ')'], docstring: true }),
    { type: 'character', open: "'", where: 'value' },
    quoted('`', { multiline: true, sense: 'command' }),
  ],
};

export const dynamicLexicons: readonly Lexicon[] = [
  ruby,
  crystal,
  perl,
  php,
  shell,
  powershell,
  batch,
  lua,
  tcl,
  awk,
  r,
  julia,
];
