/** Files that the client must read for the scan. Ensures that their bytes are available before a thread needs them. */
import type { RemoteFile } from '../io/sources.ts';

/** Function that requests the bytes of files, in any order. After a cancellation, some may be missing. */
export type FileFetcher = (files: readonly RemoteFile[], cancelled: () => boolean) => Promise<readonly RemoteFile[]>;

/** Requests missing bytes, and returns the files in the same order. After a cancellation, some may be missing. */
export async function withContents<File extends { readonly path: string }>(
  files: readonly File[],
  fetch: FileFetcher | undefined,
  cancelled: () => boolean,
): Promise<readonly (File | RemoteFile)[]> {
  const missing = files.filter(isMissing);
  if (missing.length === 0 || fetch === undefined) return files;
  const fetched = new Map((await fetch(missing, cancelled)).map((file) => [file.path, file]));
  return files.map((file) => (isMissing(file) ? (fetched.get(file.path) ?? file) : file));
}

function isMissing<File extends { readonly path: string }>(file: File): file is File & RemoteFile {
  return 'content' in file && file.content === undefined;
}
