/** Reads the client's settings: those of the extension, below `kindred`. Unknown settings are ignored. */
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

export function readClientSettings(clientSettings: unknown): ClientSettings {
  const severityOf = (category: Category): Severity => {
    const value =
      valueAt(clientSettings, ['diagnostics', 'severities', category]) ??
      valueAt(clientSettings, ['diagnostics', 'severity', olderNames[category]]);
    return severities.find((severity) => severity === value) ?? defaultSeverities[category];
  };
  return {
    options: optionsIn(clientSettings),
    severity: {
      source: severityOf('source'),
      text: severityOf('text'),
      tests: severityOf('tests'),
      examples: severityOf('examples'),
      data: severityOf('data'),
      boilerplate: severityOf('boilerplate'),
    },
    range: valueAt(clientSettings, ['diagnostics', 'range']) === 'full' ? 'full' : 'firstLine',
    files: valueAt(clientSettings, ['diagnostics', 'files']) === 'all' ? 'all' : 'open',
    maxPerFile: countAt(clientSettings, ['diagnostics', 'maxPerFile'], 20),
    max: countAt(clientSettings, ['diagnostics', 'max'], 1000),
  };
}

/** Returns the engine options of the settings. Values of the wrong type are ignored; the worker checks ranges. */
function optionsIn(clientSettings: unknown): Options {
  const take = <Part extends object>(defaults: Part, path: readonly string[]): Part => {
    const entries = Object.entries(defaults).map(([name, value]: [string, unknown]) => {
      if (isObject(value)) return [name, take(value, [...path, name])] as const;
      const own = valueAt(clientSettings, [...path, name]);
      return [name, typeof own === typeof value ? own : value] as const;
    });
    return Object.fromEntries(entries) as Part;
  };
  return take(defaultOptions, []);
}

function countAt(clientSettings: unknown, path: readonly string[], unsaid: number): number {
  const value = valueAt(clientSettings, path);
  return typeof value === 'number' && value >= 0 ? Math.floor(value) : unsaid;
}

/** Looks up a setting. Settings may be nested objects, or have names with dots. */
function valueAt(settings: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (rest.length === 0) return fieldOf(settings, name);
  return valueAt(fieldOf(settings, name), rest) ?? fieldOf(settings, [name, ...rest].join('.'));
}
