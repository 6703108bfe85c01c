/**
 * Entries about diverged copies (edited while other copies of their group were not), for CI formats. There is one entry
 * per edited copy, at the copy's current place.
 */
import type { DivergedGroup, EditedCopy, Place } from '../../../review/gate/divergedCopies.ts';
import { count } from '../quantities.ts';
import type { ScanReport } from '../scanReport.ts';
import { kindOf } from '../../../presentation/wording/kindOf.ts';
import { nameOf } from './groupTitle.ts';
import type { Surroundings } from './listed.ts';

export interface ListedEdit {
  readonly group: DivergedGroup['group'];
  readonly copy: EditedCopy;
  /** Copies of the same group that were not edited. */
  readonly others: readonly Place[];
}

/** Title of these entries in all formats. */
export const editedTitle = 'Edited in some copies only';

export function editedCopies({ check }: ScanReport): ListedEdit[] {
  return (check?.diverged ?? []).flatMap(({ group, edited, others }) =>
    edited.map((copy) => ({ group, copy, others })),
  );
}

/** Returns a message such as "One of 3 exact copies of code was edited; not edited: src/b.ts:3-17 and 1 more". */
export function editedMessage({ group, others }: ListedEdit, { prefix }: Surroundings): string {
  const names = others.slice(0, 3).map((place) => prefix + placeName(place));
  const more = others.length > names.length ? ` and ${others.length - names.length} more` : '';
  const copies = `${count(group.passages.length, 'place')} of ${lowerCase(kindOf(group))}`;
  return `One of ${copies} was edited; not edited: ${names.join(', ')}${more}`;
}

export function placeName(place: Place): string {
  return nameOf({ kind: 'code' }, place);
}

function lowerCase(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
