/** Messages about files that cannot be scanned. */
import * as l10n from '@vscode/l10n';
import { formatExceeded } from '../../../scan/io/fileSize.ts';
import { fileCount } from '../report/counts.ts';
import { number } from '../report/elements.ts';
import type { Problem } from './messages.ts';
import { localSize } from './numbers.ts';

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
      return problem.skipped.length === 0
        ? l10n.t('There are no files to compare.')
        : l10n.t('There are no files to compare: {0} excluded.', fileCount(problem.skipped.length));
    case 'tooLarge':
      return l10n.t(
        '{0} is too large: it has {1}, and the limit is {2}. Choose a folder in it, or use the command line.',
        problem.name || l10n.t('The selection'),
        ...formatExceeded(problem.sizeBytes, problem.limitBytes).map(localSize),
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
