// Finds the units of a document: functions, methods, classes, and top-level blocks. No grammar is needed: brackets,
// keywords, and the beginnings of lines indicate where a statement begins. The words of the statement indicate what its
// block is. In Python, Ruby, and similar languages, a block consists of the lines that are indented further than its
// head.
import { kindMask, LexedLine, markShift, numberMask, operatorKind, stringKind } from '../lex/lexed';
import { bracketElements, signsBehind } from './elements';
import {
  caseLine,
  clauseLine,
  decoratorMark,
  depthMask,
  endLine,
  joinedMark,
  labelLine,
  middleLine,
  noStatement,
  relationShift,
} from './places';
import { separator } from './separators';
import {
  arrowRole,
  assignRole,
  caseRole,
  classRole,
  clauseRole,
  closeBlockRole,
  closeRole,
  closeTagRole,
  colonRole,
  commaRole,
  controlRole,
  decoratorRole,
  directiveRole,
  endedBlocks,
  endRole,
  functionRole,
  headRole,
  joinRole,
  minUnitTokens,
  lineStatements,
  modifierRole,
  newRole,
  openBlockRole,
  openRole,
  operatorLines,
  prefixRole,
  semicolonRole,
  stepRole,
  structRole,
  suffixRole,
  elementBlocks,
  indentedBlocks,
  roleIn,
  scriptStatements,
  Unit,
} from './unit';
import { addressAt, itemOf, newRecord, recordBytes, setItem } from '../records';

/** A nesting level: an open bracket or the top level, and the current statement in it. */
@unmanaged class Level {
  /** True if the bracket contains statements or members, false for other brackets and lists. */
  isBlock: bool;
  isCurly: bool;
  /** True if the next token begins a statement. */
  isFresh: bool;
  /** True after a block, until the next token shows whether the statement continues. */
  isAfterBlock: bool;
  /** Bit set of the roles that occur in the current statement. */
  roles: u32;
  /** First token of the current statement, and the token up to which it consists of decorators only. */
  head: u32;
  decorated: u32;
  /**
   * Tokens after the last bracketed list and after the last assignment of the current statement; 0 if there is none.
   */
  listEnd: u32;
  assigned: u32;
  /**
   * Number + 1 of a unit: the unit that the bracket opens (`unit`), and the unit of the current statement
   * (`statementUnit`). 0 if there is none.
   */
  unit: u32;
  statementUnit: u32;
}

/** Maximum nesting depth of brackets. Deeper brackets contain no units. */
const maxLevels: u32 = 256;
/**
 * Maximum number of open indented blocks. Each has two words: its first token and its indentation. After them, the same
 * memory holds the indentations of the statements around the current line.
 */
const maxIndented: u32 = 64;
/** Maximum depth of a statement, counted from 1. Deeper statements are treated as if they had this depth. */
const maxDepth: u32 = depthMask - 1;

/** Returns the size in bytes of the scratch memory that `findUnits` needs. */
export function unitScratchBytes(): usize {
  return recordBytes<Units>() + <usize>maxLevels * offsetof<Level>();
}

/** State of the search for units in the current document. */
@unmanaged class Units {
  tokens: usize;
  /** Address of the word table; see unit.ts. */
  words: usize;
  /** Address of the unit records, maximum number of records, and number of records that have been written. */
  records: usize;
  room: u32;
  count: u32;
  /** Address of the nesting levels, and number of the innermost level. Level 0 is outside of all brackets. */
  levels: usize;
  depth: u32;
  /** True if a line that begins with an operator continues the statement before it. */
  hasOperatorLines: bool;
}

let units = changetype<Units>(0);

@inline function tokenAt(i: u32): u32 {
  return itemOf<u32>(units.tokens, i);
}

@inline function unitAt(i: u32): Unit {
  return itemOf<Unit>(units.records, i);
}

@inline function levelAt(i: u32): Level {
  return itemOf<Level>(units.levels, i);
}

@inline function roleOf(token: u32): u32 {
  return roleIn(units.words, token);
}

/**
 * Writes the units of a document that have at least `minUnitTokens` tokens, and returns their number.
 *
 * @param lines    line records of the lexer; see lexed.ts
 * @param starts   offset of each token
 * @param form     form of the language's blocks, and its flag; see unit.ts
 * @param marks    true to write marks into the line records; see places.ts
 * @param table    word table; see unit.ts
 * @param scratch  `unitScratchBytes()` bytes, aligned to 8
 * @param out      room for `room` records
 */
export function findUnits(
  allTokens: usize,
  count: u32,
  lines: usize,
  lineCount: u32,
  starts: usize,
  form: u32,
  marks: bool,
  table: usize,
  scratch: usize,
  out: usize,
  room: u32,
): u32 {
  units = newRecord<Units>(scratch);
  units.tokens = allTokens;
  units.words = table;
  units.levels = scratch + recordBytes<Units>();
  units.records = out;
  units.room = room;
  units.hasOperatorLines = (form & operatorLines) != 0;
  form &= ~(<u32>operatorLines);
  if (form == <u32>scriptStatements) {
    bracketElements(allTokens, count, table, signsBehind(table), units.levels);
    form = lineStatements;
  }
  if (form == <u32>elementBlocks && hasBraces(count)) form = lineStatements;
  if (form >= <u32>indentedBlocks) findIndented(count, lines, lineCount, starts, form, marks);
  else findBracketed(count, lines, lineCount, form == <u32>lineStatements, marks);
  return sortedUnits();
}

/** Returns true if a text contains braces. In a text in a markup language, only embedded code has them. */
function hasBraces(count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (roleOf(tokenAt(i)) == openBlockRole) return true;
  return false;
}

/** Adds an open unit. Returns its number + 1, or 0 if there is no room. */
function openUnit(start: u32): u32 {
  if (units.count == units.room) return 0;
  const unit = unitAt(units.count++);
  unit.start = start;
  unit.end = 0;
  return units.count;
}

@inline function closeUnit(number: u32, end: u32): void {
  if (number) unitAt(number - 1).end = end;
}

/**
 * Removes units that are too short or have no end, and sorts the others. Nearly all of them are already in order.
 * Returns the number of units that are left.
 */
function sortedUnits(): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < units.count; i++) {
    const start = unitAt(i).start,
      end = unitAt(i).end;
    if (end < start + minUnitTokens) continue;
    let at = kept;
    while (at > 0 && (unitAt(at - 1).start > start || (unitAt(at - 1).start == start && unitAt(at - 1).end < end))) {
      unitAt(at).start = unitAt(at - 1).start;
      unitAt(at).end = unitAt(at - 1).end;
      at--;
    }
    if (at > 0 && unitAt(at - 1).start == start && unitAt(at - 1).end == end) {
      for (; at < kept; at++) {
        unitAt(at).start = unitAt(at + 1).start;
        unitAt(at).end = unitAt(at + 1).end;
      }
      continue;
    }
    unitAt(at).start = start;
    unitAt(at).end = end;
    kept++;
  }
  return kept;
}

/** Begins a statement at token `i` of a level. */
@inline function begin(level: Level, i: u32): void {
  if (level.statementUnit) {
    closeUnit(level.statementUnit, i);
    level.statementUnit = 0;
  }
  level.head = level.decorated = i;
  level.isFresh = false;
  level.isAfterBlock = false;
  level.roles = level.listEnd = level.assigned = 0;
}

/** Kinds of brackets: a list; an object; a text without brackets; and a block. */
const listLevel: u32 = 0;
const objectLevel: u32 = 1;
const topLevel: u32 = 2;
const blockLevel: u32 = 3;

@inline function openLevel(kind: u32, unit: u32): Level {
  const level = levelAt(++units.depth);
  level.isBlock = kind >= topLevel;
  level.isCurly = (kind & objectLevel) != 0;
  level.isFresh = true;
  level.isAfterBlock = false;
  level.roles = level.head = level.decorated = level.listEnd = level.assigned = 0;
  level.unit = unit;
  level.statementUnit = 0;
  return level;
}

@inline function has(level: Level, role: u32): bool {
  return ((level.roles >> role) & 1) != 0;
}

/** Finds the units in a text with bracketed blocks. Also marks the lines that continue a statement or begin a case. */
function findBracketed(count: u32, lines: usize, lineCount: u32, endAtLines: bool, marks: bool): void {
  let level = openTop();
  let line: u32 = 0;
  let tooDeep: u32 = 0;
  let role: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const token = tokenAt(i);
    if (token == separator) {
      closeUnit(levelAt(0).statementUnit, i);
      level = openTop();
      role = 0;
      continue;
    }
    const before = role;
    role = roleOf(token);
    let isFirst = false;
    while (line < lineCount && itemOf<LexedLine>(lines, line).token <= i) {
      isFirst = itemOf<LexedLine>(lines, line).token == i;
      line++;
    }
    // A preprocessor directive does not begin a statement, but an attribute such as `#[derive(Debug)]` does.
    if (role == directiveRole && isFirst && roleOf(i + 1 < count ? tokenAt(i + 1) : 0) != openRole) {
      const next = line < lineCount ? itemOf<LexedLine>(lines, line).token : count;
      i = next - 1;
      if (level.isBlock && !level.statementUnit) level.isFresh = true;
      continue;
    }
    const isAfterBlock = level.isAfterBlock;
    if (level.isFresh) {
      if (role != semicolonRole && role != closeBlockRole) begin(level, i);
    } else if (level.isAfterBlock) {
      level.isAfterBlock = false;
      if (!continues(level, token, role)) begin(level, i);
    } else if (isFirst && endAtLines && level.isBlock && !continues(level, token, role) && !expects(level, i, before)) {
      // The statement does not end after a decorator, because the decorator belongs to the declaration on the next
      // line.
      if (!isDecorated(level, i)) begin(level, i);
    }
    if (isFirst && marks) {
      let mark: u32 = 0;
      if (level.head == i) mark = relationOfCase(i, count, lines, lineCount, line) << relationShift;
      else if (
        role == openBlockRole ? !isAfterBlock && !followsElement(level, i) : level.isBlock && isDecorated(level, i)
      )
        mark = (<u32>clauseLine) << relationShift;
      else if (units.hasOperatorLines && !isAfterBlock && isBetweenParts(token, role)) mark = joinedMark;
      if (mark) {
        const record = itemOf<LexedLine>(lines, line - 1);
        record.number = (record.number & numberMask) | (mark << markShift);
      }
    }
    switch (role) {
      case 0:
        break;
      case openRole: {
        if (units.depth + 1 < maxLevels) level = openLevel(listLevel, 0);
        else tooDeep++;
        break;
      }
      case closeRole: {
        if (tooDeep) tooDeep--;
        else if (units.depth && !level.isCurly) {
          level = levelAt(--units.depth);
          level.listEnd = i + 1;
        }
        break;
      }
      case openBlockRole: {
        if (units.depth + 1 < maxLevels) level = openBlock(level, i, before);
        else tooDeep++;
        break;
      }
      case closeBlockRole: {
        if (tooDeep) {
          tooDeep--;
          break;
        }
        // Also close the brackets that a branch of the preprocessor has left open.
        let at = units.depth;
        while (at && !levelAt(at).isCurly) at--;
        if (!at) break;
        closeUnit(levelAt(at).statementUnit, i);
        const unit = levelAt(at).unit;
        units.depth = at - 1;
        level = levelAt(units.depth);
        level.isAfterBlock = true;
        if (unit) closeUnit(unit, i + 1 < count && roleOf(tokenAt(i + 1)) == semicolonRole ? i + 2 : i + 1);
        break;
      }
      case semicolonRole: {
        if (level.statementUnit) {
          closeUnit(level.statementUnit, i + 1);
          level.statementUnit = 0;
        }
        level.isFresh = true;
        break;
      }
      case commaRole: {
        if (!level.isBlock) level.isFresh = true;
        break;
      }
      case controlRole: {
        // The `for` of `impl A for B` begins no loop.
        if (!has(level, classRole)) level.roles |= 1 << controlRole;
        break;
      }
      case colonRole: {
        // A statement begins after `public:`.
        if (before == modifierRole && level.head == i - 1 && level.isBlock) level.isFresh = true;
        break;
      }
      case headRole: {
        if (level.head == i) level.roles |= 1 << controlRole;
        break;
      }
      case clauseRole: {
        level.roles |= 1 << controlRole;
        break;
      }
      case assignRole: {
        level.assigned = i + 1;
        // A function whose body is an expression ends with its statement.
        if (level.isBlock && level.listEnd && !level.statementUnit && has(level, functionRole))
          level.statementUnit = openUnit(level.head);
        break;
      }
      default:
        level.roles |= 1 << role;
    }
  }
  closeUnit(levelAt(0).statementUnit, count);
}

function openTop(): Level {
  units.depth = 0xffffffff;
  return openLevel(topLevel, 0);
}

/** Opens a block at token `i`. The statement before the block determines the kind of the block. */
function openBlock(level: Level, i: u32, before: u32): Level {
  if (has(level, controlRole)) return openLevel(blockLevel, 0);
  const isFunction =
    before == arrowRole || has(level, functionRole) || (level.listEnd > level.assigned && !has(level, newRole));
  const isType = has(level, classRole) || (has(level, structRole) && !level.listEnd);
  // A function that is an argument of a call belongs to the statement of that call.
  if (isFunction && !level.isBlock && !level.isCurly) {
    let at = units.depth;
    while (at && !levelAt(at).isCurly) at--;
    const outer = levelAt(at);
    if (!outer.statementUnit && !has(outer, controlRole)) outer.statementUnit = openUnit(outer.head);
    return openLevel(blockLevel, 0);
  }
  if (isFunction || isType) return openLevel(blockLevel, openUnit(level.head));
  const isObject = before == assignRole || !level.isBlock || level.assigned || has(level, newRole);
  return openLevel(isObject ? objectLevel : blockLevel, units.depth ? 0 : openUnit(level.head));
}

/**
 * Returns the relation of a line that begins a case or a label with token `i`, otherwise 0. The head of a case ends
 * with a colon on the same line or, if a comma ends the line, on the next one.
 *
 * @param next  number of the next line
 */
function relationOfCase(i: u32, count: u32, lines: usize, lineCount: u32, next: u32): u32 {
  const role = roleOf(tokenAt(i));
  if (role == modifierRole) return i + 1 < count && roleOf(tokenAt(i + 1)) == colonRole ? labelLine : 0;
  if (role != caseRole) return 0;
  let depth: i32 = 0,
    before = role;
  for (i++; i < count; i++) {
    if (next < lineCount && itemOf<LexedLine>(lines, next).token == i) {
      if (before != commaRole) return 0;
      next++;
    }
    before = roleOf(tokenAt(i));
    if (before == openRole || before == openBlockRole) depth++;
    else if ((before == closeRole || before == closeBlockRole) && --depth < 0) return 0;
    else if (before == colonRole && !depth) return caseLine;
  }
  return 0;
}

/**
 * Returns true if the current statement of a level consists only of decorators, annotations, or attributes up to token
 * `to`: `@name`, `@a.b(…)`, `[…]`, or `#[…]`.
 */
function isDecorated(level: Level, to: u32): bool {
  let from = level.decorated;
  while (from < to) {
    let role = roleOf(tokenAt(from));
    if (role == decoratorRole) {
      from += 2;
      while (from + 1 < to && roleOf(tokenAt(from)) == joinRole) from += 2;
      role = from < to ? roleOf(tokenAt(from)) : 0;
      if (role != openRole) continue;
    } else {
      if (role == directiveRole && ++from < to) role = roleOf(tokenAt(from));
      if (role != openRole) return false;
    }
    let depth: i32 = 0;
    for (; from < to; from++) {
      role = roleOf(tokenAt(from));
      if (role == openRole || role == openBlockRole) depth++;
      else if ((role == closeRole || role == closeBlockRole) && --depth == 0) break;
    }
    from++;
  }
  if (from != to) return false;
  level.decorated = to;
  return true;
}

/**
 * Returns true if a { at token `i` follows an element of a list: `}, {` or `f(x), {`. In the head of a declaration, a
 * comma may be before the {, too: `where T: Copy, {`.
 */
@inline function followsElement(level: Level, i: u32): bool {
  if (i < 2 || roleOf(tokenAt(i - 1)) != commaRole) return false;
  return roleOf(tokenAt(i - 2)) == closeBlockRole || !isDeclaration(level);
}

/** Returns true if the current statement of a level has the keyword of a function or type. */
@inline function isDeclaration(level: Level): bool {
  return has(level, functionRole) || has(level, classRole) || has(level, structRole);
}

/** Returns true if a token continues the current statement of a level, for example the `else` of `f() = if …`. */
@inline function continues(level: Level, token: u32, role: u32): bool {
  return joins(token, role) || (role == clauseRole && level.statementUnit != 0);
}

/** Returns true if a statement cannot begin with this token, so the token continues the previous statement. */
@inline function joins(token: u32, role: u32): bool {
  if (role == prefixRole || role == stepRole || role == decoratorRole || role == directiveRole) return false;
  return (
    role == joinRole ||
    role == closeRole ||
    role == closeBlockRole ||
    role == openBlockRole ||
    role == commaRole ||
    role == semicolonRole ||
    role == assignRole ||
    role == arrowRole ||
    role == suffixRole ||
    (token & kindMask) == <u32>operatorKind
  );
}

/** Returns true if a token is an operator between two parts of a statement, or a word that continues a statement. */
@inline function isBetweenParts(token: u32, role: u32): bool {
  if (!role) return (token & kindMask) == <u32>operatorKind;
  return role == joinRole || role == assignRole || role == arrowRole || role == suffixRole || role == colonRole;
}

/** Returns true if a statement cannot end before token `i`, because of the token before it. */
@inline function expects(level: Level, i: u32, before: u32): bool {
  if (!i || before == suffixRole || before == stepRole) return false;
  if (before == colonRole && isDeclaration(level)) return true;
  return (
    before == commaRole ||
    before == modifierRole ||
    before == joinRole ||
    (tokenAt(i - 1) & kindMask) == <u32>operatorKind
  );
}

/**
 * Finds the units in a text with indented blocks, and marks its lines. A unit consists of its head and the lines that
 * are indented further.
 */
function findIndented(count: u32, lines: usize, lineCount: u32, starts: usize, form: u32, marks: bool): void {
  const isEnded = form >= <u32>endedBlocks;
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
    if (form == <u32>elementBlocks && role == closeTagRole && before <= indentation) role = prefixRole;
    before = indentation;
    let mark = noStatement;
    // Skip lines that begin inside brackets or strings, because their indentation has no meaning.
    if (
      brackets <= 0 &&
      (token & kindMask) != <u32>stringKind &&
      token != separator &&
      (form != <u32>elementBlocks || isTag(role))
    ) {
      const isEnd = isEnded && role == endRole;
      while (openCount) {
        const last = addressAt<u64>(open, openCount - 1);
        const outer = load<u32>(last, 4);
        if (outer < indentation || (isEnded && outer == indentation && role == clauseRole)) break;
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
      if (role == decoratorRole) {
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
      if (bracket == openRole || bracket == openBlockRole) brackets++;
      else if ((bracket == closeRole || bracket == closeBlockRole) && brackets > 0) brackets--;
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
  return role == prefixRole || role == closeTagRole || role == suffixRole || role == endRole;
}

/** Returns the relation of a line to the block before it. `role` is the role of the line's first word. */
@inline function relationOf(role: u32, form: u32): u32 {
  if (role == clauseRole) return form == <u32>indentedBlocks ? clauseLine : middleLine;
  // A > at the beginning of a line ends the attributes of a tag.
  if (role == suffixRole) return form == <u32>elementBlocks ? middleLine : 0;
  return form != <u32>indentedBlocks && (role == endRole || role == closeTagRole) ? endLine : 0;
}

/** Returns true if the line with the tokens [first, next) begins a function or a type. Modifiers may precede it. */
function isHead(first: u32, next: u32): bool {
  for (let i = first; i < next; i++) {
    const role = roleOf(tokenAt(i));
    if (role == functionRole || role == classRole) return true;
    if (role != modifierRole) return false;
  }
  return false;
}
