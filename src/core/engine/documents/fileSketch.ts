/**
 * The sketch of a whole document in the kernel's memory (src/core/kernel/files/sketchLayout.ts). A search for
 * near-duplicate files first selects pairs of documents by their sketches, and compares only these in full. A sketch
 * depends only on the document and the options.
 */
import { sketchHeadBytes, sketchHeadFingerprintAt } from '../../kernel/files/sketchLayout.ts';
import type { Kernel } from '../kernel.ts';
import { minTokensOf, type Options } from '../options.ts';
import { constants } from '../constants.ts';

/** A document with a sketch: address of the sketch, or 0 if there is none, and number of hashes in its sample. */
interface SketchedDocument {
  readonly sketch: number;
  readonly sketchSample: number;
}

interface Extent {
  readonly tokenCount: number;
  readonly totalLines: number;
  readonly prose: boolean;
}

/** Returns true if a document is too short to contain a passage. It is compared only with equal documents. */
export function isShort(document: Omit<Extent, 'totalLines'>, options: Options): boolean {
  return document.tokenCount < minTokensOf(document, options);
}

/** Returns true if a document is long enough to be compared as a whole. */
export function needsSketch(document: Extent, options: Options): boolean {
  const { tokenCount, totalLines, prose } = document;
  if (tokenCount < (prose ? options.prose : options).shingleSize) return false;
  return !isShort(document, options) || totalLines >= Math.max(constants.files.equalLines, options.minLines);
}

/** Returns the size in bytes of a sketch with the given number of hashes in its sample. */
export function sketchBytes(sampleCount: number): number {
  return sketchHeadBytes + 4 * (constants.files.bins + sampleCount);
}

/** Returns the address of the sample. Precondition: the document has a sketch. */
export function sampleAddress({ sketch }: Pick<SketchedDocument, 'sketch'>): number {
  return sketch + sketchBytes(0);
}

/** A sketch, as views of the kernel's memory. The views become invalid with the next allocation. */
export interface FileSketch {
  /** High and low word of the weighted simhash of all shingles. */
  readonly high: number;
  readonly low: number;
  /** One-permutation minhash: one value for each bin. */
  readonly signature: Uint32Array;
  /** The shingle hashes that are divisible by the modulus (MOD_m), in text order, including repetitions. */
  readonly sample: Uint32Array;
}

/** Reads the sketch of a document. Returns `undefined` if the document is too short to have one. */
export function readSketch(kernel: Kernel, { sketch, sketchSample }: SketchedDocument): FileSketch | undefined {
  if (sketch === 0) return undefined;
  const words = kernel.words;
  const fingerprint = (sketch + sketchHeadFingerprintAt) >>> 2;
  const signature = (sketch + sketchHeadBytes) >>> 2;
  const sample = signature + constants.files.bins;
  return {
    low: words[fingerprint],
    high: words[fingerprint + 1],
    signature: words.subarray(signature, sample),
    sample: words.subarray(sample, sample + sketchSample),
  };
}
