// scripts/build.mjs writes matchRecordLayout.ts from this file, in words.

/** A match: tokens [a0, a1) of document docA and [b0, b1) of docB. */
@unmanaged export class Match {
  docA: u32;
  docB: u32;
  a0: u32;
  a1: u32;
  b0: u32;
  b1: u32;
  /** Aligned tokens: equal as written, renamed consistently, renamed in one place, renamed inconsistently. */
  equal: u32;
  consistent: u32;
  once: u32;
  differing: u32;
  /** Number of differing bits of the nearest windows. */
  bits: u32;
  score: i32;
  /** The longest run of tokens that are equal as written, aligned or not. */
  longest: u32;

  @inline isOf(docA: u32, docB: u32): bool {
    return this.docA == docA && this.docB == docB;
  }

  @inline hasRange(a0: u32, a1: u32, b0: u32, b1: u32): bool {
    return this.a0 == a0 && this.a1 == a1 && this.b0 == b0 && this.b1 == b1;
  }
}

/** Words of memory that the matcher needs for each match: its record, and a link in recordGrid.ts. */
export const wordsOfMatch: u32 = <u32>(offsetof<Match>() >> 2) + 1;
