/** How one copy of a text calls what another one calls otherwise, throughout (type-2 clones). */
import { alignWords, type WordPair } from './alignWords.ts';
import { declares } from './reservedWords.ts';
import { type Word, wordsOf } from './words.ts';

/** Two copies side by side. */
export interface AlignedCopies {
  readonly left: readonly Word[];
  readonly right: readonly Word[];
  readonly pairs: readonly WordPair[];
}

/** A name of the left copy, and what the right one has wherever the left one has it. */
export interface Renamed {
  readonly left: string;
  readonly right: string;
  /**
   * Whether it is more than a word that differs in one place: it occurs twice or is declared. Where one copy calls `add` and
   * the other `remove`, once, that is what differs.
   */
  readonly isCertain: boolean;
}

/** A copy in the names of another one, and these. */
export interface FoldedNames {
  readonly text: string;
  readonly names: readonly Renamed[];
}

/** Of longer texts, an alignment would take too long between two keystrokes. */
const mostCharacters = 60_000;

/** Whether texts are short enough to be aligned where somebody waits for what they type. */
export function canAlign(...texts: readonly string[]): boolean {
  return texts.every(({ length }) => length <= mostCharacters);
}

/** @param language  that of both, by its id in VS Code; undefined when they have two, or it is not known */
export function alignCopies(left: string, right: string, language?: string): AlignedCopies {
  const [a, b] = [wordsOf(left, language), wordsOf(right, language)];
  return { left: a, right: b, pairs: alignWords(a, b, 'names') };
}

/**
 * The names that the right copy has for others of the left one, in the order of the left. Each stands for one name throughout,
 * both ways; a name that the right copy also has in another sense is none.
 */
export function renamedIn({ left, right, pairs }: AlignedCopies): Renamed[] {
  const opposite = new Map(pairs);
  const partners = new Map<string, Opposite>();
  const inverse = new Map<string, Set<string>>();
  for (const [i, j] of pairs) {
    const [x, y] = [left[i]!, right[j]!];
    if (x.kind !== 'name' || y.kind !== 'name') continue;
    if (x.text !== y.text && !isHeld(i, j)) continue;
    const isDeclared = i > 0 && j > 0 && declares(left[i - 1]!.text) && declares(right[j - 1]!.text);
    const known = partners.get(x.text);
    if (known === undefined) partners.set(x.text, { names: new Set([y.text]), count: 1, isDeclared });
    else {
      known.names.add(y.text);
      known.count++;
      known.isDeclared ||= isDeclared;
    }
    const others = inverse.get(y.text);
    if (others) others.add(x.text);
    else inverse.set(y.text, new Set([x.text]));
  }
  const renamed = [...partners].flatMap(([name, { names, count, isDeclared }]): Renamed[] => {
    const [other = name] = names;
    const isOne = names.size === 1 && inverse.get(other)?.size === 1 && other !== name;
    return isOne ? [{ left: name, right: other, isCertain: count > 1 || isDeclared }] : [];
  });
  return withoutClashes(renamed, right);

  /** Whether the words around two are opposite each other as well: where lines differ, two names may be so by chance. */
  function isHeld(i: number, j: number): boolean {
    const isBehind = i === 0 || j === 0 || opposite.get(i - 1) === j - 1;
    return isBehind && (i === left.length - 1 || j === right.length - 1 || opposite.get(i + 1) === j + 1);
  }
}

/**
 * The right copy with the names of the left one, as far as that is certain, and these names. What still differs is more than
 * a name.
 *
 * @param language  as `alignCopies` takes it
 */
export function foldNames(left: string, right: string, language?: string): FoldedNames {
  const aligned = alignCopies(left, right, language);
  const names = renamedIn(aligned).filter(({ isCertain }) => isCertain);
  const used = withoutClashes(names, aligned.right);
  return { text: renameWords(right, new Map(used.map((name) => [name.right, name.left])), language), names: used };
}

/** A text in which some names are called otherwise, also in comments: all at once, so that two may change places. */
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

interface Opposite {
  readonly names: Set<string>;
  count: number;
  isDeclared: boolean;
}

/** Without the names that the right copy has itself, and means otherwise: one is left behind, or two would become one. */
function withoutClashes(names: readonly Renamed[], right: readonly Word[]): Renamed[] {
  const ofRight = new Set(right.filter(({ kind }) => kind === 'name').map(({ text }) => text));
  let kept = [...names];
  for (;;) {
    const renamed = new Set(kept.map((name) => name.right));
    const clean = kept.filter((name) => !ofRight.has(name.left) || renamed.has(name.left));
    if (clean.length === kept.length) return kept;
    kept = clean;
  }
}
