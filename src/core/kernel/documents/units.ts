// Finds the units of a document: functions, methods, classes, and top-level blocks. No grammar is needed: brackets,
// keywords, and the beginnings of lines indicate where a statement begins. The words of the statement indicate what its
// block is. Units of languages with indented blocks are found by indentedUnits.ts.
import { keywordKind, kindMask, LexedLine, markShift, numberMask, operatorKind, stringKind } from '../lex/lexed';
import { bracketElements, signsBehind } from './elements';
import { caseLine, clauseLine, joinedMark, labelLine, relationShift } from './places';
import { separator } from './separators';
import * as unit from './unit';
import { closeUnit, openUnit, roleOf, sortedUnits, tokenAt, Units, units, useUnits } from './unitList';
import { findIndented } from './indentedUnits';
import { itemOf, newRecord, recordBytes } from '../records';

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

/** Value of `decorated` if a statement contains something else than decorators. */
const notDecorated: u32 = 0xffffffff;
/** Maximum nesting depth of brackets. Deeper brackets contain no units. */
const maxLevels: u32 = 256;

/** Returns the size in bytes of the scratch memory that `findUnits` needs. */
export function unitScratchBytes(): usize {
  return recordBytes<Units>() + <usize>maxLevels * offsetof<Level>();
}

@inline function levelAt(i: u32): Level {
  return itemOf<Level>(units.levels, i);
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
  useUnits(newRecord<Units>(scratch));
  units.tokens = allTokens;
  units.words = table;
  units.levels = scratch + recordBytes<Units>();
  units.records = out;
  units.room = room;
  units.hasOperatorLines = (form & unit.operatorLines) != 0;
  form &= ~(<u32>unit.operatorLines);
  if (form == <u32>unit.scriptStatements) {
    bracketElements(allTokens, count, table, signsBehind(table), units.levels);
    form = unit.lineStatements;
  }
  if (form == <u32>unit.elementBlocks && hasBraces(count)) form = unit.lineStatements;
  if (form >= <u32>unit.indentedBlocks) findIndented(count, lines, lineCount, starts, form, marks);
  else findBracketed(count, lines, lineCount, form == <u32>unit.lineStatements, marks);
  return sortedUnits();
}

/** Returns true if a text contains braces. In a text in a markup language, only embedded code has them. */
function hasBraces(count: u32): bool {
  for (let i: u32 = 0; i < count; i++) if (roleOf(tokenAt(i)) == unit.openBlockRole) return true;
  return false;
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

@inline function openLevel(kind: u32, unitNumber: u32): Level {
  const level = levelAt(++units.depth);
  level.isBlock = kind >= topLevel;
  level.isCurly = (kind & objectLevel) != 0;
  level.isFresh = true;
  level.isAfterBlock = false;
  level.roles = level.head = level.decorated = level.listEnd = level.assigned = 0;
  level.unit = unitNumber;
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
    if (role == unit.directiveRole && isFirst && roleOf(i + 1 < count ? tokenAt(i + 1) : 0) != unit.openRole) {
      const next = line < lineCount ? itemOf<LexedLine>(lines, line).token : count;
      i = next - 1;
      if (level.isBlock && !level.statementUnit) level.isFresh = true;
      continue;
    }
    const isAfterBlock = level.isAfterBlock;
    if (level.isFresh) {
      if (role != unit.semicolonRole && role != unit.closeBlockRole) begin(level, i);
    } else if (level.isAfterBlock) {
      level.isAfterBlock = false;
      if (!continues(level, token, role)) begin(level, i);
    } else if (isFirst && endAtLines && level.isBlock && !continues(level, token, role) && !expects(level, i, before)) {
      // The statement does not end after a decorator, because the decorator belongs to the declaration on the next
      // line.
      if (roleOf(tokenAt(level.head)) != unit.decoratorRole || !isDecorated(level, i)) begin(level, i);
    }
    if (isFirst && marks) {
      let mark: u32 = 0;
      if (level.head == i) mark = relationOfCase(i, count, lines, lineCount, line) << relationShift;
      else if (
        role == unit.openBlockRole
          ? !isAfterBlock && !followsElement(level, i)
          : level.isBlock && (isDecorated(level, i) || isValue(token, role, before))
      )
        mark = (<u32>clauseLine) << relationShift;
      else if (units.hasOperatorLines && !isAfterBlock && (isBetweenParts(token, role) || isPart(level, token, before)))
        mark = joinedMark;
      if (mark) {
        const record = itemOf<LexedLine>(lines, line - 1);
        record.number = (record.number & numberMask) | (mark << markShift);
      }
    }
    switch (role) {
      case 0:
        break;
      case unit.openRole: {
        if (units.depth + 1 < maxLevels) level = openLevel(listLevel, 0);
        else tooDeep++;
        break;
      }
      case unit.closeRole: {
        if (tooDeep) tooDeep--;
        else if (units.depth && !level.isCurly) {
          level = levelAt(--units.depth);
          level.listEnd = i + 1;
        }
        break;
      }
      case unit.openBlockRole: {
        if (units.depth + 1 < maxLevels) level = openBlock(level, i, before);
        else tooDeep++;
        break;
      }
      case unit.closeBlockRole: {
        if (tooDeep) {
          tooDeep--;
          break;
        }
        // Also close the brackets that a branch of the preprocessor has left open.
        let at = units.depth;
        while (at && !levelAt(at).isCurly) at--;
        if (!at) break;
        closeUnit(levelAt(at).statementUnit, i);
        const unitNumber = levelAt(at).unit;
        units.depth = at - 1;
        level = levelAt(units.depth);
        level.isAfterBlock = true;
        if (unitNumber)
          closeUnit(unitNumber, i + 1 < count && roleOf(tokenAt(i + 1)) == unit.semicolonRole ? i + 2 : i + 1);
        break;
      }
      case unit.semicolonRole: {
        if (level.statementUnit) {
          closeUnit(level.statementUnit, i + 1);
          level.statementUnit = 0;
        }
        level.isFresh = true;
        break;
      }
      case unit.commaRole: {
        if (!level.isBlock) level.isFresh = true;
        break;
      }
      case unit.controlRole: {
        // The `for` of `impl A for B` begins no loop.
        if (!has(level, unit.classRole) || has(level, unit.caseRole)) level.roles |= 1 << unit.controlRole;
        break;
      }
      case unit.colonRole: {
        // A statement begins after `public:`.
        if (before == unit.modifierRole && level.head == i - 1 && level.isBlock) level.isFresh = true;
        break;
      }
      case unit.classRole: {
        // `A::class` and `A.class` are values.
        if (before != unit.prefixRole && before != unit.joinRole) level.roles |= 1 << unit.classRole;
        break;
      }
      case unit.headRole: {
        if (level.head == i) level.roles |= 1 << unit.controlRole;
        break;
      }
      case unit.clauseRole: {
        level.roles |= 1 << unit.controlRole;
        break;
      }
      case unit.assignRole: {
        // A function whose body is an expression ends with its statement.
        if (!level.assigned && level.isBlock && level.listEnd && !level.statementUnit && has(level, unit.functionRole))
          level.statementUnit = openUnit(level.head);
        level.assigned = i + 1;
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
  if (has(level, unit.controlRole)) return openLevel(blockLevel, 0);
  const isFunction =
    before == unit.arrowRole ||
    has(level, unit.functionRole) ||
    (level.listEnd > level.assigned && !has(level, unit.newRole));
  const isType = has(level, unit.classRole) || (has(level, unit.structRole) && !level.listEnd);
  // A function that is an argument of a call belongs to the statement of that call.
  if (isFunction && !level.isBlock && !level.isCurly) {
    let at = units.depth;
    while (at && !levelAt(at).isCurly) at--;
    const outer = levelAt(at);
    if (!outer.statementUnit && !has(outer, unit.controlRole)) outer.statementUnit = openUnit(outer.head);
    return openLevel(blockLevel, 0);
  }
  if (isFunction || isType) return openLevel(blockLevel, openUnit(level.head));
  const isObject = before == unit.assignRole || !level.isBlock || level.assigned || has(level, unit.newRole);
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
  if (role == unit.modifierRole) return i + 1 < count && roleOf(tokenAt(i + 1)) == unit.colonRole ? labelLine : 0;
  if (role != unit.caseRole) return 0;
  let depth: i32 = 0,
    before = role;
  for (i++; i < count; i++) {
    if (next < lineCount && itemOf<LexedLine>(lines, next).token == i) {
      if (before != unit.commaRole) return 0;
      next++;
    }
    before = roleOf(tokenAt(i));
    if (before == unit.openRole || before == unit.openBlockRole) depth++;
    else if ((before == unit.closeRole || before == unit.closeBlockRole) && --depth < 0) return 0;
    else if (before == unit.colonRole && !depth) return caseLine;
  }
  return 0;
}

/**
 * Returns true if a line that begins with a token is the value of an assignment or the body of a function, after a line
 * that ends with `=`. A string or a declaration is not: a declaration there is usually the code in a string.
 */
@inline function isValue(token: u32, role: u32, before: u32): bool {
  if (!units.hasOperatorLines || before != unit.assignRole) return false;
  if (role == unit.functionRole || role == unit.classRole || role == unit.structRole) return false;
  return (token & kindMask) != <u32>stringKind;
}

/**
 * Returns true if a line continues a statement because of the token before it: a `.`, a word such as `where`, a comma
 * between the conditions after it, or the arrow of a function that is an argument or a value. A block may begin after
 * other arrows, as in `case A =>` of Scala. A line that begins with a keyword does not continue after a `.`, which is
 * then the end of a sentence.
 */
@inline function isPart(level: Level, token: u32, before: u32): bool {
  if (before == unit.arrowRole) return !level.isBlock || level.assigned != 0;
  if (before == unit.commaRole) return level.isBlock && has(level, unit.joinRole) && isDeclaration(level);
  return before == unit.joinRole && (token & kindMask) != <u32>keywordKind;
}

/**
 * Returns true if the current statement of a level consists only of decorators, annotations, or attributes up to token
 * `to`: `@name`, `@a.b(…)`, `[…]`, or `#[…]`. Also returns true within `template <…>` of C++, and in the head after it
 * until the parameters of a function.
 */
function isDecorated(level: Level, to: u32): bool {
  let from = level.decorated;
  if (from < to && to - from < maxOfTemplate && isTemplate(tokenAt(from)) && isHeadOfTemplate(level, from, to))
    return true;
  level.decorated = notDecorated;
  while (from < to) {
    let role = roleOf(tokenAt(from));
    if (role == unit.decoratorRole) {
      from += 2;
      while (from + 1 < to && roleOf(tokenAt(from)) == unit.joinRole) from += 2;
      role = from < to ? roleOf(tokenAt(from)) : 0;
      if (role != unit.openRole) continue;
    } else {
      if (role == unit.directiveRole && ++from < to) role = roleOf(tokenAt(from));
      if (role != unit.openRole) return false;
    }
    let depth: i32 = 0;
    for (; from < to; from++) {
      role = roleOf(tokenAt(from));
      if (role == unit.openRole || role == unit.openBlockRole) depth++;
      else if ((role == unit.closeRole || role == unit.closeBlockRole) && --depth == 0) break;
    }
    from++;
  }
  if (from != to) return false;
  level.decorated = to;
  return true;
}

/** Maximum number of tokens in the head of a template, which is read again at each of its lines. */
const maxOfTemplate: u32 = 512;

/** Returns true if a token is the word before the parameters of a template. */
@inline function isTemplate(token: u32): bool {
  return token == signsBehind(units.words).templateName || roleOf(token) == unit.templateRole;
}

/**
 * Returns true if the tokens [from, to) of a statement are in the parameters of a template, or in the head after them:
 * `template <…>`, and a return type on a line of its own.
 */
function isHeadOfTemplate(level: Level, from: u32, to: u32): bool {
  const signs = signsBehind(units.words);
  if (to == from + 1 && tokenAt(to) != signs.less && tokenAt(to) != signs.fragment) return false;
  let depth: i32 = 0,
    inner: i32 = 0;
  for (let i = from + 1; i < to; i++) {
    const token = tokenAt(i),
      role = roleOf(token);
    if (role == unit.openRole || role == unit.openBlockRole) inner++;
    else if (role == unit.closeRole || role == unit.closeBlockRole) inner--;
    if (inner) continue;
    if (token == signs.less) depth++;
    else if (token == signs.greater) depth--;
    else if (token == signs.shift) depth -= 2;
    else if (token == signs.unsignedShift) depth -= 3;
    else if (!depth && i == from + 1 && token != signs.fragment) return false;
    if (depth > 0 || isTemplate(token) || (i + 1 < to && isTemplate(tokenAt(i + 1)))) continue;
    return level.listEnd <= i && level.assigned <= i;
  }
  return true;
}

/**
 * Returns true if a { at token `i` follows an element of a list: `}, {` or `f(x), {`. In the head of a declaration, a
 * comma may be before the {, too: `where T: Copy, {`.
 */
@inline function followsElement(level: Level, i: u32): bool {
  if (i < 2 || roleOf(tokenAt(i - 1)) != unit.commaRole) return false;
  return roleOf(tokenAt(i - 2)) == unit.closeBlockRole || !isDeclaration(level);
}

/** Returns true if the current statement of a level has the keyword of a function or type. */
@inline function isDeclaration(level: Level): bool {
  return has(level, unit.functionRole) || has(level, unit.classRole) || has(level, unit.structRole);
}

/** Returns true if a token continues the current statement of a level, for example the `else` of `f() = if …`. */
@inline function continues(level: Level, token: u32, role: u32): bool {
  return joins(token, role) || (role == unit.clauseRole && level.assigned != 0 && has(level, unit.functionRole));
}

/** Returns true if a statement cannot begin with this token, so the token continues the previous statement. */
@inline function joins(token: u32, role: u32): bool {
  if (role == unit.prefixRole || role == unit.stepRole || role == unit.decoratorRole || role == unit.directiveRole)
    return false;
  return (
    role == unit.joinRole ||
    role == unit.closeRole ||
    role == unit.closeBlockRole ||
    role == unit.openBlockRole ||
    role == unit.commaRole ||
    role == unit.semicolonRole ||
    role == unit.assignRole ||
    role == unit.arrowRole ||
    role == unit.suffixRole ||
    (token & kindMask) == <u32>operatorKind
  );
}

/** Returns true if a token is an operator between two parts of a statement, or a word that continues a statement. */
@inline function isBetweenParts(token: u32, role: u32): bool {
  if (!role) return (token & kindMask) == <u32>operatorKind;
  return (
    role == unit.joinRole ||
    role == unit.assignRole ||
    role == unit.arrowRole ||
    role == unit.suffixRole ||
    role == unit.colonRole
  );
}

/** Returns true if a statement cannot end before token `i`, because of the token before it. */
@inline function expects(level: Level, i: u32, before: u32): bool {
  if (!i || before == unit.suffixRole || before == unit.stepRole) return false;
  if (before == unit.colonRole && isDeclaration(level) && !has(level, unit.caseRole)) return true;
  return (
    before == unit.commaRole ||
    before == unit.modifierRole ||
    before == unit.joinRole ||
    (tokenAt(i - 1) & kindMask) == <u32>operatorKind
  );
}
