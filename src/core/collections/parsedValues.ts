/** Access to parsed values of unknown type, such as JSON from a file or settings of an editor. */

export type Values = Readonly<Record<string, unknown>>;

/** Returns true if a value is an object and not a list. */
export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a field; `undefined` if the value is not an object. */
export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** Returns the items of a list; an empty list for any other value. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
