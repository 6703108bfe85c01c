/** Returns a copy of a typed array with a greater length. */
export function grown<T extends Uint8Array | Uint32Array | Int32Array>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length);
  longer.set(array);
  return longer;
}
