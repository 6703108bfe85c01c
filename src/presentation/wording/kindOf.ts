/** Returns a name for the kind of a group, such as "Near copies of code". */
import * as l10n from '@vscode/l10n';
import type { Group } from '../../core/engine/report/report.ts';

export function kindOf({ kind, type, inside }: Pick<Group, 'kind' | 'type' | 'inside'>): string {
  if (kind === 'file') {
    if (inside !== undefined) return l10n.t('A file contained in another');
    return type === 'exact' ? l10n.t('Identical files') : l10n.t('Near-duplicate files');
  }
  const isCode = kind === 'code';
  switch (type) {
    case 'exact':
      return isCode ? l10n.t('Exact copies of code') : l10n.t('Exact copies of text');
    case 'renamed':
      return isCode ? l10n.t('Renamed copies of code') : l10n.t('Renamed copies of text');
    case 'near':
      return isCode ? l10n.t('Near copies of code') : l10n.t('Near copies of text');
  }
}
