// Units of a document: its functions, methods, classes, and top-level blocks, each with its head. scripts/build.mjs
// derives unitLayout.ts from this file.

/** Tokens [start, end) of a unit. Records ascend by start. If units have the same start, the outer one comes first. */
@unmanaged export class Unit {
  start: u32;
  /** 0 while the unit is open. */
  end: u32;
}

/** Minimum number of tokens of a unit. */
export const leastUnitTokens = 30;

// Forms of blocks. In bracketed blocks, statements end at line ends, or only at semicolons.
export const lineStatements = 0;
export const semicolonStatements = 1;
/** Indented blocks, which end without a keyword or with one. */
export const indentedBlocks = 2;
export const endedBlocks = 3;

/** Number of bits of a slot number in the table of words that delimit units. */
export const unitWordSlotBits = 9;

@unmanaged export class UnitWord {
  /** The token of the word; 0 in an empty slot. */
  token: u32;
  role: u32;
}

// Syntactic roles of words.
export const openRole = 1;
export const closeRole = 2;
export const openBlockRole = 3;
export const closeBlockRole = 4;
export const semicolonRole = 5;
export const commaRole = 6;
/** Begins a statement that has blocks: `if`. */
export const controlRole = 7;
export const classRole = 8;
/** Begins a type that may also be the type of a function: `struct`. */
export const structRole = 9;
export const functionRole = 10;
export const assignRole = 11;
export const arrowRole = 12;
/** Continues a statement on the next line, or after a block. */
export const joinRole = 13;
/** An operator that may also be at the beginning of a statement: `@`, `*`. */
export const prefixRole = 14;
export const directiveRole = 15;
export const newRole = 16;
export const endRole = 17;
export const modifierRole = 18;
/** An operator that may also be at the end of a statement: `>`, `++`. */
export const suffixRole = 19;
export const decoratorRole = 20;
/** Begins a statement that has blocks, but only as its first word: `synchronized`. */
export const headRole = 21;
/** Begins another block of a statement: `else`. */
export const clauseRole = 22;
/** Begins a case, which ends with a colon. */
export const caseRole = 23;
export const colonRole = 24;
