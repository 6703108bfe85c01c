/**
 * Recognizes edits that another copy does not need: renamings, and edits at a place where the other copy calls or
 * stores something else. The rules were derived from findings that were reviewed in four repositories
 * (bench/results/2026-11-27-missed-fixes.md).
 */
import { setOf } from '../../../core/collections/lists.ts';
import { gapsBetween, type WordGap } from '../../../presentation/copies/alignWords.ts';
import { type AlignedCopies, alignCopies, renamedIn } from '../../../presentation/copies/renaming.ts';
import { type Word, wordsOf } from '../../../presentation/copies/words.ts';

/** Text of the edited copy before and after the edit, and text of another copy. */
export interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  readonly other: string;
  /** VS Code id of the language; `undefined` if the copies have different languages. */
  readonly language: string | undefined;
}

/** Number of words on either side of a change that show what is changed. */
const around = 3;

/** Returns true if another copy does not need an edit. */
export function isNotNeeded(compared: ComparedTexts): boolean {
  const { before, after, language } = compared;
  const [old, now] = [before, after].map((text) => wordsOf(text, language)) as [Word[], Word[]];
  return isRenaming(old, now) || isOfFloats(old, now, compared.other) || isElsewhere(old, now, compared);
}

/**
 * Returns true if an edit only renames: each old name no longer occurs, each new name did not occur before, and the two
 * are similar or occur repeatedly.
 */
function isRenaming(old: readonly Word[], now: readonly Word[]): boolean {
  if (old.length !== now.length) return false;
  const renamed = new Map<string, { readonly to: string; count: number }>();
  for (const [i, { text, kind }] of old.entries()) {
    const to = now[i]!.text;
    if (text === to) continue;
    if (kind !== 'name') return false;
    const earlierRename = renamed.get(text);
    if (earlierRename !== undefined && earlierRename.to !== to) return false;
    if (earlierRename) earlierRename.count++;
    else renamed.set(text, { to, count: 1 });
  }
  const [oldNames, newNames] = [old, now].map((words) => new Set(words.map(({ text }) => text))) as [
    Set<string>,
    Set<string>,
  ];
  return [...renamed].every(
    ([from, { to, count }]) =>
      !newNames.has(from) && !oldNames.has(to) && (count > 1 || areAlike(from, to) || isDeclared(from, old)),
  );
}

/** Returns true if a text begins with the declaration of a function with this name. */
function isDeclared(name: string, words: readonly Word[]): boolean {
  const at = words.findIndex(({ text }) => text === name);
  const end = words.findIndex(({ line }) => line > 0);
  return at >= 0 && at < end && words[at + 1]?.text === '(' && /^[{:]$/.test(words[end - 1]!.text);
}

/** Returns true if one name, such as one with a prefix, contains the other, ignoring case and underscores. */
function areAlike(a: string, b: string): boolean {
  const [x, y] = [a, b].map((name) => name.toLowerCase().replaceAll('_', '')) as [string, string];
  const [short, long] = x.length <= y.length ? [x, y] : [y, x];
  return short === long || (short.length >= 4 && long.includes(short));
}

const floatWords = /^(?:is_?nan|is_?inf|nan|infinity|isfinite)$/i;
const floatTypes = /^(?:float|double)$/i;

/** Returns true if an edit is about floating-point values, and the other copy has none. */
function isOfFloats(old: readonly Word[], now: readonly Word[], other: string): boolean {
  const count = (words: readonly Word[]): number => words.filter(({ text }) => floatWords.test(text)).length;
  if (count(old) === count(now) || !old.some(({ text }) => floatTypes.test(text))) return false;
  return !wordsOf(other).some(({ text }) => floatTypes.test(text));
}

/**
 * Returns true if, at each place of an edit, the other copy calls, stores, or names something else. Differently named
 * local variables do not count.
 */
function isElsewhere(old: readonly Word[], now: readonly Word[], { before, other, language }: ComparedTexts): boolean {
  const copies = alignCopies(before, other, language);
  const opposite = new Map(copies.pairs);
  const certain = new Map(
    renamedIn(copies)
      .filter(({ isCertain }) => isCertain)
      .map(({ left, right }) => [left, right]),
  );
  const changes = gapsBetween(old, now).filter((gap) => gap.leftEnd > gap.left || gap.rightEnd > gap.right);
  const places = changes.filter(({ left, leftEnd }) => {
    for (let i = left - 1; i <= leftEnd; i++) if (opposite.has(i)) return true;
    return false;
  });
  return places.length > 0 && places.every((place) => isOther(place, copies, opposite, certain));
}

/** @param change  range of words that an edit changes; if it is empty, words are inserted there */
function isOther(
  { left: start, leftEnd: end }: Pick<WordGap, 'left' | 'leftEnd'>,
  { left, right }: AlignedCopies,
  opposite: ReadonlyMap<number, number>,
  certain: ReadonlyMap<string, string>,
): boolean {
  for (let i = Math.max(0, start - around); i < Math.min(left.length, end + around); i++) {
    const [word, at] = [left[i]!, opposite.get(i)];
    if (word.kind !== 'name' || at === undefined) continue;
    const its = right[at]!.text;
    if (its === word.text || areAlike(its, word.text)) continue;
    const isUse = left[i + 1]?.text === '(' || /^[.>]$/.test(left[i - 1]?.text ?? '');
    const isChanged = i >= start && i < end;
    if (isUse || (isChanged && certain.get(word.text) !== its)) return true;
  }
  return false;
}

const platforms = setOf(
  'win win32 windows unix posix linux darwin macos mac osx ios android bsd freebsd netbsd openbsd sunos solaris aix ' +
    'os390 haiku kqueue epoll iocp evport select',
);

/** Returns true if file names show that two files are for different platforms, as in src/win/fs.c and src/unix/fs.c. */
export function areOfPlatforms(left: string, right: string): boolean {
  const [a, b] = [left, right].map((name) =>
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => platforms.has(word))
      .join(),
  );
  return a !== b && a !== '' && b !== '';
}
