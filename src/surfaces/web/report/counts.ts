/** Formats a count with its noun, in the language of the page: "3 files". */
import * as l10n from '@vscode/l10n';
import { number } from './elements.ts';

export function lineCount(count: number): string {
  return count === 1 ? l10n.t('1 line') : l10n.t('{0} lines', number(count));
}

export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', number(count));
}

export function rowCount(count: number): string {
  return count === 1 ? l10n.t('1 row') : l10n.t('{0} rows', number(count));
}

export function duplicateCount(count: number): string {
  return count === 1 ? l10n.t('1 duplicate') : l10n.t('{0} duplicates', number(count));
}

export function passageCount(count: number): string {
  return count === 1 ? l10n.t('1 passage') : l10n.t('{0} passages', number(count));
}

export function tokenCount(count: number): string {
  return count === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', number(count));
}

/** Formats a list: "a, b, and 3 more", "a and b". */
export function listOf(names: readonly string[], more = 0): string {
  if (more > 0) return l10n.t('{0} and {1} more', names.join(', '), number(more));
  const [others, last] = [names.slice(0, -1).join(', '), names.at(-1) ?? ''];
  return others === '' ? last : l10n.t('{0} and {1}', others, last);
}
