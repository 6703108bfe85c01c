/** Suggests a known name for one that the user has probably misspelled. */

/**
 * Returns the known name that is nearest to a misspelled one. Returns `undefined` if no name is near enough: at most
 * two of five letters may differ.
 */
export function nearestName(misspelledName: string, knownNames: readonly string[]): string | undefined {
  if (misspelledName.length > longestName) return undefined;
  let nearest: string | undefined;
  let minDistance = Math.max(1, Math.floor(misspelledName.length * 0.4)) + 1;
  for (const name of knownNames) {
    const distance = editDistance(misspelledName.toLowerCase(), name.toLowerCase());
    // If two names are equally near, prefer the name that begins with the typed text.
    const isNearer =
      distance < minDistance || (distance === minDistance && nearest !== undefined && name.startsWith(misspelledName));
    if (isNearer && distance < Math.max(1, misspelledName.length)) [nearest, minDistance] = [name, distance];
  }
  return nearest;
}

/** Maximum length of a misspelled name. A longer one is not a typo, and comparing takes quadratic time. */
const longestName = 100;

/** Returns the number of letters to insert, remove, replace, or swap (Damerau 1964, Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  // rows[i][j] is the distance between the first i letters of a and the first j letters of b.
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      (rows[i] ?? [])[j] = best;
    }
  }
  return at(a.length, b.length);
}
