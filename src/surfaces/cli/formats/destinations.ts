/** Parses the formats and destinations of a report: `--format sarif=out.sarif,markdown=-`. */

/** Names of all formats. Formats for people come first. */
export const formatNames = [
  'text',
  'json',
  'html',
  'markdown',
  'sarif',
  'github',
  'gitlab',
  'codeclimate',
  'rdjson',
  'junit',
  'csv',
] as const;
export type FormatName = (typeof formatNames)[number];

export interface Destination {
  readonly format: FormatName;
  /** Path of the output file; `undefined` for standard output. */
  readonly file: string | undefined;
  /** Option that set the file, for messages. */
  readonly option: '--format' | '--output';
}

/**
 * Returns the destinations that `--format` and `--output` name, in order, or an error message.
 *
 * @param formatValues  values of --format: `NAME`, `NAME=FILE`, or `NAME=-`, separated by commas
 * @param output        file for the format that has none in `formatValues`
 */
export function readDestinations(
  formatValues: readonly string[],
  output: string | undefined,
): readonly Destination[] | { readonly problem: string } {
  const destinations: Destination[] = [];
  for (const part of splitParts(formatValues)) {
    const [, name, file] = /^([^=]*)(?:=(.*))?$/s.exec(part)!;
    const format = formatNames.find((other) => other === name);
    if (format === undefined) {
      return { problem: `--format must be ${formatNames.join(', ').replace(/, ([^,]*)$/, ' or $1')}, not ${name}.` };
    }
    if (file === '') return { problem: `--format ${name}= must name a file; - is standard output.` };
    const option = file === undefined ? '--output' : '--format';
    destinations.push({ format, file: file === '-' ? undefined : (file ?? output), option });
  }
  const places = destinations.map(({ file }) => file ?? '-');
  const twice = places.find((place, at) => places.indexOf(place) < at);
  if (twice !== undefined) {
    const where = twice === '-' ? 'standard output' : twice;
    return { problem: `--format: several reports go to ${where}; name a file for each, as in sarif=out.sarif.` };
  }
  if (output !== undefined && destinations.length > 0 && !destinations.some(({ file }) => file === output)) {
    return { problem: '--output has no report to write; name its format with --format, without a file.' };
  }
  return destinations;
}

/** Splits values at commas that precede the name of a format. Other commas may be part of a file name. */
function splitParts(formatValues: readonly string[]): string[] {
  const parts: string[] = [];
  for (const value of formatValues) {
    for (const [place, piece] of value.split(',').entries()) {
      const begins = formatNames.some((name) => piece.trim() === name || piece.trimStart().startsWith(`${name}=`));
      if (place === 0 || begins || !parts.at(-1)!.includes('=')) parts.push(piece.trim());
      else parts[parts.length - 1] += `,${piece}`;
    }
  }
  return parts;
}
