/** Arguments of `kindred scan --compare A B`. */
import { compareFlags, type Problem, problem, type ScanArguments, scanArguments } from './scanArguments.ts';
import * as flag from './flags.ts';

export interface CompareArguments {
  readonly type: 'compare';
  /** The two folders as the user entered them. They may not exist. */
  readonly folders: readonly [a: string, b: string];
  readonly scan: ScanArguments;
}

export function isComparison(values: flag.Values): boolean {
  return new flag.Reader(values).one(compareFlags.compare) ?? false;
}

const formats: ReadonlySet<string> = new Set(['text', 'json', 'markdown']);

export function compareArguments(roots: readonly string[], values: flag.Values): CompareArguments | Problem {
  const [a, b, ...more] = roots;
  if (a === undefined || b === undefined || more.length > 0) {
    return problem('--compare needs two folders: kindred scan --compare A B.');
  }
  const scan = scanArguments('all', roots, values);
  if (scan.type !== 'scan') return scan;
  const wrong = scan.destinations.find(({ format }) => !formats.has(format));
  if (wrong) return problem(`--format must be text, json or markdown with --compare, not ${wrong.format}.`);
  if (scan.cache !== undefined) return problem('--cache keeps the index of a scan; omit it with --compare.');
  return { type: 'compare', folders: [a, b], scan };
}
