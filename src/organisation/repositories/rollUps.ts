/** Summarizes the findings by pairs of repositories. */
import type { Findings, Group } from '../../core/engine/report/report.ts';

/** Two repositories, ordered by name. */
export interface RepositoryPair {
  readonly names: readonly [string, string];
  /** Number of files of each that match a file of the other, or are contained in one. */
  readonly files: readonly [number, number];
  /** Rows with passages in both, and their total worth. */
  readonly rows: number;
  readonly worth: number;
  /** Number of lines of each in passages shared with the other. */
  readonly lines: readonly [number, number];
}

/** Returns the repository of a path in the findings. */
export function repositoryOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

/** Returns the repositories of a group, in order. */
export function repositoriesOf({ passages }: Pick<Group, 'passages'>): string[] {
  return [...new Set(passages.map(({ path }) => repositoryOf(path)))].sort();
}

/** Counters of a pair of repositories. */
class Common {
  readonly files: readonly [Set<string>, Set<string>] = [new Set(), new Set()];
  readonly lines: readonly [Set<string>, Set<string>] = [new Set(), new Set()];
  rows = 0;
  worth = 0;

  add(group: Group, names: readonly [string, string]): void {
    if (group.parent === undefined) {
      this.rows++;
      this.worth += group.worth;
    }
    for (const { path, startLine, endLine } of group.passages) {
      const side = names.indexOf(repositoryOf(path));
      if (side < 0) continue;
      if (group.kind === 'file') this.files[side]!.add(path);
      else for (let line = startLine; line <= endLine; line++) this.lines[side]!.add(`${path}:${line}`);
    }
  }
}

/** Returns all pairs of repositories with common passages, by descending worth, then by name. */
export function repositoryPairs({ groups }: Pick<Findings, 'groups'>): RepositoryPair[] {
  const found = new Map<string, { readonly names: readonly [string, string]; readonly common: Common }>();
  for (const group of groups) {
    const names = repositoriesOf(group);
    for (const [i, first] of names.entries()) {
      for (const second of names.slice(i + 1)) {
        const key = `${first}/${second}`;
        const pair = found.get(key) ?? { names: [first, second] as const, common: new Common() };
        found.set(key, pair);
        pair.common.add(group, pair.names);
      }
    }
  }
  return [...found.values()]
    .map(({ names, common: { files, rows, worth, lines } }) => ({
      names,
      rows,
      worth,
      files: [files[0].size, files[1].size] as const,
      lines: [lines[0].size, lines[1].size] as const,
    }))
    .sort((x, y) => y.worth - x.worth || (x.names.join('/') < y.names.join('/') ? -1 : 1));
}
