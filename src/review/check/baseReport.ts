/**
 * Computes the report of the base. It covers only the changed files, in their old state, and the files that currently
 * share a group with one of them. The groups of other files cannot have changed.
 */
import type { Findings } from '../../core/engine/report/report.ts';
import { scanToFollow } from '../../scan/indexer/scan.ts';
import type { GitChanges, TreeInput } from './gitBase.ts';
import type { ScannedTree } from './scannedTree.ts';

/** Returns the findings of the base, with the token weights of the current report. Returns `undefined` if canceled. */
export async function reportOfBase(
  { findings, request, monitor, idfTable }: ScannedTree,
  base: TreeInput,
  changes: GitChanges,
): Promise<Findings | undefined> {
  const changed = new Set([...changes.files.map(({ path }) => path), ...changes.files.map(({ basePath }) => basePath)]);
  const partners = new Set<string>();
  for (const { passages } of findings.groups) {
    if (passages.some(({ path }) => changed.has(path))) for (const { path } of passages) partners.add(path);
  }
  // With `--staged`, the staged text of a file may replace the file even if it has not changed since the base.
  const texts = request.texts.filter(({ path }) => partners.has(path) && !changed.has(path));
  const { findings: found } = await scanToFollow(
    {
      ...request,
      listing: { files: base.listing.files.filter(({ path }) => partners.has(path)), skipped: [] },
      texts: [...base.texts, ...texts],
      idfTable: idfTable(),
      store: undefined,
    },
    { ...monitor, onProgress: () => undefined },
    'findings',
  );
  return monitor.cancelled() || !found.complete ? undefined : found;
}
