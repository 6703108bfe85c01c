/**
 * What is compared: the files of the roots, on disk and elsewhere, and the texts that count instead of some of them or
 * besides. It is listed for a scan, and again for an update as far as that may have changed it.
 */
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ScanInput, Text } from '../indexer/scanInput.ts';
import { byPath } from '../io/byPath.ts';
import { decidesListing } from '../io/pathRules.ts';
import type { ScanListing } from '../io/sources.ts';
import type { Overlay, ScanRequest, UpdateRequest } from '../protocol/messages.ts';
import { listRoots } from './listRoots.ts';
import type { StampOf, VirtualFiles } from './virtualFiles.ts';

const encoder = new TextEncoder();

export class Inputs {
  readonly #virtual: VirtualFiles;
  readonly #warn: (problem: string) => void;
  /** What the last listings have warned of: of the roots on disk, and all that was told. */
  #warnings: readonly string[] = [];
  #told: ReadonlySet<string> = new Set();
  /** Texts that count instead of what a file has, by path. */
  readonly #overlays = new Map<string, Overlay>();
  /** Files under these texts that the last listing of the roots on disk leaves out. */
  #leftOut: ReadonlySet<string> = new Set();
  /**
   * The listing of the roots on disk that was seen to have other files than there are. An update that is cut short leaves the
   * listing before it in force, and with it that this one is outdated.
   */
  #outdated: ScanListing | undefined;
  /** The parts of listings: of the roots on disk, and of those elsewhere. */
  readonly #parts = new WeakMap<ScanListing, { readonly disk: ScanListing; readonly elsewhere: ScanListing }>();

  /** @param warn  takes a sentence about rules that are not obeyed, once as long as it holds */
  constructor(virtual: VirtualFiles, warn: (problem: string) => void) {
    this.#virtual = virtual;
    this.#warn = warn;
  }

  /** Takes all texts that count from now on; those of before are forgotten. */
  setTexts(overlays: readonly Overlay[]): void {
    this.#overlays.clear();
    for (const overlay of overlays) this.#overlays.set(overlay.path, overlay);
  }

  /** Takes what has changed of the texts. */
  changeTexts({ overlays, dropped }: Pick<UpdateRequest, 'overlays' | 'dropped'>): void {
    for (const overlay of overlays) this.#overlays.set(overlay.path, overlay);
    for (const path of dropped) this.#overlays.delete(path);
  }

  /** The bytes of a text as it counts now; `disk` when the file there does, undefined when it is somewhere else and was not read. */
  textOf(path: string): Uint8Array | 'disk' | undefined {
    const overlay = this.#overlays.get(path);
    if (overlay) return encoder.encode(overlay.text);
    return this.#virtual.owns(path) ? this.#virtual.contentOf(path) : 'disk';
  }

  /**
   * Everything that is there now; when `cancelled` says so, less.
   *
   * @param stored  what the stored index has of files: with the same stamp they need not be read
   * @param onRead  told while files of roots elsewhere are read
   */
  async list(
    { roots }: ScanRequest,
    stored: StampOf,
    onRead: (done: number, total: number) => void,
    cancelled: () => boolean,
  ): Promise<ScanInput> {
    const disk = await this.#listDisk(roots, cancelled);
    const elsewhere = roots.filter((root) => 'uri' in root);
    await this.#virtual.list(elsewhere, stored, onRead, cancelled);
    this.#tell();
    return this.#withTexts(this.#joined(disk));
  }

  /**
   * What is there after an update. Roots on disk are listed again only if files can have come or gone; of roots elsewhere
   * what was touched is read. Paths whose text may be another one now are added to the touched ones.
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
      this.#tell();
      return this.#withTexts(this.#joined(disk));
    }
    this.#tell();
    const { disk, elsewhere } = this.#parts.get(before.listing)!;
    // The same object as before, unless something is different.
    return this.#withTexts(elsewhere === this.#virtual.listing ? before.listing : this.#joined(disk));
  }

  /**
   * The files of the roots on disk as they are now, and the paths of which a listing says otherwise: they came, went, or are left
   * out for another reason. When `cancelled` says so, that is void.
   */
  async look(
    { roots }: ScanRequest,
    { listing: before }: ScanInput,
    cancelled: () => boolean,
  ): Promise<{ readonly listing: ScanListing; readonly paths: readonly string[] }> {
    const listing = await listRoots(
      roots.filter((root) => 'folder' in root),
      cancelled,
    );
    const known = this.#parts.get(before)?.disk;
    const paths = known === undefined || cancelled() ? [] : otherPaths(known, listing);
    // Which files count may be another thing though none of these is.
    if (paths.length > 0) this.#outdated = known;
    return { listing, paths };
  }

  /** Without paths whose file does not count, since an editor has their text. */
  #uncovered(paths: Iterable<string>): string[] {
    const known = new Set(this.#virtual.listing.files.map(({ path }) => path));
    return [...paths].filter((path) => {
      const overlay = this.#overlays.get(path);
      return overlay === undefined || (overlay.overFile && !known.has(path));
    });
  }

  /** Whether nothing was touched by which files of the roots on disk could come or go. */
  #isListed({ listing, texts }: ScanInput, roots: ScanRequest['roots'], touched: ReadonlySet<string>): boolean {
    if (this.#outdated !== undefined && this.#parts.get(listing)?.disk === this.#outdated) return false;
    const known = new Set([...texts.map((text) => text.path), ...this.#overlays.keys()]);
    const files = new Map(listing.files.map((file) => [file.path, file]));
    return [...touched].every((path) => {
      if (this.#virtual.owns(path)) return true;
      if (decidesListing(path)) return false;
      const file = files.get(path);
      // A link may be in the place of the file that was listed, and lead elsewhere.
      if (file !== undefined && 'file' in file) return isNoLink(file.file);
      return known.has(path) && (this.#leftOut.has(path) || !this.#isOverFile(path, roots));
    });
  }

  /** Whether a text stands over a file that is there. */
  #isOverFile(path: string, roots: ScanRequest['roots']): boolean {
    if (this.#overlays.get(path)?.overFile !== true) return false;
    return roots.some(
      (root) =>
        'folder' in root &&
        path.startsWith(root.prefix) &&
        existsSync(join(root.folder, path.slice(root.prefix.length))),
    );
  }

  async #listDisk(roots: ScanRequest['roots'], cancelled: () => boolean): Promise<ScanListing> {
    // One that is there already, and is not listed, is left out; one that comes meanwhile is told of later.
    const there = [...this.#overlays.keys()].filter((path) => this.#isOverFile(path, roots));
    const disk = await listRoots(
      roots.filter((root) => 'folder' in root),
      cancelled,
    );
    this.#warnings = disk.warnings;
    const listed = new Set(disk.files.map(({ path }) => path));
    this.#leftOut = new Set(cancelled() ? [] : there.filter((path) => !listed.has(path)));
    return disk;
  }

  #tell(): void {
    const warnings = new Set([...this.#warnings, ...this.#virtual.warnings]);
    for (const warning of warnings) if (!this.#told.has(warning)) this.#warn(warning);
    this.#told = warnings;
  }

  /** A listing of the disk with the files elsewhere. */
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
    const listed = new Set(this.#overlays.size === 0 ? [] : listing.files.map(({ path }) => path));
    const overlays = [...this.#overlays.values()].filter(({ path, overFile }) => !overFile || listed.has(path));
    return {
      listing,
      texts: overlays.map(({ path, text }): Text => ({ path, bytes: encoder.encode(text) })),
      fetch: (files, cancelled) => this.#virtual.fetch(files, cancelled),
    };
  }
}

function isNoLink(file: string): boolean {
  try {
    return !lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The paths that only one of two listings has, or that they leave out for two reasons. */
function otherPaths(before: ScanListing, after: ScanListing): string[] {
  const entriesOf = ({ files, skipped }: ScanListing): Map<string, string> =>
    new Map([
      ...files.map(({ path }) => [path, ''] as const),
      ...skipped.map(({ path, reason }) => [path, reason] as const),
    ]);
  const [old, now] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])].filter((path) => old.get(path) !== now.get(path));
}

/** Whether so many files come that all threads of a scan take them in faster. */
export function addsMany(before: ScanInput, after: ScanInput): boolean {
  const known = new Set([...before.listing.files, ...before.texts].map(({ path }) => path));
  const added = [...after.listing.files, ...after.texts].filter(({ path }) => !known.has(path));
  return added.length > Math.max(fewFiles, known.size * fewShare);
}

/** Files that are read by one thread before others have started, or are a small part of all. */
const fewFiles = 100;
const fewShare = 0.05;

/** Whether a document came or went, or one that is in both was touched. */
export function differs(before: ScanInput, after: ScanInput, touched: ReadonlySet<string>): boolean {
  if (before.listing.files.length !== after.listing.files.length) return true;
  if (before.listing.skipped.length !== after.listing.skipped.length) return true;
  if ([...before.texts, ...after.texts].some(({ path }) => touched.has(path))) return true;
  return after.listing.files.some(({ path }, i) => path !== before.listing.files[i]?.path || touched.has(path));
}
