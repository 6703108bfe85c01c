// Finds the samples that contain given hashes (probes), to find documents that may contain others.
import { bytesOf, addressAt, itemOf, setItem } from '../records';
import { countUpTo } from '../search';

/** Returns the size in bytes of the scratch memory that `findProbes` needs for `count` probes. */
export function probeScratchBytes(count: u32): usize {
  return filterBytes(count) + bytesOf<u32>(count);
}

/**
 * Returns the size in bytes of a filter that rules out most hashes of a sample. It has one bit for each value of a
 * hash's lowest bits: at least 16 bits for each probe, and 65,536.
 */
@inline function filterBytes(count: u32): usize {
  return (<usize>1) << max<u32>(13, 33 - clz(count));
}

/**
 * Writes the smallest distinct hashes of a sample, at most `limit`, in ascending order. Returns their number.
 *
 * @param hashes  `count` hashes, in any order
 */
export function leastHashes(hashes: usize, count: u32, limit: u32, out: usize): u32 {
  let n: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const hash = itemOf<u32>(hashes, i);
    if (n == limit && hash >= itemOf<u32>(out, n - 1)) continue;
    let at = n;
    while (at > 0 && itemOf<u32>(out, at - 1) > hash) at--;
    if (at > 0 && itemOf<u32>(out, at - 1) == hash) continue;
    if (n < limit) n++;
    for (let behind = n - 1; behind > at; behind--) setItem<u32>(out, behind, itemOf<u32>(out, behind - 1));
    setItem<u32>(out, at, hash);
  }
  return n;
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
@unmanaged class ProbeHit {
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
  const filter = scratch,
    filterMask = filterBytes(probeCount) - 1;
  // For each probe, the number + 1 of the last sample that contained it, so that a repeated hash counts once.
  const seen = filter + filterMask + 1;
  memory.fill(filter, 0, probeScratchBytes(probeCount));
  for (let p: u32 = 0; p < probeCount; p++) {
    const probe = itemOf<u32>(probes, p),
      at = filterByte(filter, filterMask, probe);
    store<u8>(at, load<u8>(at) | filterBit(probe));
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
      if (hash > maxProbe || !(load<u8>(filterByte(filter, filterMask, hash)) & filterBit(hash))) continue;
      const p = placeOf(hash, probes, probeCount);
      if (itemOf<u32>(probes, p) != hash || itemOf<u32>(seen, p) == s + 1) continue;
      setItem<u32>(seen, p, s + 1);
      if (n < room) {
        const hit = itemOf<ProbeHit>(out, n);
        hit.sample = s;
        hit.probe = p;
      }
      n++;
    }
  }
  return n;
}

@inline function filterByte(filter: usize, mask: usize, hash: u32): usize {
  return filter + ((<usize>(hash >> 3)) & mask);
}

@inline function filterBit(hash: u32): u32 {
  return 1 << (hash & 7);
}

/** Returns the index of the greatest probe that is not greater than the hash. If all probes are greater, returns 0. */
function placeOf(hash: u32, probes: usize, count: u32): u32 {
  return max<u32>(countUpTo<Probe>(hash, probes, count, offsetof<Probe>('hash')), 1) - 1;
}
