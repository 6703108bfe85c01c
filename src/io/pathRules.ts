/**
 * Rules about paths that lie in a source tree: .gitignore, .ignore and .git/info/exclude, which hide files, and
 * .gitattributes, which says what linguist takes for generated or vendored. Each folder may have its own; the innermost
 * that says something about a path decides.
 */
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The rules in force in a folder: its own, then those of the folders around it. */
export interface PathRules {
  readonly rules: Ignore;
  /** Whether some rule may say something about a file or folder of this name. A quick look that never says a wrong no. */
  readonly mayMatch: (name: string) => boolean;
  /** How a path of the walk becomes one relative to the folder of the rules: `prefix + path.slice(strip)`. */
  readonly prefix: string;
  readonly strip: number;
  readonly outer: PathRules | undefined;
}

/** Whether the rules match a path of the walk; for a folder, it ends with a slash. `name` is its last part, without. */
export function matchesRules(innermost: PathRules | undefined, pathInWalk: string, name: string): boolean {
  for (let rules = innermost; rules !== undefined; rules = rules.outer) {
    if (!rules.mayMatch(name)) continue;
    const answer = rules.rules.test(rules.prefix + pathInWalk.slice(rules.strip));
    if (answer.ignored) return true;
    if (answer.unignored) return false;
  }
  return false;
}

/** Rules made of lines in the format of .gitignore; `outer` itself when no line says anything. */
export function addRules(
  lines: readonly string[],
  place: Pick<PathRules, 'prefix' | 'strip'>,
  outer: PathRules | undefined,
): PathRules | undefined {
  const patterns = lines.map((line) => line.replace(/\r$/, '')).filter((line) => line !== '' && !line.startsWith('#'));
  if (patterns.length === 0) return outer;
  return { rules: ignore({ ignorecase }).add(patterns), mayMatch: quickLook(patterns), ...place, outer };
}

/** The file systems of macOS and Windows take "Build" and "build" for one name, and git's rules follow them there. */
const ignorecase = process.platform === 'darwin' || process.platform === 'win32';

/** The names of the files that hide others, weakest first; weaker still is the exclude file of a repository. */
export const ignoreFileNames: readonly string[] = ['.gitignore', '.ignore'];

export type Attribute = 'linguist-generated' | 'linguist-vendored';

export const attributesFileName = '.gitattributes';

/** Where the exclude file of a repository is, from the folder in which it begins. */
export const excludeFile = '.git/info/exclude';

/** Whether a file decides which others are sources: what is listed may be different when it has changed. */
export function decidesListing(name: string): boolean {
  const base = path.posix.basename(name);
  return ignoreFileNames.includes(base) || base === attributesFileName || name.includes('.git/info/');
}

/** The patterns for which lines of a .gitattributes set the attribute, as lines of .gitignore; "!" where they unset it. */
export function attributePatterns(lines: readonly string[], attribute: Attribute): string[] {
  return lines.flatMap((line) => {
    const parts = /^\s*(?:"([^"]+)"|([^\s#"]\S*))\s+(.*)$/.exec(line);
    const pattern = parts?.[1] ?? parts?.[2];
    const value = new RegExp(`(?:^|\\s)(-?)${attribute}(?:=(\\w+))?(?:\\s|$)`).exec(parts?.[3] ?? '');
    if (!pattern || !value) return [];
    return value[1] === '-' || value[2] === 'false' ? [`!${pattern}`] : [pattern];
  });
}

/** The lines of a text in such a file, without byte order mark. */
export function ruleLines(text: string): string[] {
  return text.replace(/^\ufeff/, '').split('\n');
}

/**
 * Whether one of the patterns may match a path that ends in a name. A pattern can only do so when its last part fits
 * the name, and that is cheap to rule out.
 */
function quickLook(patterns: readonly string[]): (name: string) => boolean {
  const literals = new Set<string>();
  const endings = new Set<string>();
  const frames: Frame[] = [];
  for (const pattern of patterns) {
    const lastPart = pattern
      .replace(/^!/, '')
      .replace(/^\\(?=[#!])/, '')
      .replace(/[ /]+$/, '')
      .replace(/^.*\//, '');
    // A class of characters stands for one of them, as a wildcard would. One that is hard to read leaves its bracket.
    const part = lastPart.replace(/\[[^[\]\\!^][^[\]\\]*\]/g, '*');
    const pieces = (ignorecase ? part.toLowerCase() : part).split(/[*?]+/);
    const [first = '', ...others] = pieces;
    if (/[[\\]/.test(part) || part === '') frames.push({ start: '', middle: '', end: '' });
    else if (others.length === 0) literals.add(first);
    else if (/^\*\.[^.*?]+$/.test(part)) endings.add(others[0] ?? '');
    else frames.push({ start: first, middle: longest(others.slice(0, -1)), end: others.at(-1) ?? '' });
  }
  return (given) => {
    const name = ignorecase ? given.toLowerCase() : given;
    if (literals.has(name)) return true;
    const dot = name.lastIndexOf('.');
    if (dot >= 0 && endings.has(name.slice(dot))) return true;
    return frames.some(
      ({ start, middle, end }) => name.startsWith(start) && name.endsWith(end) && name.includes(middle),
    );
  };
}

/** What every name that fits a pattern has: its start, its end, and something between. */
interface Frame {
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

function longest(pieces: readonly string[]): string {
  return pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
}
