/** Messages about failures and about skipped files. */
import * as l10n from '@vscode/l10n';
import { formatFileSize } from '../../../scan/io/fileSize.ts';
import { fileCount } from '../report/counts.ts';
import { number } from '../report/elements.ts';
import type { Problem } from './messages.ts';

export function problemText(problem: Problem): string {
  switch (problem.type) {
    case 'badProject':
      return problem.sentence;
    case 'badZip':
      return l10n.t(
        '{0} cannot be read: it is not a .zip file, or it is damaged, encrypted, or compressed in another way ({1}).',
        problem.name,
        problem.reason,
      );
    case 'nothing':
      return problem.skipped === 0
        ? l10n.t('There are no files to compare.')
        : l10n.t('There are no files to compare: {0} excluded.', fileCount(problem.skipped));
    case 'tooLarge':
      return l10n.t(
        '{0} is too large: it has {1}, and the limit is {2}. Choose a folder in it, or use the command line.',
        problem.name || l10n.t('The selection'),
        formatFileSize(problem.sizeBytes),
        formatFileSize(problem.limitBytes),
      );
    case 'unreadable':
      return l10n.t(
        'This browser cannot read {0} when it is dropped. Choose it with the button instead.',
        problem.name,
      );
    case 'tooManyFiles':
      return l10n.t(
        'There are too many files: the limit is {0}. Choose a folder in it, or use the command line.',
        number(problem.limit),
      );
  }
}

/** Translates the reason why a file was skipped. */
export function reasonText(reason: string): string {
  switch (reason) {
    case 'a symbolic link':
      return l10n.t('symbolic links');
    case 'binary':
      return l10n.t('binary');
    case 'dependencies':
      return l10n.t('dependencies');
    case 'drawing':
      return l10n.t('drawings');
    case 'generated':
      return l10n.t('generated');
    case 'lock file':
      return l10n.t('lock files');
    case 'minified':
      return l10n.t('minified');
    case 'source map':
      return l10n.t('source maps');
    case 'too large':
      return l10n.t('too large');
    case 'translation':
      return l10n.t('translations');
    case 'vendored':
      return l10n.t('vendored');
    default:
      return reason.startsWith('unreadable') ? l10n.t('unreadable') : reason;
  }
}
