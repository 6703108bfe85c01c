// Begins passages of prose with their headings. A heading that differs is in no alignment, so a copied section would
// begin below it.
import { headingKind, kindMask } from '../lex/lexed';
import { firstToken, lineOf } from './bounds';
import { classifier } from './classifier';
import { leftToken, pair, rightToken, setPassages } from './documentPair';
import { Match } from './matchRecord';
import { Side } from './side';
import { separator } from '../documents/separators';

/** Maximum number of tokens in these headings, as in an incomplete statement that is cut off. */
const maxOfHeading: u32 = 24;

/**
 * If both current passages begin directly below a heading, extends them to these headings, if half of the longer one is
 * equal or both passages are the rest of the section. Includes headings that are directly above these on both sides.
 * An exact copy stays exact: it is extended to equal headings only. The passages keep the minimum similarity. Returns
 * the number of equal tokens that were added.
 *
 * @param record  match of the passages
 */
export function addHeadings(record: Match): u32 {
  const left = pair.left,
    right = pair.right;
  let a = left.start,
    b = right.start;
  for (;;) {
    const nextA = headingAbove(left, a),
      nextB = headingAbove(right, b);
    if (nextA == a || nextB == b) break;
    a = nextA;
    b = nextB;
  }
  if (a == left.start || (pair.sameDocument && left.end > b)) return 0;
  const longer = max(left.start - a, right.start - b),
    equal = equalInHeadings(a, b);
  if (equal << 1 < longer && !(endsSection(left) && endsSection(right))) return 0;
  const isExact = record.equal == left.end - left.start && record.equal == right.end - right.start;
  if (isExact && (equal < longer || left.start - a != right.start - b)) return 0;
  const tokens = left.end - a + (right.end - b),
    alike = 2 * (record.equal + record.consistent + equal) + record.once;
  if (<f64>alike < classifier.minSimilarity * <f64>tokens) return 0;
  setPassages(a, left.end, b, right.end);
  return equal;
}

/** Returns the first token of the heading on the line above a token, or the token itself if there is none. */
function headingAbove(side: Side, token: u32): u32 {
  const line = lineOf(side, token);
  if (!line || firstToken(side, line) != token) return token;
  const first = firstToken(side, line - 1);
  if (!isHeading(side.token(first)) || side.start - first > maxOfHeading) return token;
  for (let i = first; i < token; i++) if (side.token(i) == separator) return token;
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
