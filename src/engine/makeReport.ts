/** From clusters of token ranges to the findings that people and programs read. */
import type { Cluster, ClusterChanges, KeptCluster } from './cluster.ts';
import type { FileCluster } from './fileClusters.ts';
import type { DocumentIndex } from './documents.ts';
import type { Kernel } from './kernel.ts';
import { lineRecord } from './lines.ts';
import type { TokenRange } from './matchRecord.ts';
import type { DocumentTotals, NamedDocument } from './namedDocument.ts';
import type { Findings, Group, Pair, Passage, Skipped, Totals } from './report.ts';
import { lastOf, Pace } from './steps.ts';
import { isTestPath } from './testPaths.ts';
import { placeOfToken } from './tokenPlaces.ts';
import { tuning } from './tuning.ts';
import { windowDistance } from './windows.ts';

/** What a report says besides its groups. */
export interface ReportInput {
  readonly totals: DocumentTotals;
  /** See `crowdedWindows` of the report's totals. */
  readonly crowded: number;
  /** Clusters of whole files, their members by number of document. */
  readonly fileClusters: readonly FileCluster[];
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
}

/** The groups of a corpus, kept from report to report: only those of clusters that come are made. */
export class Groups {
  readonly #kernel: Kernel;
  readonly #documentOf: (document: number) => NamedDocument;
  /** Groups with the id that their content gives them, by what they were made from. */
  readonly #made = new Map<KeptCluster, Ranked>();
  /** These groups in order, and the same under the ids by which they are shown. */
  #ordered: Ranked[] = [];
  #shown: Group[] = [];
  /** The groups that have an id from their content. */
  readonly #byId = new Map<string, Set<Ranked>>();
  readonly #fileGroups = new WeakMap<FileCluster, Ranked>();
  readonly #byPath = new Map<string, Set<Passage>>();
  /** Lines of each path that are in some passage, and of all. */
  readonly #duplicatedLines = new Map<string, number>();
  #allDuplicatedLines = 0;
  #passageCount = 0;

  constructor(kernel: Kernel, documentOf: (document: number) => NamedDocument) {
    this.#kernel = kernel;
    this.#documentOf = documentOf;
  }

  /** @param read  what a cluster is that has come */
  update(changes: ClusterChanges, read: (kept: KeptCluster) => Cluster): void {
    lastOf(this.updating(changes, read));
  }

  /** The same in steps of some milliseconds. They are to be taken to the end: before, nothing else may be asked for. */
  *updating({ gone, come }: ClusterChanges, read: (kept: KeptCluster) => Cluster): Generator<void, void> {
    const pace = new Pace();
    const removed = gone.map((kept) => this.#made.get(kept)!);
    for (const kept of gone) this.#made.delete(kept);
    const added: Ranked[] = [];
    for (const kept of come) {
      const cluster = read(kept);
      const made = ranked(this.#makeGroup(cluster));
      this.#made.set(kept, made);
      added.push(made);
      if (pace.isDue(unitsOfGroup + 2 * cluster.passages.length + cluster.links.length)) yield;
    }
    this.#countPassages(removed, added);
    yield;
    this.#order(removed, added);
  }

  findings(input: ReportInput): Findings {
    const {
      totals: { files, lines, tokens },
      crowded,
      fileClusters,
      skipped,
      complete,
    } = input;
    const ofFiles = fileClusters.map((cluster) => this.#fileGroupOf(cluster)).sort(byImpact);
    const groups = [...this.#shown, ...this.#uniqueGroups(ofFiles.map(({ group }) => group))];
    const duplicatedLines = this.#allDuplicatedLines;
    const totals: Totals = {
      ...{ files, lines, tokens },
      groups: groups.length,
      passages: this.#passageCount + ofFiles.reduce((sum, { group }) => sum + group.passages.length, 0),
      duplicatedLines,
      duplicatedPercent: lines === 0 ? 0 : Math.round((10_000 * duplicatedLines) / lines) / 100,
      skipped: skipped.length,
      ...(crowded > 0 && { crowdedWindows: crowded }),
    };
    return { complete, totals, groups, skipped };
  }

  #countPassages(removed: readonly Ranked[], added: readonly Ranked[]): void {
    const paths = new Set<string>();
    for (const passage of removed.flatMap(({ group }) => group.passages)) {
      this.#byPath.get(passage.path)?.delete(passage);
      paths.add(passage.path);
      this.#passageCount--;
    }
    for (const passage of added.flatMap(({ group }) => group.passages)) {
      const others = this.#byPath.get(passage.path);
      if (others) others.add(passage);
      else this.#byPath.set(passage.path, new Set([passage]));
      paths.add(passage.path);
      this.#passageCount++;
    }
    for (const path of paths) {
      const passages = this.#byPath.get(path) ?? new Set();
      const lines = coveredLines(passages);
      this.#allDuplicatedLines += lines - (this.#duplicatedLines.get(path) ?? 0);
      this.#duplicatedLines.set(path, lines);
      if (passages.size > 0) continue;
      this.#byPath.delete(path);
      this.#duplicatedLines.delete(path);
    }
  }

  /** Takes groups out of the order and into it, and makes their ids unique. */
  #order(removed: readonly Ranked[], added: readonly Ranked[]): void {
    const ids = new Set<string>();
    const isFirst = this.#ordered.length === 0;
    for (const ranked of removed) {
      this.#byId.get(ranked.group.id)?.delete(ranked);
      ids.add(ranked.group.id);
      const place = placeOf(this.#ordered, ranked);
      this.#ordered.splice(place, 1);
      this.#shown.splice(place, 1);
    }
    if (this.#ordered.length === 0) {
      this.#ordered = [...added].sort(byImpact);
      this.#shown = this.#ordered.map(({ group }) => group);
    } else {
      for (const ranked of added) {
        const place = placeOf(this.#ordered, ranked);
        this.#ordered.splice(place, 0, ranked);
        this.#shown.splice(place, 0, ranked.group);
      }
    }
    for (const ranked of added) {
      const others = this.#byId.get(ranked.group.id);
      if (others) others.add(ranked);
      else this.#byId.set(ranked.group.id, new Set([ranked]));
      ids.add(ranked.group.id);
    }
    // At first all are shown under the ids of their content, and one that no other group has stays.
    for (const id of ids) if (!isFirst || this.#byId.get(id)!.size > 1) this.#nameGroups(id);
  }

  /** Groups of the same content (possible when they do not match each other for another reason) are told apart by rank. */
  #nameGroups(id: string): void {
    const all = [...(this.#byId.get(id) ?? [])].sort(byImpact);
    all.forEach((ranked, rank) => {
      const shown = rank === 0 ? id : `${id}-${rank + 1}`;
      const place = placeOf(this.#ordered, ranked);
      if (this.#shown[place].id !== shown) this.#shown[place] = { ...ranked.group, id: shown };
    });
    if (all.length === 0) this.#byId.delete(id);
  }

  #fileGroupOf(cluster: FileCluster): Ranked {
    const known = this.#fileGroups.get(cluster);
    if (known) return known;
    const made = ranked(makeFileGroup(cluster, this.#kernel, this.#documentOf));
    this.#fileGroups.set(cluster, made);
    return made;
  }

  /** Groups of files, which come behind those of passages. */
  #uniqueGroups(ofFiles: readonly Group[]): Group[] {
    const ids = new Map<string, number>();
    return ofFiles.map((group) => {
      const before = ids.get(group.id) ?? this.#byId.get(group.id)?.size ?? 0;
      ids.set(group.id, before + 1);
      return before === 0 ? group : { ...group, id: `${group.id}-${before + 1}` };
    });
  }

  #makeGroup(cluster: Cluster): Group {
    const passages = cluster.passages.map((range) => passageOf(this.#kernel, this.#documentOf(range.document), range));
    return makeGroup(cluster, passages, this.#kernel, this.#documentOf);
  }
}

/** What it takes to make a group besides its passages: its id, most of all. */
const unitsOfGroup = 20;

/** Where a group is in the order, or would be. */
function placeOf(ordered: readonly Ranked[], ranked: Ranked): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byImpact(ordered[middle], ranked) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function makeGroup(
  c: Cluster,
  passages: readonly Passage[],
  kernel: Kernel,
  documentOf: (document: number) => NamedDocument,
): Group {
  const pairs: Pair[] = c.links.map(({ a, b, match }) => ({
    a,
    b,
    similarity: round3(match.similarity),
    distance: match.bits < unseeded ? match.bits : distanceOf(c.passages[a], c.passages[b]),
  }));
  const longest = c.passages.reduce((x, y) => (y.end - y.start > x.end - x.start ? y : x));
  const exact = c.links.every(({ match: m }) => m.equal === m.a1 - m.a0 && m.equal === m.b1 - m.b0);
  const aligned = c.links.every(
    ({ match: m }) => m.a1 - m.a0 === m.b1 - m.b0 && m.equal + m.consistent + m.once + m.differing === m.a1 - m.a0,
  );
  return {
    id: contentKey(kernel, documentOf(longest.document).index, longest, tuning.groups.leastHashes),
    kind: documentOf(c.passages[0].document).index.prose ? 'prose' : 'code',
    type: exact ? 'exact' : aligned ? 'renamed' : 'near',
    similarity: pairs.reduce((least, pair) => Math.min(least, pair.similarity), 1),
    lines: passages.reduce((most, p) => Math.max(most, p.endLine - p.startLine + 1), 0),
    tokens: longest.end - longest.start,
    ...testMark(passages),
    passages,
    pairs,
  };

  function distanceOf(x: TokenRange, y: TokenRange): number {
    return windowDistance(
      kernel,
      { index: documentOf(x.document).index, start: x.start, end: x.end },
      { index: documentOf(y.document).index, start: y.start, end: y.end },
    );
  }
}

/** A group of whole files. Its id is made from the longest of them, or from the one that lies inside the other. */
function makeFileGroup(c: FileCluster, kernel: Kernel, documentOf: (document: number) => NamedDocument): Group {
  const members = c.members.map(documentOf);
  const bySize = [...members].sort((x, y) => y.index.tokenCount - x.index.tokenCount);
  const { index: named } = c.type === 'inside' ? bySize[1] : bySize[0];
  const { leastHashes, leastHashesInside } = tuning.files;
  const pairs: Pair[] = c.links.map(({ a, b, overlap }) => ({
    a,
    b,
    similarity: round3(overlap.resemblance),
    distance: overlap.distance,
    containment: [round3(overlap.containmentOfA), round3(overlap.containmentOfB)],
  }));
  return {
    id: contentKey(
      kernel,
      named,
      { start: 0, end: named.tokenCount },
      c.type === 'inside' ? leastHashesInside : leastHashes,
    ),
    kind: 'file',
    type: c.type === 'equal' ? 'exact' : 'near',
    similarity: pairs.reduce((least, pair) => Math.min(least, pair.similarity), 1),
    lines: members.reduce((most, { index }) => Math.max(most, index.totalLines), 0),
    tokens: bySize[0].index.tokenCount,
    ...testMark(members),
    passages: members.map(({ path, index }) => ({
      path,
      ...{ startLine: 1, startColumn: 1, endLine: index.totalLines, endColumn: index.endColumn },
      tokens: index.tokenCount,
    })),
    pairs,
  };
}

function testMark(places: readonly { readonly path: string }[]): Pick<Group, 'tests'> {
  return places.every(({ path }) => isTestPath(path)) ? { tests: true } : {};
}

/** The bits of a match that no seed has led to: the two were compared because each matches a third. */
const unseeded = 64;

/** A group, and the lines that would go if all of its passages but the longest went. */
interface Ranked {
  readonly group: Group;
  readonly impact: number;
}

function ranked(group: Group): Ranked {
  return { group, impact: impact(group) };
}

/** Most duplicated lines first; then larger, then by place, so that the order never depends on chance. */
function byImpact(left: Ranked, right: Ranked): number {
  const [x, y] = [left.group, right.group];
  const first = right.impact - left.impact || y.tokens - x.tokens;
  if (first !== 0) return first;
  for (let i = 0; i < Math.min(x.passages.length, y.passages.length); i++) {
    const order = comparePlaces(x.passages[i], y.passages[i]);
    if (order !== 0) return order;
  }
  return x.passages.length - y.passages.length || (x.id < y.id ? -1 : x.id > y.id ? 1 : 0);
}

function impact(group: Group): number {
  return group.passages.reduce((sum, p) => sum + p.endLine - p.startLine + 1, 0) - group.lines;
}

function comparePlaces(x: Passage, y: Passage): number {
  return (
    (x.path < y.path ? -1 : x.path > y.path ? 1 : 0) ||
    x.startLine - y.startLine ||
    x.endLine - y.endLine ||
    x.startColumn - y.startColumn ||
    x.endColumn - y.endColumn
  );
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/**
 * The least-r key of a passage's shingles (clusterKey.ts): it depends on content alone, and small edits seldom change it.
 * With another r it is another key, which tells the kinds of groups apart.
 */
function contentKey(
  kernel: Kernel,
  index: DocumentIndex,
  range: Pick<TokenRange, 'start' | 'end'>,
  leastHashes: number,
): string {
  const mark = kernel.mark();
  const key = kernel.exports.leastKey(
    index.tokens,
    range.start,
    range.end,
    4,
    leastHashes,
    kernel.allocate(8 * leastHashes),
  );
  kernel.release(mark);
  return BigInt.asUintN(64, key).toString(16).padStart(16, '0');
}

/** Lines of one document that are in some of its passages. */
function coveredLines(passages: Iterable<Passage>): number {
  let count = 0;
  let covered = 0;
  for (const { startLine, endLine } of [...passages].sort((x, y) => x.startLine - y.startLine)) {
    count += Math.max(0, endLine - Math.max(covered, startLine - 1));
    covered = Math.max(covered, endLine);
  }
  return count;
}

/** From a token range to lines and columns. */
function passageOf(kernel: Kernel, { path, index }: NamedDocument, { start, end }: TokenRange): Passage {
  const words = kernel.words;
  const firstLine = lineRecord(kernel, index, start);
  const lastLine = lineRecord(kernel, index, end - 1);
  const first = placeOfToken(kernel, index, start);
  const last = placeOfToken(kernel, index, end - 1);
  return {
    path,
    startLine: words[firstLine + 1] + 1,
    startColumn: column(kernel, index, first.lineStart, first.start),
    endLine: words[lastLine + 1] + 1,
    endColumn: column(kernel, index, last.lineStart, last.end),
    tokens: end - start,
  };
}

// Columns count UTF-16 units; in text of ASCII alone these are bytes.
function column({ bytes }: Kernel, { unitless, sizeBytes }: DocumentIndex, lineStart: number, offset: number): number {
  let units = offset - lineStart;
  if (unitless !== 0) {
    const end = Math.min(offset, sizeBytes);
    for (let at = lineStart; at < end; at++) units -= (bytes[unitless + (at >>> 3)] >>> (at & 7)) & 1;
  }
  return units + 1;
}
