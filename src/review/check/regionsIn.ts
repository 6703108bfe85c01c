/** Finds ignore comments in the bytes of a file. */
import { decodeText, textOf } from '../../scan/io/decode.ts';
import { type IgnoredRegion, ignoredRegions, ignoreMarkers } from '../gate/ignoreComments.ts';

const none: readonly IgnoredRegion[] = [];

/** Returns the regions of a file that its ignore comments mark: none if it was removed or is not text. */
export function regionsIn(fileBytes: Uint8Array | undefined): readonly IgnoredRegion[] {
  const decoded = fileBytes && decodeText(fileBytes, (size) => new Uint8Array(size));
  if (decoded === undefined || 'reason' in decoded) return none;
  return mayHaveMarkers(decoded.bytes) ? ignoredRegions(textOf(decoded.bytes)) : none;
}

/**
 * Returns false if the bytes certainly contain no ignore comment. Most files contain none, so in Node the bytes are
 * searched before they are decoded.
 */
function mayHaveMarkers({ buffer, byteOffset, length }: Uint8Array): boolean {
  if (typeof Buffer === 'undefined') return true;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return ignoreMarkers.some((marker) => bytes.includes(marker));
}
