/** Summarizes the findings for each pair of repositories. */
import { append, groupBy, sum } from '../../core/collections/lists.ts';
import { coveredLines } from '../../core/engine/report/duplicatedLines.ts';
import type { Findings, Group, Passage } from '../../core/engine/report/report.ts';

/**
 * Two repositories that share duplicates. `names`, `files`, and `lines` have the repositories in alphabetical order.
 */
export interface RepositoryPair {
  readonly names: readonly [string, string];
  /**
   * For each repository, the number of files in whole-file groups (similar or contained files) that span both
   * repositories.
   */
  readonly files: readonly [number, number];
  /**
   * Number of rows (groups that are not inside another group) with passages in both repositories. `worth` is their
   * total worth.
   */
  readonly rows: number;
  readonly worth: number;
  /** For each repository, the number of lines in passages whose group has a passage in the other repository. */
  readonly lines: readonly [number, number];
}

/** Returns the repository of a path in the findings. The path starts with its name. */
export function repositoryOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

/** Returns the names of the repositories that a group's passages are in, sorted. */
export function repositoriesOf({ passages }: Pick<Group, 'passages'>): string[] {
  return [...new Set(passages.map(({ path }) => repositoryOf(path)))].sort();
}

/** Returns all pairs of repositories that share passages, by descending worth and then by name. */
export function repositoryPairs({ groups }: Pick<Findings, 'groups'>): RepositoryPair[] {
  const common = new Map<string, Group[]>();
  for (const group of groups) {
    const names = repositoriesOf(group);
    for (const [i, first] of names.entries()) {
      for (const second of names.slice(i + 1)) append(common, `${first}/${second}`, group);
    }
  }
  return Array.from(common, ([names, own]) => pairOf(names.split('/') as [string, string], own)).sort(
    (x, y) => y.worth - x.worth || (x.names.join('/') < y.names.join('/') ? -1 : 1),
  );
}

/** @param groups  groups with passages in both repositories */
function pairOf(names: readonly [string, string], groups: readonly Group[]): RepositoryPair {
  const rows = groups.filter(({ parent }) => parent === undefined);
  const [files, others] = [groups.filter(({ kind }) => kind === 'file'), groups.filter(({ kind }) => kind !== 'file')];
  const byPath = (ofGroups: readonly Group[], name: string): Map<string, Passage[]> =>
    groupBy(
      ofGroups.flatMap(({ passages }) => passages.filter(({ path }) => repositoryOf(path) === name)),
      ({ path }) => path,
    );
  const linesIn = (name: string): number => sum([...byPath(others, name).values()].map(coveredLines));
  return {
    names,
    rows: rows.length,
    worth: sum(rows.map(({ worth }) => worth)),
    files: [byPath(files, names[0]).size, byPath(files, names[1]).size],
    lines: [linesIn(names[0]), linesIn(names[1])],
  };
}
