/** Finds names that one copy of a text consistently uses in place of the other copy's names (type-2 clones). */
import { add } from '../../core/collections/lists.ts';
import { alignWords, type WordPair } from './alignWords.ts';
import { codeInString } from './interpolations.ts';
import { declares } from './reservedWords.ts';
import { type Word, wordsOf } from './words.ts';

export interface AlignedCopies {
  readonly left: readonly Word[];
  readonly right: readonly Word[];
  readonly pairs: readonly WordPair[];
}

/** A name of the left copy, and the name that the right copy consistently uses instead. */
export interface NameChange {
  readonly left: string;
  readonly right: string;
  /**
   * True if the name occurs at least twice or is declared. A single call of `add` in one copy and of `remove` in the
   * other is a difference, not a renaming.
   */
  readonly isCertain: boolean;
}

/** Text of the right copy after its names were replaced with those of the left copy, and the renamed names. */
export interface FoldedNames {
  readonly text: string;
  readonly names: readonly NameChange[];
}

/** Maximum length of both texts in characters. Aligning longer texts between two keystrokes would take too long. */
const maxCharacters = 60_000;

/** Returns true if the texts are short enough to be aligned while the user types. */
export function canAlign(...texts: readonly string[]): boolean {
  return texts.every(({ length }) => length <= maxCharacters);
}

/**
 * Aligns the words of two copies.
 *
 * @param language  VS Code id of the language of both texts; `undefined` if they differ, or if it is unknown
 */
export function alignCopies(left: string, right: string, language?: string): AlignedCopies {
  const [a, b] = [wordsOf(left, language), wordsOf(right, language)];
  return { left: a, right: b, pairs: alignWords(a, b, 'names') };
}

/**
 * Returns the renamed names, in the order of the left copy. Each name corresponds to exactly one name of the other
 * copy. Omits a pair if the right copy also uses the left name for something else.
 */
export function renamedIn(copies: AlignedCopies): NameChange[] {
  return withoutClashes(partnersIn(copies), copies.right);
}

/** Same as `renamedIn`, but includes pairs whose left name also occurs in the right copy. */
export function partnersIn({ left, right, pairs }: AlignedCopies): NameChange[] {
  const opposite = new Map(pairs);
  const partners = new Map<string, Opposite>();
  const inverse = new Map<string, Set<string>>();
  for (const [i, j] of pairs) {
    const [x, y] = [left[i]!, right[j]!];
    if (x.kind !== 'name' || y.kind !== 'name') continue;
    if (x.text !== y.text && !isHeld(i, j)) continue;
    const isDeclared = i > 0 && j > 0 && declares(left[i - 1]!.text) && declares(right[j - 1]!.text);
    const partner = partners.get(x.text);
    if (partner === undefined) partners.set(x.text, { names: new Set([y.text]), count: 1, isDeclared });
    else {
      partner.names.add(y.text);
      partner.count++;
      partner.isDeclared ||= isDeclared;
    }
    add(inverse, y.text, x.text);
  }
  return [...partners].flatMap(([name, { names, count, isDeclared }]): NameChange[] => {
    const [other = name] = names;
    const isOne = names.size === 1 && inverse.get(other)?.size === 1 && other !== name;
    return isOne ? [{ left: name, right: other, isCertain: count > 1 || isDeclared }] : [];
  });

  /**
   * Returns true if the words before and after both words are aligned with each other, too. Otherwise, names on
   * unrelated lines may have been aligned by chance.
   */
  function isHeld(i: number, j: number): boolean {
    const isBehind = i === 0 || j === 0 || opposite.get(i - 1) === j - 1;
    return isBehind && (i === left.length - 1 || j === right.length - 1 || opposite.get(i + 1) === j + 1);
  }
}

/**
 * Replaces names in the right copy with the corresponding names of the left copy if the renaming is certain.
 * Differences that remain are more than renamings.
 *
 * @param language  see `alignCopies`
 */
export function foldNames(left: string, right: string, language?: string): FoldedNames {
  const aligned = alignCopies(left, right, language);
  const names = renamedIn(aligned).filter(({ isCertain }) => isCertain);
  const used = withoutClashes(names, aligned.right);
  return { text: renameWords(right, new Map(used.map((name) => [name.right, name.left])), language), names: used };
}

/** Renames words in a text, including its comments. Renames all words at the same time, so two names can be swapped. */
export function renameWords(text: string, names: ReadonlyMap<string, string>, language?: string): string {
  if (names.size === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const word of wordsOf(text, language)) {
    const name = word.kind === 'name' ? names.get(word.text) : undefined;
    if (name === undefined) continue;
    parts.push(text.slice(end, word.start), name);
    end = word.end;
  }
  return parts.join('') + text.slice(end);
}

/**
 * Renames words in the code inside a string (see `codeInString`).
 *
 * @param text  the string with its prefix and quotes, on one line or more
 */
export function renameInString(text: string, names: ReadonlyMap<string, string>, language?: string): string {
  if (names.size === 0) return text;
  const parts: string[] = [];
  let end = 0;
  for (const code of codeInString(text, language)) {
    parts.push(text.slice(end, code.start), renameWords(text.slice(code.start, code.end), names, language));
    end = code.end;
  }
  return parts.join('') + text.slice(end);
}

interface Opposite {
  readonly names: Set<string>;
  count: number;
  isDeclared: boolean;
}

/**
 * Removes pairs whose left name also occurs in the right copy and is not renamed itself. Otherwise, renaming would turn
 * two different names into the same name.
 */
function withoutClashes(names: readonly NameChange[], right: readonly Word[]): NameChange[] {
  const ofRight = new Set(right.filter(({ kind }) => kind === 'name').map(({ text }) => text));
  let kept = [...names];
  for (;;) {
    const renamed = new Set(kept.map((name) => name.right));
    const clean = kept.filter((name) => !ofRight.has(name.left) || renamed.has(name.left));
    if (clean.length === kept.length) return kept;
    kept = clean;
  }
}
