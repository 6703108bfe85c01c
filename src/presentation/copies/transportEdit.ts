/**
 * Applies an edit of one copy to another copy: at the corresponding words, and with the other copy's names. Counts the
 * parts of the edit that have no counterpart there.
 */
import { gapsBetween } from './alignWords.ts';
import { type AlignedCopies, alignCopies, renamedIn } from './renaming.ts';
import { type Word, wordsOf } from './words.ts';

/** A range of a text, and its replacement. */
export interface Replacement {
  /** Start in UTF-16 units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface TransportedEdit {
  /** Replacements to make in the other copy, in order. */
  readonly replacements: readonly Replacement[];
  /** Names in the edited copy, with the corresponding names in the other copy. */
  readonly names: readonly (readonly [edited: string, other: string])[];
  /** Number of parts of the edit that have no counterpart in the other copy. */
  readonly missed: number;
}

/**
 * Returns the edit to make in another copy so that it corresponds to an edit of this copy.
 *
 * @param before    the edited copy before the edit
 * @param after     the edited copy after the edit
 * @param other     the other copy
 * @param language  VS Code id of the language of both copies; `undefined` if they differ
 */
export function transportEdit(before: string, after: string, other: string, language?: string): TransportedEdit {
  const edited = hunksOf(before, after, language);
  const copies = alignCopies(before, other, language);
  const renamed = new Map(renamedIn(copies).map(({ left, right }) => [left, right]));
  const opposite = new Map(copies.pairs);
  const [itsEnd] = /\r\n|\r|\n/.exec(other) ?? [];
  const lineEnd = (mine: string): string => itsEnd ?? mine;
  const replacements: Replacement[] = [];
  const names = new Map<string, string>();
  let missed = 0;
  for (const each of edited) {
    const hunk = { ...each, after: renameBetween(each, renamed) };
    const place = placeOf(hunk, copies, opposite, renamed);
    if (place === undefined) {
      missed++;
      continue;
    }
    const [start, end] = [
      place.first === 0 ? 0 : copies.right[place.first - 1]!.end,
      place.last === copies.right.length ? other.length : copies.right[place.last]!.start,
    ];
    const there = other.slice(start, end);
    const indents = [indentAt(before, hunk.start), indentAt(other, start)] as const;
    const text = withBlanksOf(there, hunk, (part) => indentedAs(part, ...indents, lineEnd));
    if (text === there) continue;
    replacements.push(trimmed(there, { start, end, text }));
    for (const word of each.words) {
      const name = word.kind === 'name' ? renamed.get(word.text) : undefined;
      if (name !== undefined) names.set(word.text, name);
    }
  }
  return { replacements, names: [...names], missed };
}

/** Removes unchanged text from both ends of a replacement, so that users review only the text that changes. */
function trimmed(there: string, { start, end, text }: Replacement): Replacement {
  const maxLength = Math.min(there.length, text.length);
  let before = 0;
  while (before < maxLength && there[before] === text[before]) before++;
  while (before > 0 && isWithin(there, before, text, before)) before--;
  let behind = 0;
  while (behind < maxLength - before && there.at(-1 - behind) === text.at(-1 - behind)) behind++;
  while (behind > 0 && isWithin(there, there.length - behind, text, text.length - behind)) behind--;
  return { start: start + before, end: end - behind, text: text.slice(before, text.length - behind) };
}

/** Returns true if a position is inside a surrogate pair or a CRLF, in either of the two texts. */
function isWithin(one: string, at: number, other: string, otherAt: number): boolean {
  const within = /^(?:[\uD800-\uDBFF][\uDC00-\uDFFF]|\r\n)/;
  return within.test(one.slice(at - 1, at + 1)) || within.test(other.slice(otherAt - 1, otherAt + 1));
}

/** Applies replacements, sorted by position, to a text. */
export function replaced(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const replacement of replacements) {
    parts.push(text.slice(end, replacement.start), replacement.text);
    end = replacement.end;
  }
  return parts.join('') + text.slice(end);
}

/** A replaced part of the edited copy: its words [first, last) before the edit, and the new text in their place. */
interface Hunk {
  readonly first: number;
  readonly last: number;
  /** Offset of `before` in the old text. */
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** Words of the text after the edit, and the offset at which the new part begins. */
  readonly words: readonly Word[];
  readonly afterStart: number;
}

/** Returns the new part, with names replaced by those of the other copy. */
function renameBetween({ after, words, afterStart }: Hunk, names: ReadonlyMap<string, string>): string {
  const replacements = words.flatMap(({ text, kind, start, end }): Replacement[] => {
    const name = kind === 'name' ? names.get(text) : undefined;
    return name === undefined ? [] : [{ start: start - afterStart, end: end - afterStart, text: name }];
  });
  return replaced(after, replacements);
}

/** Returns the parts that an edit replaced. Each is between two unchanged words. */
function hunksOf(before: string, after: string, language: string | undefined): Hunk[] {
  const [old, now] = [wordsOf(before, language), wordsOf(after, language)];
  return gapsBetween(old, now).flatMap(({ left: first, leftEnd: last, right, rightEnd }) => {
    const start = endBefore(old, first);
    const piece = before.slice(start, startOf(old, last, before));
    const afterStart = endBefore(now, right);
    const text = after.slice(afterStart, startOf(now, rightEnd, after));
    if (areSame(piece, text)) return [];
    return [{ first, last, start, before: piece, after: text, words: now.slice(right, rightEnd), afterStart }];
  });
}

/**
 * Returns the words [first, last) of the other copy that correspond to a replaced part. Returns `undefined` unless the
 * neighboring words correspond as well.
 */
function placeOf(
  { first, last }: Hunk,
  { left, right }: AlignedCopies,
  opposite: ReadonlyMap<number, number>,
  renamed: ReadonlyMap<string, string>,
): { readonly first: number; readonly last: number } | undefined {
  const from = first === 0 ? -1 : opposite.get(first - 1);
  const to = last === left.length ? right.length : opposite.get(last);
  if (from === undefined || to === undefined || to - from !== last - first + 1) return undefined;
  for (let at = first; at < last; at++) {
    const [mine, its] = [left[at]!.text, right[from + 1 + at - first]!.text];
    if (its !== mine && its !== renamed.get(mine)) return undefined;
  }
  return { first: from + 1, last: to };
}

/** Returns the edited text, adapted to the other copy, with its white space where the edit changed none. */
function withBlanksOf(there: string, { before, after }: Hunk, adapt: (part: string) => string): string {
  const isInserted = before.trim() === '';
  if (after.trim() === '') {
    if (isInserted) return adapt(after);
    if (areSame(after, trailing(before))) return trailing(there);
    return areSame(after, leading(before)) ? leading(there) : adapt(after);
  }
  const [lead, trail] = [leading(after), trailing(after)];
  const keepsLead = !isInserted && areSame(lead, leading(before));
  const keepsTrail = areSame(trail, isInserted ? before : trailing(before));
  const kept = isInserted ? there : trailing(there);
  return [keepsLead ? leading(there) : adapt(lead), adapt(after.trim()), keepsTrail ? kept : adapt(trail)].join('');
}

/** Replaces the edited copy's indentation and line breaks in a text with those of the other copy. */
function indentedAs(text: string, mine: string, its: string, lineEnd: (mine: string) => string): string {
  return text.replaceAll(
    /(\r\n|\r|\n)([^\S\r\n]*)/g,
    (_, end: string, blanks: string) =>
      lineEnd(end) + (blanks.startsWith(mine) ? its + blanks.slice(mine.length) : blanks),
  );
}

/** Returns the indentation of the line that contains a position. */
function indentAt(text: string, place: number): string {
  const line = Math.max(text.lastIndexOf('\n', place - 1), text.lastIndexOf('\r', place - 1)) + 1;
  return leading(text.slice(line).split(/[\r\n]/, 1)[0]!);
}

function leading(text: string): string {
  return text.slice(0, text.length - text.trimStart().length);
}

function trailing(text: string): string {
  return text.slice(text.trimEnd().length);
}

function endBefore(words: readonly Word[], place: number): number {
  return place === 0 ? 0 : words[place - 1]!.end;
}

function startOf(words: readonly Word[], place: number, text: string): number {
  return place === words.length ? text.length : words[place]!.start;
}

/** Returns true if two texts are equal except for line breaks. */
function areSame(x: string, y: string): boolean {
  const [a, b] = [x, y].map((text) => text.replaceAll(/\r\n|\r/g, '\n'));
  return a === b;
}
