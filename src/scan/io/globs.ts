/** Include and exclude globs. They are compiled once per listing. */
import * as l10n from '@vscode/l10n';
import { writeOut } from './braces.ts';
import { allBelow, inAnyFolder, matchesPattern, orAllBelow, parsePattern, type PathPattern } from './pathPattern.ts';
import { PatternIndex } from './patternIndex.ts';

/**
 * Maximum total length of all globs after braces were expanded. Each file is compared with each glob that has
 * wildcards, in time proportional to the lengths of path and glob.
 */
export const maxGlobCharacters = 200_000;

/** Maximum length of a glob: that of paths on common systems. Expanding braces takes quadratic time. */
export const longestGlob = 4_096;

/**
 * Compiles globs to a function that returns true if one of them matches a path or one of its parent folders. Paths are
 * relative and have forward slashes; a slash at the end denotes a folder. A glob without a slash matches at any depth,
 * as in .gitignore and VS Code's search. A glob with a slash, even a leading one, matches from the root. Precondition:
 * the globs are valid (`problemOfGlobs`).
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const patterns = globs.flatMap(patternsOf);
  const index = new PatternIndex(patterns.map((pattern) => ({ pattern })));
  return (path) => {
    const whole = path.endsWith('/') ? path.slice(0, -1) : path;
    return whole
      .split('/')
      .some((part) => index.lastFor(part, ({ pattern }) => matchesPattern(pattern, path)) !== undefined);
  };
}

/** Returns an error message, without the name of the option, if a glob is invalid; `undefined` if all are valid. */
export function problemOfGlobs(globs: readonly string[]): string | undefined {
  let signs = 0;
  for (const glob of globs) {
    if (glob.trim() === '') return l10n.t('a glob must not be empty.');
    if (glob.length > longestGlob) {
      const [length, limit] = [glob.length, longestGlob].map((count) => count.toLocaleString('en-US'));
      return l10n.t('"{0}" has {1} characters; a glob may have at most {2}.', shortened(glob), length!, limit!);
    }
    if (/\([^()]*\|[^()]*\)|[@!+]\(/.test(glob)) {
      return l10n.t('"{0}" uses parentheses for alternatives; use braces instead: {1}.', shortened(glob), '{a,b}');
    }
    const written = writeOut(glob, maxGlobCharacters - signs);
    if (written === undefined) {
      const limit = maxGlobCharacters.toLocaleString('en-US');
      return l10n.t(
        'the globs are too long; with braces expanded, together they may have at most {0} characters.',
        limit,
      );
    }
    for (const text of written) signs += text.length;
  }
  return undefined;
}

/** Returns true if a glob names a folder or extension, so that files are included that are skipped by default. */
export function names(globs: readonly string[], word: string): boolean {
  return globs.some((glob) => glob.split('/').some((segment) => segment === word || segment.endsWith(word)));
}

/** Shortens a glob for use in a message. */
export function shortened(glob: string): string {
  return glob.length <= 60 ? glob : `${glob.slice(0, 59)}…`;
}

function patternsOf(glob: string): PathPattern[] {
  const plain = glob
    .trim()
    .replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
    .replace(/^\.\//, '');
  const name = plain.replace(/\/$/, '');
  const isAnchored = name.includes('/');
  return (writeOut(isAnchored ? name.replace(/^\//, '') : name, Infinity) ?? []).flatMap((text) => {
    const folder = text.replace(/(?:\/\*\*)+$/, '');
    const pattern = folder === '' ? undefined : parsePattern(folder, 'glob');
    if (pattern === undefined) return [];
    const placed = isAnchored ? pattern : inAnyFolder(pattern);
    // If a glob ends with a slash, or with a wildcard that matches everything, it matches only folders.
    return [plain.endsWith('/') || folder !== text ? allBelow(placed) : orAllBelow(placed)];
  });
}
