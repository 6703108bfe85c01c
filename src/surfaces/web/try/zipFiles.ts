/** The files of a `.zip` to compare. An archive is read twice: for the names and rules, then for the files listed. */
import { unzipSync } from 'fflate';
import { maxBytesOf } from '../../../scan/io/judgeContent.ts';
import { attributesFileName, ignoreFileNames, maxRuleBytes } from '../../../scan/io/pathRules.ts';
import { defaultSourceOptions } from '../../../scan/io/sources.ts';
import { commonTop, listed, type ListedFiles, maxFiles, treeOf } from './fileTree.ts';
import type { Problem } from './messages.ts';

/** Files of an archive by path. Larger ones than the limit have only their size. */
export interface ZipFiles {
  readonly listing: ListedFiles;
  readonly sizes: ReadonlyMap<string, number>;
  /** Inflates the listed files. @throws  if one of them is damaged, encrypted, or compressed in an unknown way */
  readonly inflate: () => ReadonlyMap<string, Uint8Array>;
}

export async function zipFiles(name: string, bytes: Uint8Array): Promise<ZipFiles | Problem> {
  const sizes = new Map<string, number>();
  const ruleNames = new Set([...ignoreFileNames, attributesFileName, 'exclude', '.git', 'commondir']);
  const rules = new Map<string, Uint8Array>();
  try {
    const inflated = unzipSync(bytes, {
      filter: ({ name: path, originalSize }) => {
        if (path.endsWith('/')) return false;
        sizes.set(path, originalSize);
        return ruleNames.has(path.slice(path.lastIndexOf('/') + 1)) && originalSize <= maxRuleBytes;
      },
    });
    for (const [path, content] of Object.entries(inflated)) rules.set(path, content);
  } catch (error) {
    return { type: 'badZip', name, reason: reasonOf(error) };
  }
  if (sizes.size > maxFiles) return { type: 'tooManyFiles', limit: maxFiles };
  // Archives of repositories have a folder around all files.
  const top = commonTop([...sizes.keys()]) ?? '';
  const decoder = new TextDecoder();
  const ofPath = new Map(Array.from(sizes, ([path, size]) => [path.slice(top.length), size]));
  const tree = treeOf(ofPath.keys(), (path) => {
    const content = rules.get(top + path);
    return Promise.resolve(content ? decoder.decode(content) : '');
  });
  const listing = await listed(name, tree);
  const { maxFileSizeBytes } = defaultSourceOptions;
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
