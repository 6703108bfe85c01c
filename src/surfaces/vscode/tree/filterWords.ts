/** Describes filters in words, for the view's message and the quick pick. */
import * as vscode from 'vscode';
import type { Category } from '../../../core/engine/rows/category.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import { duplicateCount, oneLine, quantity } from '../wording.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import type { Filter } from './filter.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import '../translations.ts';

/** Describes conditions: "tests, exact copies, in src/billing". */
export function filtersText(filters: readonly Filter[]): string {
  return filters.map(filterText).join(', ');
}

/**
 * Describes the effect of a filter: "Filter: Tests (12 of 300 duplicates)".
 *
 * @param counts  number of duplicates with the filter and without it
 */
export function filterOutcome(
  filters: readonly Filter[],
  { shown, all }: { readonly shown: number; readonly all: number },
  snapshot: Snapshot | undefined,
): string {
  // Without a filter, the views count only source and text. Tests, data, and so on may have more duplicates.
  const isMore = snapshot !== undefined && headlineOf(snapshot.findings.totals).rows !== all;
  if (filters.length === 0) {
    const count = duplicateCount(all);
    return isMore
      ? vscode.l10n.t('Filter cleared: {0} in all sections', count)
      : vscode.l10n.t('Filter cleared: {0}', count);
  }
  const count = isMore
    ? vscode.l10n.t('{0} of {1} in all sections', quantity(shown), duplicateCount(all))
    : vscode.l10n.t('{0} of {1}', quantity(shown), duplicateCount(all));
  return vscode.l10n.t('Filter: {0} ({1})', filtersText(filters), count);
}

function filterText(filter: Filter): string {
  switch (filter.type) {
    case 'open':
      return vscode.l10n.t('open files');
    case 'active':
      return vscode.l10n.t('active file');
    case 'changed':
      return vscode.l10n.t('files changed in Git');
    case 'new':
      return vscode.l10n.t('new or changed');
    case 'unknown':
      return vscode.l10n.t('not in the baseline');
    case 'since':
      return vscode.l10n.t('new since {0}', oneLine(filter.ref));
    case 'folder':
      if (filter.isInside) return vscode.l10n.t('inside {0}', oneLine(filter.path));
      if (filter.other === undefined) return vscode.l10n.t('in {0}', oneLine(filter.path));
      return vscode.l10n.t('in {0} and {1}', oneLine(filter.path), oneLine(filter.other));
    case 'category':
      return filter.of.map(categoryTitle).join(' + ');
    case 'likeness':
      return filter.of.map(likenessTitle).join(' + ');
    case 'contains':
      return vscode.l10n.t('contains "{0}"', oneLine(filter.text));
  }
}

export function categoryTitle(category: Category): string {
  return sectionTitle(category);
}

export function likenessTitle(type: Group['type']): string {
  switch (type) {
    case 'exact':
      return vscode.l10n.t('Exact Copies');
    case 'renamed':
      return vscode.l10n.t('Renamed Copies');
    case 'near':
      return vscode.l10n.t('Edited Copies');
  }
}
