/** Writes the result of a comparison to all destinations, in their formats. */
import { type BegunOutput, summarize, viewOf, writeReports } from '../deliver.ts';
import type { Streams } from '../output.ts';
import type { Extent } from '../scanArguments.ts';
import { type Comparison, shareOf, type Tree } from './comparison.ts';
import { comparisonAsMarkdown } from './comparisonAsMarkdown.ts';
import { renderComparison, renderTotals } from './renderComparison.ts';
import { printableJson } from '../../../presentation/wording/printable.ts';

/** Writes the reports, and the totals to standard output if it gets none. Returns an error message on failure. */
export async function deliverComparison(
  comparison: Comparison,
  metadata: ReportMetadata,
  begun: readonly BegunOutput[],
  extent: Extent,
  streams: Pick<Streams, 'stdout' | 'env'>,
): Promise<string | undefined> {
  const view = viewOf(streams, extent);
  const problem = await writeReports(begun, view, streams.stdout, (format, of) =>
    Promise.resolve(
      format === 'json'
        ? comparisonAsJson(comparison, metadata)
        : format === 'markdown'
          ? comparisonAsMarkdown(comparison)
          : renderComparison(comparison, of),
    ),
  );
  if (problem !== undefined) return problem;
  await summarize(begun, streams.stdout, () => Promise.resolve(renderTotals(comparison, view)));
  return undefined;
}

/** Metadata of the report. */
interface ReportMetadata {
  readonly tool: { readonly name: 'kindred'; readonly version: string };
  /** All options in effect, with the keys of a configuration file. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Renders a comparison as JSON (docs/compare.schema.json), with one file or passage per line, for diffs. */
function* comparisonAsJson(comparison: Comparison, { tool, options }: ReportMetadata): Generator<string> {
  const { complete, a, b, equal } = comparison;
  yield '{\n';
  yield `  "tool": ${printableJson(tool)},\n`;
  yield `  "schema": 1,\n`;
  yield `  "complete": ${printableJson(complete)},\n`;
  yield `  "options": ${printableJson(options)},\n`;
  for (const [name, tree] of Object.entries({ a, b })) yield `  "${name}": ${printableJson(treeEntry(tree))},\n`;
  yield `  "equal": ${printableJson(equal)}`;
  for (const key of lists) {
    const items = comparison[key].map((item) => `\n    ${printableJson(item)}`);
    yield `,\n  "${key}": [${items.join(',')}${items.length > 0 ? '\n  ' : ''}]`;
  }
  yield '\n}\n';
}

const lists = ['moved', 'changed', 'movedAndChanged', 'passages', 'onlyInA', 'onlyInB', 'skipped'] as const;

function treeEntry(tree: Tree): object {
  const { root, files, lines, linesInOther } = tree;
  const share = Math.floor(10_000 * shareOf(tree)) / 100;
  return { root: root.replaceAll('\\', '/'), files, lines, linesInOther, percentInOther: share };
}
