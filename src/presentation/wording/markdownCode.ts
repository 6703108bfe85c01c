/** Renders code in Markdown. */

/** Returns code as a Markdown code block without a line break at its end. */
export function fencedCode(code: string, language: string): string {
  const fence = longerThanAny(code, 3);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Returns code as a Markdown code span on a single line. White space without a line break may be part of a string. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s*[\r\n]\s*/g, ' ');
  const fence = longerThanAny(line, 1);
  const blank = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${blank}${line}${blank}${fence}`;
}

/** Returns a fence of at least the given length that is longer than any run of backticks in the code. */
function longerThanAny(code: string, atLeast: number): string {
  return '`'.repeat(Math.max(atLeast, ...[...code.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}
