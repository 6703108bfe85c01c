/**
 * Findings on their way from the worker to the host. A report of a large tree has tens of thousands of small objects,
 * which would keep the host's thread for longer than a frame while the message is read. So it travels as a few strings
 * and one array of numbers, which is handed over without copying, and becomes groups again a slice at a time.
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
   *   kind  type  similarity  lines  tokens  passages  pairs
   *     and for each passage   path  startLine  startColumn  endLine  endColumn  tokens
   *     and for each pair      a  b  similarity  distance
   *       of files as well     containment of a in b, of b in a
   *
   * Kind, type and path are places in their lists.
   */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Path, reason and setting (or nothing) of each file that was left out. */
  readonly skipped: string;
}

const kinds = ['code', 'prose', 'file'] as const satisfies readonly Group['kind'][];
const types = ['exact', 'renamed', 'near'] as const satisfies readonly Group['type'][];
const groupNumbers = 7;
const passageNumbers = 6;
const pairNumbers = 4;
const filePairNumbers = 6;

/** Packs findings. `numbers.buffer` is meant to be transferred. */
export function packFindings({ complete, totals, groups, skipped }: Findings): PackedFindings {
  const length = groups.reduce(
    (sum, group) => sum + numbersOf(group.kind, group.passages.length, group.pairs.length),
    0,
  );
  const numbers = new Float64Array(length);
  const paths = new Map<string, number>();
  let end = 0;
  const add = (...values: readonly number[]): void => {
    numbers.set(values, end);
    end += values.length;
  };
  for (const { kind, type, similarity, lines, tokens, passages, pairs } of groups) {
    add(kinds.indexOf(kind), types.indexOf(type), similarity, lines, tokens, passages.length, pairs.length);
    for (const passage of passages) {
      const path = paths.get(passage.path) ?? paths.size;
      paths.set(passage.path, path);
      add(path, passage.startLine, passage.startColumn, passage.endLine, passage.endColumn, passage.tokens);
    }
    for (const { a, b, similarity: alike, distance, containment = [0, 0] } of pairs) {
      add(a, b, alike, distance);
      if (kind === 'file') add(...containment);
    }
  }
  return {
    complete,
    totals,
    ids: join(groups.map(({ id }) => id)),
    paths: join([...paths.keys()]),
    numbers,
    skipped: join(skipped.flatMap(({ path, reason, setting = '' }) => [path, reason, setting])),
  };
}

/** The groups again, one at a time, so that whoever asks can pause. */
export function* unpackGroups({ ids, paths: joinedPaths, numbers }: PackedFindings): Generator<Group, void> {
  const paths = split(joinedPaths);
  let start = 0;
  for (const id of split(ids)) {
    const [kind, type, similarity, lines, tokens, passageCount, pairCount] = numbers.subarray(start);
    const firstPassage = start + groupNumbers;
    const firstPair = firstPassage + passageCount! * passageNumbers;
    const kindOf = kinds[kind!]!;
    start += numbersOf(kindOf, passageCount!, pairCount!);
    yield {
      id,
      kind: kindOf,
      type: types[type!]!,
      similarity: similarity!,
      lines: lines!,
      tokens: tokens!,
      passages: Array.from({ length: passageCount! }, (_, place) =>
        passageAt(numbers, firstPassage + place * passageNumbers, paths),
      ),
      pairs: Array.from({ length: pairCount! }, (_, place) => pairAt(numbers, firstPair, place, kindOf)),
    };
  }
}

/** The files that were left out again. */
export function unpackSkipped({ skipped }: PackedFindings): Skipped[] {
  const fields = split(skipped);
  return Array.from({ length: fields.length / 3 }, (_, place) => {
    const [path = '', reason = '', setting = ''] = fields.slice(3 * place, 3 * place + 3);
    return setting === '' ? { path, reason } : { path, reason, setting };
  });
}

function passageAt(numbers: Float64Array, start: number, paths: readonly string[]): Passage {
  return {
    path: paths[numbers[start]!]!,
    startLine: numbers[start + 1]!,
    startColumn: numbers[start + 2]!,
    endLine: numbers[start + 3]!,
    endColumn: numbers[start + 4]!,
    tokens: numbers[start + 5]!,
  };
}

function pairAt(numbers: Float64Array, first: number, place: number, kind: Group['kind']): Pair {
  const start = first + place * numbersOfPair(kind);
  const pair = {
    a: numbers[start]!,
    b: numbers[start + 1]!,
    similarity: numbers[start + 2]!,
    distance: numbers[start + 3]!,
  };
  return kind === 'file' ? { ...pair, containment: [numbers[start + 4]!, numbers[start + 5]!] } : pair;
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
