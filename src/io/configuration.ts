/**
 * .kindredrc.jsonc: the options of a project, in a file of its own. Keys are named like the options of the command line,
 * in camelCase; docs/kindredrc.schema.json describes them to editors. Here the file is read and its shape checked; ranges
 * are checked with all other options, by checkOptions and checkSourceOptions.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { PresetName } from '../engine/dials.ts';
import type { Method, Options, ReadComments } from '../engine/options.ts';
import { type Boundaries, partName } from './boundaries.ts';
import { categoryNames } from './chosenCategories.ts';
import { decodeText } from './decode.ts';
import { parseFileSize } from './fileSize.ts';
import { shortened } from './globs.ts';
import { mostDepth, offsetTooDeep } from './nesting.ts';
import { nearestName } from './nearestName.ts';
import type { SourceOptions } from './sources.ts';
import { readSmallFile } from './textFile.ts';

/** Some of the options, to be laid over others. */
export type OptionChanges = Partial<Omit<Options, 'weights' | 'prose'>> & {
  readonly weights?: Readonly<Record<string, number>>;
  readonly prose?: Partial<Options['prose']>;
};

/** Options with changes laid over them. */
export function changeOptions(options: Options, changes: OptionChanges): Options {
  return {
    ...options,
    ...changes,
    weights: { ...options.weights, ...changes.weights },
    prose: { ...options.prose, ...changes.prose },
  };
}

/** What a configuration file says. */
export interface Configuration {
  /** What the dials are turned to that it does not set. */
  readonly preset?: PresetName;
  readonly options: OptionChanges;
  readonly sources: Partial<SourceOptions>;
  /** Undefined when the file has none. */
  readonly boundaries?: Boundaries;
  /** Where a key stands, in words: ".kindredrc.jsonc, line 3". Keys of objects are named "prose.k". */
  readonly locate: (key: string) => string;
  /** The line of a key, from 1; undefined when the file does not have it. */
  readonly lineOf: (key: string) => number | undefined;
}

/** What is wrong with a configuration file. */
export interface ConfigurationProblem {
  /** A sentence that says where and what. */
  readonly problem: string;
  /** From 1; undefined when it stands on no line of its own. */
  readonly line: number | undefined;
}

/** The name of an option, at the head of a sentence about it: "prose.maxDistance must be …", "include: …". */
export const nameFirst = /^[\w.-]+/;

/** The key that people know an option by, where it differs from the name in the engine. */
export function keyOf(option: string): string {
  return option.replace(/\bmaxDistance$/, 'k');
}

/** What is wrong with an option that a configuration file has brought in, in the words of the file. */
export function problemInConfiguration(problem: string, configuration: Configuration): ConfigurationProblem {
  const key = keyOf(nameFirst.exec(problem)?.[0] ?? '');
  // A kind of token that does not exist is told of the whole of "weights": find the kind.
  const kind = key === 'weights' ? /["„](\w+)["“]/.exec(problem)?.[1] : undefined;
  const place = kind ? `weights.${kind}` : key;
  return {
    problem: `${configuration.locate(place)}: ${problem.replace(nameFirst, key)}`,
    line: configuration.lineOf(place),
  };
}

/** The names of a configuration file, the preferred one first. */
export const configurationNames = ['.kindredrc.jsonc', '.kindredrc.json'] as const;

/** Whether a path of a report is that of a configuration file, which decides what is compared and how. */
export function isConfiguration(name: string): boolean {
  return configurationNames.some((known) => known === path.posix.basename(name));
}

/** The configuration file of a folder; undefined when it has none. */
export function findConfiguration(folder: string): string | undefined {
  return configurationNames.map((name) => path.join(folder, name)).find((file) => existsSync(file));
}

/** The largest configuration that is read: there is no end to a list of globs, but a person to read it. */
const mostConfigurationBytes = 2 ** 20;

/** Reads a configuration file; `shownAs` is its name in messages. The problem is a sentence that says where and what. */
export function readConfiguration(file: string, shownAs: string): Configuration | ConfigurationProblem {
  const read = readSmallFile(file, mostConfigurationBytes);
  if ('isMissing' in read) {
    const problem = read.isMissing
      ? l10n.t('there is no configuration file {0}.', shownAs)
      : `${shownAs} ${read.problem}.`;
    return { problem, line: undefined };
  }
  const text = decodeText(read.bytes, (size) => Buffer.alloc(size));
  if ('reason' in text)
    return { problem: l10n.t('{0} is not a text file; save it as UTF-8.', shownAs), line: undefined };
  return parseConfiguration(Buffer.from(text.bytes).toString('utf8'), shownAs);
}

/** The same for the text of a configuration file. */
export function parseConfiguration(text: string, shownAs: string): Configuration | ConfigurationProblem {
  const problemAt = (offset: number, words: string): ConfigurationProblem => {
    const line = lineAt(text, offset);
    return { problem: `${lineOfFile(shownAs, line)}: ${words}`, line };
  };
  const tooDeep = offsetTooDeep(text);
  if (tooDeep !== undefined) {
    return problemAt(tooDeep, l10n.t('lists and objects are nested more than {0} deep.', mostDepth));
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    return problemAt(
      error.offset,
      `${syntaxProblems()[printParseErrorCode(error.error)] ?? l10n.t('this is not valid JSON')}.`,
    );
  }
  if (root?.type !== 'object') {
    return { problem: l10n.t('{0} must contain a single object: {1}.', shownAs, '{ … }'), line: undefined };
  }

  const offsets = new Map<string, number>();
  const notes: Notes = { offsets, problem: undefined };
  const values = readObject(root, keys, '', notes);
  if (notes.problem) return problemAt(notes.problem.offset, notes.problem.words);
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

/** ".kindredrc.jsonc, line 3". */
function lineOfFile(name: string, line: number): string {
  return l10n.t('{0}, line {1}', name, line);
}

/** The number of a line, from 1: of that in which an offset is. */
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

/** What a value must be: in words, and as a question. A value may be read as another one. */
interface Shape {
  readonly words: () => string;
  readonly fits: (value: unknown) => boolean;
  /** The keys of an object. */
  readonly keys?: Readonly<Record<string, Shape>>;
  /** Of an object whose keys are names what each value must be. */
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
  keys: { enabled: boolean, k: number, shingleSize: number, minWords: number, minSimilarity: number },
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

/** What is in each is checked with the other options (overrides.ts). */
const overrides: Shape = {
  words: () => l10n.t('a list of objects, such as {0}', '[{ "files": "*.md", "minTokens": 80 }]'),
  fits: (value) => Array.isArray(value) && value.every(isObject),
};

const keys: Readonly<Record<string, Shape>> = {
  ...{
    $schema: string,
    preset,
    k: number,
    shingleSize: number,
    minTokens: number,
    minLines: number,
    minSimilarity: number,
  },
  ...{ renamed: boolean, weights: numbers, method, readComments, prose },
  ...{ include: strings, exclude: strings, gitignore: boolean, maxFileSize: size, generated: boolean },
  ...{ categories, overrides, boundaries },
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
  /** Where each key was found. */
  readonly offsets: Map<string, number>;
  /** What is wrong, and where. The rest is not read: it is told when this is mended. */
  problem: { readonly offset: number; readonly words: string } | undefined;
}

function readObject(object: Node, shapes: Readonly<Record<string, Shape>>, prefix: string, notes: Notes): Values {
  const values: Record<string, unknown> = {};
  for (const [key, keyNode, valueNode] of properties(object)) {
    if (notes.problem !== undefined) break;
    const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined;
    if (shape === undefined) {
      notes.problem = { offset: keyNode.offset, words: noKey(prefix, key, Object.keys(shapes)) };
      continue;
    }
    notes.offsets.set(prefix + key, keyNode.offset);
    const value: unknown = getNodeValue(valueNode);
    if (!shape.fits(value)) {
      notes.problem = { offset: valueNode.offset, words: l10n.t('"{0}" must be {1}.', prefix + key, shape.words()) };
    } else if (isObject(value) && (shape.keys ?? shape.each)) {
      values[key] = readObject(valueNode, shapesIn(shape, value), `${prefix}${key}.`, notes);
    } else values[key] = shape.read ? shape.read(value) : value;
    noteOffsets(`${prefix}${key}`, valueNode, notes);
  }
  return values;
}

/** That there is no such key, and what to write instead, in a sentence. */
function noKey(prefix: string, key: string, known: readonly string[]): string {
  const told = prefix + shortened(key);
  // Whoever writes a project's file must not decide where the texts of others are sent, and passwords do not belong there.
  if (prefix === '' && isOfOrganisation(key)) {
    return l10n.t(
      'there is no key "{0}"; the database of an organisation\'s index is not set for a project; set kindred.organisation.database in your own settings of VS Code, or KINDRED_DATABASE for the command line.',
      told,
    );
  }
  const nearest = nearestName(key, known);
  return nearest
    ? l10n.t('there is no key "{0}"; did you mean "{1}"?', told, prefix + nearest)
    : l10n.t('there is no key "{0}"; the keys are {1}.', told, known.join(', '));
}

function isOfOrganisation(key: string): boolean {
  return /^(?:kindred\.)?(?:organi[sz]ation|database)\b/.test(key);
}

/** What the values of an object must be, by key. */
function shapesIn({ keys, each }: Shape, object: Values): Readonly<Record<string, Shape>> {
  return keys ?? Object.fromEntries(Object.keys(object).map((name) => [name, each!]));
}

/** Notes where the keys of an object are, or those of the objects in a list, which are named by their places. */
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

/** The values under the names that the engine and the walk have for them. */
function sorted(values: Values): Pick<Configuration, 'preset' | 'options' | 'sources' | 'boundaries'> {
  const { k, shingleSize, minTokens, minLines, minSimilarity, renamed, weights, method, readComments } = values;
  const { include, exclude, gitignore, maxFileSize, generated, categories, overrides, boundaries: parts } = values;
  const { k: proseDistance, ...proseOptions } = (values['prose'] ?? {}) as Values;
  return {
    options: defined({
      ...{ maxDistance: k, shingleSize, minTokens, minLines, minSimilarity, renamed, weights, method, readComments },
      prose: values['prose'] && defined({ ...proseOptions, maxDistance: proseDistance }),
    }),
    sources: defined({ include, exclude, gitignore, maxFileSizeBytes: maxFileSize, generated, categories, overrides }),
    ...(parts !== undefined && { boundaries: parts as Boundaries }),
    ...(values['preset'] !== undefined && { preset: values['preset'] as PresetName }),
  };
}

function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
