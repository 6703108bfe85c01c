/**
 * Rules for paths that a source tree contains. .gitignore, .ignore, and .git/info/exclude hide files. .gitattributes
 * marks generated and vendored files for linguist. Each folder may have rules of its own. If several rules match a
 * path, the one from the innermost folder applies.
 */
import { matchesPattern, parsePattern, type PathPattern } from './pathPattern.ts';
import { PatternIndex } from './patternIndex.ts';

/** Rules from one file. `outer` are the rules with less precedence, such as those of parent folders. */
export interface PathRules {
  readonly rules: PatternIndex<Rule>;
  /** Path of the file that contains the rules, for messages. */
  readonly source: string;
  /** Conversion of a path in the listing to one relative to the folder of the rules: `prefix + path.slice(strip)`. */
  readonly prefix: string;
  readonly strip: number;
  readonly outer: PathRules | undefined;
  /** Total length of all patterns with wildcards, including those of `outer`. */
  readonly wildcardSigns: number;
}

interface Rule {
  readonly pattern: PathPattern;
  /** True if the rule makes files visible that other rules hide. */
  readonly isNegated: boolean;
  readonly ofFolders: boolean;
  /** True if the pattern matches the name of a file or folder at any depth. False if it matches a path. */
  readonly ofNames: boolean;
}

/** Lines of a file that contains rules, and the folder to which they apply. */
export interface RuleFile extends Pick<PathRules, 'source' | 'prefix' | 'strip'> {
  readonly lines: readonly string[];
}

/**
 * Maximum total length of patterns with wildcards. Each path is compared with each of them, in time proportional to
 * both lengths. In the .gitignore of the Linux kernel, these patterns have 600 characters; in the largest known file,
 * 20,000.
 */
export const maxWildcardCharacters = 500_000;

/**
 * Returns the rules that hide a path, or `undefined` if none do.
 *
 * @param pathInWalk  ends with a slash for a folder
 * @param name        last segment of the path, without a slash
 */
export function rulesThatHide(
  innermost: PathRules | undefined,
  pathInWalk: string,
  name: string,
): PathRules | undefined {
  const kind = pathInWalk.endsWith('/') ? 'folder' : 'file';
  for (let rules = innermost; rules !== undefined; rules = rules.outer) {
    const rule = lastRuleFor(rules, relativePath(rules, pathInWalk), name, kind);
    if (rule !== undefined) return rule.isNegated ? undefined : rules;
  }
  return undefined;
}

/** Returns true if the rules set an attribute for a file or for one of its parent folders. */
export function marksFile(innermost: PathRules | undefined, pathInWalk: string, name: string): boolean {
  for (let rules = innermost; rules !== undefined; rules = rules.outer) {
    const relative = relativePath(rules, pathInWalk);
    if (hidesFolderOn(rules, relative)) return true;
    const rule = lastRuleFor(rules, relative, name, 'file');
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

/** Returns true if these rules, not outer ones, hide a folder on the way to a path relative to their folder. */
export function hidesFolderOn(rules: PathRules, relative: string): boolean {
  let start = 0;
  for (let end = relative.indexOf('/'); end >= 0; end = relative.indexOf('/', start)) {
    const rule = lastRuleFor(rules, relative.slice(0, end), relative.slice(start, end), 'folder');
    if (rule?.isNegated === false) return true;
    start = end + 1;
  }
  return false;
}

function relativePath({ prefix, strip }: PathRules, pathInWalk: string): string {
  const relative = prefix + pathInWalk.slice(strip);
  return relative.endsWith('/') ? relative.slice(0, -1) : relative;
}

function lastRuleFor({ rules }: PathRules, relative: string, name: string, kind: 'file' | 'folder'): Rule | undefined {
  const [foldedName, foldedPath] = [folded(name), folded(relative)];
  const isFolder = kind === 'folder';
  return rules.lastFor(
    foldedName,
    ({ pattern, ofFolders, ofNames }) =>
      (isFolder || !ofFolders) && matchesPattern(pattern, ofNames ? foldedName : foldedPath),
  );
}

/**
 * Adds the rules in a file that has the format of .gitignore. They take precedence over `outer`. If the file has no
 * rules, returns `outer`. If matching its rules would take too long, ignores them and passes a message to `warn`.
 */
export function addRules(
  { lines, ...place }: RuleFile,
  outer: PathRules | undefined,
  warn: (problem: string) => void,
): PathRules | undefined {
  const rules = new PatternIndex(lines.flatMap((line) => parseRule(line) ?? []));
  if (rules.size === 0) return outer;
  const wildcardSigns = rules.wildcardSigns + (outer?.wildcardSigns ?? 0);
  if (wildcardSigns > maxWildcardCharacters) {
    const limit = maxWildcardCharacters.toLocaleString('en-US');
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
  const glob = isNegated ? text.slice(1) : text;
  const ofFolders = glob.endsWith('/');
  const path = ofFolders ? glob.slice(0, -1) : glob;
  const pattern = path === '' ? undefined : parsePattern(folded(path.replace(/^\//, '')), 'git');
  return pattern && { pattern, isNegated, ofFolders, ofNames: !path.includes('/') };
}

/** Removes blanks at the end of a line. Keeps a blank that follows a backslash. */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ') end--;
  let backslashes = 0;
  while (line[end - 1 - backslashes] === '\\') backslashes++;
  return line.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

/** True on macOS and Windows, where file systems ignore case, and so does git when it applies rules. */
const ignorecase = process.platform === 'darwin' || process.platform === 'win32';

function folded(text: string): string {
  return ignorecase ? text.toLowerCase().replaceAll('[:upper:]', '[:lower:]') : text;
}

/** Maximum size in bytes of a file that contains rules. It is fifty times the size of the largest known file. */
export const maxRuleBytes = 2 ** 20;

/** Names of ignore files, ascending by precedence. A repository's exclude file has less than all of them. */
export const ignoreFileNames: readonly string[] = ['.gitignore', '.ignore'];

export type Attribute = 'linguist-generated' | 'linguist-vendored';

/** Matches the setting of each attribute in a line. Captures the sign that unsets the attribute, and the value. */
const settings: Readonly<Record<Attribute, RegExp>> = {
  'linguist-generated': /(?:^|\s)(-?)linguist-generated(?:=(\w+))?(?:\s|$)/,
  'linguist-vendored': /(?:^|\s)(-?)linguist-vendored(?:=(\w+))?(?:\s|$)/,
};

export const attributesFileName = '.gitattributes';

/** Path of a repository's exclude file, relative to its top folder. */
export const excludeFile = '.git/info/exclude';

/** Returns true if a file with this name affects the listing. When such a file changes, listing must be repeated. */
export function decidesListing(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1);
  return ignoreFileNames.includes(base) || base === attributesFileName || name.includes('.git/info/');
}

/**
 * Returns lines in the format of .gitignore for the files whose attribute is set in .gitattributes. A line that unsets
 * the attribute begins with "!".
 */
export function attributePatterns(lines: readonly string[], attribute: Attribute): string[] {
  return lines.flatMap((line) => {
    const parts = /^\s*(?:"([^"]+)"|([^\s#"]\S*))\s+(.*)$/.exec(line);
    const pattern = parts?.[1] ?? parts?.[2];
    const value = settings[attribute].exec(parts?.[3] ?? '');
    if (!pattern || !value) return [];
    return value[1] === '-' || value[2] === 'false' ? [`!${pattern}`] : [pattern];
  });
}

/** Splits the text of a file that contains rules into lines. Removes a byte order mark. */
export function ruleLines(text: string): string[] {
  return text.replace(/^\ufeff/, '').split('\n');
}
