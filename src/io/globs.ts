/** Include and exclude globs, compiled once for a walk. */
import * as l10n from '@vscode/l10n';
import { writeOut } from './braces.ts';
import { allBelow, inAnyFolder, matchesPattern, orAllBelow, parsePattern, type PathPattern } from './pathPattern.ts';
import { PatternIndex } from './patternIndex.ts';

/**
 * What globs may have of signs, with their braces written out: every file is tried with each that has wildcards, in time
 * that grows with the signs of both.
 */
export const mostGlobSigns = 200_000;

/** The longest path that systems take; the time to write braces out grows with the square of what one glob has. */
export const longestGlob = 4_096;

/**
 * Whether a path (relative, forward slashes; a folder's may end with one) is meant by one of the globs: itself, or as part
 * of a folder that is. With no globs nothing is. A glob without a slash matches at any depth, as in .gitignore and in VS
 * Code's search box; one with a slash, also a leading one, from the root on. The globs are in order (`problemOfGlobs`).
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

/** What is wrong with globs that cannot be compiled, in words that follow a name; undefined when they can. */
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
    const written = writeOut(glob, mostGlobSigns - signs);
    if (written === undefined) {
      const limit = mostGlobSigns.toLocaleString('en-US');
      return l10n.t(
        'the globs are too long; with braces expanded, together they may have at most {0} characters.',
        limit,
      );
    }
    for (const text of written) signs += text.length;
  }
  return undefined;
}

/** Whether a glob names this folder or this ending in so many words, and so asks for what is left out otherwise. */
export function names(globs: readonly string[], word: string): boolean {
  return globs.some((glob) => glob.split('/').some((segment) => segment === word || segment.endsWith(word)));
}

/** What somebody has written, in a message. */
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
    // A slash at the end, or all that is in it: only a folder is meant.
    return [plain.endsWith('/') || folder !== text ? allBelow(placed) : orAllBelow(placed)];
  });
}
