/** What the system says when it refuses something, in words. */

/** Why the system has refused, to stand in brackets or behind a colon: "permission denied". */
export function causeOf(error: unknown): string {
  const { code, message } = error as Partial<NodeJS.ErrnoException>;
  return causes[code ?? ''] ?? code ?? message ?? String(error);
}

/** Whether an error is one of the system's, about a file or a stream, and none of this program's. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

const causes: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'the file would be too large',
  EIO: 'the disk reports an error',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a file stands where a folder should',
  EISDIR: 'a folder is in its place',
  ENXIO: 'not a file',
  ELOOP: 'a symbolic link that leads back to itself',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is in use',
};
