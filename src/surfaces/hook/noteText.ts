/** Formats the note for an agent: which function exists, where, how alike it is, what differs, and how to call it. */
import { lexiconForPath } from '../../core/engine/languages/allLexicons.ts';
import { lastName } from '../../presentation/wording/declarations.ts';
import { linesOf } from '../../presentation/wording/lineRange.ts';
import { printable } from '../../presentation/wording/printable.ts';
import type { FoundFunction, PlacedFunction } from './existingFunction.ts';
import type { DifferentPart } from './unitDifference.ts';
import { calledIn } from './unitTerms.ts';

/** Below this similarity, the functions differ in too many places to list any. */
const listsParts = 0.7;
const maxParts = 3;
const maxCharacters = 40;
const maxCalls = 4;

export function noteText(found: FoundFunction): string {
  const { written, existing, isCallable } = found;
  const [there, here] = [existing, written].map((one) => `${one.path}:${linesOf(one)}`);
  const reuse = isCallable ? 'call it instead' : 'share or extend it instead of a second one';
  const advice = mayBeMoved(found)
    ? `If you are moving it, delete the old one; otherwise ${reuse}`
    : `If it fits, ${reuse}`;
  return printable(
    `Kindred: ${existing.name} in ${there} ${likeness(found, `${written.name} (${here})`)}. ` +
      `${advice}: ${existing.signature}`,
  );
}

/** Returns true if the agent may be moving a function: many write the new place first, and then delete the old one. */
function mayBeMoved({ written, existing, difference }: FoundFunction): boolean {
  return lastName(written) === lastName(existing) || difference.parts.length === 0;
}

/** Describes an existing function, for an agent that is about to write a similar one. */
export function likenessText(found: FoundFunction, place: string): string {
  const { existing, written } = found;
  return printable(`${existing.name} in ${place} ${likeness(found, written.name)}: ${existing.signature}`);
}

function likeness({ written, existing, difference }: FoundFunction, shown: string): string {
  const { similarity, parts } = difference;
  if (bodyOf(written) === bodyOf(existing)) return `already does what ${shown} does: the text is equal`;
  if (parts.length === 0) return `already does what ${shown} does: only local names differ`;
  const alike = `is ${asShare(similarity)} like ${shown}`;
  return similarity >= listsParts ? `${alike}; ${differing(parts)}` : `${alike}; ${sharing(written, existing)}`;
}

/** Formats a number from 0 to 1, rounded down, as in `.98`. */
function asShare(share: number): string {
  return (Math.floor(share * 100) / 100).toFixed(2).replace(/^0/, '');
}

/** Returns the text without the name of the function, and with white space collapsed. */
function bodyOf({ name, text }: PlacedFunction): string {
  return text.replace(name, '').replaceAll(/\s+/g, ' ').trim();
}

/** Lists different parts: "differs: `a` → `b`". */
export function differing(parts: readonly DifferentPart[]): string {
  // Prefer names, numbers, and operators, because brackets and the form of the declaration are less informative.
  const telling = parts.filter(({ existing, written }) =>
    /[\p{L}\p{N}<>=+\-*/%!&|^~?]/u.test(`${existing} ${written}`.replaceAll(form, '')),
  );
  const shown = (telling.length > 0 ? telling : parts)
    .slice(0, maxParts)
    .map(({ existing, written }) => `${quoted(existing)} → ${quoted(written)}`)
    .join(', ');
  if (parts.length <= maxParts) return `differs: ${shown}`;
  return `differs in ${parts.length} places, such as ${shown}`;
}

/** Matches words and signs that only show how a function is declared. */
const form = /\b(?:const|let|var|function|return)\b|=>|=(?!=)/g;

function quoted(part: string): string {
  if (part === '') return 'nothing';
  // The part may begin with the end of the code before it.
  const text = part.replace(/^(?:[;,)}\]]\s*)+(?=\S)/, '');
  const shown = text.length <= maxCharacters ? text : `${text.slice(0, maxCharacters - 1)}…`;
  return shown.includes('`') ? `“${shown}”` : `\`${shown}\``;
}

function sharing(written: PlacedFunction, existing: PlacedFunction): string {
  const lexicon = lexiconForPath(existing.path);
  const there = calledIn(existing.text, lexicon);
  const calls = [...calledIn(written.text, lexicon)].filter((name) => there.has(name));
  // Name longer names first, because they are more specific: `upperBound` rather than `push`.
  calls.sort((a, b) => b.length - a.length);
  const shown = calls.length === 0 ? 'they have similar steps' : `both use ${calls.slice(0, maxCalls).join(', ')}`;
  return `written differently, but ${shown}`;
}
