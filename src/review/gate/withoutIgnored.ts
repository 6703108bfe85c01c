/** Removes ignored groups from a report, its file pairs, and its folder groups. Other rows stay the same objects. */
import type { FilePair, Findings, FolderGroup, Group, Pair } from '../../core/engine/report/report.ts';

export type Rows = Pick<Findings, 'groups' | 'files' | 'folders'>;

/** Ids of the groups to hide, and for other groups the indices of the passages to hide. */
export interface HiddenIds {
  readonly groups: ReadonlySet<string>;
  readonly passages: ReadonlyMap<string, readonly number[]>;
}

/**
 * Returns the rows of a report without hidden groups and passages.
 *
 * @param groups  groups of a report. A parent must come before the groups inside it
 */
export function withoutIgnored({ groups, files, folders }: Rows, hidden: HiddenIds): Rows {
  if (hidden.groups.size === 0 && hidden.passages.size === 0) return { groups, files, folders };
  // For each hidden row, the id of the group that replaces it as the parent of the groups inside it.
  const rowFor = new Map<string, string | undefined>();
  const left: Group[] = [];
  const worth = new Map<string, number>();
  for (const group of groups) {
    const row = group.parent !== undefined && rowFor.has(group.parent) ? rowFor.get(group.parent) : group.parent;
    if (hidden.groups.has(group.id)) {
      rowFor.set(group.id, row);
      continue;
    }
    const aside = hidden.passages.get(group.id);
    const shown = row === group.parent ? group : inRow(group, row);
    left.push(aside ? withoutPassages(shown, new Set(aside)) : shown);
    worth.set(group.id, group.worth);
  }
  return {
    groups: left,
    files: files.flatMap((pair) => pairWithout(pair, worth)),
    folders: folders.flatMap((folder) => folderWithout(folder, worth)),
  };
}

function inRow(group: Group, row: string | undefined): Group {
  if (row !== undefined) return { ...group, parent: row };
  const { parent, ...own } = group;
  return parent === undefined ? group : own;
}

/** Returns a group without some of its passages. Precondition: at least two remain. */
function withoutPassages(group: Group, aside: ReadonlySet<number>): Group {
  const places = group.passages.map((_, place) => place).filter((place) => !aside.has(place));
  const now = new Map(places.map((place, i) => [place, i]));
  const pairs = group.pairs.flatMap((pair): Pair[] => {
    const [a, b] = [now.get(pair.a), now.get(pair.b)];
    return a === undefined || b === undefined ? [] : [{ ...pair, a, b }];
  });
  return { ...group, passages: places.map((place) => group.passages[place]!), pairs };
}

/** Returns a file pair without hidden rows. If one row remains, returns none, so that it is shown on its own. */
function pairWithout(pair: FilePair, worth: ReadonlyMap<string, number>): FilePair[] {
  const groups = pair.groups.filter((id) => worth.has(id));
  if (groups.length === pair.groups.length) return [pair];
  return groups.length < 2 ? [] : [{ ...pair, groups, worth: sumOfWorth(groups, worth) }];
}

/** Returns a folder group without hidden rows. Its number of lines stays, as both folders still contain them. */
function folderWithout(folder: FolderGroup, worth: ReadonlyMap<string, number>): FolderGroup[] {
  const groups = folder.groups.filter((id) => worth.has(id));
  if (groups.length === folder.groups.length) return [folder];
  return groups.length === 0 ? [] : [{ ...folder, groups, worth: sumOfWorth(groups, worth) }];
}

function sumOfWorth(groups: readonly string[], worth: ReadonlyMap<string, number>): number {
  return groups.reduce((sum, id) => sum + worth.get(id)!, 0);
}
