/** Summarizes the findings for each pair of repositories. */
import { append } from '../../core/collections/lists.ts';
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

/** Files, and passages by file, that two repositories have in common. */
class CommonContent {
  readonly files: readonly [Set<string>, Set<string>] = [new Set(), new Set()];
  readonly passages: readonly [Map<string, Passage[]>, Map<string, Passage[]>] = [new Map(), new Map()];
  rows = 0;
  worth = 0;

  add(group: Group, names: readonly [string, string]): void {
    if (group.parent === undefined) {
      this.rows++;
      this.worth += group.worth;
    }
    for (const passage of group.passages) {
      const side = names.indexOf(repositoryOf(passage.path));
      if (side < 0) continue;
      if (group.kind === 'file') this.files[side]!.add(passage.path);
      else append(this.passages[side]!, passage.path, passage);
    }
  }
}

function linesIn(passages: ReadonlyMap<string, Passage[]>): number {
  return [...passages.values()].reduce((sum, own) => sum + coveredLines(own), 0);
}

/** Returns all pairs of repositories that share passages, by descending worth and then by name. */
export function repositoryPairs({ groups }: Pick<Findings, 'groups'>): RepositoryPair[] {
  const found = new Map<string, { readonly names: readonly [string, string]; readonly common: CommonContent }>();
  for (const group of groups) {
    const names = repositoriesOf(group);
    for (const [i, first] of names.entries()) {
      for (const second of names.slice(i + 1)) {
        const key = `${first}/${second}`;
        const pair = found.get(key) ?? { names: [first, second] as const, common: new CommonContent() };
        found.set(key, pair);
        pair.common.add(group, pair.names);
      }
    }
  }
  return [...found.values()]
    .map(({ names, common: { files, rows, worth, passages } }) => ({
      names,
      rows,
      worth,
      files: [files[0].size, files[1].size] as const,
      lines: [linesIn(passages[0]), linesIn(passages[1])] as const,
    }))
    .sort((x, y) => y.worth - x.worth || (x.names.join('/') < y.names.join('/') ? -1 : 1));
}
