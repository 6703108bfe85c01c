/**
 * The sketch of a whole document, as it lies in the kernel's memory (src/kernel/files/sketchLayout.ts): what the search for files that
 * nearly repeat each other looks at before it compares any two. It depends on the document and the options alone.
 */
import { sketchFingerprintAt, sketchSignatureAt } from '../../kernel/files/sketchLayout.ts';
import type { Kernel } from '../kernel.ts';
import { tuning } from '../tuning.ts';

/** Where a document has its sketch, 0 for one without, and how many hashes are in its sample. */
interface Sketched {
  readonly sketch: number;
  readonly sketchSample: number;
}

/** Bytes of a sketch with so many hashes in its sample. */
export function sketchBytes(sampleCount: number): number {
  return sketchSignatureAt + 4 * (tuning.files.bins + sampleCount);
}

/** Where the sample of a document that has a sketch begins. */
export function sampleAddress({ sketch }: Pick<Sketched, 'sketch'>): number {
  return sketch + sketchBytes(0);
}

/** A sketch, read. The arrays are views of the kernel's memory: not to be kept over an allocation. */
export interface FileSketch {
  /** The weighted simhash of all shingles, in words. */
  readonly high: number;
  readonly low: number;
  /** Minhash with one permutation: a value for each bin. */
  readonly signature: Uint32Array;
  /** The shingles' hashes that the modulus divides: MOD_m, in the order of the text, repetitions included. */
  readonly sample: Uint32Array;
}

/** The sketch of a document; undefined for one that is too short to have one. */
export function readSketch(kernel: Kernel, { sketch, sketchSample }: Sketched): FileSketch | undefined {
  if (sketch === 0) return undefined;
  const words = kernel.words;
  const fingerprint = (sketch + sketchFingerprintAt) >>> 2;
  const signature = (sketch + sketchSignatureAt) >>> 2;
  const sample = signature + tuning.files.bins;
  return {
    low: words[fingerprint],
    high: words[fingerprint + 1],
    signature: words.subarray(signature, sample),
    sample: words.subarray(sample, sample + sketchSample),
  };
}
