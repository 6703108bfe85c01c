/** A copy in the arguments of a command that stand in a link: as little as tells it, since all of it becomes text. */
import type { FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../client/report.ts';
import type { Row } from '../tree/rows.ts';

export interface CopyReference {
  readonly group: string;
  readonly copy: number;
}

export function referenceTo({ group, place }: Pick<Copy, 'group' | 'place'>): CopyReference {
  return { group: group.id, copy: place };
}

/** The copy as a row; undefined for anything else, and when it is no longer in the findings. */
export function referredRow(value: unknown, findings: FindingsModel): Row | undefined {
  if (typeof value !== 'object' || value === null || !('group' in value) || !('copy' in value)) return undefined;
  const { group: id, copy: place } = value;
  const group = typeof id === 'string' ? findings.groupOf(id) : undefined;
  const passage = typeof place === 'number' ? group?.passages[place] : undefined;
  return group && passage && { type: 'copy', group, place: place as number, passage };
}
