/** Writes a comparison to its destinations, in each format. */
import { type Begun, summarize, viewOf, writeReports } from '../deliver.ts';
import type { Streams } from '../output.ts';
import type { Extent } from '../scanArguments.ts';
import type { Comparison } from './comparison.ts';
import { comparisonAsJson, type Making } from './comparisonAsJson.ts';
import { comparisonAsMarkdown } from './comparisonAsMarkdown.ts';
import { renderComparison, renderTotals } from './renderComparison.ts';

/**
 * Writes the reports. If none goes to standard output, writes the totals there. Returns the reason if writing fails.
 */
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
