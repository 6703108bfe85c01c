/**
 * The configuration file of a project, .kindredrc.jsonc. Keys are named like command-line options, but in camelCase,
 * and documented in docs/kindredrc.schema.json. This module checks the types of the values. checkOptions and
 * checkSourceOptions check ranges, after all options have been combined.
 */
import { lineAt } from '../../core/collections/textPositions.ts';
import * as l10n from '@vscode/l10n';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as v from 'valibot';
import type { PresetName } from '../../core/engine/dials.ts';
import type { Options } from '../../core/engine/options.ts';
import type { Boundaries } from './boundaries.ts';
import { configurationSchema } from './configurationKeys.ts';
import { parseFileSize } from './fileSize.ts';
import { maxDepth, offsetTooDeep } from './nesting.ts';
import { mustBe, olderKeys } from './valueSchemas.ts';
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
  /** Returns the location of a key, such as "prose.minWords", for messages: ".kindredrc.jsonc, line 3". */
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

/** Rewords an error message about an option, so that it names the place in the configuration file that sets it. */
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

export function parseConfiguration(text: string, shownAs: string): Configuration | ConfigurationProblem {
  const root = parseObject(text, shownAs);
  if ('problem' in root) return root;
  const values = valueOf(root);
  const problem = problemOf(root, values);
  if (problem) return problemAt(text, shownAs, problem);
  const lineOf = (key: string): number | undefined => {
    const node = nodeAt(root, key.split('.'));
    return node && lineAt(text, keyOf(node).offset);
  };
  return {
    ...sorted(values as Values),
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

type Values = v.InferInput<typeof configurationSchema>;

/** Returns the value of a node. Unlike `getNodeValue`, keeps a key `__proto__`, so that it is reported as unknown. */
function valueOf({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value;
  return Object.fromEntries(children.map(({ children: [key, inner] = [] }) => [String(key!.value), valueOf(inner!)]));
}

/** Returns the first problem in the order of the file, and its offset. */
function problemOf(root: Node, values: unknown): { readonly offset: number; readonly words: string } | undefined {
  const { issues = [] } = v.safeParse(configurationSchema, values);
  const problems = issues.flatMap(reported).map(({ path, issue }) => {
    const node = nodeAt(root, path)!;
    return issue.type === 'strict_object'
      ? { offset: keyOf(node).offset, words: issue.message }
      : { offset: node.offset, words: mustBe(path.join('.'), issue) };
  });
  for (const object of [[], ['prose']]) {
    for (const [older, newer] of olderKeys) {
      const node = nodeAt(root, [...object, older]);
      if (node === undefined || node === nodeAt(root, [...object, newer])) continue;
      const names = [older, newer].map((name) => [...object, name].join('.'));
      const words = l10n.t('"{0}" is an older name of "{1}"; keep one of them.', ...names);
      problems.push({ offset: keyOf(node).offset, words });
    }
  }
  return problems.sort((x, y) => x.offset - y.offset)[0];
}

interface ReportedProblem {
  readonly path: readonly string[];
  readonly issue: v.BaseIssue<unknown>;
}

/**
 * Returns the issues to report: values of a wrong type, and unknown keys. For a union, returns the issues of inner
 * values. Ranges, globs, and overrides are checked with the other options.
 */
function reported(issue: v.BaseIssue<unknown>): ReportedProblem[] {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  if (issue.kind !== 'schema' || (keys[0] === 'overrides' && keys.length > 1)) return [];
  const inner = (issue.issues ?? []).flatMap(reported).filter(({ path }) => path.length > 0);
  if (inner.length === 0) return [{ path: keys, issue }];
  return inner.map(({ path, issue: innerIssue }) => ({ path: [...keys, ...path], issue: innerIssue }));
}

/** Returns the node of a value. The file may use an older name of its key. A repeated key's last value counts. */
export function nodeAt(root: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>((node, name) => {
    if (node?.type === 'array') return node.children?.[Number(name)];
    const names = [name, ...[...olderKeys].flatMap(([older, newer]) => (newer === name ? [older] : []))];
    const properties = node?.type === 'object' ? (node.children ?? []) : [];
    const found = names.map((one) => properties.filter(({ children: [key] = [] }) => key?.value === one).at(-1));
    return found.find((property) => property !== undefined)?.children?.[1];
  }, root);
}

/** Returns the property of a value. A property begins with its key. For an item of a list, returns the item. */
function keyOf(node: Node): Node {
  return node.parent?.type === 'property' ? node.parent : node;
}

/** Distributes the values to the parts of a configuration, with the names of the engine and the listing of files. */
function sorted(values: Values): Pick<Configuration, 'preset' | 'options' | 'sources' | 'boundaries'> {
  const { minTokens, minLines, minSimilarity, shingleSize, renamed, weights, method, readComments, prose } = values;
  const { include, exclude, gitignore, maxFileSize, generated, categories, overrides, preset, boundaries } = values;
  const maxDistance = values.maxDistance ?? values.k;
  const options = { minTokens, minLines, minSimilarity, maxDistance, shingleSize, renamed, weights, method };
  const maxFileSizeBytes = typeof maxFileSize === 'string' ? (parseFileSize(maxFileSize) ?? NaN) : maxFileSize;
  return {
    options: defined({ ...options, readComments, prose: proseOf(prose) }),
    sources: defined({ include, exclude, gitignore, maxFileSizeBytes, generated, categories, overrides }),
    ...defined({ preset, boundaries }),
  };
}

function proseOf(prose: Values['prose']): OptionChanges['prose'] | undefined {
  if (typeof prose !== 'object') return prose === undefined ? undefined : { enabled: prose };
  const { k, maxDistance = k, ...others } = prose;
  return { ...others, ...defined({ maxDistance }) };
}

type DefinedValues<V> = { [Key in keyof V]?: Exclude<V[Key], undefined> };

function defined<V extends object>(values: V): DefinedValues<V> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as DefinedValues<V>;
}
