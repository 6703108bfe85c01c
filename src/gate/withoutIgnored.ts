/**
 * What is left of a report without what is ignored: groups, and the rows of files and folders that have some of them. What is
 * left stays the same object unless something of it has gone.
 */
import type { FilePair, Findings, FolderGroup, Group, Pair } from '../engine/report/report.ts';

/** The part of a report that is made of groups. */
export type Rows = Pick<Findings, 'groups' | 'files' | 'folders'>;

/** What is not shown: groups by their ids, and of others the places of passages. */
export interface Hidden {
  readonly groups: ReadonlySet<string>;
  readonly passages: ReadonlyMap<string, readonly number[]>;
}

/** What is left. @param groups  each behind its parent */
export function withoutIgnored({ groups, files, folders }: Rows, hidden: Hidden): Rows {
  if (hidden.groups.size === 0 && hidden.passages.size === 0) return { groups, files, folders };
  // The row that what was in a hidden one is shown in now.
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

/** A group without some of its passages. At least two are left. */
function withoutPassages(group: Group, aside: ReadonlySet<number>): Group {
  const places = group.passages.map((_, place) => place).filter((place) => !aside.has(place));
  const now = new Map(places.map((place, i) => [place, i]));
  const pairs = group.pairs.flatMap((pair): Pair[] => {
    const [a, b] = [now.get(pair.a), now.get(pair.b)];
    return a === undefined || b === undefined ? [] : [{ ...pair, a, b }];
  });
  return { ...group, passages: places.map((place) => group.passages[place]!), pairs };
}

/** A pair with one row left is none: the row is shown alone. */
function pairWithout(pair: FilePair, worth: ReadonlyMap<string, number>): FilePair[] {
  const groups = pair.groups.filter((id) => worth.has(id));
  if (groups.length === pair.groups.length) return [pair];
  return groups.length < 2 ? [] : [{ ...pair, groups, worth: worthOf(groups, worth) }];
}

/** Its lines stay as they are: they are in both folders, whatever is shown of them. */
function folderWithout(folder: FolderGroup, worth: ReadonlyMap<string, number>): FolderGroup[] {
  const groups = folder.groups.filter((id) => worth.has(id));
  if (groups.length === folder.groups.length) return [folder];
  return groups.length === 0 ? [] : [{ ...folder, groups, worth: worthOf(groups, worth) }];
}

function worthOf(groups: readonly string[], worth: ReadonlyMap<string, number>): number {
  return groups.reduce((sum, id) => sum + worth.get(id)!, 0);
}
