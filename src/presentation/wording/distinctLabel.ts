/** Number of characters of a label that a side bar of 200 pixels shows of a row in a section. */
const narrowCharacters = 15;

/**
 * Returns the first form of a label whose beginning differs from those of its neighbors, since VS Code clips the end.
 * If there is none, returns the first form.
 *
 * @param forms      forms of the label, the preferred one first; at least one
 * @param neighbors  forms of the other labels that are visible at the same time
 */
export function distinctLabel(forms: readonly string[], neighbors: readonly (readonly string[])[]): string {
  const taken = new Set(neighbors.flatMap((others) => others.map(beginningOf)));
  return forms.find((form) => !taken.has(beginningOf(form))) ?? forms[0]!;
}

function beginningOf(label: string): string {
  return [...label].slice(0, narrowCharacters).join('');
}
