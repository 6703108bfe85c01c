/** Hashes of files, by which damage is noticed that does not change the size of a file. */
import { fstatSync } from 'node:fs';
import { hash64, hashBytes64 } from '../../core/methods/hash64.ts';
import { damaged, readFully, readingFile } from '../folder/folderFiles.ts';

/** Number of bytes that are hashed at once. */
const blockBytes = 2 ** 20;

/** Returns a hash of the bytes of a file: the hash of the hashes of its blocks. */
export function hashOfFile(name: string): string {
  return readingFile(name, (file) => {
    const { size } = fstatSync(file);
    const hashes: bigint[] = [];
    for (let at = 0; at < size; at += blockBytes) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, size - at));
      readFully(file, block, at);
      hashes.push(hashBytes64(block));
    }
    return hash64(hashes.join()).toString(36);
  });
}

/** @throws IndexError if a file does not have the bytes with which it was written */
export function checkHash(file: string, hash: string): void {
  if (hashOfFile(file) !== hash) throw damaged(file);
}
