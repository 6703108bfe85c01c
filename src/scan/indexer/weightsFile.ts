/**
 * The file NAME.weights of an index: token weights that a search has measured. It consists of these pieces:
 *
 *   digest of the measured files, u64  ·  the idf table
 */
import type { CheckedFile } from '../io/checkedFile.ts';

/** An idf table, and the digest of the files from which it was measured. */
export interface MeasuredWeights {
  /** Digest of the files; see `digestOfContents`. */
  readonly contents: bigint;
  readonly idfTable: Uint8Array;
}

export function weightPieces({ contents, idfTable }: MeasuredWeights): Uint8Array[] {
  return [new Uint8Array(BigUint64Array.of(contents).buffer), idfTable];
}

/** Returns the stored weights, or `undefined` if the stored file is damaged. */
export function readWeights(file: CheckedFile): MeasuredWeights | undefined {
  const [digest, idfTable] = file.sizes.map((size) => new Uint8Array(size));
  if (digest?.length !== 8 || idfTable === undefined) return undefined;
  if (!file.read(0, digest) || !file.read(1, idfTable)) return undefined;
  return { contents: new BigUint64Array(digest.buffer)[0]!, idfTable };
}
