// The windows of one view of all documents, grouped by fingerprint, and the memory that their seeds are written to.
// scripts/build.mjs derives seedWindowsLayout.ts from this file.
import { overlap, writeSeed } from './equalWindows';
import { Seed } from './seed';
import { itemOf } from '../records';

@unmanaged export class SeedWindows {
  /** Address of the window numbers, sorted by fingerprint, document, and position. */
  ids: usize;
  /** Address of the index in `ids` of each distinct fingerprint's first window. */
  firsts: usize;
  /** Addresses of the document and the first token of each window. */
  docs: usize;
  positions: usize;
  /** See `linkEqual`. */
  allPairs: u32;
  apart: u32;
  /** Address to write seeds to, and maximum number of seeds to write. */
  out: usize;
  room: u32;
  /** Number of seeds, including those that were not written. */
  found: u32;

  @inline windowAt(i: u32): u32 {
    return load<u32>(this.ids + ((<usize>i) << 2));
  }

  /** Returns the index in `ids` of the first window of a fingerprint. */
  @inline firstOf(fingerprint: u32): u32 {
    return load<u32>(this.firsts + ((<usize>fingerprint) << 2));
  }

  @inline documentOf(i: u32): u32 {
    return load<u32>(this.docs + ((<usize>this.windowAt(i)) << 2));
  }

  @inline positionOf(i: u32): u32 {
    return load<u32>(this.positions + ((<usize>this.windowAt(i)) << 2));
  }

  /** Adds the seed of two windows. The first one must be the earlier one. */
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
