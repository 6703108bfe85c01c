/**
 * Finds the passages that similar files share. A group of files that are not equal says nothing about lines, and its
 * texts cannot be merged; the passages can. So the tools describe such a group by its longest shared passage.
 */
import type { Report } from '../../session/client/report.ts';
import type { Group } from '../../core/engine/report/report.ts';
import { insideOf } from '../../presentation/wording/likeness.ts';

/** Passages that all files of a group share. */
export interface SharedPart {
  /** Group of the longest passages. May have copies in other files. */
  readonly part: Group;
  /** The same group without the copies in other files. */
  readonly here: Group;
  /** Ids of the groups of their other shared passages. */
  readonly others: readonly string[];
}

/**
 * Returns the passages that files share. Returns `undefined` if the group consists of passages or of equal files, or if
 * no group has a passage in each of the files.
 */
export function sharedPart(group: Group, { copies }: Pick<Report, 'copies'>): SharedPart | undefined {
  if (group.kind !== 'file' || group.type === 'exact') return undefined;
  const paths = group.passages.map(({ path }) => path);
  const isShared = ({ passages }: Group): boolean =>
    paths.every((path) => passages.some((passage) => passage.path === path));
  const found = new Set(copies.get(paths[0]!)?.map((copy) => copy.group));
  const [part, ...others] = [...found].filter(isShared).sort(byLength);
  return part && { part, here: partIn(part, paths), others: others.map(({ id }) => id) };
}

function byLength(x: Group, y: Group): number {
  return y.tokens - x.tokens || y.worth - x.worth || (x.id < y.id ? -1 : 1);
}

/** Returns a group without its passages in other files. */
function partIn(part: Group, paths: readonly string[]): Group {
  const isHere = part.passages.map(({ path }) => paths.includes(path));
  if (!isHere.includes(false)) return part;
  const passages = part.passages.filter((_, i) => isHere[i]);
  const pairs = part.pairs.filter(({ a, b }) => isHere[a] && isHere[b]);
  // Not all pairs of a large group were compared.
  if (pairs.length === 0) return { ...part, passages };
  const types = pairs.map(({ type }) => type ?? part.type);
  return {
    ...part,
    type: (['near', 'renamed'] as const).find((one) => types.includes(one)) ?? 'exact',
    similarity: Math.min(...pairs.map(({ similarity }) => similarity)),
    lines: Math.max(...passages.map(({ startLine, endLine }) => endLine - startLine + 1)),
    passages,
  };
}

/** Likeness of files that are described by a passage that they share. */
export interface FileLikeness {
  /** Share of the smaller file that is in the larger one. Present if a file contains another file. */
  readonly inside?: number;
  /** Similarity of the complete files. Present if no file contains another file. */
  readonly fileSimilarity?: number;
}

export function fileLikeness(group: Group): FileLikeness {
  const within = insideOf(group);
  return within === undefined ? { fileSimilarity: group.similarity } : { inside: within.share };
}
