// The windows of all documents in one view, grouped by fingerprint, and the memory to which their seeds are written.
// scripts/build.mjs derives seedWindowsLayout.ts from this file.
import { overlap, writeSeed } from './equalWindows';
import { Seed } from './seed';
import { itemOf } from '../records';

@unmanaged export class SeedWindows {
  /** Address of an array of window numbers, sorted by fingerprint, document, and position. */
  ids: usize;
  /** Address of an array with the index in `ids` of the first window of each distinct fingerprint. */
  firsts: usize;
  /** Addresses of arrays with the document and the first token of each window. */
  docs: usize;
  positions: usize;
  /** Maximum number of equal windows for which all pairs are linked; see `linkEqual`. */
  allPairs: u32;
  apart: u32;
  /** 1 if the windows are lines with phrases or patterns; see `linkPhrases`. */
  areLines: u32;
  /** Address of the table of `Document` records if the windows are lines with phrases; otherwise 0. */
  documents: usize;
  /** Address to which seeds are written, and maximum number of seeds to write. */
  out: usize;
  room: u32;
  /** Number of seeds found, including those that were not written for lack of room. */
  found: u32;

  @inline windowAt(i: u32): u32 {
    return itemOf<u32>(this.ids, i);
  }

  /** Returns the index in `ids` of the first window with a fingerprint. */
  @inline firstOf(fingerprint: u32): u32 {
    return itemOf<u32>(this.firsts, fingerprint);
  }

  @inline documentOf(i: u32): u32 {
    return itemOf<u32>(this.docs, this.windowAt(i));
  }

  @inline positionOf(i: u32): u32 {
    return itemOf<u32>(this.positions, this.windowAt(i));
  }

  /** Adds the seed of two windows. Precondition: the first window comes before the second. */
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
