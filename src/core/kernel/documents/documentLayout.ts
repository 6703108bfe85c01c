/**
 * The kernel's record of a document: twelve words for each document in a table. This file is both TypeScript and
 * AssemblyScript.
 */
export const documentRecordBytes = 48;
/** Address. */
export const tokensAt = 0;
export const tokenCountAt = 4;
/** languageHash << 1 | prose; the highest bit is set for parts that are not continuous text. */
export const flagsAt = 8;
/** Address. */
export const windowsAt = 12;
/** Bytes from one window to the next. */
export const strideAt = 16;
export const windowCountAt = 20;
/** Address of the fingerprints, as written. */
export const writtenAt = 24;
/** Address of the fingerprints of the renamed view, 0 if there are none. */
export const renamedAt = 28;
/** Address. */
export const linesAt = 32;
export const lineCountAt = 36;
/** Address of the units: see unitsLayout.ts. */
export const unitsAt = 40;
export const unitCountAt = 44;

// Flags.
export const proseFlag = 1;
export const languageShift = 1;
export const languageMask = 255;
/** Set if the lines have marks: see placesLayout.ts. */
export const marksFlag = 512;
export const apartShift = 31;

// Views: forms of the text that fingerprints are computed from.
export const writtenView = 0;
export const renamedView = 1;
export const proseView = 2;
