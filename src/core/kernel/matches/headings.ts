// Begins passages of prose with their headings. A heading that differs is in no alignment, so a copied section would
// begin below it.
import { headingKind, kindMask } from '../lex/lexed';
import { firstToken, lineOf } from './bounds';
import { leftToken, pair, rightToken, setPassages } from './documentPair';
import { Side } from './side';
import { separator } from '../documents/separators';

/** Maximum number of tokens in a heading, as in an incomplete statement that is cut off. */
const maxOfHeading: u32 = 24;

/**
 * If both current passages begin directly below a heading, extends them to these headings, if the headings are alike or
 * both passages are the rest of the section. Returns the number of equal tokens that were added.
 */
export function addHeadings(): u32 {
  const left = pair.left,
    right = pair.right;
  const a = headingAbove(left),
    b = headingAbove(right);
  if (a == left.start || b == right.start || (pair.sameDocument && left.end > b)) return 0;
  const longer = max(left.start - a, right.start - b),
    equal = equalInHeadings(a, b);
  if (equal << 1 < longer && !(endsSection(left) && endsSection(right))) return 0;
  setPassages(a, left.end, b, right.end);
  return equal;
}

/** Returns the first token of the heading on the line above a passage, or the start of the passage if there is none. */
function headingAbove(side: Side): u32 {
  const start = side.start,
    line = lineOf(side, start);
  if (!line || firstToken(side, line) != start || isHeading(side.token(start))) return start;
  const first = firstToken(side, line - 1);
  if (!isHeading(side.token(first)) || start - first > maxOfHeading) return start;
  for (let i = first; i < start; i++) if (side.token(i) == separator) return start;
  return first;
}

/** Returns the number of equal tokens at the beginning and the end of the headings that begin at `a` and `b`. */
function equalInHeadings(a: u32, b: u32): u32 {
  const endA = pair.left.start,
    endB = pair.right.start,
    shorter = min(endA - a, endB - b);
  let atStart: u32 = 0,
    atEnd: u32 = 0;
  while (atStart < shorter && leftToken(a + atStart) == rightToken(b + atStart)) atStart++;
  while (atStart + atEnd < shorter && leftToken(endA - 1 - atEnd) == rightToken(endB - 1 - atEnd)) atEnd++;
  return atStart + atEnd;
}

@inline function isHeading(token: u32): bool {
  return (token & kindMask) == <u32>headingKind;
}

/** Returns true if a passage ends with its section. */
function endsSection(side: Side): bool {
  return side.end == side.tokenCount || isHeading(side.token(side.end));
}
