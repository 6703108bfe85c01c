/** Files that are not compared, by reason. */
import * as l10n from '@vscode/l10n';
import { groupBy } from '../../../core/collections/lists.ts';
import type { SkippedFile } from '../../../core/engine/report/report.ts';
import { highestFileSizeBytes } from '../../../scan/io/sources.ts';
import { formatFileSize } from '../../../scan/io/fileSize.ts';
import { listOf } from '../report/counts.ts';
import { element, number } from '../report/elements.ts';
import { localSize } from './numbers.ts';

/** Maximum number of files to name per reason. */
const maxNamed = 20;

/** Returns the number of files per reason, most frequent reason first: "3 × binary, 1 × minified". */
export function skippedCounts(skipped: readonly SkippedFile[]): string {
  return byReasonText(skipped)
    .map(([reason, files]) => countOf(reason, files))
    .join(', ');
}

/** Creates a list of the reasons, with the names of the files and the setting that includes them. */
export function skippedList(skipped: readonly SkippedFile[]): HTMLElement {
  const items = byReasonText(skipped).map(([reason, files]) => {
    const names = files.slice(0, maxNamed).map(nameOf);
    const setting = files[0]!.setting;
    return element(
      'li',
      {},
      element('strong', {}, countOf(reason, files)),
      setting !== undefined && ` · ${l10n.t('setting {0} in {1}', setting, '.kindredrc.jsonc')}`,
      element('p', { class: 'quiet' }, listOf(names, files.length - names.length)),
    );
  });
  return element('ul', { class: 'skipped' }, ...items);
}

function byReasonText(skipped: readonly SkippedFile[]): [reason: string, files: readonly SkippedFile[]][] {
  return [...groupBy(skipped, ({ reason }) => reasonText(reason))].sort(([, a], [, b]) => b.length - a.length);
}

function countOf(reason: string, files: readonly SkippedFile[]): string {
  // The number stays on the line of its reason.
  return `${number(files.length)}\u00a0×\u00a0${reason}`;
}

/** Returns the path of a file, with its size if it is too large: "data.json (1.2 MB)". */
function nameOf({ path, reason }: SkippedFile): string {
  const [, size] = /^too large.* \(([\d.]+ [KMG]?B)/.exec(reason) ?? [];
  return size === undefined ? path : `${path} (${localSize(size)})`;
}

/** Translates the reason why a file was skipped. Leaves out details of the single file. */
function reasonText(reason: string): string {
  const [, limit] = /^too large \(.*, limit (.*)\)$/.exec(reason) ?? [];
  if (limit !== undefined) return l10n.t('too large (limit {0})', localSize(limit));
  const title = reason.replace(/ \(.*/, '');
  return reasonTexts()[title] ?? title;
}

function reasonTexts(): Readonly<Record<string, string>> {
  return {
    'a symbolic link': l10n.t('symbolic links'),
    baseline: l10n.t('baseline'),
    binary: l10n.t('binary'),
    dependencies: l10n.t('dependencies'),
    drawing: l10n.t('drawings'),
    excluded: l10n.t('excluded by {0}', '.kindredrc.jsonc'),
    generated: l10n.t('generated'),
    'lock file': l10n.t('lock files'),
    minified: l10n.t('minified'),
    prose: l10n.t('prose is not compared'),
    'source map': l10n.t('source maps'),
    'too large for any limit': l10n.t('too large (limit {0})', formatFileSize(highestFileSizeBytes)),
    translation: l10n.t('translations'),
    unreadable: l10n.t('unreadable'),
    vendored: l10n.t('vendored'),
  };
}
