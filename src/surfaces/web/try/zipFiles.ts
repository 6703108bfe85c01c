/**
 * Reads the files of a `.zip` archive that are to be compared. The archive is read twice: once for the names and the
 * ignore rules, once for the selected files.
 */
import { unzipSync } from 'fflate';
import { configurationNames } from '../../../scan/io/configuration.ts';
import { maxBytesOf } from '../../../scan/io/judgeContent.ts';
import { attributesFileName, ignoreFileNames, maxRuleBytes } from '../../../scan/io/pathRules.ts';
import { commonTop, listed, type ListedFiles, maxFiles, treeOf } from './fileTree.ts';
import type { Problem } from './messages.ts';
import { linksIn } from './zipLinks.ts';

/** Files of an archive, by path. Only the size is known of files larger than the limit. */
export interface ZipFiles {
  readonly listing: ListedFiles;
  readonly sizes: ReadonlyMap<string, number>;
  /** Inflates the selected files. @throws if one of them is damaged, encrypted, or compressed by an unknown method */
  readonly inflate: () => ReadonlyMap<string, Uint8Array>;
}

export async function zipFiles(name: string, bytes: Uint8Array): Promise<ZipFiles | Problem> {
  const sizes = new Map<string, number>();
  const ruleNames = new Set([
    ...ignoreFileNames,
    attributesFileName,
    'exclude',
    '.git',
    'commondir',
    ...configurationNames,
  ]);
  const rules = new Map<string, Uint8Array>();
  const links = linksIn(bytes);
  try {
    const inflated = unzipSync(bytes, {
      filter: ({ name: path, originalSize }) => {
        if (path.endsWith('/')) return false;
        sizes.set(path, originalSize);
        const isRule = ruleNames.has(path.slice(path.lastIndexOf('/') + 1)) && !links.has(path);
        return isRule && originalSize <= maxRuleBytes;
      },
    });
    for (const [path, content] of Object.entries(inflated)) rules.set(path, content);
  } catch (error) {
    return { type: 'badZip', name, reason: reasonOf(error) };
  }
  if (sizes.size > maxFiles) return { type: 'tooManyFiles', limit: maxFiles };
  // Archives downloaded from Git hosts have one top-level folder around all files.
  const top = commonTop([...sizes.keys()]) ?? '';
  const decoder = new TextDecoder();
  const ofPath = new Map(Array.from(sizes, ([path, size]) => [path.slice(top.length), size]));
  const readText = (path: string): Promise<string> => {
    const content = rules.get(top + path);
    return Promise.resolve(content ? decoder.decode(content) : '');
  };
  const linksBelow = new Set(Array.from(links, (path) => path.slice(top.length)));
  const listing = await listed(name, treeOf(ofPath.keys(), readText, linksBelow));
  if ('type' in listing) return listing;
  const { maxFileSizeBytes } = listing.project.sources;
  const wanted = new Set(
    listing.paths.filter((path) => ofPath.get(path)! <= maxBytesOf(path, maxFileSizeBytes)).map((path) => top + path),
  );
  return {
    listing,
    sizes: ofPath,
    inflate: () => {
      const inflated = unzipSync(bytes, { filter: ({ name: path }) => wanted.has(path) });
      return new Map(Object.entries(inflated).map(([path, content]) => [path.slice(top.length), content]));
    },
  };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
