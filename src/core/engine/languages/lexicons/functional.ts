/** The ML family, Haskell and its relatives, Erlang and its relatives, and the Lisps. */
import type { LexicalRule, Lexicon } from '../lexicalRules.ts';
import {
  doubled,
  hashComment,
  operators,
  prefixed,
  quoted,
  shebang,
  slashComment,
  starComment,
  verbatim,
} from './rules.ts';

const haskellRules: readonly LexicalRule[] = [
  // --> and |-- are operators, but a row of three or more dashes begins a comment.
  { type: 'lineComment', open: '--', where: 'alone' },
  { type: 'lineComment', open: '---' },
  { type: 'blockComment', open: '{-', close: '-}', nested: true },
  quoted('"'),
  { type: 'character', open: "'" },
];

const haskell: Lexicon = {
  id: 'haskell',
  aliases: 'hs purescript literate-haskell agda idris',
  files: '.hs .hsc .hs-boot .lhs .purs .agda .idr',
  innerLetters: "'",
  keywords: `case class data default deriving do else forall foreign if import in infix infixl infixr instance let
    module newtype of then type where`,
  values: 'True False Nothing',
  imports: { statements: 'import module', indented: true },
  rules: [...haskellRules, ...operators('<- <> <$> <*> >>= =<< .. :: ++ \\\\ <|> $!')],
};

const elm: Lexicon = {
  ...haskell,
  id: 'elm',
  aliases: '',
  files: '.elm',
  keywords: 'alias as case effect else exposing if import in infix let module of port then type where',
  rules: [...haskellRules, quoted('"""', { multiline: true }), ...operators('<| |> ++ << >>')],
};

const ocaml: Lexicon = {
  id: 'ocaml',
  aliases: 'ml reason rescript sml standardml coq',
  files: '.ml .mli .mll .mly .mlt .sml .sig .fun .re .rei .res .resi',
  innerLetters: "'",
  keywords: `and as assert begin class constraint do done downto else end exception external for fun function functor if
    in include inherit initializer lazy let match method module mutable new nonrec object of open or private rec sig
    struct then to try type val virtual when while with`,
  values: 'true false None',
  imports: { headers: 'open' },
  rules: [
    { type: 'blockComment', open: '(*', close: '*)', nested: true },
    { type: 'token', open: '(*)' },
    quoted('"', { multiline: true }),
    { type: 'fenced', open: '{', fence: '', fenceEnd: '|', close: ['|', '}'], sense: 'raw' },
    { type: 'character', open: "'" },
    ...operators(':= <- ;; |> @@'),
  ],
};

const fsharp: Lexicon = {
  id: 'fsharp',
  aliases: 'fs f#',
  files: '.fs .fsi .fsx .fsscript',
  innerLetters: "'",
  keywords: `abstract and as assert base begin class default delegate do done downcast downto elif else end exception
    extern finally fixed for fun function global if in inherit inline interface internal lazy let match member module
    mutable namespace new not of open or override private public rec return select sig static struct then to try type
    upcast use val void when while with yield`,
  values: 'true false null this',
  imports: { headers: 'open' },
  rules: [
    slashComment,
    { type: 'blockComment', open: '(*', close: '*)', nested: true },
    { type: 'token', open: '(*)' },
    quoted('"', { multiline: true }),
    verbatim('"""', { multiline: true }),
    ...prefixed('@', doubled('"', { multiline: true, sense: 'raw' })),
    ...prefixed('$', quoted('"', { multiline: true, hole: ['{', '}'], sense: '$' })),
    ...prefixed('$ $$', verbatim('"""', { multiline: true, sense: '$' })),
    { type: 'character', open: "'" },
    verbatim('``', { sense: 'name' }),
    ...operators('<- <@ @> |> <| >> <<'),
  ],
};

const elixirSigils = [...'sSrRcCwWdDtTnNuUeEpPhHiIaAfFlLmMzZ'].map((letter): LexicalRule => ({
  type: 'quoteLike',
  open: `~${letter}`,
  sense: letter.toLowerCase(),
}));

const elixir: Lexicon = {
  id: 'elixir',
  aliases: 'ex exs eex heex',
  files: '.ex .exs',
  letters: '@',
  innerLetters: '?!',
  keywords: `after and case catch cond def defdelegate defexception defguard defimpl defmacro defmacrop defmodule
    defoverridable defp defprotocol defstruct do else end fn for if in not or quote raise receive rescue super throw
    try unless unquote when with`,
  values: 'true false nil __MODULE__ __ENV__',
  commentWords: '@doc @moduledoc @typedoc',
  imports: { statements: 'alias import require use' },
  rules: [
    hashComment,
    quoted('"', { multiline: true, hole: ['#{', '}'] }),
    quoted("'", { multiline: true, hole: ['#{', '}'] }),
    quoted('"""', { multiline: true, hole: ['#{', '}'] }),
    quoted("'''", { multiline: true, hole: ['#{', '}'] }),
    ...elixirSigils,
    ...['"""', "'''"].flatMap((quotes) =>
      [...'sSrRcCwWHLEFDTNU'].map((letter) => ({
        ...quoted(quotes, { multiline: true, sense: letter.toLowerCase() }),
        open: `~${letter}${quotes}`,
      })),
    ),
    ...operators('?" ?\' ?# ?\\" <- |> <> ++ -- =~ \\\\ ~> <~ <~> ~>>'),
  ],
};

const erlang: Lexicon = {
  id: 'erlang',
  aliases: 'erl',
  files: '.erl .hrl .xrl .yrl .escript .app.src rebar.config',
  letters: '@',
  keywords: `after and andalso band begin bnot bor bsl bsr bxor case catch cond define div else end endif export fun
    if ifdef ifndef let maybe module not of or orelse receive record rem spec try type undef when xor`,
  values: 'true false undefined ok',
  imports: { directives: 'include include_lib import module export export_type behaviour behavior' },
  rules: [
    { type: 'lineComment', open: '%' },
    quoted('"', { multiline: true }),
    quoted('"""', { multiline: true }),
    quoted("'"),
    ...operators('$" $\' $% $\\" $\\\' $\\\\ <- <= =< =:= =/= ++ -- || ::'),
  ],
};

/** Punctuation that may be part of a word in Lisp. */
const lispLetters = '-?!*+<>=/&%$:|.~^';

const lispRules: readonly LexicalRule[] = [{ type: 'lineComment', open: ';' }, quoted('"', { multiline: true })];

const clojure: Lexicon = {
  id: 'clojure',
  aliases: 'clj cljs cljc edn',
  files: '.clj .cljs .cljc .cljx .edn .bb .boot',
  letters: lispLetters.replace(/[~^]/g, ''),
  innerLetters: "'#",
  keywords: `and as-> assoc case catch comp cond cond-> cond->> condp def defmacro defmethod defmulti defn defn-
    defonce defprotocol defrecord deftest deftype do doseq dotimes finally fn for if if-let if-not let letfn loop map
    not ns or partial quote recur reduce reify testing throw try var when when-let when-not`,
  values: 'true false nil',
  imports: { forms: 'ns require import use in-ns' },
  rules: [
    ...lispRules,
    { type: 'discard', open: '#_' },
    shebang,
    { type: 'escaped', open: '\\' },
    { type: 'string', open: '#"', close: '"', escape: '\\', multiline: true, sense: 'regex' },
  ],
};

const lisp: Lexicon = {
  id: 'lisp',
  aliases: 'commonlisp common-lisp elisp emacs-lisp autolisp',
  files: '.lisp .lsp .asd .el .emacs',
  foldCase: true,
  letters: lispLetters,
  keywords: `and case cond defclass defconstant defgeneric defmacro defmethod defpackage defparameter defstruct deftype
    defun defvar do dolist dotimes flet format funcall function if labels lambda let let* loop nil not or progn quote
    return setf setq t unless when while with-open-file`,
  imports: { forms: 'in-package require' },
  rules: [
    ...lispRules,
    { type: 'blockComment', open: '#|', close: '|#', nested: true },
    { type: 'escaped', open: '#\\' },
    ...operators('?\\" ?" ?\\; ?;'),
  ],
};

const scheme: Lexicon = {
  id: 'scheme',
  aliases: 'racket scm rkt guile',
  files: '.scm .ss .sld .sls .sps .rkt .rktl .rktd',
  letters: lispLetters,
  keywords: `and begin call/cc case cond cons define define-record-type define-struct define-syntax delay display do
    else if lambda let let* let-values letrec list match module not null? or quote set! struct syntax-rules unless
    when`,
  imports: { forms: 'require import use-modules module' },
  rules: [
    ...lispRules,
    { type: 'blockComment', open: '#|', close: '|#', nested: true },
    { type: 'discard', open: '#;' },
    { type: 'escaped', open: '#\\' },
    { type: 'string', open: '#rx"', close: '"', escape: '\\', sense: 'regex' },
    { type: 'string', open: '#px"', close: '"', escape: '\\', sense: 'regex' },
    { type: 'lineComment', open: '#lang', where: 'firstColumn' },
  ],
};

const gleam: Lexicon = {
  id: 'gleam',
  files: '.gleam',
  keywords: 'as assert case const external fn if import let opaque panic pub todo type use',
  values: 'True False Nil',
  imports: { statements: 'import' },
  rules: [slashComment, quoted('"', { multiline: true })],
};

const prolog: Lexicon = {
  id: 'prolog',
  quotedDigits: true,
  files: '.pro .plt .prolog .lgt',
  keywords: 'is not mod rem dynamic discontiguous module use_module initialization',
  rules: [
    { type: 'lineComment', open: '%' },
    starComment,
    quoted('"'),
    quoted("'"),
    ...operators(':- --> \\+ \\= =.. =:= =\\= @< @>'),
  ],
};

const wolfram: Lexicon = {
  id: 'wolfram',
  aliases: 'mathematica',
  files: '.wl .wls .nb',
  letters: '$',
  keywords: 'Module Block With If Which Switch Do For While Table Map Function Return Set SetDelayed Rule',
  rules: [
    { type: 'blockComment', open: '(*', close: '*)', nested: true },
    quoted('"', { multiline: true }),
    ...operators(':= -> :> /. //. @@ /@ <>'),
  ],
};

export const functionalLexicons: readonly Lexicon[] = [
  haskell,
  elm,
  ocaml,
  fsharp,
  elixir,
  erlang,
  clojure,
  lisp,
  scheme,
  gleam,
  prolog,
  wolfram,
];
