/** Shortens the proposal for merging a duplicate's copies to the size limits of an answer. */
import type { Group } from '../../core/engine/report/report.ts';
import { canAlign } from '../../presentation/copies/renaming.ts';
import { clip, type CopySources, cutMiddle } from './copyTexts.ts';
import { mergeProposal, type MergeProposal } from './mergeProposal.ts';
import { linesIn } from './places.ts';

export interface ShownMerge extends Omit<MergeProposal, 'template' | 'parameters'> {
  /** Shared text of the copies, with names of parameters; empty if the copies do not differ. */
  readonly template: string;
  /** The first parameters. Each lists the texts that replace it in the first copies. */
  readonly parameters: MergeProposal['parameters'];
  readonly moreParameters: number;
}

/** Maximum number of characters of the shared text, and of the parameters. Each is a fifth of an answer. */
const maxTemplate = 8_000;
const maxFillings = 8_000;
const maxListed = 20;
/** Maximum number of parameter values to list. With more, the space for each would be shorter than a name. */
const maxListedFillings = 400;
const maxFilling = 120;
/** Number of characters around each value: quotes, a comma, and an ellipsis if the value is shortened. */
const charactersAround = 6;
/** Maximum number of copies to compare. Any further copies are merged in the same way. */
const maxCopies = 50;

/**
 * Returns a proposal. Returns `undefined` if the copies are not code, if their language has no functions, or if they
 * are too long.
 *
 * @param limit  maximum number of copies whose texts are listed for each parameter
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
