/**
 * Rules about paths that lie in a source tree: .gitignore, .ignore and .git/info/exclude, which hide files, and
 * .gitattributes, which says what linguist takes for generated or vendored. Each folder may have its own; the innermost
 * that says something about a path decides.
 */
import path from 'node:path';
import { matchesPattern, parsePattern, type PathPattern } from './pathPattern.ts';
import { PatternIndex } from './patternIndex.ts';

/** The rules in force in a folder: those of a file of its own, then weaker ones and those of the folders around it. */
export interface PathRules {
  readonly rules: PatternIndex<Rule>;
  /** The file that they come from, for people. */
  readonly source: string;
  /** How a path of the walk becomes one relative to the folder of the rules: `prefix + path.slice(strip)`. */
  readonly prefix: string;
  readonly strip: number;
  readonly outer: PathRules | undefined;
  /** How many signs the patterns with wildcards have, those of `outer` too. */
  readonly wildcardSigns: number;
}

/** A line of a file with rules. */
interface Rule {
  readonly pattern: PathPattern;
  /** Whether what it matches is not hidden. */
  readonly isNegated: boolean;
  readonly ofFolders: boolean;
  /** Whether the pattern is one of names, at any depth, and not of paths. */
  readonly ofNames: boolean;
}

/** Lines of a file, and where they hold. */
export interface RuleFile extends Pick<PathRules, 'source' | 'prefix' | 'strip'> {
  readonly lines: readonly string[];
}

/**
 * What rules may cost: every file below is tried with each pattern that has wildcards, in time that grows with the signs
 * of both. The .gitignore of the Linux kernel has 600 such signs, the largest that we know 20,000.
 */
export const mostWildcardSigns = 500_000;

/** The rules that hide a path of the walk; for a folder, it ends with a slash. `name` is its last part, without. */
export function rulesThatHide(
  innermost: PathRules | undefined,
  pathInWalk: string,
  name: string,
): PathRules | undefined {
  const isFolder = pathInWalk.endsWith('/');
  for (let rules = innermost; rules !== undefined; rules = rules.outer) {
    const rule = lastRuleFor(rules, relativePath(rules, pathInWalk), name, isFolder);
    if (rule !== undefined) return rule.isNegated ? undefined : rules;
  }
  return undefined;
}

/** Whether the rules give a file of the walk an attribute: it, or a folder that it is in. */
export function marksFile(innermost: PathRules | undefined, pathInWalk: string, name: string): boolean {
  for (let rules = innermost; rules !== undefined; rules = rules.outer) {
    const relative = relativePath(rules, pathInWalk);
    if (hidesFolderOn(rules, relative)) return true;
    const rule = lastRuleFor(rules, relative, name, false);
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

/** Whether the rules alone, without outer ones, hide a folder on the way to a path that is relative to theirs. */
export function hidesFolderOn(rules: PathRules, relative: string): boolean {
  let start = 0;
  for (let end = relative.indexOf('/'); end >= 0; end = relative.indexOf('/', start)) {
    const rule = lastRuleFor(rules, relative.slice(0, end), relative.slice(start, end), true);
    if (rule?.isNegated === false) return true;
    start = end + 1;
  }
  return false;
}

function relativePath({ prefix, strip }: PathRules, pathInWalk: string): string {
  const relative = prefix + pathInWalk.slice(strip);
  return relative.endsWith('/') ? relative.slice(0, -1) : relative;
}

function lastRuleFor({ rules }: PathRules, relative: string, name: string, isFolder: boolean): Rule | undefined {
  const [foldedName, foldedPath] = [folded(name), folded(relative)];
  return rules.lastFor(
    foldedName,
    ({ pattern, ofFolders, ofNames }) =>
      (isFolder || !ofFolders) && matchesPattern(pattern, ofNames ? foldedName : foldedPath),
  );
}

/**
 * The rules of a file in the format of .gitignore before those that are in force without it; `outer` itself when no line
 * says anything. What costs too much is not obeyed, and `warn` told so.
 */
export function addRules(
  { lines, ...place }: RuleFile,
  outer: PathRules | undefined,
  warn: (problem: string) => void,
): PathRules | undefined {
  const rules = new PatternIndex(lines.flatMap((line) => parseRule(line) ?? []));
  if (rules.size === 0) return outer;
  const wildcardSigns = rules.wildcardSigns + (outer?.wildcardSigns ?? 0);
  if (wildcardSigns > mostWildcardSigns) {
    const limit = mostWildcardSigns.toLocaleString('en-US');
    warn(
      `${place.source} is ignored: together with those of parent folders, its patterns with wildcards exceed ${limit} characters.`,
    );
    return outer;
  }
  return { rules, ...place, outer, wildcardSigns };
}

function parseRule(line: string): Rule | undefined {
  if (line.startsWith('#')) return undefined;
  const text = withoutBlanksAtEnd(line.endsWith('\r') ? line.slice(0, -1) : line);
  const isNegated = text.startsWith('!');
  const given = isNegated ? text.slice(1) : text;
  const ofFolders = given.endsWith('/');
  const path = ofFolders ? given.slice(0, -1) : given;
  const pattern = path === '' ? undefined : parsePattern(folded(path.replace(/^\//, '')), 'git');
  return pattern && { pattern, isNegated, ofFolders, ofNames: !path.includes('/') };
}

/** The line without the blanks at its end; a backslash keeps the one behind it. */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** The file systems of macOS and Windows take "Build" and "build" for one name, and git's rules follow them there. */
const ignorecase = process.platform === 'darwin' || process.platform === 'win32';

function folded(text: string): string {
  return ignorecase ? text.toLowerCase().replaceAll('[:upper:]', '[:lower:]') : text;
}

/** The names of the files that hide others, weakest first; weaker still is the exclude file of a repository. */
export const ignoreFileNames: readonly string[] = ['.gitignore', '.ignore'];

export type Attribute = 'linguist-generated' | 'linguist-vendored';

/** An attribute among those of a line: the sign that unsets it, and its value. */
const settings: Readonly<Record<Attribute, RegExp>> = {
  'linguist-generated': /(?:^|\s)(-?)linguist-generated(?:=(\w+))?(?:\s|$)/,
  'linguist-vendored': /(?:^|\s)(-?)linguist-vendored(?:=(\w+))?(?:\s|$)/,
};

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
    const value = settings[attribute].exec(parts?.[3] ?? '');
    if (!pattern || !value) return [];
    return value[1] === '-' || value[2] === 'false' ? [`!${pattern}`] : [pattern];
  });
}

/** The lines of a text in such a file, without byte order mark. */
export function ruleLines(text: string): string[] {
  return text.replace(/^\ufeff/, '').split('\n');
}
