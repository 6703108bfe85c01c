/**
 * Argument checks of the library. They throw a TypeError for a value of the wrong type, and a RangeError for a value
 * outside of its range. The message contains the name of the argument.
 */

/**
 * Throws unless the value is an integer from `min` to `max`.
 *
 * @throws TypeError if `value` is not a number, RangeError if it is not an integer or is out of range
 */
export function checkWhole(argument: string, value: number, min: number, max: number): void {
  if (typeof value !== 'number') throw new TypeError(`${argument} must be a number, not ${nameOf(value)}.`);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${argument} must be a whole number from ${min} to ${max}, not ${value}.`);
  }
}

/**
 * Throws unless the value is a number from 0 to 1.
 *
 * @throws TypeError, RangeError
 */
export function checkShare(argument: string, value: number): void {
  if (typeof value !== 'number') throw new TypeError(`${argument} must be a number, not ${nameOf(value)}.`);
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${argument} must be a number from 0 to 1, not ${value}.`);
}

/**
 * Throws unless the value is a finite number that is not negative.
 *
 * @throws TypeError, RangeError
 */
export function checkWeight(argument: string, value: number): void {
  if (typeof value !== 'number') throw new TypeError(`${argument} must hold numbers, not ${nameOf(value)}.`);
  if (!(value >= 0 && value < Infinity)) {
    throw new RangeError(`${argument} must hold finite numbers from 0 on, not ${value}.`);
  }
}

const maxHash = 2n ** 64n - 1n;

/**
 * Throws unless the value is a 64-bit hash: a bigint from 0 to 2^64 − 1.
 *
 * @throws TypeError, RangeError
 */
export function checkHash(argument: string, value: bigint): void {
  if (typeof value !== 'bigint') throw new TypeError(`${argument} must be a bigint, not ${nameOf(value)}.`);
  // Two comparisons take half the time of BigInt.asUintN.
  if (value < 0n || value > maxHash) {
    throw new RangeError(`${argument} must be from 0 to 2^64 − 1, not ${value}.`);
  }
}

/**
 * Throws unless the value is iterable. A string is rejected, because callers never mean its characters.
 *
 * @throws TypeError
 */
export function checkIterable(argument: string, value: Iterable<unknown>): void {
  const iterable = typeof value === 'object' && value !== null && Symbol.iterator in value;
  if (!iterable) throw new TypeError(`${argument} must be iterable, not ${nameOf(value)}.`);
}

/**
 * Throws if the list contains a value that is not a string.
 *
 * @throws TypeError
 */
export function checkStrings(argument: string, values: readonly string[]): void {
  const place = values.findIndex((value) => typeof value !== 'string');
  if (place >= 0) throw new TypeError(`${argument} must hold strings, not ${nameOf(values[place])}.`);
}

/**
 * Throws unless the value is a Map.
 *
 * @throws TypeError
 */
export function checkMap(argument: string, value: ReadonlyMap<unknown, unknown>): void {
  if (!(value instanceof Map)) throw new TypeError(`${argument} must be a Map, not ${nameOf(value)}.`);
}

/**
 * Throws unless the value is an object, such as an options argument.
 *
 * @throws TypeError
 */
export function checkObject(argument: string, value: object): void {
  if (typeof value !== 'object' || value === null) {
    throw new TypeError(`${argument} must be an object, not ${nameOf(value)}.`);
  }
}

/**
 * Throws unless the value is a boolean.
 *
 * @throws TypeError
 */
export function checkFlag(argument: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new TypeError(`${argument} must be true or false, not ${nameOf(value)}.`);
}

/** Returns a description of a value for error messages. */
export function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}
