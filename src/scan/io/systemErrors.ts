/** Describes errors of the operating system. */
import * as l10n from '@vscode/l10n';

/** Returns the cause of a system error, such as "permission denied". It can be used in parentheses or after a colon. */
export function causeOf(error: unknown): string {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  return causes()[code ?? ''] ?? code ?? message ?? String(error);
}

/** Returns true if an error was reported by the operating system, for a file or a stream. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

function causes(): Readonly<Record<string, string>> {
  return {
    EACCES: l10n.t('permission denied'),
    EPERM: l10n.t('permission denied'),
    EROFS: l10n.t('the disk is read-only'),
    ENOSPC: l10n.t('the disk is full'),
    EDQUOT: l10n.t('the disk is full'),
    EFBIG: l10n.t('the file would be too large'),
    EIO: l10n.t('the disk reports an error'),
    ENOENT: l10n.t('it does not exist'),
    ENOTDIR: l10n.t('a parent folder is a file'),
    EISDIR: l10n.t('a folder is in its place'),
    ENXIO: l10n.t('not a file'),
    ELOOP: l10n.t('a circular symbolic link'),
    ENAMETOOLONG: l10n.t('the name is too long'),
    EMFILE: l10n.t('too many open files'),
    ENFILE: l10n.t('too many open files'),
    EBUSY: l10n.t('it is in use'),
    ETXTBSY: l10n.t('it is in use'),
  };
}
