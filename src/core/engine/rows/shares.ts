/** Rounded shares for reports. */

/** Returns a share in [0, 1], rounded to three digits. Returns 0 if `whole` is 0. */
export function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 1000;
}

/** Returns a percentage: 100 × part / whole, rounded to two digits. Returns 0 if `whole` is 0. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;
}
