/**
 * Inputs of a scan: the files of the roots, and texts of editors, which replace files or are compared in addition. A
 * scan lists all files; an update lists only the roots that its changes affect.
 */
import { filesByPath, type ScanInput, type Text } from '../../scan/indexer/scanInput.ts';
import { byPath } from '../../scan/io/byPath.ts';
import { decidesListing } from '../../scan/io/pathRules.ts';
import type { Listing, ScanListing } from '../../scan/io/sources.ts';
import type { Overlay, ScanRequest, UpdateRequest } from '../protocol/messages.ts';
import type { Disk } from './disk.ts';
import type { StampSource, VirtualFiles } from './virtualFiles.ts';

const encoder = new TextEncoder();

export class Inputs {
  readonly #onDisk: Disk | undefined;
  readonly #virtual: VirtualFiles;
  readonly #warn: (problem: string) => void;
  /** Warnings of the last listing of roots on disk, and all warnings that were logged and still apply. */
  #warnings: readonly string[] = [];
  #shownWarnings: ReadonlySet<string> = new Set();
  /** Texts of editors, by path as in the report. */
  readonly #overlays = new Map<string, Overlay>();
  /** Paths of open files whose text comes from an editor, but that the last listing of roots on disk has skipped. */
  #unlisted: ReadonlySet<string> = new Set();
  /**
   * A listing of the roots on disk that is known to be out of date. If an update is interrupted, this
   * listing stays in use, so the next update must know that it is out of date.
   */
  #outdated: ScanListing | undefined;
  /** For each listing, its two parts: files of roots on disk, and files of other roots. */
  readonly #parts = new WeakMap<ScanListing, { readonly disk: ScanListing; readonly elsewhere: ScanListing }>();

  /** @param warn  called once for each warning about ignored rules, until the warning no longer applies */
  constructor(disk: Disk | undefined, virtual: VirtualFiles, warn: (problem: string) => void) {
    this.#onDisk = disk;
    this.#virtual = virtual;
    this.#warn = warn;
  }

  setTexts(overlays: readonly Overlay[]): void {
    this.#overlays.clear();
    for (const overlay of overlays) this.#overlays.set(overlay.path, overlay);
  }

  /** Adds, replaces, and removes texts of editors. */
  changeTexts({ overlays, dropped }: Pick<UpdateRequest, 'overlays' | 'dropped'>): void {
    for (const overlay of overlays) this.#overlays.set(overlay.path, overlay);
    for (const path of dropped) this.#overlays.delete(path);
  }

  /** Returns the current bytes of a text, or `disk` for a file on disk; `undefined` for others that were not read. */
  textOf(path: string): Uint8Array | 'disk' | undefined {
    const overlay = this.#overlays.get(path);
    if (overlay) return encoder.encode(overlay.text);
    return this.#virtual.owns(path) ? this.#virtual.contentOf(path) : 'disk';
  }

  /**
   * Lists all current inputs. If `cancelled` returns true, the result is incomplete.
   *
   * @param changeHints  stamps that the stored index has for paths, and paths that were reported as changed
   * @param onRead       called while files that are not on disk are read
   */
  async list(
    { roots }: ScanRequest,
    changeHints: { readonly stored: StampSource; readonly touched: ReadonlySet<string> },
    onRead: (done: number, total: number) => void,
    cancelled: () => boolean,
  ): Promise<ScanInput> {
    const disk = await this.#listDisk(roots, cancelled);
    const elsewhere = roots.filter((root) => 'uri' in root);
    await this.#virtual.list(elsewhere, changeHints, onRead, cancelled);
    this.#logWarnings();
    return this.#withTexts(this.#joined(disk));
  }

  /**
   * Lists the inputs again for an update. Roots on disk are listed only if files may have been added or removed. In
   * other roots, reads the `touched` files. Adds more paths to `touched` if their text may have changed.
   */
  async listAgain(
    { roots }: ScanRequest,
    before: ScanInput,
    touched: Set<string>,
    cancelled: () => boolean,
  ): Promise<ScanInput> {
    for (const path of await this.#virtual.follow(this.#uncovered(touched), cancelled)) touched.add(path);
    if (!this.#isListed(before, roots, touched)) {
      const disk = await this.#listDisk(roots, cancelled);
      this.#logWarnings();
      return this.#withTexts(this.#joined(disk));
    }
    this.#logWarnings();
    const { disk, elsewhere } = this.#parts.get(before.listing)!;
    // If nothing has changed, return the previous object.
    return this.#withTexts(elsewhere === this.#virtual.listing ? before.listing : this.#joined(disk));
  }

  /**
   * Lists the files of the roots on disk. Also returns the paths at which the new listing differs from the previous
   * one: a file was added, removed, or skipped for another reason. If `cancelled` returns true, the result is invalid.
   */
  async listChanges(
    { roots }: ScanRequest,
    { listing: before }: ScanInput,
    cancelled: () => boolean,
  ): Promise<{ readonly listing: ScanListing; readonly paths: readonly string[] }> {
    const listing = await this.#listRoots(roots, cancelled);
    const knownListing = this.#parts.get(before)?.disk;
    const paths = knownListing === undefined || cancelled() ? [] : otherPaths(knownListing, listing);
    // The previous listing is out of date.
    if (paths.length > 0) this.#outdated = knownListing;
    return { listing, paths };
  }

  /** Returns the paths of files that are not replaced by the text of an editor. */
  #uncovered(paths: Iterable<string>): string[] {
    const virtualPaths = new Set(this.#virtual.listing.files.map(({ path }) => path));
    return [...paths].filter((path) => {
      const overlay = this.#overlays.get(path);
      return overlay === undefined || (overlay.overFile && !virtualPaths.has(path));
    });
  }

  /** Returns true if none of the touched paths can be an added or removed file of the roots on disk. */
  #isListed({ listing, texts }: ScanInput, roots: ScanRequest['roots'], touched: ReadonlySet<string>): boolean {
    if (this.#outdated !== undefined && this.#parts.get(listing)?.disk === this.#outdated) return false;
    const textPaths = new Set([...texts.map((text) => text.path), ...this.#overlays.keys()]);
    const files = filesByPath(listing);
    return [...touched].every((path) => {
      if (this.#virtual.owns(path)) return true;
      if (decidesListing(path)) return false;
      const file = files.get(path);
      // The listed file may have been replaced by a link to another place.
      if (file !== undefined && 'file' in file) return this.#onDisk?.isNoLink(file.file) === true;
      return textPaths.has(path) && (this.#unlisted.has(path) || !this.#isOverFile(path, roots));
    });
  }

  /** Returns true if the text of an editor replaces an existing file. */
  #isOverFile(path: string, roots: ScanRequest['roots']): boolean {
    if (this.#overlays.get(path)?.overFile !== true) return false;
    return roots.some(
      (root) =>
        'folder' in root &&
        path.startsWith(root.prefix) &&
        this.#onDisk?.exists(this.#onDisk.fileIn(root, path.slice(root.prefix.length))) === true,
    );
  }

  async #listDisk(roots: ScanRequest['roots'], cancelled: () => boolean): Promise<ScanListing> {
    // If the file exists but is not listed, a rule skips it. If it was created after the listing, its creation will be
    // reported.
    const there = [...this.#overlays.keys()].filter((path) => this.#isOverFile(path, roots));
    const disk = await this.#listRoots(roots, cancelled);
    this.#warnings = disk.warnings;
    const listed = new Set(disk.files.map(({ path }) => path));
    this.#unlisted = new Set(cancelled() ? [] : there.filter((path) => !listed.has(path)));
    return disk;
  }

  async #listRoots(roots: ScanRequest['roots'], cancelled: () => boolean): Promise<Listing> {
    const onDisk = roots.filter((root) => 'folder' in root);
    return (await this.#onDisk?.listRoots(onDisk, cancelled)) ?? emptyListing;
  }

  #logWarnings(): void {
    const warnings = new Set([...this.#warnings, ...this.#virtual.warnings()]);
    for (const warning of warnings) if (!this.#shownWarnings.has(warning)) this.#warn(warning);
    this.#shownWarnings = warnings;
  }

  /** Joins a listing of the files on disk with the files that are not on disk. */
  #joined(disk: ScanListing): ScanListing {
    const elsewhere = this.#virtual.listing;
    const isAlone = elsewhere.files.length === 0 && elsewhere.skipped.length === 0;
    const all = isAlone
      ? { ...disk }
      : {
          files: [...disk.files, ...elsewhere.files].sort(byPath),
          skipped: [...disk.skipped, ...elsewhere.skipped].sort(byPath),
          hidden: disk.hidden,
        };
    this.#parts.set(all, { disk, elsewhere });
    return all;
  }

  #withTexts(listing: ScanListing): ScanInput {
    const overlays = [...this.#overlays.values()].filter(
      ({ path, overFile }) => !overFile || filesByPath(listing).has(path),
    );
    return {
      listing,
      texts: overlays.map(({ path, text }): Text => ({ path, bytes: encoder.encode(text) })),
      fetch: (files, cancelled) => this.#virtual.fetch(files, cancelled),
    };
  }
}

const emptyListing: Listing = { root: '', files: [], skipped: [], hidden: [], warnings: [] };

/** Returns the paths that only one of two listings contains, or that the listings skip for different reasons. */
function otherPaths(before: ScanListing, after: ScanListing): string[] {
  const entriesOf = ({ files, skipped }: ScanListing): Map<string, string> =>
    new Map([
      ...files.map(({ path }) => [path, ''] as const),
      ...skipped.map(({ path, reason }) => [path, reason] as const),
    ]);
  const [old, now] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
}

/** Returns true if so many files were added that a scan on all threads is faster than an update. */
export function addsMany(before: ScanInput, after: ScanInput): boolean {
  const pathsBefore = new Set([...before.listing.files, ...before.texts].map(({ path }) => path));
  const added = [...after.listing.files, ...after.texts].filter(({ path }) => !pathsBefore.has(path));
  return added.length > Math.max(fewFiles, pathsBefore.size * fewShare);
}

/**
 * Maximum number of added files for an update. One thread reads this many files before other threads would have
 * started. `fewShare` is the maximum share of all files.
 */
const fewFiles = 100;
const fewShare = 0.05;

/** Returns true if a document was added or removed, or if a touched document is among the inputs before and after. */
export function differs(before: ScanInput, after: ScanInput, touched: ReadonlySet<string>): boolean {
  if (before.listing.files.length !== after.listing.files.length) return true;
  if (before.listing.skipped.length !== after.listing.skipped.length) return true;
  if ([...before.texts, ...after.texts].some(({ path }) => touched.has(path))) return true;
  return after.listing.files.some(({ path }, i) => path !== before.listing.files[i]?.path || touched.has(path));
}
