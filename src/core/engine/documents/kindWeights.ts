/** Weights of token kinds in the format of the kernel. */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';
import { tokenKinds } from '../languages/tokenKind.ts';
import type { Options } from '../options.ts';

/** Number of codes of token kinds; not all of them are in use. */
export const weightCount = 1 << kindBits;

/**
 * Returns weights by code of kind, as integers of at most 63: only their ratios matter, and votes have 16 bits. Unused
 * codes have weight 0; separators between parts of a document or between comments use one of them.
 */
export function weightSteps({ weights }: Options): number[] {
  const most = Math.max(...Object.values(weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / most);
  const steps = tokenKinds.map((kind) => Math.round(weights[kind] * scale));
  return [...steps, ...new Array<number>(weightCount - steps.length).fill(0)];
}
