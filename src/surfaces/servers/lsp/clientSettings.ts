/**
 * Reads the settings of the client. They have the same names below `kindred` as in the extension. Unknown settings are
 * ignored.
 */
import { fieldOf, isObject } from '../../../core/collections/parsedValues.ts';
import { defaultOptions, type Options } from '../../../core/engine/options.ts';
import type { Category } from '../../../core/engine/rows/category.ts';

export type Severity = 'off' | 'hint' | 'information' | 'warning' | 'error';

export interface ClientSettings {
  readonly options: Options;
  readonly severity: Readonly<Record<Category, Severity>>;
  /** Range that a diagnostic marks. */
  readonly range: 'firstLine' | 'full';
  /** Files for which diagnostics are published without a request. */
  readonly files: 'open' | 'all';
  readonly maxPerFile: number;
  readonly max: number;
}

const severities: readonly Severity[] = ['off', 'hint', 'information', 'warning', 'error'];

/** Earlier names of the severity settings, directly below `diagnostics.severity`. */
const olderNames = {
  source: 'code',
  text: 'prose',
  tests: 'tests',
  examples: 'examples',
  data: 'data',
  boilerplate: 'boilerplate',
} as const;
const defaultSeverities = {
  source: 'information',
  text: 'hint',
  tests: 'hint',
  examples: 'hint',
  data: 'hint',
  boilerplate: 'off',
} as const;

export function readClientSettings(given: unknown): ClientSettings {
  const severityOf = (category: Category): Severity => {
    const value =
      valueAt(given, ['diagnostics', 'severities', category]) ??
      valueAt(given, ['diagnostics', 'severity', olderNames[category]]);
    return severities.find((severity) => severity === value) ?? defaultSeverities[category];
  };
  return {
    options: optionsIn(given),
    severity: {
      source: severityOf('source'),
      text: severityOf('text'),
      tests: severityOf('tests'),
      examples: severityOf('examples'),
      data: severityOf('data'),
      boilerplate: severityOf('boilerplate'),
    },
    range: valueAt(given, ['diagnostics', 'range']) === 'full' ? 'full' : 'firstLine',
    files: valueAt(given, ['diagnostics', 'files']) === 'all' ? 'all' : 'open',
    maxPerFile: countAt(given, ['diagnostics', 'maxPerFile'], 20),
    max: countAt(given, ['diagnostics', 'max'], 1000),
  };
}

/**
 * Returns the engine options from the settings. Values of the wrong type are ignored; the worker checks their range.
 */
function optionsIn(given: unknown): Options {
  const take = <Part extends object>(defaults: Part, path: readonly string[]): Part => {
    const entries = Object.entries(defaults).map(([name, value]: [string, unknown]) => {
      if (isObject(value)) return [name, take(value, [...path, name])] as const;
      const own = valueAt(given, [...path, name]);
      return [name, typeof own === typeof value ? own : value] as const;
    });
    return Object.fromEntries(entries) as Part;
  };
  return take(defaultOptions, []);
}

function countAt(given: unknown, path: readonly string[], unsaid: number): number {
  const value = valueAt(given, path);
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : unsaid;
}

/** Looks up a setting. Settings may be nested objects, or have names with dots. */
function valueAt(given: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (rest.length === 0) return fieldOf(given, name);
  return valueAt(fieldOf(given, name), rest) ?? fieldOf(given, [name, ...rest].join('.'));
}
