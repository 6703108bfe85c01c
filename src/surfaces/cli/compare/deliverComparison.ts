/** Writes the result of a comparison to all destinations, in their formats. */
import { type Begun, summarize, viewOf, writeReports } from '../deliver.ts';
import type { Streams } from '../output.ts';
import type { Extent } from '../scanArguments.ts';
import type { Comparison } from './comparison.ts';
import { comparisonAsJson, type Making } from './comparisonAsJson.ts';
import { comparisonAsMarkdown } from './comparisonAsMarkdown.ts';
import { renderComparison, renderTotals } from './renderComparison.ts';

/** Writes the reports, and the totals to standard output if it gets none. Returns an error message on failure. */
export async function deliverComparison(
  comparison: Comparison,
  making: Making,
  begun: readonly Begun[],
  extent: Extent,
  streams: Pick<Streams, 'stdout' | 'env'>,
): Promise<string | undefined> {
  const view = viewOf(streams, extent);
  const problem = await writeReports(begun, view, streams.stdout, (format, of) =>
    Promise.resolve(
      format === 'json'
        ? comparisonAsJson(comparison, making)
        : format === 'markdown'
          ? comparisonAsMarkdown(comparison)
          : renderComparison(comparison, of),
    ),
  );
  if (problem !== undefined) return problem;
  await summarize(begun, streams.stdout, () => Promise.resolve(renderTotals(comparison, view)));
  return undefined;
}
