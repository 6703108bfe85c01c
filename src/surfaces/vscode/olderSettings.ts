/** Older names of settings. A value under an older name still has an effect; moveSettings.ts offers to rename it. */
import { fieldOf, isObject } from '../../core/collections/parsedValues.ts';

/** Settings below `kindred` that are set in one scope, as nested objects. */
type Values = object | undefined;

interface OlderName {
  readonly older: string;
  readonly name: string;
  /** Property of the current setting under which the value belongs, if that setting is an object. */
  readonly key?: string;
  readonly convert?: (value: unknown) => unknown;
}

const severityKeys = {
  code: 'source',
  prose: 'text',
  tests: 'tests',
  examples: 'examples',
  data: 'data',
  boilerplate: 'boilerplate',
};

export const olderNames: readonly OlderName[] = [
  { older: 'useGitignore', name: 'gitignore' },
  { older: 'maxFileSizeKB', name: 'maxFileSize', convert: (kilobytes) => `${String(kilobytes)}kb` },
  { older: 'organisation.database', name: 'organisation.index' },
  { older: 'performance.workers', name: 'workers' },
  {
    older: 'performance.memory',
    name: 'memory',
    convert: (megabytes) => (megabytes === 0 ? '0' : `${String(megabytes)}mb`),
  },
  ...['copyRange', 'hover', 'gutterIcon', 'codeLens'].map((key) => ({
    older: `editor.${key}`,
    name: 'editor.show',
    key,
  })),
  ...Object.entries(severityKeys).map(([older, key]) => ({
    older: `diagnostics.severity.${older}`,
    name: 'diagnostics.severities',
    key,
  })),
];

/** Change of the settings in one scope that removes older names. */
export interface Move {
  /** Older names to remove. */
  readonly from: readonly string[];
  readonly to: string;
  /** Value for the setting `to`. If a value is set under both names, the one under the current name wins. */
  readonly value: unknown;
}

/** Returns the changes that replace all older names in one scope. */
export function movesIn(values: Values): readonly Move[] {
  const moves = new Map<string, Move>();
  for (const { older, name, key, convert } of olderNames) {
    const value = valueAt(values, older);
    if (value === undefined) continue;
    const converted = convert ? convert(value) : value;
    const { from = [], value: earlier } = moves.get(name) ?? {};
    const own = valueAt(values, name);
    const [earlierFields, ownFields] = [earlier, own].map((fields) => (isObject(fields) ? fields : {}));
    const joined = key === undefined ? (own ?? converted) : { ...earlierFields, [key]: converted, ...ownFields };
    moves.set(name, { from: [...from, older], to: name, value: joined });
  }
  return [...moves.values()];
}

/**
 * Returns, for settings that are set under older names, the values in effect by current name.
 *
 * @param places  settings of each scope, in order of increasing precedence; the defaults come first
 */
export function movedValues(places: readonly Values[]): ReadonlyMap<string, unknown> {
  const moved = places.map((values) => new Map(movesIn(values).map(({ to, value }) => [to, value])));
  const names = new Set(moved.flatMap((values) => [...values.keys()]));
  return new Map(
    [...names].map((name) => {
      const values = places.map((values, place) => moved[place]!.get(name) ?? valueAt(values, name));
      // Merge objects from several scopes, as VS Code does.
      const isObject = values.some((value) => typeof value === 'object');
      return [
        name,
        isObject ? Object.assign({}, ...values) : values.reduce((lower, higher) => higher ?? lower),
      ] as const;
    }),
  );
}

export function valueAt(values: unknown, name: string): unknown {
  return name.split('.').reduce<unknown>(fieldOf, values);
}
