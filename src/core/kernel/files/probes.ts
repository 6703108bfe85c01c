// Finds the samples that contain given hashes (probes), to find documents that may contain others.
import { bytesOf, addressAt, itemOf, setItem } from '../records';
import { countUpTo } from '../search';

/**
 * Size in bytes of a filter that rules out most hashes of a sample. It has one bit for each value of a hash's lowest 16
 * bits.
 */
const filterBytes: usize = 8_192;

/** Returns the size in bytes of the scratch memory that `findProbes` needs for `count` probes. */
export function probeScratchBytes(count: u32): usize {
  return filterBytes + bytesOf<u32>(count);
}

@unmanaged class Probe {
  hash: u32;
}

/** Address and number of the hashes in a document's sample. */
@unmanaged class Sample {
  hashes: usize;
  count: u32;
}

/** A hit: the index of a sample, and the index of a probe that it contains. */
@unmanaged class Found {
  sample: u32;
  probe: u32;
}

/**
 * Writes the hits: for each sample, in order, a pair { sample, probe } of indices for each probe that it contains. Hits
 * beyond `room` are counted, but not written.
 *
 * @param samples  `Sample` records
 * @param probes   u32, ascending, distinct
 * @returns total number of hits
 */
export function findProbes(
  samples: usize,
  sampleCount: u32,
  probes: usize,
  probeCount: u32,
  scratch: usize,
  out: usize,
  room: u32,
): u32 {
  const filter = scratch;
  // For each probe, the number + 1 of the last sample that contained it, so that a repeated hash counts once.
  const seen = scratch + filterBytes;
  memory.fill(filter, 0, probeScratchBytes(probeCount));
  for (let p: u32 = 0; p < probeCount; p++) {
    const at = filterByte(filter, itemOf<u32>(probes, p));
    store<u8>(at, load<u8>(at) | filterBit(itemOf<u32>(probes, p)));
  }
  // Probes are the smallest hashes of their own samples, so most hashes of other samples are greater than all probes.
  const maxProbe = itemOf<u32>(probes, probeCount - 1);
  let n: u32 = 0;
  for (let s: u32 = 0; s < sampleCount; s++) {
    const sample = itemOf<Sample>(samples, s);
    const hashes = sample.hashes;
    const end = addressAt<u32>(hashes, sample.count);
    for (let at = hashes; at < end; at += 4) {
      const hash = load<u32>(at);
      if (hash > maxProbe || !(load<u8>(filterByte(filter, hash)) & filterBit(hash))) continue;
      const p = placeOf(hash, probes, probeCount);
      if (itemOf<u32>(probes, p) != hash || itemOf<u32>(seen, p) == s + 1) continue;
      setItem<u32>(seen, p, s + 1);
      if (n < room) {
        const found = itemOf<Found>(out, n);
        found.sample = s;
        found.probe = p;
      }
      n++;
    }
  }
  return n;
}

@inline function filterByte(filter: usize, hash: u32): usize {
  return filter + (((<usize>hash) >> 3) & (filterBytes - 1));
}

@inline function filterBit(hash: u32): u32 {
  return 1 << (hash & 7);
}

/** Returns the index of the greatest probe that is not greater than the hash. If all probes are greater, returns 0. */
function placeOf(hash: u32, probes: usize, count: u32): u32 {
  return max<u32>(countUpTo<Probe>(hash, probes, count, offsetof<Probe>('hash')), 1) - 1;
}
