/** Proposal to merge the copies of a duplicate, within the limits of an answer. */
import type { Group } from '../../core/engine/report/report.ts';
import { canAlign } from '../../presentation/copies/renaming.ts';
import { clip, type CopySources, cutMiddle } from './copyTexts.ts';
import { mergeProposal, type MergeProposal } from './mergeProposal.ts';
import { linesIn } from './places.ts';

export interface ShownMerge extends Omit<MergeProposal, 'template' | 'parameters'> {
  /** Empty if the copies do not differ. */
  readonly template: string;
  /** The first ones; fillings are those of the first copies. */
  readonly parameters: MergeProposal['parameters'];
  /** Number of parameters that are not listed. */
  readonly moreParameters: number;
}

/** Limits of a proposal: a fifth of an answer is its common text, and a fifth its parameters. */
const maxTemplate = 8_000;
const maxFillings = 8_000;
const maxListed = 20;
/** With more, a filling would be shorter than a name. */
const maxListedFillings = 400;
const maxFilling = 120;
/** Quotes, a comma, and the sign for what is left out. */
const charactersAround = 6;
/** More copies are merged in the same way. */
const maxCopies = 50;

/**
 * Returns a proposal; `undefined` if the copies are no code, their language has no functions, or they are too long.
 *
 * @param limit  maximum number of copies with fillings
 */
export async function mergeOf(
  group: Pick<Group, 'kind' | 'passages'>,
  { textOf, languageOf, leftOut }: Pick<CopySources, 'textOf' | 'languageOf' | 'leftOut'>,
  limit: number,
): Promise<ShownMerge | undefined> {
  if (group.kind !== 'code') return undefined;
  const copies = await Promise.all(
    group.passages.slice(0, maxCopies).map(async (passage) => {
      const lines = ((await textOf(passage.path)) ?? '').split(/\r\n|\n|\r/);
      return { ...passage, lines, endLine: Math.min(passage.endLine, lines.length) };
    }),
  );
  if (!canAlign(...copies.map(({ lines, ...passage }) => linesIn(lines.join('\n'), passage).join('\n'))))
    return undefined;
  const [first] = copies;
  const proposal = mergeProposal(copies, first && languageOf?.(first.path));
  if (proposal === undefined) return undefined;
  const { template, parameters, ...others } = proposal;
  const filled = Math.min(limit, copies.length);
  const listed = parameters.slice(0, Math.min(maxListed, Math.floor(maxListedFillings / filled)));
  const room = Math.min(maxFilling, maxFillings / Math.max(1, listed.length * filled) - charactersAround);
  return {
    ...others,
    template: parameters.length === 0 ? '' : cutMiddle(template, { room: maxTemplate, leftOut }).text,
    parameters: listed.map(({ name, kind, fillings }) => ({
      name,
      kind,
      fillings: fillings.slice(0, limit).map((filling) => clip(filling, room)),
    })),
    moreParameters: parameters.length - listed.length,
  };
}
