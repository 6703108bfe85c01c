/** Reads the files to compare from a `.zip` archive: first the names and ignore rules, then the selected files. */
import { unzipSync } from 'fflate';
import { configurationNames } from '../../../scan/io/fileNames.ts';
import { maxBytesOf } from '../../../scan/io/judgeContent.ts';
import { attributesFileName, ignoreFileNames, maxRuleBytes } from '../../../scan/io/pathRules.ts';
import { commonTop, listed, type ListedFiles, maxFiles, treeOf } from './fileTree.ts';
import type { Problem } from './messages.ts';
import { linksIn } from './zipLinks.ts';

/** Names of files that decide which files are compared. */
const ruleNames: ReadonlySet<string> = new Set([
  ...ignoreFileNames,
  attributesFileName,
  'exclude',
  '.git',
  'commondir',
  ...configurationNames,
]);

/** Files of an archive by path. For files above the size limit, only the size is read. */
export interface ZipFiles {
  readonly listing: ListedFiles;
  readonly sizes: ReadonlyMap<string, number>;
  /** Decompresses the selected files. @throws if one is damaged, encrypted, or compressed with an unsupported method */
  readonly inflate: () => ReadonlyMap<string, Uint8Array>;
}

export async function zipFiles(name: string, bytes: Uint8Array): Promise<ZipFiles | Problem> {
  const sizes = new Map<string, number>();
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
  // Archives from Git hosts have a top-level folder that contains all files.
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
  const wantedPaths = new Set(
    listing.paths.filter((path) => ofPath.get(path)! <= maxBytesOf(path, maxFileSizeBytes)).map((path) => top + path),
  );
  return {
    listing,
    sizes: ofPath,
    inflate: () => {
      const inflated = unzipSync(bytes, { filter: ({ name: path }) => wantedPaths.has(path) });
      return new Map(Object.entries(inflated).map(([path, content]) => [path.slice(top.length), content]));
    },
  };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
