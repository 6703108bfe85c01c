/**
 * The dials of sensitivity, with their possible values and presets. A dial is an option that decides which similar
 * passages are findings. Its value does not affect the tokens, so they need not be computed again.
 */
import type { OptionName } from './optionChanges.ts';
import { defaultOptions, type Options } from './options.ts';

/** Name of a dial, which is also the name of its option. */
export type DialName = Extract<
  OptionName,
  | 'maxDistance'
  | 'minSimilarity'
  | 'minTokens'
  | 'minLines'
  | 'prose.maxDistance'
  | 'prose.minSimilarity'
  | 'prose.minWords'
>;

export type DialValues = Readonly<Record<DialName, number>>;

export interface Dial {
  readonly name: DialName;
  /** Values that the dial can be set to, ascending and within the range of the option. */
  readonly stops: readonly number[];
  /**
   * The greatest value for which findings are computed in advance. Greater values of k produce many more accidental
   * matches: on a tree of 958,000 lines of TypeScript, k = 3 takes 1.5 s, k = 8 takes 9 s, and k = 12 takes more than a
   * minute.
   */
  readonly swept: number;
}

const prosePrefix = 'prose.';
const distances = Array.from({ length: 17 }, (_, k) => k);
const similarities = Array.from({ length: 15 }, (_, i) => (30 + 5 * i) / 100);

/** In display order: dials of code first, then dials of prose. */
export const dials: readonly Dial[] = [
  { name: 'minSimilarity', stops: similarities, swept: 1 },
  { name: 'minTokens', stops: [20, 30, 40, 50, 60, 80, 100, 150, 200, 300], swept: 300 },
  { name: 'minLines', stops: [1, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50], swept: 50 },
  { name: 'maxDistance', stops: distances, swept: 6 },
  { name: 'prose.minSimilarity', stops: similarities, swept: 1 },
  { name: 'prose.minWords', stops: [15, 20, 30, 40, 50, 60, 80, 100, 150, 200, 300], swept: 300 },
  { name: 'prose.maxDistance', stops: distances, swept: 6 },
];

export const dialNames: readonly DialName[] = dials.map(({ name }) => name);

export function dialValues(options: Options): DialValues {
  return Object.fromEntries(dials.map(({ name }) => [name, valueOf(options, name)])) as Record<DialName, number>;
}

export function withDialValues(options: Options, values: DialValues): Options {
  return dials.reduce((turned, { name }) => withValue(turned, name, values[name]), options);
}

export function withValue(options: Options, name: DialName, value: number): Options {
  if (!isOfProse(name)) return { ...options, [name]: value };
  return { ...options, prose: { ...options.prose, [name.slice(prosePrefix.length)]: value } };
}

function valueOf(options: Options, name: DialName): number {
  if (isOfProse(name)) return options.prose[name.slice(prosePrefix.length) as 'maxDistance'];
  return options[name as 'maxDistance'];
}

function isOfProse(name: DialName): boolean {
  return name.startsWith(prosePrefix);
}

export const presetNames = ['strict', 'balanced', 'loose'] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * Settings to start with. `balanced` is the default. At the similarity of `strict`, about 98 of 100 groups are copies
 * in the judgment of a reader. `loose` finds nearly all edited copies and at least 50% more groups, of which about 92
 * of 100 are copies. See bench/results for recall and precision: 2026-11-23-recall.md, and
 * 2026-11-30-adapted-copies-targets-3.md for `loose`.
 */
export const presets: Readonly<Record<PresetName, DialValues>> = {
  strict: {
    minSimilarity: 0.9,
    minTokens: 60,
    minLines: 6,
    maxDistance: 3,
    'prose.minSimilarity': 0.9,
    'prose.minWords': 50,
    'prose.maxDistance': 3,
  },
  balanced: dialValues(defaultOptions),
  loose: {
    minSimilarity: 0.45,
    minTokens: 30,
    minLines: 3,
    maxDistance: 6,
    'prose.minSimilarity': 0.5,
    'prose.minWords': 20,
    'prose.maxDistance': 6,
  },
};

/** Returns a copy of the options in which the dials of the given names have the values of a preset. */
export function withPreset(options: Options, preset: PresetName, names: readonly DialName[] = dialNames): Options {
  return names.reduce((turned, name) => withValue(turned, name, presets[preset][name]), options);
}
