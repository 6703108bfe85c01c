/** The weights of kinds of tokens as the kernel reads them. */
import { kindBits } from '../../kernel/lex/lexedLayout.ts';
import { tokenKinds } from '../languages/tokenKind.ts';
import type { Options } from '../options.ts';

/** Codes that the kind of a token may have; there are fewer kinds. */
export const weightCount = 1 << kindBits;

/**
 * Weights as whole steps of at most 63, by code of kind: only their ratios matter, and votes are 16 bits wide. Codes of no
 * kind weigh nothing: what stands between two parts of a document, or two comments, has one.
 */
export function weightSteps({ weights }: Options): number[] {
  const most = Math.max(...Object.values(weights), Number.MIN_VALUE);
  const scale = Math.min(16, 63 / most);
  const steps = tokenKinds.map((kind) => Math.round(weights[kind] * scale));
  return [...steps, ...new Array<number>(weightCount - steps.length).fill(0)];
}
