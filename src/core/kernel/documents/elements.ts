// Finds the elements of JSX among the tokens of a document. The first and the last sign of an element become tokens
// that are brackets, so that rules for brackets apply to elements, too. scripts/build.mjs derives elementsLayout.ts
// from this file.
import { identifierKind, keywordKind, kindMask, operatorKind } from '../lex/lexed';
import { separator } from './separators';
import { closeBlockRole, closeRole, openBlockRole, openRole, roleIn, UnitWord, unitWordSlotBits } from './unit';
import { itemOf, setItem } from '../records';

/**
 * Tokens of the signs of JSX. `open` and `close` replace the first and the last sign of an element. `templateName` is
 * the token of the word in a header of C++, which is read as C. The shifts are `>>` and `>>>`, which close parameters.
 */
@unmanaged export class ElementSigns {
  less: u32;
  greater: u32;
  slash: u32;
  closeTag: u32;
  fragment: u32;
  open: u32;
  close: u32;
  templateName: u32;
  shift: u32;
  unsignedShift: u32;
}

/** Returns the record after a word table. */
export function signsBehind(words: usize): ElementSigns {
  return changetype<ElementSigns>(changetype<usize>(itemOf<UnitWord>(words, 1 << unitWordSlotBits)));
}

/** An element without its closing tag, or another < before a name. */
@unmanaged class OpenElement {
  /** Index of its first token. */
  start: u32;
  /** Token of its name; 0 for a fragment. */
  name: u32;
  /** Number of open brackets before it. */
  depth: i32;
  /** True after the end of the opening tag. */
  hasContent: bool;
}

const maxOpen: u32 = 256;
/** Maximum number of tokens in a closing tag. */
const maxOfTag: u32 = 16;

/**
 * Replaces the first and the last sign of each element.
 *
 * @param words    word table; see unit.ts
 * @param signs    tokens of signs
 * @param scratch  room for `maxOpen` records
 */
export function bracketElements(tokens: usize, count: u32, words: usize, signs: ElementSigns, scratch: usize): void {
  if (!hasTags(tokens, count, signs)) return;
  let open: u32 = 0;
  let depth: i32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const token = itemOf<u32>(tokens, i);
    if (token == separator) {
      open = 0;
      depth = 0;
    } else if (token == signs.less || token == signs.fragment) {
      if (!beginsElement(tokens, i, count, words, signs, scratch, open, depth)) continue;
      // So many are open only if most of them are no elements.
      if (open == maxOpen) open = 0;
      const element = itemOf<OpenElement>(scratch, open++);
      element.start = i;
      element.hasContent = token == signs.fragment;
      element.name = element.hasContent ? 0 : itemOf<u32>(tokens, i + 1);
      element.depth = depth;
    } else if (token == signs.greater) {
      if (!open) continue;
      const element = itemOf<OpenElement>(scratch, open - 1);
      if (element.hasContent || element.depth != depth) continue;
      if (itemOf<u32>(tokens, i - 1) == signs.slash) {
        setItem<u32>(tokens, element.start, signs.open);
        setItem<u32>(tokens, i, signs.close);
        open--;
      } else element.hasContent = true;
    } else if (token == signs.closeTag) {
      const end = endOfTag(tokens, i, count, signs);
      if (end == count) continue;
      const name = end == i + 1 ? 0 : itemOf<u32>(tokens, i + 1);
      // Leave out what only looked like an element, such as a list of type parameters.
      let at = open;
      while (at && !isOpen(itemOf<OpenElement>(scratch, at - 1), name, depth)) at--;
      if (!at) continue;
      open = at - 1;
      setItem<u32>(tokens, itemOf<OpenElement>(scratch, open).start, signs.open);
      setItem<u32>(tokens, end, signs.close);
      i = end;
    } else {
      const role = roleIn(words, token);
      if (role == openRole || role == openBlockRole) depth++;
      else if (role == closeRole || role == closeBlockRole) {
        depth--;
        while (open && itemOf<OpenElement>(scratch, open - 1).depth > depth) open--;
      }
    }
  }
}

/** Returns true if the tokens contain the end of an element. Most documents contain none. */
function hasTags(tokens: usize, count: u32, signs: ElementSigns): bool {
  let before: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const token = itemOf<u32>(tokens, i);
    if (token == signs.closeTag || (token == signs.greater && before == signs.slash)) return true;
    before = token;
  }
  return false;
}

@inline function isOpen(element: OpenElement, name: u32, depth: i32): bool {
  return element.depth == depth && element.name == name && element.hasContent;
}

/**
 * Returns true if the < or <> at index `i` may begin an element. After a name or a closing bracket, it does so only in
 * the content of another element.
 */
function beginsElement(
  tokens: usize,
  i: u32,
  count: u32,
  words: usize,
  signs: ElementSigns,
  scratch: usize,
  open: u32,
  depth: i32,
): bool {
  if (itemOf<u32>(tokens, i) == signs.less && (i + 1 == count || !isName(itemOf<u32>(tokens, i + 1)))) return false;
  if (!i) return true;
  const around = itemOf<OpenElement>(scratch, open - u32(open > 0));
  if (open && around.hasContent && around.depth == depth) return true;
  const before = itemOf<u32>(tokens, i - 1);
  return before == separator || ((before & kindMask) < <u32>identifierKind && roleIn(words, before) != closeRole);
}

@inline function isName(token: u32): bool {
  const kind = token & kindMask;
  return kind != <u32>operatorKind && kind >= <u32>keywordKind && kind <= <u32>identifierKind + 1;
}

/** Returns the index of the last sign of the closing tag that begins at index `i`. Returns `count` if it has none. */
function endOfTag(tokens: usize, i: u32, count: u32, signs: ElementSigns): u32 {
  for (let end = i + 1, limit = min(count, i + maxOfTag); end < limit; end++) {
    if (itemOf<u32>(tokens, end) == signs.greater) return end;
  }
  return count;
}
