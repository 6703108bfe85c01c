/**
 * Caches small files that only the host can read: configurations, baselines, and files with rules. Each scan needs
 * them, some for several purposes, but they are requested again only if they may have changed.
 */
import { baselineFileName, configurationNames } from '../../scan/io/fileNames.ts';
import { decidesListing } from '../../scan/io/pathRules.ts';
import { type FileStamp, settled } from '../../scan/io/sources.ts';
import type { FileContent, FileSystem, Unreadable, VirtualRoot } from '../protocol/messages.ts';

interface SmallFile {
  readonly uri: string;
  readonly stamp: FileStamp;
  readonly bytes: Uint8Array;
}

const names = new Set<string>([...configurationNames, baselineFileName]);

/** Returns true for the path of a configuration, a baseline, or a file with rules. */
export function isSmallText(path: string): boolean {
  return decidesListing(path) || names.has(path.slice(path.lastIndexOf('/') + 1));
}

export class SmallTexts {
  readonly #files: FileSystem;
  /** Files by path as in the report. */
  readonly #filesByPath = new Map<string, SmallFile>();

  constructor(files: FileSystem) {
    this.#files = files;
  }

  /** Returns the text of a file. Returns `undefined` if the file does not exist, cannot be read, or is too large. */
  async read(root: VirtualRoot, path: string, maxSizeBytes: number): Promise<string | undefined> {
    const answer = await this.fetch(root, path, maxSizeBytes);
    return 'bytes' in answer && answer.bytes ? new TextDecoder().decode(answer.bytes) : undefined;
  }

  /** Returns the answer of the host for a file. If the file is unchanged, returns the stored bytes. */
  async fetch({ uri, prefix }: VirtualRoot, path: string, maxSizeBytes: number): Promise<FileContent | Unreadable> {
    const storedFile = this.#filesByPath.get(prefix + path);
    const isUsable = storedFile?.uri === uri && storedFile.bytes.length <= maxSizeBytes;
    if (isUsable && (await this.#isUnchanged(storedFile, path))) return storedFile;
    this.#filesByPath.delete(prefix + path);
    const answer = await this.#files.readFile({ uri, path, knownStamp: undefined, maxSizeBytes });
    if ('bytes' in answer && answer.bytes) {
      this.#filesByPath.set(prefix + path, { uri, stamp: settled(answer.stamp), bytes: answer.bytes });
    }
    return answer;
  }

  /** Forgets a file that was reported as changed. */
  forget(path: string): void {
    this.#filesByPath.delete(path);
  }

  /** Forgets the files of other roots. */
  keepIn(roots: readonly VirtualRoot[]): void {
    const uris = new Set(roots.map(({ uri }) => uri));
    for (const [path, { uri }] of this.#filesByPath) if (!uris.has(uri)) this.#filesByPath.delete(path);
  }

  async #isUnchanged({ uri, stamp: before }: SmallFile, path: string): Promise<boolean> {
    const now = await this.#stampOf(uri, path);
    if (now?.sizeBytes !== before.sizeBytes) return false;
    if (now.mtimeMs === before.mtimeMs) return true;
    // The file system has no times, or reports the current time.
    if (Number.isNaN(before.mtimeMs) && Number.isNaN(settled(now).mtimeMs)) return true;
    // The time of a file that was written stays the same. If it differs already, the file system makes times up.
    return (await this.#stampOf(uri, path))?.mtimeMs !== now.mtimeMs;
  }

  async #stampOf(uri: string, path: string): Promise<FileStamp | undefined> {
    const answer = await this.#files.readFile({ uri, path, knownStamp: undefined, maxSizeBytes: -1 });
    return 'reason' in answer ? undefined : answer.stamp;
  }
}
