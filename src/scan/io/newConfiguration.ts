/**
 * Creates a new .kindredrc.jsonc with all keys, their descriptions, and their defaults, commented out. If the folder
 * has a configuration of jscpd, its values are used for the corresponding keys.
 */
import * as l10n from '@vscode/l10n';
import { parse, type ParseError, printParseErrorCode, parseTree } from 'jsonc-parser';
import * as v from 'valibot';
import { lineAt } from '../../core/collections/textPositions.ts';
import { isObject, type Values } from '../../core/collections/parsedValues.ts';
import { optionRanges, type Options } from '../../core/engine/options.ts';
import { configurationSchema, defaultValues } from './configurationKeys.ts';
import { parseFileSize } from './fileSize.ts';
import { maxDepth, offsetTooDeep } from './nesting.ts';
import type { ReadFailure } from './textFile.ts';
import { olderKeys } from './valueSchemas.ts';
import { addEntry } from './addEntry.ts';
import { nodeAt } from './configuration.ts';

export interface NewConfiguration {
  /** Text of the new file, which ends with a line break. */
  readonly text: string;
  /** Name of the file from which values were imported, or `undefined` if there is none. */
  readonly importedFrom: string | undefined;
  /** Keys of .kindredrc.jsonc whose values were imported. */
  readonly imported: readonly string[];
  /** Keys of jscpd that Kindred does not have, each with a substitute. */
  readonly notImported: readonly string[];
}

/** Function that reads a file of the folder. */
type TextReader = (name: string, maxBytes: number) => { readonly text: string } | ReadFailure;

/**
 * Creates a configuration for a folder. Returns an error message if the folder has a configuration of jscpd that is
 * invalid.
 *
 * @param readText  reads a file of the folder; `undefined` if the folder is not on disk, in which case nothing is
 *   imported
 * @param defaults  values of the keys that are not imported
 */
export function newConfiguration(
  readText: TextReader | undefined,
  defaults: Options,
): NewConfiguration | { readonly problem: string } {
  const found = readText && readJscpd(readText);
  if (found !== undefined && 'problem' in found) return found;
  const { values, notImported } = found === undefined ? { values: {}, notImported: [] } : importJscpd(found.values);
  return {
    text: configurationText(defaultValues(defaults), values, found?.name),
    importedFrom: found?.name,
    imported: Object.keys(values),
    notImported,
  };
}

function configurationText(defaults: Values, values: Values, importedFrom: string | undefined): string {
  const lines = [
    '{',
    '  // Kindred settings for this folder. They take precedence over VS Code settings; command-line options override them.',
    '  // Lines that are commented out show the defaults.',
  ];
  for (const [key, { wrapped: type }] of Object.entries(configurationSchema.entries)) {
    const about = v.getDescription(type);
    if (about === undefined || olderKeys.has(key)) continue;
    lines.push('', ...wrapped(about).map((line) => `  // ${line}`));
    const isSet = key in values;
    if (isSet && importedFrom !== undefined) lines.push(`  // Imported from ${importedFrom}.`);
    const written = JSON.stringify(isSet ? values[key] : defaults[key], undefined, 2).split('\n');
    written[0] = `"${key}": ${written[0]}`;
    written.push(`${written.pop()},`);
    lines.push(...written.map((line) => (isSet ? `  ${line}` : `  // ${line}`)));
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

/** Breaks text between words into lines of at most 110 characters. */
function wrapped(text: string): string[] {
  return text.match(/\S.{0,109}(?=\s|$)/g) ?? [];
}

/** Reads the configuration of jscpd in the folder. Returns `undefined` if there is none. */
function readJscpd(
  readText: TextReader,
): { readonly name: string; readonly values: Values } | { problem: string } | undefined {
  for (const [name, inFile] of [
    ['.jscpd.json', (file: Values) => file],
    ['package.json', (file: Values) => file['jscpd']],
  ] as const) {
    const read = readText(name, maxBytes);
    if ('problem' in read) {
      if (read.isMissing) continue;
      return { problem: `${name} ${read.problem}.` };
    }
    const tooDeep = offsetTooDeep(read.text);
    if (tooDeep !== undefined) {
      const place = l10n.t('{0}, line {1}', name, lineAt(read.text, tooDeep));
      return { problem: `${place}: ${l10n.t('lists and objects are nested more than {0} deep.', maxDepth)}` };
    }
    const errors: ParseError[] = [];
    const file: unknown = parse(read.text, errors, { allowTrailingComma: true });
    const [error] = errors;
    if (error !== undefined) {
      // Ignore an invalid package.json, which is not a problem of jscpd's configuration.
      if (name === 'package.json') continue;
      const line = lineAt(read.text, error.offset);
      const code = printParseErrorCode(error.error);
      return { problem: l10n.t('{0}, line {1}: this is not valid JSON ({2}).', name, line, code) };
    }
    const values = isObject(file) ? inFile(file) : undefined;
    if (isObject(values)) return { name, values };
  }
  return undefined;
}

const maxBytes = 2 ** 20;

/**
 * For each key of jscpd with a counterpart in Kindred, a function that converts its value. It returns `undefined` if
 * jscpd would reject the value.
 */
const counterparts: Readonly<Record<string, (value: unknown) => Values | undefined>> = {
  minTokens: (value) => whole('minTokens', value),
  minLines: (value) => whole('minLines', value),
  ignore: (value) => globs('exclude', value),
  pattern: (value) => globs('include', typeof value === 'string' ? [value] : value),
  gitignore: (value) => (typeof value === 'boolean' ? { gitignore: value } : undefined),
  maxSize: (value) =>
    typeof value === 'string' && parseFileSize(value) !== undefined ? { maxFileSize: value } : undefined,
};

/** Returns a substitute for each key of jscpd that Kindred does not have. */
function substitutes(): Readonly<Record<string, string>> {
  return {
    threshold: l10n.t('use kindred check --max-percent'),
    format: l10n.t('Kindred compares all languages; use include to select files'),
    path: l10n.t('specify the paths on the command line'),
    reporters: l10n.t('use --format'),
    output: l10n.t('use --output'),
    maxLines: l10n.t('use maxFileSize'),
    ignorePattern: l10n.t('use exclude, or ignore a group with a reason'),
  };
}

function importJscpd(values: Values): { readonly values: Values; readonly notImported: readonly string[] } {
  const imported: Record<string, unknown> = {};
  const notImported: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const taken = Object.hasOwn(counterparts, key) ? counterparts[key]!(value) : undefined;
    if (taken !== undefined) {
      Object.assign(imported, taken);
      const refused = key === 'ignore' || key === 'pattern' ? refusedGlobs(value) : [];
      notImported.push(...refused.map((glob) => `${key} ${JSON.stringify(glob)}`));
    } else if (key !== '$schema') {
      const instead = Object.hasOwn(substitutes(), key) ? ` (${substitutes()[key]})` : '';
      notImported.push(`${key}${instead}`);
    }
  }
  return { values: imported, notImported };
}

function whole(key: 'minTokens' | 'minLines', value: unknown): Values | undefined {
  const { min, max } = optionRanges[key];
  return Number.isInteger(value) ? { [key]: Math.min(max, Math.max(min, value as number)) } : undefined;
}

/** Converts a list of globs. Skips empty globs and negated globs, which Kindred does not support. */
function globs(key: string, value: unknown): Values | undefined {
  if (!Array.isArray(value)) return undefined;
  const refused = refusedGlobs(value);
  return { [key]: value.filter((glob) => !refused.includes(glob)) };
}

/** Returns the entries of a list that are not valid globs. */
function refusedGlobs(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((glob) => typeof glob !== 'string' || glob === '' || glob.startsWith('!'));
}

/**
 * Returns the text with the new values.
 *
 * @param text    text of a valid configuration file
 * @param values  new values by option, such as `maxDistance` or `prose.minWords`
 */
export function changeConfiguration(text: string, values: Readonly<Record<string, number>>): string {
  return Object.entries(values).reduce((changed, [option, value]) => {
    const path = option.split('.');
    const node = nodeAt(parseTree(changed, [], { allowTrailingComma: true })!, path);
    if (node === undefined) return addEntry(changed, path, value);
    return changed.slice(0, node.offset) + JSON.stringify(value) + changed.slice(node.offset + node.length);
  }, text);
}
