/** Access to folders on disk. Not available in a browser, where VS Code reads all folders. */
import type { Configuration, ConfigurationProblem } from '../../scan/io/configuration.ts';
import type { FileStamp, HidingRule, ListedFile, Listing } from '../../scan/io/sources.ts';
import type { ReadFailure } from '../../scan/io/textFile.ts';
import type { DiskRoot } from '../protocol/messages.ts';

export interface Disk {
  /** Lists the files of all roots, sorted by path. If roots are nested, a file belongs to the innermost one. */
  listRoots(roots: readonly DiskRoot[], cancelled: () => boolean): Promise<Listing>;
  /** Returns the rule that hides a file, given its path in the report. Returns `undefined` if there is no such rule. */
  whatHidesIn(roots: readonly DiskRoot[], name: string): Promise<HidingRule | undefined>;
  /** Returns the path on disk of a file, given its path relative to a root. */
  fileIn(root: DiskRoot, path: string): string;
  exists(file: string): boolean;
  /** Returns true if the path exists and is not a symbolic link. */
  isNoLink(file: string): boolean;
  stampOf(file: ListedFile): FileStamp | undefined;
  /** Returns the bytes of a file, or `undefined` if it cannot be read. */
  readBytes(file: string): Promise<Uint8Array | undefined>;
  /** Returns a function that reads the files of a folder by name. */
  readerOf(folder: string): (name: string, maxBytes: number) => { readonly text: string } | ReadFailure;
  readText(file: string, maxBytes: number): { readonly text: string } | ReadFailure;
  /** Returns the configuration file of a root, or `undefined` if there is none. */
  configurationIn(root: DiskRoot): FoundConfiguration | undefined;
  /** Returns the parsed content of a language configuration, or `undefined` if it cannot be read. */
  languageConfigurationIn(file: string): unknown;
}

export interface FoundConfiguration {
  /** Path of the file, as in the report. */
  readonly name: string;
  readonly configuration: Configuration | ConfigurationProblem;
}
