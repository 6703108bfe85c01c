// Finds the units of a document in Python, Ruby, and similar languages, and in markup. A block consists of the lines
// that are indented further than its head.
import { kindMask, LexedLine, markShift, numberMask, stringKind } from '../lex/lexed';
import { addressAt, itemOf, setItem } from '../records';
import { clauseLine, decoratorMark, depthMask, endLine, middleLine, noStatement, relationShift } from './places';
import { separator } from './separators';
import * as unit from './unit';
import { closeUnit, openUnit, roleOf, tokenAt, units } from './unitList';

/**
 * Maximum number of open indented blocks. Each has two words: its first token and its indentation. After them, the same
 * memory holds the indentations of the statements around the current line.
 */
const maxIndented: u32 = 64;
/** Maximum depth of a statement, counted from 1. Deeper statements are treated as if they had this depth. */
const maxDepth: u32 = depthMask - 1;

/**
 * Finds the units in a text with indented blocks, and marks its lines. A unit consists of its head and the lines that
 * are indented further.
 */
export function findIndented(count: u32, lines: usize, lineCount: u32, starts: usize, form: u32, marks: bool): void {
  const isEnded = form >= <u32>unit.endedBlocks;
  const open = units.levels;
  const around = addressAt<u64>(open, maxIndented);
  let depth: u32 = 0;
  let openCount: u32 = 0;
  let brackets: i32 = 0;
  let decorated: u32 = 0xffffffff;
  // Indentation of the previous line.
  let before: u32 = 0;
  for (let line: u32 = 0; line < lineCount; line++) {
    const record = itemOf<LexedLine>(lines, line);
    const first = record.token;
    const next = line + 1 < lineCount ? itemOf<LexedLine>(lines, line + 1).token : count;
    const token = tokenAt(first);
    const indentation = itemOf<u32>(starts, first) - record.offset;
    let role = roleOf(token);
    // Elements may be written without indentation. Then a closing tag at the beginning of a line ends no block.
    if (form == <u32>unit.elementBlocks && role == unit.closeTagRole && before <= indentation) role = unit.prefixRole;
    before = indentation;
    let mark = noStatement;
    // Skip lines that begin inside brackets or strings, because their indentation has no meaning.
    if (
      brackets <= 0 &&
      (token & kindMask) != <u32>stringKind &&
      token != separator &&
      (form != <u32>unit.elementBlocks || isTag(role))
    ) {
      const isEnd = isEnded && role == unit.endRole;
      while (openCount) {
        const last = addressAt<u64>(open, openCount - 1);
        const outer = load<u32>(last, 4);
        if (outer < indentation || (isEnded && outer == indentation && role == unit.clauseRole)) break;
        closeUnit(load<u32>(last), isEnd && outer == indentation ? first + 1 : first);
        openCount--;
        if (isEnd && outer == indentation) break;
      }
      while (depth && itemOf<u32>(around, depth - 1) >= indentation) depth--;
      if (depth < maxDepth) {
        setItem<u32>(around, depth, indentation);
        depth++;
      }
      mark = depth | (relationOf(role, form) << relationShift);
      if (role == unit.decoratorRole) {
        mark |= decoratorMark;
        if (decorated == 0xffffffff) decorated = first;
      } else {
        if (openCount < maxIndented && isHead(first, next)) {
          const head = addressAt<u64>(open, openCount);
          store<u32>(head, openUnit(min(first, decorated)));
          store<u32>(head, indentation, 4);
          openCount++;
        }
        decorated = 0xffffffff;
      }
    }
    if (marks) record.number = (record.number & numberMask) | (mark << markShift);
    for (let i = first; i < next; i++) {
      const bracket = roleOf(tokenAt(i));
      if (bracket == unit.openRole || bracket == unit.openBlockRole) brackets++;
      else if ((bracket == unit.closeRole || bracket == unit.closeBlockRole) && brackets > 0) brackets--;
    }
  }
  while (openCount) {
    closeUnit(load<u32>(addressAt<u64>(open, --openCount)), count);
  }
}

/**
 * Returns true if a line of markup begins with a tag or the end of a tag. Text and attributes belong to the line
 * before.
 */
@inline function isTag(role: u32): bool {
  return role == unit.prefixRole || role == unit.closeTagRole || role == unit.suffixRole || role == unit.endRole;
}

/** Returns the relation of a line to the block before it. `role` is the role of the line's first word. */
@inline function relationOf(role: u32, form: u32): u32 {
  if (role == unit.clauseRole) return form == <u32>unit.indentedBlocks ? clauseLine : middleLine;
  // A > at the beginning of a line ends the attributes of a tag.
  if (role == unit.suffixRole) return form == <u32>unit.elementBlocks ? middleLine : 0;
  return form != <u32>unit.indentedBlocks && (role == unit.endRole || role == unit.closeTagRole) ? endLine : 0;
}

/**
 * Returns true if the line with the tokens [first, next) begins a function or a type that does not end on it. Modifiers
 * may precede it.
 */
function isHead(first: u32, next: u32): bool {
  let i = first;
  while (i < next && roleOf(tokenAt(i)) == unit.modifierRole) i++;
  if (i == next) return false;
  const role = roleOf(tokenAt(i));
  if (role != unit.functionRole && role != unit.classRole) return false;
  for (; i < next; i++) if (roleOf(tokenAt(i)) == unit.endRole) return false;
  return true;
}
