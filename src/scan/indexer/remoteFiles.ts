/**
 * Files that the client reads on behalf of the scan. Makes sure that their bytes are available before a thread needs
 * them.
 */
import type { RemoteFile } from '../io/sources.ts';

/** Requests the bytes of files. Returns them in any order, and incompletely if canceled. */
export type Fetch = (files: readonly RemoteFile[], cancelled: () => boolean) => Promise<readonly RemoteFile[]>;

/**
 * Returns the files in the same order, after requesting missing bytes. After a cancellation, some may still be missing.
 */
export async function withContents<File extends { readonly path: string }>(
  files: readonly File[],
  fetch: Fetch | undefined,
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
