/**
 * Findings on their way from the worker to the host. A report of a large tree has tens of thousands of small objects,
 * which would keep the host's thread for longer than a frame while the message is read. So it travels as a few strings
 * and one array of numbers, which both sides share, and becomes groups again a slice at a time.
 */
import type { Findings, Group, Pair, Passage, Skipped, Totals } from '../engine/report.ts';

export interface PackedFindings {
  readonly complete: boolean;
  readonly totals: Totals;
  /** The ids of the groups, in order. Lists of strings are joined with NUL, which neither an id nor a path contains. */
  readonly ids: string;
  /** The paths that the passages name, each once. */
  readonly paths: string;
  /**
   * The groups, one after the other:
   *
   *   kind  type  similarity  lines  tokens  tests  passages  pairs
   *     and for each passage   path  startLine  startColumn  endLine  endColumn  tokens
   *     and for each pair      a  b  similarity  distance
   *       of files as well     containment of a in b, of b in a
   *
   * Kind, type and path are places in their lists, similarities are thousandths, tests is 1 when all passages are in
   * tests. Nobody writes into it any more.
   */
  readonly numbers: Int32Array<SharedArrayBuffer>;
  /** Path, reason and setting (or nothing) of each file that was left out. */
  readonly skipped: string;
}

const kinds = ['code', 'prose', 'file'] as const satisfies readonly Group['kind'][];
const types = ['exact', 'renamed', 'near'] as const satisfies readonly Group['type'][];
const groupNumbers = 8;
const passageNumbers = 6;
const pairNumbers = 4;
const filePairNumbers = 6;

/** Packs findings. */
export function packFindings(findings: Findings): PackedFindings {
  return new FindingsPacker().pack(findings);
}

/** A report as it was packed, to copy from. */
interface Packed {
  readonly groups: readonly Group[];
  readonly numbers: Int32Array<SharedArrayBuffer>;
  /** Where the numbers of each group end, and its id with the NUL behind it. */
  readonly ends: Uint32Array;
  readonly ids: string;
  readonly idEnds: Uint32Array;
}

/** Packs one report after the other: of groups that stay the same objects, what is packed already is copied. */
export class FindingsPacker {
  #last: Packed = {
    groups: [],
    numbers: sharedNumbers(0),
    ends: new Uint32Array(),
    ids: '',
    idEnds: new Uint32Array(),
  };
  #places = new Map<string, number>();
  #paths: string | undefined = '';

  pack({ complete, totals, groups, skipped }: Findings): PackedFindings {
    // Paths of earlier reports are kept for what is packed already, until they are too many.
    if (this.#places.size > 1_000 + 2 * totals.files) {
      this.#places = new Map();
      this.#last = { ...this.#last, groups: [] };
    }
    const packed = this.#packGroups(groups);
    this.#last = packed;
    this.#paths ??= join([...this.#places.keys()]);
    return {
      complete,
      totals,
      ids: packed.ids.slice(0, -1),
      paths: this.#paths,
      numbers: packed.numbers,
      skipped: join(skipped.flatMap(({ path, reason, setting = '' }) => [path, reason, setting])),
    };
  }

  #packGroups(groups: readonly Group[]): Packed {
    const last = this.#last;
    const stretches = stretchesOf(last.groups, groups);
    const parts = stretches.map((stretch) =>
      'from' in stretch ? copyOf(last, stretch.from, stretch.to) : this.#packNew(stretch.groups),
    );
    const length = (list: (part: Part) => ArrayLike<number>): number =>
      parts.reduce((sum, part) => sum + list(part).length, 0);
    const numbers = sharedNumbers(length((part) => part.numbers));
    const ends = new Uint32Array(groups.length);
    const idEnds = new Uint32Array(groups.length);
    let ids = '';
    let [at, group] = [0, 0];
    for (const part of parts) {
      numbers.set(part.numbers, at);
      for (let i = 0; i < part.ends.length; i++) {
        ends[group] = part.ends[i]! - part.before + at;
        idEnds[group] = part.idEnds[i]! - part.idsBefore + ids.length;
        group++;
      }
      at += part.numbers.length;
      ids += part.ids;
    }
    return { groups, numbers, ends, ids, idEnds };
  }

  #packNew(groups: readonly Group[]): Part {
    const numbers: number[] = [];
    const ends: number[] = [];
    const idEnds: number[] = [];
    let ids = '';
    for (const { id, kind, type, similarity, lines, tokens, tests, passages, pairs } of groups) {
      numbers.push(
        kinds.indexOf(kind),
        types.indexOf(type),
        thousandths(similarity),
        lines,
        tokens,
        tests ? 1 : 0,
        passages.length,
        pairs.length,
      );
      for (const { path, startLine, startColumn, endLine, endColumn, tokens: ofPassage } of passages) {
        numbers.push(this.#placeOf(path), startLine, startColumn, endLine, endColumn, ofPassage);
      }
      for (const { a, b, similarity: ofPair, distance, containment = [0, 0] } of pairs) {
        numbers.push(a, b, thousandths(ofPair), distance);
        if (kind === 'file') numbers.push(...containment.map(thousandths));
      }
      ids += `${id}\0`;
      ends.push(numbers.length);
      idEnds.push(ids.length);
    }
    return { numbers, ends, before: 0, ids, idEnds, idsBefore: 0 };
  }

  #placeOf(path: string): number {
    const known = this.#places.get(path);
    if (known !== undefined) return known;
    this.#paths = undefined;
    this.#places.set(path, this.#places.size);
    return this.#places.size - 1;
  }
}

function sharedNumbers(count: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** Similarities have three digits in a report. */
function thousandths(similarity: number): number {
  return Math.round(similarity * 1000);
}

/** Groups that follow each other: what is packed of them, and what the ends are counted from. */
interface Part {
  readonly numbers: ArrayLike<number>;
  readonly ends: ArrayLike<number>;
  readonly before: number;
  readonly ids: string;
  readonly idEnds: ArrayLike<number>;
  readonly idsBefore: number;
}

function copyOf({ numbers, ends, ids, idEnds }: Packed, from: number, to: number): Part {
  const [before, idsBefore] = from === 0 ? [0, 0] : [ends[from - 1]!, idEnds[from - 1]!];
  return {
    numbers: numbers.subarray(before, ends[to - 1]),
    ends: ends.subarray(from, to),
    before,
    ids: ids.slice(idsBefore, idEnds[to - 1]),
    idEnds: idEnds.subarray(from, to),
    idsBefore,
  };
}

/** How far a group is looked for behind the one that was expected: more seldom go at once. */
const lookAhead = 100;

/**
 * The new list as stretches of the old one, [from, to), and of groups that it has not. A group that has moved counts as
 * a new one.
 */
function stretchesOf(
  before: readonly Group[],
  after: readonly Group[],
): ({ readonly from: number; readonly to: number } | { readonly groups: readonly Group[] })[] {
  const stretches: ({ from: number; to: number } | { groups: Group[] })[] = [];
  let last: { from: number; to: number } | { groups: Group[] } | undefined;
  let next = 0;
  for (const group of after) {
    let place = next;
    while (place < before.length && place < next + lookAhead && before[place] !== group) place++;
    if (before[place] !== group) {
      if (last && 'groups' in last) last.groups.push(group);
      else stretches.push((last = { groups: [group] }));
      continue;
    }
    next = place + 1;
    if (last && 'to' in last && last.to === place) last.to = next;
    else stretches.push((last = { from: place, to: next }));
  }
  return stretches;
}

/** The groups again, one at a time, so that whoever asks can pause. */
export function* unpackGroups({ ids, paths: joinedPaths, numbers }: PackedFindings): Generator<Group, void> {
  const paths = split(joinedPaths);
  let start = 0;
  for (const id of split(ids)) {
    const [kind, type, similarity, lines, tokens, tests, passageCount, pairCount] = numbers.subarray(start);
    const firstPassage = start + groupNumbers;
    const firstPair = firstPassage + passageCount! * passageNumbers;
    const kindOf = kinds[kind!]!;
    start += numbersOf(kindOf, passageCount!, pairCount!);
    yield {
      id,
      kind: kindOf,
      type: types[type!]!,
      similarity: similarity! / 1000,
      lines: lines!,
      tokens: tokens!,
      ...(tests === 1 ? { tests: true } : {}),
      passages: Array.from({ length: passageCount! }, (_, place) =>
        passageAt(numbers, firstPassage + place * passageNumbers, paths),
      ),
      pairs: Array.from({ length: pairCount! }, (_, place) => pairAt(numbers, firstPair, place, kindOf)),
    };
  }
}

/** The files that were left out again, one at a time. */
export function* unpackSkipped({ skipped }: PackedFindings): Generator<Skipped, void> {
  const fields = split(skipped);
  for (let field = 0; field < fields.length; field += 3) {
    const [path = '', reason = '', setting = ''] = fields.slice(field, field + 3);
    yield setting === '' ? { path, reason } : { path, reason, setting };
  }
}

function passageAt(numbers: Int32Array, start: number, paths: readonly string[]): Passage {
  return {
    path: paths[numbers[start]!]!,
    startLine: numbers[start + 1]!,
    startColumn: numbers[start + 2]!,
    endLine: numbers[start + 3]!,
    endColumn: numbers[start + 4]!,
    tokens: numbers[start + 5]!,
  };
}

function pairAt(numbers: Int32Array, first: number, place: number, kind: Group['kind']): Pair {
  const start = first + place * numbersOfPair(kind);
  const pair = {
    a: numbers[start]!,
    b: numbers[start + 1]!,
    similarity: numbers[start + 2]! / 1000,
    distance: numbers[start + 3]!,
  };
  return kind === 'file' ? { ...pair, containment: [numbers[start + 4]! / 1000, numbers[start + 5]! / 1000] } : pair;
}

function numbersOf(kind: Group['kind'], passages: number, pairs: number): number {
  return groupNumbers + passages * passageNumbers + pairs * numbersOfPair(kind);
}

function numbersOfPair(kind: Group['kind']): number {
  return kind === 'file' ? filePairNumbers : pairNumbers;
}

function join(list: readonly string[]): string {
  return list.join('\0');
}

function split(joined: string): string[] {
  return joined === '' ? [] : joined.split('\0');
}
