/** Weights of token kinds, as the kernel expects them. */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';
import { tokenKinds } from '../languages/tokenKind.ts';
import type { Options } from '../options.ts';

/** Number of codes that a token kind could have. Some are unused. */
export const weightCount = 1 << kindBits;

/**
 * Returns the weight of each kind code as an integer of at most 63. Only the ratios of weights matter, and each vote
 * has 16 bits. The weight of unused codes is 0; separator tokens have one of these codes.
 */
export function weightSteps({ weights }: Options): number[] {
  const maxWeight = Math.max(...Object.values(weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / maxWeight);
  const steps = tokenKinds.map((kind) => Math.round(weights[kind] * scale));
  return [...steps, ...new Array<number>(weightCount - steps.length).fill(0)];
}
