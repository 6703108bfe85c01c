/**
 * Compact form of findings for messages from the worker to the host. A report of a large tree has tens of thousands of
 * small objects. Reading them from a message would block the host's thread for longer than a frame. Therefore they are
 * sent as a few strings and a shared array of numbers, which are unpacked in slices. If the host has a similar report,
 * only the new groups are sent.
 */
import { sharedBytes } from '../../core/collections/threads.ts';
import type {
  AdmittingSetting,
  FilePair,
  Findings,
  FolderGroup,
  Group,
  Pair,
  Passage,
  Skipped,
  Totals,
} from '../../core/engine/report/report.ts';
import type { Category, Evidence } from '../../core/engine/rows/category.ts';
import { changeList, differenceOf, type ListDifference } from './listDifference.ts';

export interface PackedFindings {
  readonly complete: boolean;
  readonly totals: Totals;
  /**
   * Earlier report from which only the differences are sent: groups that it contains are not included. `undefined` if
   * all groups are included.
   */
  readonly base: Base | undefined;
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
  /** File pairs and folder groups, as differences from those of the earlier report. */
  readonly files: ListDifference<FilePair>;
  readonly folders: ListDifference<FolderGroup>;
  /** Path, reason, and setting (or '') of each skipped file. Empty if they are the same as in the earlier report. */
  readonly skipped: string;
}

/** The earlier report of a packed report, and the differences from it. */
export interface Base {
  readonly generation: number;
  /** Description of the list of groups; see `ListDifference`. */
  readonly stretches: Int32Array;
  readonly hasSameSkipped: boolean;
}

const kinds = ['code', 'prose', 'file'] as const satisfies readonly Group['kind'][];
const types = ['exact', 'renamed', 'near'] as const satisfies readonly Group['type'][];
const categories = [
  'source',
  'text',
  'tests',
  'examples',
  'data',
  'boilerplate',
] as const satisfies readonly Category[];
const evidences = ['content', 'path', 'unit', 'setting'] as const satisfies readonly Evidence[];
const groupNumbers = 12;
const passageNumbers = 8;
const pairNumbers = 5;
const filePairNumbers = 6;

export function packFindings(findings: Findings): PackedFindings {
  return packWhole(findings, joinSkipped(findings));
}

function packWhole({ complete, totals, groups, files, folders }: Findings, skipped: string): PackedFindings {
  return {
    complete,
    totals,
    base: undefined,
    ...packGroups(groups),
    files: differenceOf([], files),
    folders: differenceOf([], folders),
    skipped,
  };
}

/** A report that was sent to the host. */
interface Sent {
  readonly findings: Findings;
  /** Path, reason, and setting of each skipped file, joined with NUL. */
  readonly skipped: string;
}

/** Number of recent reports that are remembered. If the host has an older one, all groups are sent. */
const mostSent = 8;
/**
 * Number of new groups at or above which all groups are sent. New groups are unpacked all at once, not in slices, so
 * many of them would block the host's thread for more than a few milliseconds.
 */
const mostNew = 1_000;

/**
 * Packs successive reports. Groups that the host already has, because an earlier report contains the same objects, are
 * not sent again.
 */
export class FindingsPacker {
  readonly #sent = new Map<number, Sent>();

  /**
   * @param generation  generation of the report; must be greater than all previous ones
   * @param has         generation of the last report that the host has received; `undefined` to send all groups
   */
  pack(findings: Findings, generation: number, has: number | undefined): PackedFindings {
    const before = has === undefined ? undefined : this.#sent.get(has);
    const { complete, totals, groups, files, folders } = findings;
    const skipped = findings.skipped === before?.findings.skipped ? before.skipped : joinSkipped(findings);
    for (const earlier of this.#sent.keys()) {
      if (earlier < (has ?? 0) || this.#sent.size >= mostSent) this.#sent.delete(earlier);
    }
    this.#sent.set(generation, { findings, skipped });
    if (before === undefined) return packWhole(findings, skipped);
    const { stretches, added } = differenceOf(before.findings.groups, groups);
    if (added.length > mostNew) return packWhole(findings, skipped);
    const hasSameSkipped = skipped === before.skipped;
    const base = { generation: has!, stretches: Int32Array.from(stretches), hasSameSkipped };
    return {
      complete,
      totals,
      base,
      ...packGroups(added),
      files: differenceOf(before.findings.files, files),
      folders: differenceOf(before.findings.folders, folders),
      skipped: hasSameSkipped ? '' : skipped,
    };
  }
}

function joinSkipped({ skipped }: Findings): string {
  return join(skipped.flatMap(({ path, reason, setting = '' }) => [path, reason, setting]));
}

function packGroups(groups: readonly Group[]): Pick<PackedFindings, 'ids' | 'parents' | 'paths' | 'numbers'> {
  const numbers = sharedNumbers(groups.reduce((sum, group) => sum + numbersOfGroup(group), 0));
  const places = new Map<string, number>();
  const placeOf = (path: string): number => {
    const known = places.get(path);
    if (known === undefined) places.set(path, places.size);
    return known ?? places.size - 1;
  };
  let at = 0;
  for (const group of groups) {
    const { kind, type, similarity, lines, tokens, category, categoryBy, worth, tests, inside, passages, pairs } =
      group;
    numbers[at++] = kinds.indexOf(kind);
    numbers[at++] = types.indexOf(type);
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
        numbers[at++] = pair.type === undefined ? 0 : types.indexOf(pair.type) + 1;
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

/** A list of groups, and its differences from an earlier list. */
export interface ChangedGroups {
  readonly groups: readonly Group[];
  /** Groups that are only in the new list (`come`), and groups that are only in the earlier list (`gone`). */
  readonly come: readonly Group[];
  readonly gone: readonly Group[];
}

/**
 * Unpacks the groups of a report that was sent as a difference from an earlier one.
 *
 * @param before  all groups of the earlier report, in its order
 */
export function changeGroups(
  packed: PackedFindings & { readonly base: Base },
  before: readonly Group[],
): ChangedGroups {
  const come = [...unpackGroups(packed)];
  const { items: groups, gone } = changeList(before, { stretches: packed.base.stretches, added: come });
  return { groups, come, gone };
}

/** Yields the groups of a packed report one by one, so that the caller can pause. */
export function* unpackGroups({
  ids,
  parents: joinedParents,
  paths: joinedPaths,
  numbers,
}: PackedFindings): Generator<Group, void> {
  const paths = split(joinedPaths);
  const parents = split(joinedParents);
  let start = 0;
  for (const [place, id] of split(ids).entries()) {
    // Read single numbers: destructuring parts of the array takes five times as long.
    const kind = kinds[numbers[start]!]!;
    const evidence = numbers[start + 6]!;
    const inside = numbers[start + 9]!;
    const parent = parents[place]!;
    const group = {
      id,
      ...(parent === '' ? {} : { parent }),
      kind,
      type: types[numbers[start + 1]!]!,
      similarity: numbers[start + 2]! / 1000,
      lines: numbers[start + 3]!,
      tokens: numbers[start + 4]!,
      category: categories[numbers[start + 5]!]!,
      ...(evidence > 0 ? { categoryBy: evidences[evidence - 1]! } : {}),
      worth: numbers[start + 7]!,
      ...(numbers[start + 8] === 1 ? { tests: true as const } : {}),
      ...(inside > 0 ? { inside: inside === 1 ? (0 as const) : (1 as const) } : {}),
    };
    const firstPassage = start + groupNumbers;
    const firstPair = firstPassage + numbers[start + 10]! * passageNumbers;
    start = firstPair + numbers[start + 11]! * numbersOfPair(kind);
    const passages: Passage[] = [];
    for (let at = firstPassage; at < firstPair; at += passageNumbers) passages.push(passageAt(numbers, at, paths));
    const pairs: Pair[] = [];
    for (let at = firstPair; at < start; at += numbersOfPair(kind)) pairs.push(pairAt(numbers, at, kind));
    yield { ...group, passages, pairs };
  }
}

/**
 * Yields the skipped files of a packed report one by one. Yields none if they are the same as in the earlier report.
 */
export function* unpackSkipped({ skipped }: PackedFindings): Generator<Skipped, void> {
  const fields = split(skipped);
  for (let field = 0; field < fields.length; field += 3) {
    const [path = '', reason = '', setting = ''] = fields.slice(field, field + 3);
    yield setting === '' ? { path, reason } : { path, reason, setting: setting as AdmittingSetting };
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
    ...contentOf(numbers[start + 6]!, numbers[start + 7]!),
  };
}

function contentOf(high: number, low: number): Pick<Passage, 'content'> {
  if (high === 0 && low === 0) return {};
  return { content: hexadecimal(high) + hexadecimal(low) };
}

function hexadecimal(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
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

function join(list: readonly string[]): string {
  return list.join('\0');
}

function split(joined: string): string[] {
  return joined === '' ? [] : joined.split('\0');
}
