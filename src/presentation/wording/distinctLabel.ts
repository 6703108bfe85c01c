/** Number of characters of a label that are visible in a side bar of 200 pixels, for a row inside a section. */
const narrowCharacters = 15;

/**
 * Returns a form of a label that users can distinguish from neighboring labels, although VS Code clips the end. Uses
 * the first form whose visible beginning is unique. If no form is unique, cuts off the beginning of the first form:
 * "…negative.ts · 12 lines".
 *
 * @param forms      forms of the label, the preferred one first; at least one
 * @param neighbors  forms of each of the other labels that are visible at the same time
 */
export function distinctLabel(forms: readonly string[], neighbors: readonly (readonly string[])[]): string {
  const taken = new Set(neighbors.flatMap((others) => others.map(beginningOf)));
  return (
    forms.find((form) => !taken.has(beginningOf(form))) ??
    fromDifference(
      forms[0]!,
      neighbors.map(([first]) => first!),
    )
  );
}

/** Cuts off the beginning of a label, so that it starts with the first word in which it differs from its neighbors. */
function fromDifference(label: string, neighbors: readonly string[]): string {
  const [firstPart] = label.split(' · ', 1);
  for (const { index } of firstPart!.matchAll(wordStart)) {
    const rest = beginningOf(`…${label.slice(index)}`);
    if (neighbors.every((other) => beginningOf(`…${other.slice(index)}`) !== rest)) return `…${label.slice(index)}`;
  }
  return label;
}

/** Matches the start of each word, except at the beginning of the label. */
const wordStart = /(?<=[^\p{L}\p{N}])(?=[\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/gu;

function beginningOf(label: string): string {
  return [...label].slice(0, narrowCharacters).join('');
}
