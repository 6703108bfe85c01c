/** Include and exclude globs, compiled once for a walk. */
import picomatch from 'picomatch';

/**
 * Whether a path (relative, forward slashes) is meant by one of the globs: itself, or as part of a folder that is. With
 * no globs nothing is. A glob without a slash matches at any depth, as in .gitignore and in VS Code's search box; one
 * with a slash, also a leading one, from the root on.
 */
export function compileGlobs(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const matchers = globs.flatMap(expand).map((glob) => picomatch(glob, { dot: true, nonegate: true }));
  return (path) => matchers.some((matches) => matches(path));
}

/** Whether a glob names this folder or this ending in so many words, and so asks for what is left out otherwise. */
export function names(globs: readonly string[], word: string): boolean {
  return globs.some((glob) => glob.split('/').some((segment) => segment === word || segment.endsWith(word)));
}

/** The glob itself and everything in the folder it may be. */
function expand(glob: string): string[] {
  const plain = glob
    .trim()
    .replaceAll('\\', process.platform === 'win32' ? '/' : '\\')
    .replace(/^\.\//, '');
  const name = plain.replace(/\/$/, '');
  const anchored = name.includes('/') ? name.replace(/^\//, '') : `**/${name}`;
  if (anchored.endsWith('**')) return [anchored];
  // A slash at the end: only a folder is meant.
  return plain.endsWith('/') ? [`${anchored}/**`] : [anchored, `${anchored}/**`];
}
