/**
 * Older names of settings. Values under them still apply, as if they had been moved to the current names; moveSettings.ts
 * offers to move them.
 */

/** Settings that are set in one place, as nested objects below `kindred`. */
type Values = object | undefined;

interface OlderName {
  readonly older: string;
  readonly name: string;
  /** Key of the value in a setting that is an object. */
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

/** Change of the settings in one place. */
export interface Move {
  /** Older names that are set. */
  readonly from: readonly string[];
  readonly to: string;
  /** New value of `to`. What is already set there has precedence over older names. */
  readonly value: unknown;
}

/** Returns the moves that leave no older names in one place. */
export function movesIn(values: Values): readonly Move[] {
  const moves = new Map<string, Move>();
  for (const { older, name, key, convert } of olderNames) {
    const value = valueAt(values, older);
    if (value === undefined) continue;
    const converted = convert ? convert(value) : value;
    const { from = [], value: earlier } = moves.get(name) ?? {};
    const own = valueAt(values, name);
    const joined = key === undefined ? (own ?? converted) : { ...object(earlier), [key]: converted, ...object(own) };
    moves.set(name, { from: [...from, older], to: name, value: joined });
  }
  return [...moves.values()];
}

/**
 * Returns the effective values of settings that are set under older names, by current name.
 *
 * @param places  in increasing precedence, beginning with the defaults
 */
export function movedValues(places: readonly Values[]): ReadonlyMap<string, unknown> {
  const moved = places.map((values) => new Map(movesIn(values).map(({ to, value }) => [to, value])));
  const names = new Set(moved.flatMap((values) => [...values.keys()]));
  return new Map(
    [...names].map((name) => {
      const values = places.map((values, place) => moved[place]!.get(name) ?? valueAt(values, name));
      // Like VS Code, objects are merged.
      const isObject = values.some((value) => typeof value === 'object');
      return [
        name,
        isObject ? Object.assign({}, ...values) : values.reduce((lower, higher) => higher ?? lower),
      ] as const;
    }),
  );
}

function valueAt(values: unknown, name: string): unknown {
  return name.split('.').reduce<unknown>((inner, part) => object(inner)[part], values);
}

function object(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
