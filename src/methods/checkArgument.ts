/**
 * What the library asks of its arguments, said in one way: a TypeError for a thing of the wrong kind, a RangeError for
 * one of the right kind that is too small, too large or does not fit, both with the argument's name.
 */

/**
 * Refuses all but whole numbers from `least` to `most`.
 *
 * @throws TypeError when `value` is no number, RangeError when it is not whole or out of range
 */
export function checkWhole(argument: string, value: number, least: number, most: number): void {
  if (typeof value !== 'number') throw new TypeError(`${argument} must be a number, not ${nameOf(value)}.`);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${argument} must be a whole number from ${least} to ${most}, not ${value}.`);
  }
}

/**
 * Refuses all but numbers from 0 to 1.
 *
 * @throws TypeError, RangeError
 */
export function checkShare(argument: string, value: number): void {
  if (typeof value !== 'number') throw new TypeError(`${argument} must be a number, not ${nameOf(value)}.`);
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${argument} must be a number from 0 to 1, not ${value}.`);
}

/**
 * Refuses all but finite numbers from 0 on.
 *
 * @throws TypeError, RangeError
 */
export function checkWeight(argument: string, value: number): void {
  if (typeof value !== 'number') throw new TypeError(`${argument} must hold numbers, not ${nameOf(value)}.`);
  if (!(value >= 0 && value < Infinity)) {
    throw new RangeError(`${argument} must hold finite numbers from 0 on, not ${value}.`);
  }
}

const mostHash = 2n ** 64n - 1n;

/**
 * Refuses all but 64-bit hashes: a bigint from 0 to 2^64 − 1.
 *
 * @throws TypeError, RangeError
 */
export function checkHash(argument: string, value: bigint): void {
  if (typeof value !== 'bigint') throw new TypeError(`${argument} must be a bigint, not ${nameOf(value)}.`);
  // Two comparisons cost half of what BigInt.asUintN does.
  if (value < 0n || value > mostHash) {
    throw new RangeError(`${argument} must be from 0 to 2^64 − 1, not ${value}.`);
  }
}

/**
 * Refuses what cannot be walked through. A string is refused as well: its characters are never meant.
 *
 * @throws TypeError
 */
export function checkIterable(argument: string, value: Iterable<unknown>): void {
  const iterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  if (!iterable) throw new TypeError(`${argument} must be iterable, not ${nameOf(value)}.`);
}

/**
 * Refuses lists that hold anything but strings.
 *
 * @throws TypeError
 */
export function checkStrings(argument: string, values: readonly string[]): void {
  const place = values.findIndex((value) => typeof value !== 'string');
  if (place >= 0) throw new TypeError(`${argument} must hold strings, not ${nameOf(values[place])}.`);
}

/**
 * Refuses all but maps.
 *
 * @throws TypeError
 */
export function checkMap(argument: string, value: ReadonlyMap<unknown, unknown>): void {
  if (!(value instanceof Map)) throw new TypeError(`${argument} must be a Map, not ${nameOf(value)}.`);
}

/**
 * Refuses what has no properties to read: an argument that holds others by name.
 *
 * @throws TypeError
 */
export function checkObject(argument: string, value: object): void {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${argument} must be an object, not ${nameOf(value)}.`);
  }
}

/**
 * Refuses all but true and false.
 *
 * @throws TypeError
 */
export function checkFlag(argument: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new TypeError(`${argument} must be true or false, not ${nameOf(value)}.`);
}

/** A value as an error message calls it. */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}
