/**
 * The configuration file of a project, .kindredrc.jsonc. Keys are named like command-line options, but in camelCase,
 * and documented in docs/kindredrc.schema.json. This module checks the types of the values. checkOptions and
 * checkSourceOptions check ranges, after all options have been combined.
 */
import * as l10n from '@vscode/l10n';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { PresetName } from '../../core/engine/dials.ts';
import type { Method, Options, ReadComments } from '../../core/engine/options.ts';
import { type Boundaries, partName } from './boundaries.ts';
import { categoryNames } from './chosenCategories.ts';
import { parseFileSize } from './fileSize.ts';
import { shortened } from './globs.ts';
import { maxDepth, offsetTooDeep } from './nesting.ts';
import { nearestName } from './nearestName.ts';
import type { SourceOptions } from './sources.ts';

export type OptionChanges = Partial<Omit<Options, 'weights' | 'prose'>> & {
  readonly weights?: Readonly<Record<string, number>>;
  readonly prose?: Partial<Options['prose']>;
};

export function changeOptions(options: Options, changes: OptionChanges): Options {
  return {
    ...options,
    ...changes,
    weights: { ...options.weights, ...changes.weights },
    prose: { ...options.prose, ...changes.prose },
  };
}

export interface Configuration {
  /** Preset for all dials that the file does not set itself. */
  readonly preset?: PresetName;
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  readonly boundaries?: Boundaries;
  /**
   * Returns the location of a key for messages, such as ".kindredrc.jsonc, line 3". The name of a nested key contains
   * dots: "prose.minWords".
   */
  readonly locate: (key: string) => string;
  /** Returns the line of a key, counted from 1, or `undefined` if the file does not contain the key. */
  readonly lineOf: (key: string) => number | undefined;
}

export interface ConfigurationProblem {
  /** A sentence with the location and the reason. */
  readonly problem: string;
  /** Line of the problem, counted from 1. `undefined` if the problem concerns the whole file. */
  readonly line: number | undefined;
}

/** Matches the option name at the beginning of a message: "prose.maxDistance must be …", "include: …". */
export const nameFirst = /^[\w.-]+/;

/** Older names of keys that are still accepted, with the current names. */
export const olderKeys: ReadonlyMap<string, string> = new Map([['k', 'maxDistance']]);

/**
 * Rewords an error message about an option, so that it names the place in the configuration file that sets the option.
 */
export function problemInConfiguration(problem: string, configuration: Configuration): ConfigurationProblem {
  const key = nameFirst.exec(problem)?.[0] ?? '';
  // If the kind of token is unknown, the message begins with only "weights", so get the kind from the rest of the
  // message.
  const kind = key === 'weights' ? /["„](\w+)["“]/.exec(problem)?.[1] : undefined;
  const place = kind ? `weights.${kind}` : key;
  return {
    problem: `${configuration.locate(place)}: ${problem}`,
    line: configuration.lineOf(place),
  };
}

/** Names of configuration files. If a folder has several, the first one is used. */
export const configurationNames = ['.kindredrc.jsonc', '.kindredrc.json'] as const;

export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => name === known || name.endsWith(`/${known}`));
}

export function parseConfiguration(text: string, shownAs: string): Configuration | ConfigurationProblem {
  const root = parseObject(text, shownAs);
  if ('problem' in root) return root;
  const offsets = new Map<string, number>();
  const notes: Notes = { offsets, problem: undefined };
  const values = readObject(root, keys, '', notes);
  if (notes.problem) return problemAt(text, shownAs, notes.problem);
  const lineOf = (key: string): number | undefined => {
    const offset = offsets.get(key);
    return offset === undefined ? undefined : lineAt(text, offset);
  };
  return {
    ...sorted(values),
    lineOf,
    locate: (key) => {
      const line = lineOf(key);
      return line === undefined ? shownAs : lineOfFile(shownAs, line);
    },
  };
}

/** Parses JSON with comments. The text must contain exactly one object. */
export function parseObject(text: string, shownAs: string): Node | ConfigurationProblem {
  const tooDeep = offsetTooDeep(text);
  if (tooDeep !== undefined) {
    const words = l10n.t('lists and objects are nested more than {0} deep.', maxDepth);
    return problemAt(text, shownAs, { offset: tooDeep, words });
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const words = `${syntaxProblems()[printParseErrorCode(error.error)] ?? l10n.t('this is not valid JSON')}.`;
    return problemAt(text, shownAs, { offset: error.offset, words });
  }
  if (root?.type === 'object') return root;
  return { problem: l10n.t('{0} must contain a single object: {1}.', shownAs, '{ … }'), line: undefined };
}

function problemAt(
  text: string,
  shownAs: string,
  { offset, words }: { readonly offset: number; readonly words: string },
): ConfigurationProblem {
  const line = lineAt(text, offset);
  return { problem: `${lineOfFile(shownAs, line)}: ${words}`, line };
}

function lineOfFile(name: string, line: number): string {
  return l10n.t('{0}, line {1}', name, line);
}

/** Returns the line number of an offset, from 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

function syntaxProblems(): Readonly<Record<string, string>> {
  return {
    InvalidSymbol: l10n.t('expected a string in double quotes, a number, true, false, a list or an object'),
    InvalidNumberFormat: l10n.t('this is not a valid number'),
    PropertyNameExpected: l10n.t('a key in double quotes is missing'),
    ValueExpected: l10n.t('a value is missing'),
    ColonExpected: l10n.t('a colon after the key is missing'),
    CommaExpected: l10n.t('a comma is missing before this'),
    CloseBraceExpected: l10n.t('a closing brace is missing'),
    CloseBracketExpected: l10n.t('a closing bracket is missing'),
    EndOfFileExpected: l10n.t('unexpected content after the closing brace'),
    InvalidCommentToken: l10n.t('this comment is malformed'),
    UnexpectedEndOfComment: l10n.t('a comment is not closed'),
    UnexpectedEndOfString: l10n.t('a string is not closed'),
    UnexpectedEndOfNumber: l10n.t('a number is not complete'),
    InvalidUnicode: l10n.t('this \\u escape is not valid'),
    InvalidEscapeCharacter: l10n.t('this escape is not valid; write \\\\ for a backslash'),
    InvalidCharacter: l10n.t('a string contains a control character'),
  };
}

/** Expected type of a value: its description for messages, a check, and possibly a conversion. */
interface Shape {
  readonly words: () => string;
  readonly fits: (value: unknown) => boolean;
  /** For an object with fixed keys, the expected type of each value. */
  readonly keys?: Readonly<Record<string, Shape>>;
  /** For an object with arbitrary keys, the expected type of all values. */
  readonly each?: Shape;
  readonly read?: (value: unknown) => unknown;
}

const number: Shape = { words: () => l10n.t('a number'), fits: (value) => typeof value === 'number' };
const boolean: Shape = { words: () => l10n.t('true or false'), fits: (value) => typeof value === 'boolean' };
const string: Shape = { words: () => l10n.t('a string'), fits: (value) => typeof value === 'string' };
const strings: Shape = {
  words: () => l10n.t('a list of strings'),
  fits: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};
const numbers: Shape = {
  words: () => l10n.t('an object with numbers, such as {0}', '{ "string": 0.5 }'),
  fits: (value) => isObject(value) && Object.values(value).every((item) => typeof item === 'number'),
};
const readCommentsChoices: Readonly<Record<ReadComments, true>> = { none: true, asText: true };
const readComments = oneOf(Object.keys(readCommentsChoices));
const methods: Readonly<Record<Method, true>> = { minhash: true, simhash: true, combined: true };
const method = oneOf(Object.keys(methods));
const presets: Readonly<Record<PresetName, true>> = { strict: true, balanced: true, loose: true };
const preset = oneOf(Object.keys(presets));
const size: Shape = {
  words: () => l10n.t('a number of bytes or a size such as {0} or {1}', '"500k"', '"2mb"'),
  fits: (value) => typeof value === 'number' || (typeof value === 'string' && parseFileSize(value) !== undefined),
  read: (value) => (typeof value === 'string' ? parseFileSize(value) : value),
};
const prose: Shape = {
  words: () => l10n.t('true, false or an object'),
  fits: (value) => typeof value === 'boolean' || isObject(value),
  keys: { enabled: boolean, maxDistance: number, shingleSize: number, minWords: number, minSimilarity: number },
  read: (value) => (typeof value === 'boolean' ? { enabled: value } : value),
};

const categories: Shape = {
  words: () => l10n.t('an object with lists of globs, such as {0}', '{ "data": ["**/golden/**"] }'),
  fits: isObject,
  keys: Object.fromEntries(categoryNames.map((name) => [name, strings])),
};

const boundaries: Shape = {
  words: () =>
    l10n.t(
      'an object with lists of globs under names of letters, digits, - and _, such as {0}',
      '{ "api": ["packages/api/**"], "web": ["packages/web/**"] }',
    ),
  fits: (value) => isObject(value) && Object.keys(value).every((name) => partName.test(name)),
  each: strings,
};

/** Only the type of the list is checked here. overrides.ts checks its entries. */
const overrides: Shape = {
  words: () => l10n.t('a list of objects, such as {0}', '[{ "files": "*.md", "minTokens": 80 }]'),
  fits: (value) => Array.isArray(value) && value.every(isObject),
};

const keys: Readonly<Record<string, Shape>> = {
  $schema: string,
  preset,
  maxDistance: number,
  shingleSize: number,
  minTokens: number,
  minLines: number,
  minSimilarity: number,
  renamed: boolean,
  weights: numbers,
  method,
  readComments,
  prose,
  include: strings,
  exclude: strings,
  gitignore: boolean,
  maxFileSize: size,
  generated: boolean,
  categories,
  overrides,
  boundaries,
};

function oneOf(choices: readonly string[]): Shape {
  const quoted = choices.map((choice) => `"${choice}"`);
  return {
    words: () => l10n.t('{0} or {1}', quoted.slice(0, -1).join(', '), quoted.at(-1)!),
    fits: (value) => choices.includes(value as string),
  };
}

type Values = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Notes {
  /** Offset of each key in the text of the file. */
  readonly offsets: Map<string, number>;
  /** The first problem found, and its offset. The text after the problem is not checked. */
  problem: { readonly offset: number; readonly words: string } | undefined;
}

function readObject(object: Node, shapes: Readonly<Record<string, Shape>>, prefix: string, notes: Notes): Values {
  const values: Record<string, unknown> = {};
  const keysByName = new Map<string, string>();
  for (const [key, keyNode, valueNode] of properties(object)) {
    if (notes.problem !== undefined) break;
    const name = Object.hasOwn(shapes, key) ? key : (olderKeys.get(key) ?? key);
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (shape === undefined) {
      notes.problem = { offset: keyNode.offset, words: noKey(prefix, key, Object.keys(shapes)) };
      continue;
    }
    if ((keysByName.get(name) ?? key) !== key) {
      const [older, newer] = [[...olderKeys.keys()].find((one) => olderKeys.get(one) === name)!, name];
      const words = l10n.t('"{0}" is an older name of "{1}"; keep one of them.', prefix + older, prefix + newer);
      notes.problem = { offset: keyNode.offset, words };
      continue;
    }
    keysByName.set(name, key);
    notes.offsets.set(prefix + name, keyNode.offset);
    const value: unknown = getNodeValue(valueNode);
    if (!shape.fits(value)) {
      notes.problem = { offset: valueNode.offset, words: l10n.t('"{0}" must be {1}.', prefix + key, shape.words()) };
    } else if (isObject(value) && (shape.keys ?? shape.each)) {
      values[name] = readObject(valueNode, shapesIn(shape, value), `${prefix}${key}.`, notes);
    } else values[name] = shape.read ? shape.read(value) : value;
    noteOffsets(`${prefix}${key}`, valueNode, notes);
  }
  return values;
}

/** Returns the error message for an unknown key. If a known key has a similar name, the message suggests it. */
function noKey(prefix: string, key: string, known: readonly string[]): string {
  const shownKey = prefix + shortened(key);
  // The configuration of a project must not choose the organization's index for its users.
  if (prefix === '' && isOfOrganisation(key)) {
    return l10n.t(
      'there is no key "{0}"; the folder of an organization\'s index is not set for a project; set kindred.organisation.index in your own settings of VS Code, or KINDRED_INDEX for the command line.',
      shownKey,
    );
  }
  const nearest = nearestName(key, known);
  return nearest
    ? l10n.t('there is no key "{0}"; did you mean "{1}"?', shownKey, prefix + nearest)
    : l10n.t('there is no key "{0}"; the keys are {1}.', shownKey, known.join(', '));
}

function isOfOrganisation(key: string): boolean {
  return /^(?:kindred\.)?(?:organi[sz]ation|database)\b/.test(key);
}

/** Returns the expected type of each value of an object. */
function shapesIn({ keys, each }: Shape, object: Values): Readonly<Record<string, Shape>> {
  return keys ?? Object.fromEntries(Object.keys(object).map((name) => [name, each!]));
}

/** Records the offsets of the keys in the objects of a list. Such a key is named with the index of its object. */
function noteOffsets(name: string, value: Node, notes: Notes): void {
  for (const [inner, innerNode] of properties(value)) notes.offsets.set(`${name}.${inner}`, innerNode.offset);
  if (value.type !== 'array') return;
  for (const [place, item] of (value.children ?? []).entries()) {
    notes.offsets.set(`${name}.${place}`, item.offset);
    noteOffsets(`${name}.${place}`, item, notes);
  }
}

function* properties(object: Node): Iterable<[key: string, keyNode: Node, valueNode: Node]> {
  if (object.type !== 'object') return;
  for (const { children: [keyNode, valueNode] = [] } of object.children ?? []) {
    if (keyNode && valueNode) yield [String(keyNode.value), keyNode, valueNode];
  }
}

/**
 * Distributes the values to the parts of a configuration, with the names that the engine and the listing of files use.
 */
function sorted(values: Values): Pick<Configuration, 'preset' | 'options' | 'sources' | 'boundaries'> {
  const { maxDistance, shingleSize, minTokens, minLines, minSimilarity, renamed, weights, method, readComments } =
    values;
  const { include, exclude, gitignore, maxFileSize, generated, categories, overrides, boundaries: parts } = values;
  return {
    options: defined({
      maxDistance,
      shingleSize,
      minTokens,
      minLines,
      minSimilarity,
      renamed,
      weights,
      method,
      readComments,
      prose: values['prose'],
    }),
    sources: defined({ include, exclude, gitignore, maxFileSizeBytes: maxFileSize, generated, categories, overrides }),
    ...(parts !== undefined && { boundaries: parts as Boundaries }),
    ...(values['preset'] !== undefined && { preset: values['preset'] as PresetName }),
  };
}

function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
