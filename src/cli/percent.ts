/** A percentage as the command line prints it. */
import { wholePercent } from '../wording/likeness.ts';

/** "94 %" of a share of one, in text and explanations. */
export function percent(share: number): string {
  return `${wholePercent(share)} %`;
}
