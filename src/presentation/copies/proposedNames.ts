/** Proposes names for parameters and functions. They consist of words that corresponding names in the copies share. */
import { setOf } from '../../core/collections/lists.ts';
import type { Hole, Template } from './antiUnify.ts';
import type { HoleKind } from './holes.ts';
import type { Word } from './words.ts';

/** Splits a name into words: parseStartDate, parse_start_date, and PARSE_START_DATE have the same words. */
export function wordsIn(name: string): string[] {
  return name.match(/\p{Lu}+(?!\p{Ll})\p{N}*|\p{Lu}?\p{Ll}+\p{N}*|\p{Lo}+|\p{N}+/gu) ?? [];
}

/** Returns the words that all names share, in the order of the first name. */
export function commonWords(names: readonly string[]): string[] {
  const [first = [], ...others] = names.map(wordsIn);
  return others.reduce<string[]>((left, right) => longestCommon(left, right), first);
}

/** Returns the longest common subsequence of words, ignoring case. */
function longestCommon(left: readonly string[], right: readonly string[]): string[] {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const areSame = (i: number, j: number): boolean => left[i]!.toLowerCase() === right[j]!.toLowerCase();
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i]![j] = areSame(i, j) ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const found: string[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (areSame(i, j)) {
      found.push(left[i]!);
      i++;
      j++;
    } else if (lengths[i + 1]![j]! >= lengths[i]![j + 1]!) i++;
    else j++;
  }
  return found;
}

/** Joins words into a name, in the style of another name (camelCase or snake_case) or of a language. */
export function inStyleOf(words: readonly string[], style: string): string {
  const lower = words.map((word) => word.toLowerCase());
  if (/[\p{L}\p{N}]_/u.test(style)) return (/\p{Lu}/u.test(style) ? words : lower).join('_');
  if (/^\p{Lu}.*\p{Ll}/u.test(style)) return pascalCase(words);
  return lower[0]! + pascalCase(words.slice(1));
}

function pascalCase(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('');
}

/** Words that are too general to be a name by themselves. */
const weak = setOf('a an the of for to in on by is get set do has my it');

interface HoleDescription {
  readonly kind: HoleKind;
  readonly fillings: readonly string[];
}

/** Returns a unique name: appends a word for its kind if the code uses it, and a number if a parameter does. */
export function uniqueName(
  name: string,
  { kind, fillings }: HoleDescription,
  isInText: (name: string) => boolean,
  isTaken: (name: string) => boolean,
): string {
  const word = kindWord(kind, fillings[0] ?? '');
  const longer = name === word ? ['other', word] : [...wordsIn(name), word];
  const sign = name.startsWith('$') ? '$' : '';
  const own = isInText(name) ? sign + (kind === 'type' ? pascalCase(longer) : inStyleOf(longer, name)) : name;
  let unique = own;
  for (let number = 2; isTaken(unique) || isInText(unique); number++) unique = `${own}${number}`;
  return unique;
}

function kindWord(kind: HoleKind, filling: string): string {
  if (kind === 'function') return 'function';
  if (kind === 'type') return 'type';
  if (kind === 'member') return 'name';
  return isString(filling) ? 'text' : isNumber(filling) ? 'number' : filling.startsWith('/') ? 'pattern' : 'value';
}

/** Returns a name for a parameter, derived from its fillings, its position, or its kind. */
export function parameterName(
  { copies }: Template,
  holes: readonly Hole[],
  { kind, fillings }: HoleDescription,
): string {
  if (kind === 'statements' || kind === 'arguments') return kind;
  if (kind === 'operators') return 'operator';
  const tokens = copies[0]!;
  const style = isSnake(tokens) ? 'a_b' : 'aB';
  const common = tellingWords(fillings);
  if (kind === 'type') return common ? pascalCase(common) : 'T';
  const [hole] = holes as [Hole];
  const words =
    common ??
    (kind === 'function' ? undefined : placeWords(tokens, hole, fillings)) ??
    callWords(tokens, hole, fillings) ??
    ownWords(kind, fillings);
  return inStyleOf(words.slice(-maxWords), style);
}

const maxWords = 4;

/** Returns the words that the names at the ends of all fillings share, unless they are too general for a name. */
function tellingWords(fillings: readonly string[]): string[] | undefined {
  const names = fillings.map(lastName);
  if (!names.every((name) => name !== undefined)) return undefined;
  const common = commonWords(names);
  const isTelling = common.some((word) => !weak.has(word.toLowerCase()) && word.length > 1);
  return isTelling && common.length <= maxWords ? common : undefined;
}

/** Returns the last name in an expression, outside of brackets, or the name that a string filling contains. */
function lastName(filling: string): string | undefined {
  const [, inQuotes, name] =
    /^(?:["'`]([\p{L}_$][\p{L}\p{N}_$-]*)["'`]|[&*]?(?:[\p{L}\p{N}_$.:>?-]*[.:>])?([\p{L}_$][\p{L}\p{N}_$]*))$/u.exec(
      filling,
    ) ?? [];
  const found = inQuotes ?? name;
  return found === undefined || /^(?:true|false|null|None|nil|True|False|undefined)$/.test(found) ? undefined : found;
}

/** Returns words that describe the position of a hole: a value assigned to a name, an index, or a return value. */
function placeWords(tokens: readonly Word[], { start }: Hole, fillings: readonly string[]): string[] | undefined {
  const [before, named] = [tokens[start - 1]?.text ?? '', tokens[start - 2]];
  if (/^(?:=|:|:=|=>|[=!]=|[=!]==|<|>|<=|>=)$/.test(before) && named !== undefined) {
    const words = wordsIn(named.kind === 'name' ? named.text : (/^["'`](\w+)["'`]$/.exec(named.text)?.[1] ?? ''));
    if (words.length > 0) return words;
  }
  if (before === '[' && named?.kind === 'name') return [isNumber(fillings[0]!) ? 'index' : 'key'];
  if (before === 'return' && lastName(fillings[0]!) === undefined) return ['result'];
  return undefined;
}

/** Calls of well-known functions, with a name for the first argument, or for all of a message function. */
const knownCalls: readonly (readonly [calls: RegExp, name: string])[] = [
  [
    /(?:error|exception|warning|assert|fail|panic|fatal|print|printf|println|log|info|warn|debug|puts|echo|message)[fs]?$/i,
    'message',
  ],
  [/^(?:require|import)$/i, 'module'],
  [/^(?:it|test|describe|suite|context)$/, 'title'],
  [/^(?:get|set|has|put|pop|delete|lookup|find|contains|remove)$/i, 'key'],
  [/^(?:has|get|set|del)_?attr(?:ibute)?$/i, 'name'],
  [/^(?:join|split)$/i, 'separator'],
  [/^(?:push|append|add)$/i, 'item'],
];

/** Returns words that describe an argument, from the function that is called. */
function callWords(tokens: readonly Word[], { start, end }: Hole, fillings: readonly string[]): string[] | undefined {
  const isArgument = /^[(,]$/.test(tokens[start - 1]?.text ?? '') && /^[),]$/.test(tokens[end]?.text ?? '');
  const call = isArgument ? callAround(tokens, start) : undefined;
  if (call === undefined) return undefined;
  const name = knownCalls.find(([calls]) => calls.test(call.name))?.[1];
  if (name === 'message') return isString(fillings[0]!) ? [name] : undefined;
  if (call.place > 0) return undefined;
  if (name !== undefined) return [name];
  const own = lastName(fillings[0]!);
  const words = wordsIn(call.name);
  return own === undefined && words.length > 1 && words.length <= maxWords ? words.slice(1) : undefined;
}

/** Returns words for a name, derived from the text of the first filling. */
function ownWords(kind: HoleKind, fillings: readonly string[]): string[] {
  const [filling = ''] = fillings;
  if (kind === 'member' && fillings.length > 1) return ['property'];
  if (isString(filling) && fillings.every((one) => lastName(one) !== undefined)) return ['name'];
  const words = isString(filling) ? [] : wordsIn(lastName(filling) ?? '');
  return words.length > 0 ? words : [kind === 'function' ? 'callback' : kindWord(kind, filling)];
}

function isSnake(tokens: readonly Word[]): boolean {
  const names = tokens.filter(({ kind }) => kind === 'name');
  const snakes = names.filter(({ text }) => /^[\p{Ll}\p{N}]+_[\p{Ll}\p{N}_]+$/u.test(text)).length;
  return snakes > names.filter(({ text }) => /^\p{Ll}+\p{N}*\p{Lu}/u.test(text)).length;
}

function isNumber(filling: string): boolean {
  return /^[-+]?\p{N}/u.test(filling);
}

function isString(filling: string): boolean {
  return /^[\p{L}@$]{0,2}["'`]/u.test(filling);
}

/** Finds the call around a token. Returns the function's name, and the number of arguments before the token. */
function callAround(
  tokens: readonly Word[],
  at: number,
): { readonly name: string; readonly place: number } | undefined {
  let [depth, place] = [0, 0];
  for (let i = at - 1; i >= 0; i--) {
    const { text } = tokens[i]!;
    if (/^[)\]}]$/.test(text)) depth++;
    else if (/^[([{]$/.test(text)) depth--;
    else if (text === ',' && depth === 0) place++;
    else if (text === ';' && depth === 0) return undefined;
    if (depth < 0) {
      const before = tokens[i - 1];
      return text === '(' && before?.kind === 'name' ? { name: before.text, place } : undefined;
    }
  }
  return undefined;
}

/** Languages whose function names are snake_case. */
const withUnderscores = setOf('c elixir julia lua perl python r ruby rust');

/**
 * Returns a name for the merged function, from the words that the copies' function names share. If two names differ in
 * one part, joins both parts, as in readOrWrite.
 *
 * @param names  name of the function in each copy
 * @param noun   name of the first parameter
 */
export function functionName(
  names: readonly string[],
  { noun, language }: { readonly noun: string | undefined; readonly language: string },
): string {
  const [first = ''] = names;
  const distinct = [...new Set(names)];
  if (distinct.length === 1) return first;
  const isType = /^\p{Lu}.*\p{Ll}/u.test(first);
  const isOneWord = !/\p{Lu}|_/u.test(first);
  const style = isOneWord && withUnderscores.has(language) ? 'a_b' : first;
  const common = commonWords(names);
  const telling = common.filter((word) => !weak.has(word.toLowerCase()));
  if (isType ? telling.length > 0 : telling.length > 1) return inStyleOf(common, style);
  const both = distinct.length === 2 ? alternatives(wordsIn(first), wordsIn(distinct[1]!)) : undefined;
  if (both) return inStyleOf(both, style);
  // Without the verb, the name would describe a different action.
  const hasVerb = common[0]?.toLowerCase() === wordsIn(first)[0]?.toLowerCase();
  if (!hasVerb) return first;
  return inStyleOf(telling.length > 0 || noun === undefined ? common : [...common, ...wordsIn(noun)], style);
}

/** If two names differ only in one part of at most two words, returns the words with both alternatives. */
function alternatives(left: readonly string[], right: readonly string[]): string[] | undefined {
  const maxLength = Math.min(left.length, right.length);
  let head = 0;
  while (head < maxLength && left[head]!.toLowerCase() === right[head]!.toLowerCase()) head++;
  let tail = 0;
  while (tail < maxLength - head && left.at(-1 - tail)!.toLowerCase() === right.at(-1 - tail)!.toLowerCase()) tail++;
  const parts = [left, right].map((words) => words.slice(head, words.length - tail)) as [string[], string[]];
  if (head + tail === 0 || parts.some(({ length }) => length === 0 || length > 2)) return undefined;
  return [...left.slice(0, head), ...parts[0], 'or', ...parts[1], ...left.slice(left.length - tail)];
}
