/** Access to folders on disk in Node. */
import { existsSync, lstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readLanguageConfiguration } from '../../scan/io/languageConfiguration.ts';
import { findConfiguration, readConfiguration } from '../../scan/io/readConfiguration.ts';
import { stampOf } from '../../scan/io/readSource.ts';
import { readTextFile } from '../../scan/io/textFile.ts';
import type { Disk } from './disk.ts';
import { byPath } from '../../scan/io/byPath.ts';
import { listSources, whatHides } from '../../scan/io/listSources.ts';
import type { HidingRule, Listing } from '../../scan/io/sources.ts';
import type { DiskRoot } from '../protocol/messages.ts';

export const nodeDisk: Disk = {
  listRoots,
  whatHidesIn,
  fileIn: ({ folder }, name) => path.join(folder, name),
  exists: existsSync,
  isNoLink: (file) => {
    try {
      return !lstatSync(file).isSymbolicLink();
    } catch {
      return false;
    }
  },
  stampOf,
  readBytes: (file) => readFile(file).catch(() => undefined),
  readerOf: (folder) => (name, maxBytes) => readTextFile(path.join(folder, name), maxBytes),
  readText: readTextFile,
  configurationIn: ({ folder, prefix }) => {
    const file = findConfiguration(folder);
    if (file === undefined) return undefined;
    const name = prefix + path.basename(file);
    return { name, configuration: readConfiguration(file, name) };
  },
  languageConfigurationIn: readLanguageConfiguration,
};

/**
 * Lists the files of all roots, sorted by path. If roots are nested, a file belongs to the innermost one. Stops early
 * if `cancelled` returns true.
 */
async function listRoots(roots: readonly DiskRoot[], cancelled: () => boolean): Promise<Listing> {
  const listings = await Promise.all(roots.map((root) => listRoot(root, roots, cancelled)));
  return {
    root: listings[0]?.root ?? '',
    files: listings.flatMap((listing) => listing.files).sort(byPath),
    skipped: listings.flatMap((listing) => listing.skipped).sort(byPath),
    hidden: listings.flatMap((listing) => listing.hidden),
    warnings: listings.flatMap((listing) => listing.warnings),
  };
}

/** Returns the rule that hides the file at a path of the report; `undefined` if no rule does, or no root has it. */
async function whatHidesIn(roots: readonly DiskRoot[], name: string): Promise<HidingRule | undefined> {
  const root = roots.find(({ prefix }) => name.startsWith(prefix));
  const hiding = root && (await whatHides(root.folder, name.slice(root.prefix.length), root.sources));
  return hiding?.by === 'rules' ? { ...hiding, source: root!.prefix + hiding.source } : hiding;
}

async function listRoot(root: DiskRoot, roots: readonly DiskRoot[], cancelled: () => boolean): Promise<Listing> {
  const listing = await listSources([root.folder], root.sources, cancelled, root.isConfined ? 'inside' : 'anywhere');
  const inner = roots.map((other) => relativePath(root.folder, other.folder)).filter((below) => below !== undefined);
  const own = (entry: { readonly path: string }): boolean => !inner.some((below) => entry.path.startsWith(below));
  return {
    root: listing.root,
    files: listing.files.filter(own).map(({ file, path: name }) => ({ file, path: root.prefix + name })),
    skipped: listing.skipped.filter(own).map((entry) => ({ ...entry, path: root.prefix + entry.path })),
    hidden: listing.hidden.map((it) => (it.by === 'rules' ? { ...it, source: root.prefix + it.source } : it)),
    warnings: listing.warnings.map((warning) => root.prefix + warning),
  };
}

/** Returns the path of `inner` relative to `outer`, with a slash at the end; `undefined` if it is outside. */
function relativePath(outer: string, inner: string): string | undefined {
  const relative = path.relative(outer, inner);
  const outside = relative === '' || relative.startsWith('..') || path.isAbsolute(relative);
  return outside ? undefined : `${relative.split(path.sep).join('/')}/`;
}
