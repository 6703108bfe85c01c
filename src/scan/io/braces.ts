/**
 * Expands braces in globs: `{a,b}` stands for a or b, and `{1..3}` for a character from 1 to 3. Braces may be nested.
 */

/**
 * Expands the braces of a glob to all alternatives. Keeps braces that contain no alternatives. Returns `undefined` if
 * the results have more than `most` characters in total.
 */
export function writeOut(glob: string, most: number): string[] | undefined {
  if (glob.length > most) return undefined;
  const budget: Budget = { left: most };
  const written = expand(glob, budget);
  return budget.left < 0 || written.reduce((sum, text) => sum + text.length, 0) > most ? undefined : written;
}

/** Number of characters that may still be created. When it is used up, results are discarded. */
interface Budget {
  left: number;
}

function expand(glob: string, budget: Budget): string[] {
  // Results for the part of the glob that was read so far. They are extended as reading continues.
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

/**
 * Reads the alternatives and the end of the brace at `open`. Returns `undefined` if the brace is a literal character.
 */
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
