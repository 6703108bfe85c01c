// The record of a document in the table of documents. scripts/build.mjs derives documentLayout.ts from this file.

@unmanaged export class Document {
  tokens: usize;
  tokenCount: u32;
  /** Flags, which are declared below. Other bits contain the hashes of the language and of its family. */
  flags: u32;
  windows: usize;
  /** Distance in bytes between the first tokens of consecutive windows. */
  stride: u32;
  windowCount: u32;
  /** Addresses of the fingerprints of the two views of code; 0 if a view was not computed. */
  written: usize;
  renamed: usize;
  lines: usize;
  lineCount: u32;
  /** Address of the unit records; see unit.ts. */
  units: usize;
  unitCount: u32;

  @inline get isProse(): bool {
    return (this.flags & proseFlag) != 0;
  }

  @inline get languageHash(): u32 {
    return (this.flags >> languageShift) & languageMask;
  }

  /** Hash of the language, or that of C if the language has headers of C. */
  @inline get familyHash(): u32 {
    return (this.flags >> familyShift) & languageMask;
  }
}

// Bits of `flags`.
export const proseFlag = 1;
export const languageShift = 1;
export const languageMask = 255;
/** Set if the line records have marks; see places.ts. */
export const marksFlag = 512;
export const familyShift = 10;
export const apartShift = 31;

// Views are the forms of a text from which fingerprints are computed. In the written view, names are unchanged. In the
// renamed view, names count only by their kind.
export const writtenView = 0;
export const renamedView = 1;
export const proseView = 2;
