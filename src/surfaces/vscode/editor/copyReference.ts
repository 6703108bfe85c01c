/** References to copies in the arguments of command links. They are short, because links contain them. */
import type { FindingsModel } from '../findings/findings.ts';
import type { Copy } from '../../../session/client/report.ts';
import type { Row } from '../tree/rows.ts';

export interface CopyReference {
  readonly group: string;
  readonly copy: number;
}

export function referenceTo({ group, place }: Pick<Copy, 'group' | 'place'>): CopyReference {
  return { group: group.id, copy: place };
}

/**
 * Returns the row of the copy that a reference refers to. Returns `undefined` if the value is not a reference, or if
 * the findings no longer contain the copy.
 */
export function referredRow(value: unknown, findings: FindingsModel): Row | undefined {
  if (typeof value !== 'object' || value === null || !('group' in value) || !('copy' in value)) return undefined;
  const { group: id, copy: place } = value;
  const group = typeof id === 'string' ? findings.groupOf(id) : undefined;
  const passage = typeof place === 'number' ? group?.passages[place] : undefined;
  return group && passage && { type: 'copy', group, place: place as number, passage };
}
