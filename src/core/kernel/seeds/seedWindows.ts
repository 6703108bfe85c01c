// The windows of one view of all documents, grouped by fingerprint, and where their seeds are written.
// scripts/build.mjs writes seedWindowsLayout.ts from this file.
import { overlap, writeSeed } from './equalWindows';
import { Seed } from './seed';
import { itemOf } from '../records';

@unmanaged export class SeedWindows {
  /** Address of the windows in the order of fingerprints, documents, and positions. */
  ids: usize;
  /** Address of the first of `ids` of each distinct fingerprint. */
  firsts: usize;
  /** Addresses of the document and the first token of each window. */
  docs: usize;
  positions: usize;
  /** See `linkEqual`. */
  allPairs: u32;
  apart: u32;
  /** Address of the seeds, and the maximum number of them to write. */
  out: usize;
  room: u32;
  /** Number of seeds, written or not. */
  found: u32;

  @inline windowAt(i: u32): u32 {
    return load<u32>(this.ids + ((<usize>i) << 2));
  }

  /** Returns the place in `ids` of the first window of a fingerprint. */
  @inline firstOf(fingerprint: u32): u32 {
    return load<u32>(this.firsts + ((<usize>fingerprint) << 2));
  }

  @inline documentOf(i: u32): u32 {
    return load<u32>(this.docs + ((<usize>this.windowAt(i)) << 2));
  }

  @inline positionOf(i: u32): u32 {
    return load<u32>(this.positions + ((<usize>this.windowAt(i)) << 2));
  }

  /** Adds the seed of two windows, the earlier one first. */
  link(a: u32, b: u32, bits: u32): void {
    const docA = this.documentOf(a);
    const posA = this.positionOf(a);
    const docB = this.documentOf(b);
    const posB = this.positionOf(b);
    if (overlap(docA, posA, docB, posB, this.apart)) return;
    const found = this.found;
    if (found < this.room) writeSeed(itemOf<Seed>(this.out, found), docA, posA, docB, posB, bits);
    this.found = found + 1;
  }
}
