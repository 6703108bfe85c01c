/** Titles of the sections of a report, in views and pages. */
import * as l10n from '@vscode/l10n';
import type { SectionName } from './outline.ts';

export function sectionTitle(name: SectionName | 'new'): string {
  switch (name) {
    case 'new':
      return l10n.t('New');
    case 'folders':
      return l10n.t('Folders');
    case 'source':
      return l10n.t('Source');
    case 'text':
      return l10n.t('Text');
    case 'tests':
      return l10n.t('Tests');
    case 'examples':
      return l10n.t('Examples');
    case 'data':
      return l10n.t('Data');
    case 'boilerplate':
      return l10n.t('Boilerplate');
  }
}
