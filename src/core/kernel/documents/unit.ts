// Units of a document: its functions, methods, classes, and top-level blocks. A unit includes its head.
// scripts/build.mjs derives unitLayout.ts from this file.
import { keywordKind, kindMask } from '../lex/lexed';
import { itemOf } from '../records';
import { countUpTo } from '../search';
import { golden32 } from './hashFactors';

/**
 * A unit of the tokens [start, end). Records are sorted by start. If two units have the same start, the outer one comes
 * first.
 */
@unmanaged export class Unit {
  start: u32;
  /** Token after the unit, or 0 until the end has been found. */
  end: u32;
}

/**
 * Maximum number of units to examine, from the last unit that starts before a token backward. In a class, these are the
 * methods before the token.
 */
const maxSteps: u32 = 64;

/** Returns the innermost unit of at least `minTokens` tokens that contains a token, or null if there is none. */
export function unitAround(units: usize, count: u32, token: u32, minTokens: u32): Unit | null {
  const begun = countUpTo<Unit>(token, units, count, offsetof<Unit>('start'));
  for (let i = begun, end = begun - min(begun, maxSteps); i-- > end;) {
    const unit = itemOf<Unit>(units, i);
    if (unit.end > token && unit.end - unit.start >= minTokens) return unit;
  }
  return null;
}

/** Minimum number of tokens in a unit. Shorter ones are dropped. */
export const minUnitTokens = 30;

// Forms of a language's blocks. First, bracketed blocks in which statements end at line breaks, or only at semicolons.
export const lineStatements = 0;
export const semicolonStatements = 1;
/** Indented blocks, which end by indentation alone or with a keyword. */
export const indentedBlocks = 2;
export const endedBlocks = 3;
/** Elements of a markup language. Nested ones are indented, and tags end them. */
export const elementBlocks = 4;
/** Bracketed blocks in which statements end at line breaks, and elements of JSX. */
export const scriptStatements = 5;
/** Flag of a form: a line that begins with an operator continues the statement before it. */
export const operatorLines = 8;

export const unitWordSlotBits = 9;

@unmanaged export class UnitWord {
  /** The token of the word, or 0 if the slot is empty. */
  token: u32;
  role: u32;
}

// Syntactic roles of words, by which units are found.
export const openRole = 1;
export const closeRole = 2;
export const openBlockRole = 3;
export const closeBlockRole = 4;
export const semicolonRole = 5;
export const commaRole = 6;
/** A word that begins a statement with blocks: `if`. */
export const controlRole = 7;
export const classRole = 8;
/** A word that begins a type, or names the return type of a function: `struct`. */
export const structRole = 9;
export const functionRole = 10;
export const assignRole = 11;
export const arrowRole = 12;
/** A word or operator that continues a statement on the next line, or after a block. */
export const joinRole = 13;
/** An operator that may also begin a statement: `@`, `*`. */
export const prefixRole = 14;
export const directiveRole = 15;
export const newRole = 16;
export const endRole = 17;
export const modifierRole = 18;
/** An operator that may also end a statement: `>`, `?`. */
export const suffixRole = 19;
export const decoratorRole = 20;
/** A word that begins a statement with blocks, but only as the first word: `synchronized`. */
export const headRole = 21;
/** A word that begins another block of a statement: `else`. */
export const clauseRole = 22;
/** A word that begins a case. A colon ends the label of the case. */
export const caseRole = 23;
export const colonRole = 24;
/** The beginning of a closing tag in markup: `</`. */
export const closeTagRole = 25;
/** An operator that may begin a statement or end one, but never stands between two parts: `++`. */
export const stepRole = 26;
/** A word before the parameters of a template, which belong to the declaration after them. */
export const templateRole = 27;

/** Returns the syntactic role of a token in the word table at an address, or 0 if it has none. */
@inline export function roleIn(words: usize, token: u32): u32 {
  if ((token & kindMask) > <u32>keywordKind) return 0;
  let slot = (token * golden32) >> (32 - unitWordSlotBits);
  let entry = itemOf<UnitWord>(words, slot);
  while (entry.token && entry.token != token) {
    slot = (slot + 1) & ((1 << unitWordSlotBits) - 1);
    entry = itemOf<UnitWord>(words, slot);
  }
  return entry.token ? entry.role : 0;
}
