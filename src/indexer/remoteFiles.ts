/** Files of a listing that are read by somebody else: their bytes are there before a thread wants them. */
import type { RemoteFile } from '../io/sources.ts';

/** Reads files whose bytes have not been asked for; answers with them in any order, with fewer when it is cancelled. */
export type Fetch = (files: readonly RemoteFile[], cancelled: () => boolean) => Promise<readonly RemoteFile[]>;

/** The same files, all with their bytes unless it was cancelled. */
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
