/** Ignore comments in the bytes of a file. */
import { decodeText, textOf } from '../../scan/io/decode.ts';
import { type IgnoredRegion, ignoredRegions, ignoreMarkers } from '../gate/ignoreComments.ts';

const none: readonly IgnoredRegion[] = [];

/** Returns the regions of a file; none if it was removed or is not text. */
export function regionsIn(given: Uint8Array | undefined): readonly IgnoredRegion[] {
  const decoded = given && decodeText(given, (size) => new Uint8Array(size));
  if (decoded === undefined || 'reason' in decoded) return none;
  return mayHaveMarkers(decoded.bytes) ? ignoredRegions(textOf(decoded.bytes)) : none;
}

/** False if no marker occurs. Most files have none, so Node searches their bytes and does not decode them. */
function mayHaveMarkers({ buffer, byteOffset, length }: Uint8Array): boolean {
  if (typeof Buffer === 'undefined') return true;
  const bytes = Buffer.from(buffer, byteOffset, length);
  return ignoreMarkers.some((marker) => bytes.includes(marker));
}
