/**
 * Titles of the sections in an HTML report. The extension has its own titles in wording.ts, because they must be
 * translated with the l10n API of VS Code.
 */
import * as l10n from '@vscode/l10n';
import type { SectionName } from '../../../presentation/wording/outline.ts';

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
