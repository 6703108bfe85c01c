/** Weights of token kinds, as the kernel expects them. */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';
import { tokenKinds } from '../languages/tokenKind.ts';
import type { Options } from '../options.ts';

/** Number of possible codes of token kinds. Not all codes are in use. */
export const weightCount = 1 << kindBits;

/**
 * Returns the weight of each kind code, as integers of at most 63: only their ratios matter, and votes have 16 bits.
 * Unused codes have weight 0. Separators between parts of a document or between comments use one of these codes.
 */
export function weightSteps({ weights }: Options): number[] {
  const most = Math.max(...Object.values(weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / most);
  const steps = tokenKinds.map((kind) => Math.round(weights[kind] * scale));
  return [...steps, ...new Array<number>(weightCount - steps.length).fill(0)];
}
