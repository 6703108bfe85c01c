/**
 * The dials of sensitivity: the options by which somebody decides how much of what is alike is a finding, the values that
 * each can be turned to, and the presets. Trying them takes no other tokens.
 */
import type { OptionName } from './optionChanges.ts';
import { defaultOptions, type Options } from './options.ts';

/** A dial by its option. */
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

/** The values of the dials. */
export type DialValues = Readonly<Record<DialName, number>>;

export interface Dial {
  readonly name: DialName;
  /** The values that it can be turned to, ascending; within the range of the option. */
  readonly stops: readonly number[];
  /**
   * Stops up to this one are tried unasked. At greater k, chance brings ever more windows together: on a tree of 958,000
   * lines of TypeScript k = 3 takes a second and a half, k = 8 takes 9 s and k = 12 more than a minute.
   */
  readonly swept: number;
}

const prosePrefix = 'prose.';
const distances = Array.from({ length: 17 }, (_, k) => k);
const similarities = Array.from({ length: 15 }, (_, i) => (30 + 5 * i) / 100);

/** In the order in which they are shown: those of code, then those of prose. */
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

/** Where the dials stand in options. */
export function dialValues(options: Options): DialValues {
  return Object.fromEntries(dials.map(({ name }) => [name, valueOf(options, name)])) as Record<DialName, number>;
}

/** Options with the dials turned to values. */
export function withDialValues(options: Options, values: DialValues): Options {
  return dials.reduce((turned, { name }) => withValue(turned, name, values[name]), options);
}

/** Options with one dial turned. */
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

/** Settings to begin with, by the names of `presets`. */
export const presetNames = ['strict', 'balanced', 'loose'] as const;
export type PresetName = (typeof presetNames)[number];

/**
 * Settings to begin with. `balanced` is the default. `strict` asks for the similarity from which on about 98 of 100 groups
 * are copies to a person's eye; `loose` finds nearly all edited copies, and half as many groups again or more, of which about 93
 * of 100 are copies. What each finds, and how precisely, is in bench/results:
 * 2026-11-23-recall.md, and 2026-11-23-loose.md for `loose`.
 */
export const presets: Readonly<Record<PresetName, DialValues>> = {
  strict: {
    ...{ minSimilarity: 0.9, minTokens: 60, minLines: 6, maxDistance: 3 },
    ...{ 'prose.minSimilarity': 0.9, 'prose.minWords': 50, 'prose.maxDistance': 3 },
  },
  balanced: dialValues(defaultOptions),
  loose: {
    ...{ minSimilarity: 0.45, minTokens: 30, minLines: 3, maxDistance: 6 },
    ...{ 'prose.minSimilarity': 0.5, 'prose.minWords': 20, 'prose.maxDistance': 6 },
  },
};

/** Options with the dials of some names turned to where a preset has them. */
export function withPreset(options: Options, preset: PresetName, names: readonly DialName[] = dialNames): Options {
  return names.reduce((turned, name) => withValue(turned, name, presets[preset][name]), options);
}
