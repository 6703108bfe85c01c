/** Counts the files of a tree that use functions. There is no parser, so names are compared as words. */
import { lastName } from '../../../presentation/wording/declarations.ts';

/** A function, and the file that declares it. */
export interface NamedFunction {
  readonly name: string;
  readonly path: string;
}

/** Names of files that represent the folder around them, without extensions. */
const namedByFolder = new Set(['index', 'mod', 'lib', 'main', '__init__', 'init']);

/**
 * Returns the number of files that use each function, other than its own. A file counts if it contains the name of the
 * function and the name from which it would import the function: the name of its file or, for a package, its folder.
 *
 * @param files  paths of the files, and a function that reads one of them
 */
export function countUses(
  functions: readonly NamedFunction[],
  files: Iterable<readonly [path: string, read: () => string | undefined]>,
): number[] {
  const counts = functions.map(() => 0);
  const names = new Set(functions.map(lastName));
  if (names.size === 0) return counts;
  const anyName = new RegExp([...names].map(escaped).join('|'));
  for (const [path, read] of files) {
    const text = read();
    // Most files contain none of the names, so split only the others into words.
    if (text === undefined || !anyName.test(text)) continue;
    const words = new Set(text.match(/[\p{L}\p{N}_$-]+/gu));
    for (const [at, one] of functions.entries()) {
      if (one.path !== path && words.has(lastName(one)) && moduleNames(one.path).some((name) => words.has(name)))
        counts[at]!++;
    }
  }
  return counts;
}

/** Returns the name of a file without extensions, and the name of its folder if an import may name only the folder. */
function moduleNames(path: string): string[] {
  const [file = '', folder] = path.split('/').reverse();
  const name = /^[^.]+/.exec(file)?.[0] ?? file;
  const isPackage = namedByFolder.has(name) || /\.(?:go|java|kt|scala|cs)$/.test(file);
  return isPackage && folder !== undefined ? [name, folder] : [name];
}

function escaped(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`);
}
