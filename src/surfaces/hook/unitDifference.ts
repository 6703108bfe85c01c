/**
 * Compares a function that an agent wrote with an existing one: how similar they are, and what differs. Comments and
 * consistent renamings of local names are not differences. The same applies to code inside strings.
 */
import { alignWords } from '../../presentation/copies/alignWords.ts';
import { bracketPairs, declaredNames } from '../../presentation/copies/declaredNames.ts';
import { partnersIn, renameInString } from '../../presentation/copies/renaming.ts';
import { asNames, onOneLine, tokensOf } from '../../presentation/copies/tokens.ts';
import type { Word } from '../../presentation/copies/words.ts';
import { lastName } from '../../presentation/wording/declarations.ts';
import { modifiers } from '../../presentation/wording/tellingLine.ts';

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface UnitDifference {
  /** Similarity in [0, 1] as in a report: 2 × corresponding tokens / tokens of both. */
  readonly similarity: number;
  /** Number of tokens of the shorter function. */
  readonly tokens: number;
  /** Differing parts: those of the bodies first, then those of the heads. Empty if only local names differ. */
  readonly parts: readonly DifferentPart[];
}

/** Text of the existing function, and the text that the written one has instead. At most one is empty. */
export interface DifferentPart {
  readonly existing: string;
  readonly written: string;
}

/**
 * Compares two functions. The modifiers before them do not count.
 *
 * @param language  VS Code id of the language of both
 */
export function differenceOf(existing: NamedText, written: NamedText, language: string): UnitDifference {
  const texts = [bare(existing.text), named(written, existing)] as const;
  const [left, right] = texts.map((text) => withoutDocstring(tokensOf(text, language))) as [Word[], Word[]];
  const pairs = alignWords(asNames(left), asNames(right), 'names');
  const partners = partnersIn({ left, right, pairs });
  const [ours, theirs] = [declaredNames(left, language), declaredNames(right, language)];
  const renamed = new Map(partners.map((one) => [one.left, one]));
  const isLocal = (one: { readonly left: string; readonly right: string }): boolean =>
    ours.has(one.left) && theirs.has(one.right);
  const locals = new Map(partners.filter(isLocal).map((one) => [one.left, one.right]));
  const body = bodyStart(left);
  const parts: (DifferentPart & { readonly isInBody: boolean })[] = [];
  let [similar, x, y, end] = [0, 0, 0, 0];
  for (const [i, j] of pairs) {
    const [a, b] = [left[i]!.text, right[j]!.text];
    const partner = renamed.get(a);
    const isRenamed = partner?.right === b;
    const isSame = a === b || (left[i]!.kind === 'fixed' && renameInString(a, locals, language) === b);
    if (isSame || isRenamed) similar += isSame || partner!.isCertain ? 1 : 0.5;
    if (isSame || locals.get(a) === b) addPart(i, j);
  }
  addPart(left.length, right.length);
  const tokens = Math.min(left.length, right.length);
  const [inBody, before] = [true, false].map((isBodyPart) => parts.filter(({ isInBody }) => isInBody === isBodyPart));
  return {
    similarity: (2 * similar) / Math.max(1, left.length + right.length),
    tokens,
    parts: [...inBody!, ...before!],
  };

  /** Adds the tokens between the last equal ones and the next ones, if there are any. */
  function addPart(i: number, j: number): void {
    if (x < i || y < j) {
      const isShort = isBrief(left.slice(x, i)) && isBrief(right.slice(y, j));
      const context = isShort ? contextBefore(left, end, x) : 0;
      // The token after them is equal, or renamed.
      const after = isShort && context === 0 ? 1 : 0;
      parts.push({
        existing: onOneLine(texts[0], left.slice(x - context, i + after)),
        written: onOneLine(texts[1], right.slice(y - context, j + after)),
        isInBody: x >= body,
      });
      end = i;
    }
    [x, y] = [i + 1, j + 1];
  }
}

/** Returns the index of the token after the parameters, or 0 if there are none. */
function bodyStart(tokens: readonly Word[]): number {
  const open = tokens.findIndex(({ text }) => text === '(');
  return (bracketPairs(tokens).get(open) ?? -1) + 1;
}

function bare(text: string): string {
  return text.trimStart().replace(modifiers, '');
}

/**
 * Renames the written function to the name of the existing one, so that a comparison ignores the name. Does not rename
 * it if the function uses that name for something else.
 */
function named(written: NamedText, existing: NamedText): string {
  const text = bare(written.text);
  const [own, other] = [lastName(written), lastName(existing)];
  if (own === other || wordsNamed(other).test(text)) return text;
  return text.replaceAll(wordsNamed(own), () => other);
}

function wordsNamed(name: string): RegExp {
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped}(?![\p{L}\p{N}_$])`, 'gu');
}

function withoutDocstring(tokens: readonly Word[]): Word[] {
  const at = tokens.findIndex(({ text }) => /^[\p{L}]{0,2}(?:"""|''')/u.test(text));
  return tokens.filter((_, i) => i !== at || tokens[at - 1]?.text !== ':');
}

/** Returns true if there are no tokens, or if the only token is a number, operator, or punctuation mark. */
function isBrief(tokens: readonly Word[]): boolean {
  return tokens.length <= 1 && tokens.every(({ text }) => /^(?:\p{N}\w*|[^\p{L}"'`]+)$/u.test(text));
}

/**
 * Returns the number of tokens that are shown before a number or operator, which means little alone: those from the
 * nearest name on, at most two. Returns 0 if the name is farther away.
 */
function contextBefore(tokens: readonly Word[], first: number, at: number): number {
  const isName = (place: number): boolean => place >= first && /^[\p{L}_$]/u.test(tokens[place]!.text);
  return isName(at - 1) ? 1 : isName(at - 2) ? 2 : 0;
}
