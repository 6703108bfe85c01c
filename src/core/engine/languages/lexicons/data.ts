/** Data, configuration, style sheets, schemas and queries. */
import type { Lexicon, StringRule } from '../lexicalRules.ts';
import {
  cComments,
  cStrings,
  doubled,
  hashComment,
  longBracketComment,
  longBrackets,
  operators,
  quoted,
  slashComment,
  starComment,
  verbatim,
} from './rules.ts';

const json: Lexicon = {
  id: 'json',
  data: true,
  aliases: 'jsonc json5 jsonl snippets geojson jsonld',
  files: `.json .jsonc .json5 .jsonl .ndjson .geojson .jsonld .webmanifest .har .avsc .code-workspace
    .code-snippets .babelrc .eslintrc .jshintrc .prettierrc .swcrc .topojson .tfstate .mcmeta composer.lock
    Pipfile.lock`,
  values: 'true false null',
  rules: [...cComments, ...cStrings],
};

/** Jupyter notebooks: JSON whose cells contain text and code. ../notebook.ts reads them. */
const notebook: Lexicon = {
  id: 'jupyter',
  aliases: 'jupyter-notebook ipynb',
  files: '.ipynb',
  rules: [],
};

const yaml: Lexicon = {
  id: 'yaml',
  data: true,
  aliases: 'yml dockercompose docker-compose github-actions-workflow ansible home-assistant',
  files: '.yaml .yml .eyaml .clang-format .clang-tidy .clangd .gemrc .cff pubspec.lock .yarnrc.yml CITATION.cff',
  innerLetters: '-',
  values: 'true false null yes no on off',
  rules: [
    { type: 'lineComment', open: '#', where: 'afterBlank' },
    quoted('"', { where: 'scalar', multiline: true }),
    doubled("'", { where: 'scalar', multiline: true }),
    // Inside brackets, a quote may be part of an unquoted scalar with several lines, so strings end at the end of the
    // line.
    quoted('"', { where: 'flow' }),
    doubled("'", { where: 'flow' }),
    quoted('"', { where: 'firstOnLine' }),
    doubled("'", { where: 'firstOnLine' }),
    { type: 'blockScalar', open: '|' },
    { type: 'blockScalar', open: '>' },
  ],
};

const toml: Lexicon = {
  id: 'toml',
  data: true,
  files: '.toml Cargo.lock poetry.lock uv.lock pdm.lock Pipfile Gopkg.lock',
  innerLetters: '-',
  values: 'true false',
  rules: [
    hashComment,
    quoted('"'),
    verbatim("'"),
    quoted('"""', { multiline: true }),
    verbatim("'''", { multiline: true }),
  ],
};

const ini: Lexicon = {
  id: 'ini',
  data: true,
  aliases: 'properties conf config editorconfig gitconfig systemd desktop dosini',
  files: `.ini .cfg .conf .properties .prefs .desktop .service .socket .timer .mount .target .reg .inf .editorconfig
    .gitconfig .gitmodules .npmrc .pylintrc .flake8 .hgrc .wgetrc .curlrc`,
  innerLetters: '-',
  values: 'true false',
  rules: [
    { type: 'lineComment', open: ';', where: 'firstOnLine' },
    { type: 'lineComment', open: '#', where: 'firstOnLine' },
    { type: 'lineComment', open: '!', where: 'firstOnLine' },
  ],
};

const ignore: Lexicon = {
  id: 'ignore',
  data: true,
  files:
    '.gitignore .dockerignore .npmignore .eslintignore .prettierignore .vscodeignore .gitattributes .hgignore CODEOWNERS',
  innerLetters: '-',
  rules: [{ type: 'lineComment', open: '#', where: 'firstOnLine' }],
};

const css: Lexicon = {
  id: 'css',
  aliases: 'wxss postcss tailwindcss',
  files: '.css .wxss .pcss .postcss .qss .tcss',
  innerLetters: '-',
  imports: { directives: 'import charset namespace' },
  rules: [starComment, ...cStrings, ...operators('~= |= ^= $= *= ::')],
};

const scss: Lexicon = {
  id: 'scss',
  aliases: 'sass less stylus',
  files: '.scss .sass .less .styl .stylus',
  letters: '$',
  innerLetters: '-',
  imports: { directives: 'import use forward charset namespace' },
  rules: [
    // In url(http://a), the // does not begin a comment.
    { type: 'lineComment', open: '//', where: 'afterBlank' },
    starComment,
    quoted('"', { hole: ['#{', '}'] }),
    quoted("'", { hole: ['#{', '}'] }),
    // In url(//a), the // does not begin a comment either.
    ...operators('~= |= ^= $= *= :: (//'),
  ],
};

const sql: Lexicon = {
  id: 'sql',
  aliases: 'plsql tsql mysql pgsql postgres postgresql sqlite mssql hql cql snowflake-sql',
  files: '.sql .ddl .dml .pls .plsql .pks .pkb .prc .tsql .psql .pgsql .mysql .hql .cql .sqlite .viw .tab',
  foldCase: true,
  letters: '@',
  keywords: `add after all alter analyze and any as asc auto_increment before begin between bigint boolean by call
    cascade case cast char check collate column comment commit constraint create cross current_timestamp cursor
    database date datetime decimal declare default delete desc describe distinct do drop else elsif end engine escape
    except exec execute exists explain fetch float for foreign from full function generated grant group having if
    ilike in index inner insert int integer intersect interval into is join key language left like limit loop
    materialized merge natural not null numeric offset on or order outer over partition primary privileges procedure
    raise references replace return returning returns revoke right rollback row rows schema select sequence serial set
    table temporary text then time timestamp to transaction trigger truncate type union unique unsigned update using
    values varchar view when where while window with within`,
  values: 'true false unknown',
  rules: [
    { type: 'lineComment', open: '--' },
    // A comment in MySQL. In other dialects, # is an operator or begins the name of a temporary table.
    { type: 'lineComment', open: '# ', where: 'firstOnLine' },
    starComment,
    // String literals of Oracle, such as q'[…]'.
    ...["q'", "Q'"].flatMap((open) =>
      ['[]', '()', '{}', '<>', '!!', '||'].map(([from, to]): StringRule => ({
        type: 'string',
        open: open + from,
        close: `${to}'`,
        multiline: true,
      })),
    ),
    doubled("'", { multiline: true, escape: '\\', escapeInWord: true }),
    doubled('"', { sense: 'name' }),
    verbatim('`', { sense: 'name' }),
    { type: 'string', open: "n'", close: "'", doubled: true, multiline: true },
    { type: 'string', open: "N'", close: "'", doubled: true, multiline: true },
    { type: 'string', open: "e'", close: "'", escape: '\\', multiline: true },
    { type: 'string', open: "E'", close: "'", escape: '\\', multiline: true },
    ...operators('<> || :: ->> #>> !='),
  ],
};

const graphql: Lexicon = {
  id: 'graphql',
  aliases: 'gql',
  files: '.graphql .graphqls .gql',
  letters: '$@',
  keywords: `directive enum extend fragment implements input interface mutation on query repeatable scalar schema
    subscription type union`,
  values: 'true false null',
  rules: [hashComment, quoted('"'), quoted('"""', { multiline: true, docstring: true })],
};

const proto: Lexicon = {
  id: 'proto3',
  aliases: 'proto protobuf proto2 thrift capnp flatbuffers avdl',
  files: '.proto .thrift .capnp .fbs .avdl .fidl .idl .webidl .smithy',
  keywords: `attribute bool bytes const dictionary double enum exception extend extends extensions fixed32 fixed64 float
    i16 i32 i64 int32 int64 interface list map message namespace oneof option optional package partial readonly
    repeated required reserved returns rpc service set sint32 sint64 stream string struct syntax table throws to
    typedef uint32 uint64 union void`,
  values: 'true false null',
  imports: { semicolons: true, statements: 'import include', headers: 'package namespace' },
  rules: [...cComments, hashComment, ...cStrings],
};

const hcl: Lexicon = {
  id: 'terraform',
  aliases: 'hcl tf opentofu packer nomad',
  files: '.tf .tfvars .hcl .nomad .tofu .pkr.hcl',
  innerLetters: '-',
  keywords: `data dynamic else endfor endif for for_each if in locals module moved output provider resource terraform
    variable`,
  values: 'true false null',
  rules: [...cComments, hashComment, quoted('"', { hole: ['${', '}'] }), { type: 'heredoc', open: '<<' }],
};

const nix: Lexicon = {
  id: 'nix',
  files: '.nix',
  innerLetters: "-'",
  keywords: 'assert else if in inherit let or rec then with',
  values: 'true false null',
  imports: { headers: 'import' },
  rules: [
    hashComment,
    starComment,
    quoted('"', { multiline: true, hole: ['${', '}'] }),
    verbatim("''", { multiline: true, hole: ['${', '}'] }),
  ],
};

const makefile: Lexicon = {
  id: 'makefile',
  aliases: 'make mk just ninja',
  files: '.mk .mak .make .ninja .just Makefile GNUmakefile BSDmakefile Makefile.am Makefile.in Kbuild Kconfig Justfile',
  letters: '$',
  innerLetters: '-',
  keywords: `define else endef endif export ifdef ifeq ifndef ifneq include override private sinclude undefine unexport
    vpath`,
  imports: { calls: 'include sinclude' },
  rules: [hashComment, quoted('"'), verbatim("'"), { type: 'escaped', open: '\\' }, ...operators('?= += := ::= $$')],
};

const dockerfile: Lexicon = {
  id: 'dockerfile',
  aliases: 'docker containerfile',
  files: '.dockerfile .containerfile Dockerfile Containerfile',
  letters: '$',
  innerLetters: '-',
  keywords: `ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL
    USER VOLUME WORKDIR`,
  rules: [
    { type: 'lineComment', open: '#', where: 'firstOnLine' },
    ...cStrings,
    { type: 'heredoc', open: '<<' },
    { type: 'escaped', open: '\\' },
  ],
};

const cmake: Lexicon = {
  id: 'cmake',
  files: '.cmake CMakeLists.txt',
  foldCase: true,
  letters: '$',
  innerLetters: '-',
  keywords: `add_custom_command add_custom_target add_executable add_library add_subdirectory add_test and break
    cmake_minimum_required configure_file continue else elseif endforeach endfunction endif endmacro endwhile equal
    find_package foreach function if include install list macro matches message not on off option or project return
    set set_property set_target_properties string strequal target_compile_definitions target_compile_options
    target_include_directories target_link_libraries target_sources unset while`,
  values: 'true false',
  rules: [
    hashComment,
    longBracketComment('#'),
    longBrackets,
    quoted('"', { multiline: true }),
    { type: 'escaped', open: '\\' },
  ],
};

const meson: Lexicon = {
  id: 'meson',
  files: 'meson.build meson_options.txt',
  keywords: 'and break continue elif else endforeach endif foreach if in not or',
  values: 'true false',
  rules: [hashComment, quoted("'"), verbatim("'''", { multiline: true })],
};

const puppet: Lexicon = {
  id: 'puppet',
  files: '.epp',
  letters: '$',
  keywords: 'and case class default define else elsif if in include inherits node or unless',
  values: 'true false undef',
  rules: [hashComment, ...cStrings],
};

const nginx: Lexicon = {
  id: 'nginx',
  aliases: 'apacheconf caddyfile',
  files: '.nginx .nginxconf .htaccess .vcl nginx.conf Caddyfile',
  letters: '$',
  innerLetters: '-',
  rules: [hashComment, quoted('"'), quoted("'")],
};

const po: Lexicon = {
  id: 'po',
  data: true,
  aliases: 'gettext',
  files: '.po .pot',
  keywords: 'msgctxt msgid msgid_plural msgstr',
  rules: [hashComment, quoted('"')],
};

/** Configuration languages whose comments and strings are those of JSON and the shells. */
const configuration: Lexicon = {
  id: 'jsonnet',
  aliases: 'cue pkl kdl ron hjson dhall bicep rego',
  files: '.kdl .ron .hjson .jsonnet .libsonnet .cue .pkl .dhall .bicep .rego',
  letters: '$',
  innerLetters: '-',
  values: 'true false null',
  rules: [slashComment, starComment, hashComment, ...cStrings, quoted('"""', { multiline: true })],
};

export const dataLexicons: readonly Lexicon[] = [
  json,
  notebook,
  yaml,
  toml,
  ini,
  ignore,
  css,
  scss,
  sql,
  graphql,
  proto,
  hcl,
  nix,
  makefile,
  dockerfile,
  cmake,
  meson,
  puppet,
  nginx,
  po,
  configuration,
];
