/**
 * Words that must never be renamed. Many of them are reserved in some languages and ordinary names in others: `number`
 * is a type in TypeScript, but may be a name in Python. The lexicons' keyword tables
 * (src/core/engine/languages/lexicons) are not suitable, because they also contain words that may be names, such as
 * `unique` in TypeScript. There, the token kind only affects weights.
 */
import { setOf } from '../../core/collections/lists.ts';

/**
 * Returns true if a word is reserved.
 *
 * @param language  VS Code id of the language. If `undefined` or unknown, words that any language reserves are reserved
 */
export function isReserved(word: string, language: string | undefined): boolean {
  if (declaring.has(word) || inAll.has(word)) return true;
  return ((language === undefined ? undefined : byLanguage.get(language)) ?? inAny).has(word);
}

/** Returns true if a word is a keyword that declares the name after it. */
export function declares(word: string): boolean {
  return declaring.has(word);
}

const declaring = setOf(
  'class const def defmodule enum fn func function fun interface let macro module namespace package proc struct trait type var val',
);

/** Words that are reserved in nearly every language, or never used as names. */
const inAll = setOf(
  'abstract and as assert async await boolean break case catch continue default delete do else export extends extern false ' +
    'False final finally for foreach goto if implements import in instanceof is new none None not null nullptr or override ' +
    'private protected public return self Self sizeof static String super switch this throw throws true True try typeof ' +
    'undefined void while yield',
);

const lists: readonly (readonly [languages: string, words: string])[] = [
  [
    'c cpp cuda-cpp objective-c objective-cpp',
    'auto bool char double float include inline int long short signed typedef undef union unsigned volatile',
  ],
  ['cpp cuda-cpp objective-cpp', 'operator template using virtual'],
  [
    'csharp',
    'base bool byte char checked decimal double fixed float from int internal lock long object operator out params readonly ' +
      'ref sealed select short string unsafe using virtual volatile when where',
  ],
  ['java', 'byte char double float int long native sealed short strictfp synchronized transient volatile'],
  ['javascript javascriptreact typescript typescriptreact vue svelte', 'debugger from of with'],
  ['typescript typescriptreact vue svelte', 'any number object readonly string'],
  ['python', 'bool del elif except float from global int lambda nonlocal pass raise str with'],
  ['ruby', 'begin elsif end ensure include lambda nil next raise redo rescue retry then undef unless until when'],
  ['perl', 'elsif next redo undef unless until use'],
  ['php', 'bool double float global include int match readonly string use'],
  ['go', 'any bool byte defer go int nil range select string'],
  ['rust', 'bool char impl loop match mod move mut pub ref str union unsafe use where'],
  ['swift', 'any defer internal nil operator where'],
  ['kotlin', 'inline internal object operator out sealed when'],
  ['scala', 'match object sealed then with'],
  ['lua', 'end nil then until'],
  ['shellscript', 'elif select then until'],
  ['elixir', 'end nil use when with'],
];

const inAny: ReadonlySet<string> = setOf(lists.map(([, words]) => words).join(' '));

const byLanguage: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...setOf(lists.map(([languages]) => languages).join(' '))].map((id) => [
    id,
    setOf(
      lists
        .filter(([languages]) => setOf(languages).has(id))
        .map(([, words]) => words)
        .join(' '),
    ),
  ]),
);
