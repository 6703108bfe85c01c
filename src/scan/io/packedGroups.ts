/**
 * Compact form of the groups of a report, for messages between threads and for the stored index. A report of a large
 * tree has tens of thousands of small objects; reading them from a message or from JSON takes several times as long.
 */
import { sharedBytes } from '../../core/collections/threads.ts';
import { categories, evidences } from '../../core/engine/rows/category.ts';
import { type Group, groupKinds, groupTypes, type Pair, type Passage } from '../../core/engine/report/report.ts';

export interface PackedGroups {
  /** Ids of the groups, in order. All lists of strings are joined with NUL, which occurs in neither ids nor paths. */
  readonly ids: string;
  /** For each group, the id of its parent, or '' if it has none. */
  readonly parents: string;
  /** Distinct paths of all passages. */
  readonly paths: string;
  /**
   * Numbers of the groups, one group after the other:
   *
   *   kind  type  similarity  lines  tokens  category  evidence  worth  tests  inside  passages  pairs
   *     and for each passage   path  startLine  startColumn  endLine  endColumn  tokens  content (two numbers)
   *     and for each pair      a  b  similarity  distance
   *       of passages          type
   *       of files             containment of a in b, of b in a
   *
   * Kind, type, category, and path are indices into their lists. Evidence and the type of a pair are 0 if absent,
   * otherwise the index plus 1; the same holds for inside. Similarities are in thousandths, and tests is 1 if all
   * passages are in tests. The array does not change.
   */
  readonly numbers: Int32Array;
}

const groupNumbers = 12;
const passageNumbers = 8;
const pairNumbers = 5;
const filePairNumbers = 6;

export function packGroups(groups: readonly Group[]): PackedGroups {
  const numbers = sharedNumbers(groups.reduce((sum, group) => sum + numbersOfGroup(group), 0));
  const places = new Map<string, number>();
  const placeOf = (path: string): number => {
    const storedPlace = places.get(path);
    if (storedPlace === undefined) places.set(path, places.size);
    return storedPlace ?? places.size - 1;
  };
  let at = 0;
  for (const group of groups) {
    const { kind, type, similarity, lines, tokens, category, categoryBy, worth, tests, inside, passages, pairs } =
      group;
    numbers[at++] = groupKinds.indexOf(kind);
    numbers[at++] = groupTypes.indexOf(type);
    numbers[at++] = thousandths(similarity);
    numbers[at++] = lines;
    numbers[at++] = tokens;
    numbers[at++] = categories.indexOf(category);
    numbers[at++] = categoryBy === undefined ? 0 : 1 + evidences.indexOf(categoryBy);
    numbers[at++] = worth;
    numbers[at++] = tests ? 1 : 0;
    numbers[at++] = inside === undefined ? 0 : inside + 1;
    numbers[at++] = passages.length;
    numbers[at++] = pairs.length;
    for (const passage of passages) {
      numbers[at++] = placeOf(passage.path);
      numbers[at++] = passage.startLine;
      numbers[at++] = passage.startColumn;
      numbers[at++] = passage.endLine;
      numbers[at++] = passage.endColumn;
      numbers[at++] = passage.tokens;
      numbers[at++] = wordOf(passage, 0);
      numbers[at++] = wordOf(passage, 8);
    }
    for (const pair of pairs) {
      numbers[at++] = pair.a;
      numbers[at++] = pair.b;
      numbers[at++] = thousandths(pair.similarity);
      numbers[at++] = pair.distance;
      if (kind !== 'file') {
        numbers[at++] = pair.type === undefined ? 0 : groupTypes.indexOf(pair.type) + 1;
        continue;
      }
      const [ofA, ofB] = pair.containment ?? [0, 0];
      numbers[at++] = thousandths(ofA);
      numbers[at++] = thousandths(ofB);
    }
  }
  return {
    ids: join(groups.map(({ id }) => id)),
    // Append an item, so that a list with one empty string can be distinguished from an empty list.
    parents: join([...groups.map(({ parent = '' }) => parent), '.']),
    paths: join([...places.keys()]),
    numbers,
  };
}

function sharedNumbers(count: number): Int32Array {
  return new Int32Array(sharedBytes(count * Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Returns eight hexadecimal digits of a passage's content key as a number. Returns 0 if the passage has no key; real
 * keys never consist of zeros only.
 */
function wordOf({ content = '' }: Passage, from: number): number {
  return content === '' ? 0 : Number.parseInt(content.slice(from, from + 8), 16);
}

/** Converts a similarity to an integer. Similarities in a report have three decimal places. */
function thousandths(similarity: number): number {
  return Math.round(similarity * 1000);
}

/** Yields the groups of a packed report one by one, so that the caller can pause. */
export function* unpackGroups({
  ids,
  parents: joinedParents,
  paths: joinedPaths,
  numbers,
}: PackedGroups): Generator<Group, void> {
  const paths = split(joinedPaths);
  const parents = split(joinedParents);
  let start = 0;
  for (const [place, id] of split(ids).entries()) {
    // Read single numbers: destructuring parts of the array takes five times as long.
    const kind = groupKinds[numbers[start]!]!;
    const evidence = numbers[start + 6]!;
    const inside = numbers[start + 9]!;
    const parent = parents[place]!;
    const firstPassage = start + groupNumbers;
    const firstPair = firstPassage + numbers[start + 10]! * passageNumbers;
    const end = firstPair + numbers[start + 11]! * numbersOfPair(kind);
    yield {
      id,
      ...(parent === '' ? {} : { parent }),
      kind,
      type: groupTypes[numbers[start + 1]!]!,
      similarity: numbers[start + 2]! / 1000,
      lines: numbers[start + 3]!,
      tokens: numbers[start + 4]!,
      category: categories[numbers[start + 5]!]!,
      ...(evidence > 0 ? { categoryBy: evidences[evidence - 1]! } : {}),
      worth: numbers[start + 7]!,
      ...(numbers[start + 8] === 1 ? { tests: true as const } : {}),
      ...(inside > 0 ? { inside: inside === 1 ? (0 as const) : (1 as const) } : {}),
      passages: passagesAt(numbers, firstPassage, firstPair, paths),
      pairs: pairsAt(numbers, firstPair, end, kind),
    };
    start = end;
  }
}

function passagesAt(numbers: Int32Array, start: number, end: number, paths: readonly string[]): Passage[] {
  const passages: Passage[] = [];
  for (let at = start; at < end; at += passageNumbers) passages.push(passageAt(numbers, at, paths));
  return passages;
}

function passageAt(numbers: Int32Array, start: number, paths: readonly string[]): Passage {
  const path = paths[numbers[start]!]!;
  const startLine = numbers[start + 1]!;
  const startColumn = numbers[start + 2]!;
  const endLine = numbers[start + 3]!;
  const endColumn = numbers[start + 4]!;
  const tokens = numbers[start + 5]!;
  const [high, low] = [numbers[start + 6]!, numbers[start + 7]!];
  if (high === 0 && low === 0) return { path, startLine, startColumn, endLine, endColumn, tokens };
  // Without a spread, passages have one hidden class, so that V8 can cache accesses to their properties.
  return { path, startLine, startColumn, endLine, endColumn, tokens, content: hexadecimal(high) + hexadecimal(low) };
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

function pairsAt(numbers: Int32Array, start: number, end: number, kind: Group['kind']): Pair[] {
  const pairs: Pair[] = [];
  for (let at = start; at < end; at += numbersOfPair(kind)) pairs.push(pairAt(numbers, at, kind));
  return pairs;
}

function pairAt(numbers: Int32Array, start: number, kind: Group['kind']): Pair {
  const [a, b] = [numbers[start]!, numbers[start + 1]!];
  const similarity = numbers[start + 2]! / 1000;
  const distance = numbers[start + 3]!;
  const fifth = numbers[start + 4]!;
  if (kind === 'file') {
    return { a, b, similarity, distance, containment: [fifth / 1000, numbers[start + 5]! / 1000] };
  }
  // The type precedes the distance, as in the report, so that both are equal as JSON.
  return fifth === 0
    ? { a, b, similarity, distance }
    : { a, b, similarity, type: fifth === 1 ? 'exact' : 'renamed', distance };
}

function numbersOfGroup({ kind, passages, pairs }: Group): number {
  return groupNumbers + passages.length * passageNumbers + pairs.length * numbersOfPair(kind);
}

function numbersOfPair(kind: Group['kind']): number {
  return kind === 'file' ? filePairNumbers : pairNumbers;
}

/** Limits of the numbers of a group before the numbers of its passages and pairs, of a passage, and of a pair. */
const limits = {
  group: [
    ...[groupKinds.length, groupTypes.length, 1001, Infinity, Infinity, categories.length],
    ...[evidences.length + 1, Infinity, 2, 3],
  ],
  place: [Infinity, Infinity, Infinity, Infinity, Infinity],
  pair: [Infinity, Infinity, 1001, Infinity, groupTypes.length],
  filePair: [Infinity, Infinity, 1001, Infinity, 1001, 1001],
};

/**
 * Checks packed groups from an untrusted source. Returns true if `unpackGroups` returns groups of the type `Group`,
 * whose numbers are possible one by one.
 */
export function arePossible({ ids, parents, paths, numbers }: PackedGroups): boolean {
  const pathLimit = [split(paths).length, ...limits.place];
  const areBelow = (first: number, ends: readonly number[]): boolean => {
    for (let i = 0; i < ends.length; i++) {
      const number = numbers[first + i]!;
      if (number < 0 || number >= ends[i]!) return false;
    }
    return true;
  };
  let [groups, start] = [0, 0];
  for (; start < numbers.length; groups++) {
    if (start + groupNumbers > numbers.length || !areBelow(start, limits.group)) return false;
    const [passages, pairs] = [numbers[start + 10]!, numbers[start + 11]!];
    if (passages < 2 || pairs < 1) return false;
    const pairLimits = groupKinds[numbers[start]!] === 'file' ? limits.filePair : limits.pair;
    const firstPair = start + groupNumbers + passages * passageNumbers;
    const end = firstPair + pairs * pairLimits.length;
    if (end > numbers.length) return false;
    for (let at = start + groupNumbers; at < firstPair; at += passageNumbers) {
      if (!areBelow(at, pathLimit)) return false;
    }
    for (let at = firstPair; at < end; at += pairLimits.length) {
      if (!areBelow(at, pairLimits)) return false;
    }
    start = end;
  }
  return split(ids).length === groups && split(parents).length === groups + 1;
}

export function join(list: readonly string[]): string {
  return list.join('\0');
}

export function split(joined: string): string[] {
  return joined === '' ? [] : joined.split('\0');
}
