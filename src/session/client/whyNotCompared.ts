/** Explains why nothing in a file or folder is compared. */
import type { SkippedFile } from '../../core/engine/report/report.ts';
import type { HidingRule } from '../../scan/io/sources.ts';
import type { EngineClient } from './engineClient.ts';

/**
 * Returns the reason why no file at a path is compared, as a clause in English. Returns `undefined` if one is, or if
 * there is no index yet.
 *
 * @param path     report path of an existing file or folder
 * @param skipped  skipped files and folders of the report
 */
export async function whyNotCompared(
  client: Pick<EngineClient, 'callIfScanned'>,
  path: string,
  skipped: readonly SkippedFile[],
): Promise<string | undefined> {
  const isIn = (one: { readonly path: string }): boolean => `${one.path}/`.startsWith(`${path}/`);
  const files = await client.callIfScanned('countFiles');
  if (files === undefined || files.some(isIn)) return undefined;
  const around = skipped.find(
    (one) => one.path === path || (one.path.endsWith('/') && `${path}/`.startsWith(one.path)),
  );
  if (around !== undefined) return around.reason;
  const hiding = await client.callIfScanned('findHiding', path);
  if (hiding !== undefined) return ruleText(hiding);
  const inside = skipped.filter(isIn);
  const [first] = inside;
  if (first === undefined) return 'it has no files that can be compared';
  return `its files are skipped, such as ${first.path} (${first.reason})`;
}

function ruleText({ by, source }: HidingRule): string {
  switch (by) {
    case 'include':
      return 'it is not among the files of include';
    case 'exclude':
      return 'exclude names it';
    case 'versionControl':
      return 'it has version control data';
    case 'rules':
      return `${source} excludes it`;
  }
}
