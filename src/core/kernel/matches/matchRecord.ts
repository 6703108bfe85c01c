// The record of a match. scripts/build.mjs derives matchRecordLayout.ts from this file, with offsets in words.

/** A match of the tokens [a0, a1) of document docA and the tokens [b0, b1) of document docB. */
@unmanaged export class Match {
  docA: u32;
  docB: u32;
  a0: u32;
  a1: u32;
  b0: u32;
  b1: u32;
  /**
   * Numbers of aligned token pairs: `equal` are identical. In the other pairs, a name or literal differs. It is always
   * replaced by the same name (`consistent`), occurs only once (`once`), or is replaced by different names in different
   * places (`differing`).
   */
  equal: u32;
  consistent: u32;
  once: u32;
  differing: u32;
  /** Number of differing bits between the nearest windows. */
  bits: u32;
  score: i32;
  /** Length of the longest run of identical tokens. The alignment may pair these tokens differently. */
  longest: u32;

  @inline isOf(docA: u32, docB: u32): bool {
    return this.docA == docA && this.docB == docB;
  }

  @inline hasRange(a0: u32, a1: u32, b0: u32, b1: u32): bool {
    return this.a0 == a0 && this.a1 == a1 && this.b0 == b0 && this.b1 == b1;
  }
}

/** Number of words that the matcher needs for each match: its record, and a link (recordGrid.ts). */
export const wordsOfMatch: u32 = <u32>(offsetof<Match>() >> 2) + 1;
