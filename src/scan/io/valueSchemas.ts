/** Schemas of values in configuration files. Their messages describe the expected value, or an unknown key. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { isObject } from '../../core/collections/parsedValues.ts';
import type { Range } from '../../core/engine/options.ts';
import { shortened } from './globs.ts';

/** Older names of keys that are still accepted, with the current names. */
export const olderKeys: ReadonlyMap<string, string> = new Map([['k', 'maxDistance']]);

export const boolean = v.boolean(() => l10n.t('true or false'));
export const string = v.string(() => l10n.t('a string'));
export const glob = v.pipe(string, v.regex(/^\s*[^!\s]/));
export const globs = v.array(glob, () => l10n.t('a list of strings'));

export function key<const Type extends v.GenericSchema>(type: Type, description: string) {
  return v.exactOptional(v.pipe(type, v.description(description)));
}

export function whole({ min, max }: Range) {
  const words = (): string => l10n.t('a whole number from {0} to {1}', min, max);
  return v.pipe(v.number(words), v.integer(words), v.minValue(min, words), v.maxValue(max, words));
}

export function within({ min, max }: Range) {
  const words = (): string => l10n.t('a number from {0} to {1}', min, max);
  return v.pipe(v.number(words), v.minValue(min, words), v.maxValue(max, words));
}

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  const quoted = choices.map((choice) => `"${choice}"`);
  return v.picklist(choices, () => l10n.t('{0} or {1}', quoted.slice(0, -1).join(', '), quoted.at(-1)!));
}

export function object<const Entries extends v.ObjectEntries>(
  entries: Entries,
  words: () => string,
  unknownKey: KeyMessage,
) {
  const schema = keysOf(entries, unknownKey);
  // The library would accept a list, too.
  return v.pipe(v.custom<v.InferInput<typeof schema>>(isObject, words), schema);
}

/** Returns the message for an unknown key, given the known ones. */
export type KeyMessage = (key: string, knownKeys: readonly string[]) => string;

export function keysOf<const Entries extends v.ObjectEntries>(entries: Entries, unknownKey: KeyMessage) {
  const knownKeys = Object.keys(entries).filter((name) => !olderKeys.has(name));
  return v.strictObject(entries, ({ input }) => unknownKey(String(input), knownKeys));
}

/** Returns the error message for a value. The message begins with its place, such as "prose.minWords". */
export function mustBe(place: string, { input, message }: v.BaseIssue<unknown>): string {
  return typeof input === 'object' && input !== null
    ? l10n.t('{0} must be {1}.', place, message)
    : l10n.t(
        '{0} must be {1}, not {2}.',
        place,
        message,
        JSON.stringify(typeof input === 'string' ? shortened(input) : input),
      );
}
