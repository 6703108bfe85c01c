/** Tokens, lines, units, and fingerprints of an indexed text, before they are copied to the memory of its document. */
import type { KernelExports } from '../../kernel/kernelExports.ts';
import { lineBytes } from '../../kernel/documents/placesLayout.ts';
import { unitBytes } from '../../kernel/documents/unitLayout.ts';
import { type DocumentIndex, type WritableShape, shapeOf } from './documents.ts';

/** Addresses of the arrays of a text, its comments, or its quoted code. Each array has the layout of a document. */
export interface Tokens {
  readonly tokens: number;
  readonly places: number;
  readonly lines: number;
  readonly units: number;
  readonly shape: WritableShape;
}

/** Addresses of a text's fingerprints and of the first tokens of its windows. Valid until the next text. */
export interface Fingerprints {
  readonly written: number;
  /** Address, or 0 if fingerprints of the renamed view were not computed. */
  readonly renamed: number;
  readonly windows: number;
}

/** Returns the addresses of the arrays of an existing document. */
export function tokensOf(index: DocumentIndex): Tokens {
  const { tokens, places, lines, units } = index;
  return { tokens, places, lines, units, shape: shapeOf(index) };
}

export function fill(
  { copyArray }: Pick<KernelExports, 'copyArray'>,
  index: DocumentIndex,
  { tokens, places, lines, units }: Tokens,
  found: Fingerprints,
): void {
  const { tokenCount, placesBytes, lineCount, windowCount, prose, renamed, unitCount } = index;
  copyArray(index.tokens, tokens, tokenCount * 4);
  copyArray(index.places, places, placesBytes);
  copyArray(index.lines, lines, lineCount * lineBytes);
  copyArray(index.written, found.written, windowCount * 8);
  if (renamed !== 0) copyArray(renamed, found.renamed, windowCount * 8);
  if (prose) copyArray(index.windows, found.windows, windowCount * 4);
  copyArray(index.units, units, unitCount * unitBytes);
}
