/** Expands braces in globs: `{a,b}` is a or b, `{1..3}` is a character from 1 to 3. Braces may be nested. */

/**
 * Expands the braces of a glob to all alternatives. Braces without alternatives are kept as they are. Returns
 * `undefined` if the results would have more than `maxCharacters` characters in total.
 */
export function writeOut(glob: string, maxCharacters: number): string[] | undefined {
  if (glob.length > maxCharacters) return undefined;
  const budget: Budget = { left: maxCharacters };
  const written = expand(glob, budget);
  return budget.left < 0 || written.reduce((sum, text) => sum + text.length, 0) > maxCharacters ? undefined : written;
}

/** Number of characters that may still be created. When it becomes negative, all results are discarded. */
interface Budget {
  left: number;
}

function expand(glob: string, budget: Budget): string[] {
  // Expansions of the part of the glob that has been read.
  let written = [''];
  let from = 0;
  for (let at = 0; at < glob.length && budget.left >= 0; at++) {
    if (glob[at] === '\\') {
      at++;
      continue;
    }
    const choice = glob[at] === '{' ? readChoice(glob, at) : undefined;
    if (choice === undefined) continue;
    const choices = choice.alternatives.flatMap((text) => expand(text, budget));
    written = product(product(written, [glob.slice(from, at)], budget), choices, budget);
    at = choice.end - 1;
    from = choice.end;
  }
  return product(written, [glob.slice(from)], budget);
}

function product(starts: readonly string[], ends: readonly string[], budget: Budget): string[] {
  const texts: string[] = [];
  for (const start of starts) {
    for (const end of ends) {
      if (ends.length > 1) budget.left -= start.length + end.length + 1;
      if (budget.left < 0) return texts;
      texts.push(start + end);
    }
  }
  return texts;
}

/** Reads the alternatives of the brace at `open`, and the position after it; `undefined` if it is ordinary. */
function readChoice(glob: string, open: number): { readonly alternatives: string[]; readonly end: number } | undefined {
  const alternatives: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < glob.length; at++) {
    const sign = glob[at];
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === ',' && depth === 1) {
      alternatives.push(glob.slice(from, at));
      from = at + 1;
    } else if (sign === '}' && --depth === 0) {
      alternatives.push(glob.slice(from, at));
      const end = at + 1;
      if (alternatives.length > 1) return { alternatives, end };
      const range = /^([^\\])\.\.([^\\])$/.exec(alternatives[0] ?? '');
      return range ? { alternatives: [`[${range[1]}-${range[2]}]`], end } : undefined;
    }
  }
  return undefined;
}
