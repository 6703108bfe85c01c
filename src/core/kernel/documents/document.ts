// The record of a document in the table of documents. scripts/build.mjs derives documentLayout.ts from this file.

@unmanaged export class Document {
  tokens: usize;
  tokenCount: u32;
  /** Flags (see below). The upper bits contain the language hash. */
  flags: u32;
  windows: usize;
  /** Number of bytes from one window to the next. */
  stride: u32;
  windowCount: u32;
  /** Addresses of the fingerprints as written and of the renamed view; 0 if there are none. */
  written: usize;
  renamed: usize;
  lines: usize;
  lineCount: u32;
  /** Address of the units: see unit.ts. */
  units: usize;
  unitCount: u32;

  @inline get isProse(): bool {
    return (this.flags & proseFlag) != 0;
  }

  @inline get languageHash(): u32 {
    return (this.flags >> languageShift) & languageMask;
  }
}

// Bits of `flags`.
export const proseFlag = 1;
export const languageShift = 1;
export const languageMask = 255;
/** Set if the lines of the document have marks: see places.ts. */
export const marksFlag = 512;
export const apartShift = 31;

// Views: the forms of a text from which fingerprints are computed.
export const writtenView = 0;
export const renamedView = 1;
export const proseView = 2;
