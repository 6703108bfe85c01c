/** From clusters of token ranges to the findings that people and programs read. */
import type { Cluster } from './cluster.ts';
import type { DocumentIndex } from './indexDocument.ts';
import type { Kernel } from './kernel.ts';
import { lineRecord } from './lines.ts';
import type { TokenRange } from './matches.ts';
import type { Findings, Group, Pair, Passage, Skipped, Totals } from './report.ts';
import { tuning } from './tuning.ts';
import { windowDistance } from './windows.ts';

/** A document as the report needs it: where its arrays are, and its name. */
export interface NamedDocument {
  readonly path: string;
  readonly index: DocumentIndex;
}

export interface ReportInput {
  readonly kernel: Kernel;
  readonly documents: readonly NamedDocument[];
  readonly clusters: readonly Cluster[];
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
}

export function makeReport(input: ReportInput): Findings {
  const { kernel, documents, clusters, skipped, complete } = input;
  const ids = new Map<string, number>();
  const groups = clusters
    .map((c) => makeGroup(c, kernel, documents))
    .sort(byImpact)
    .map((group) => ({ ...group, id: unique(group.id, ids) }));
  const duplicatedLines = countLines(groups);
  // Comments come behind the code of their file, with the same lines.
  const files = documents.filter(({ path }, place) => path !== documents[place - 1]?.path);
  const lines = files.reduce((sum, { index }) => sum + index.totalLines, 0);
  const totals: Totals = {
    files: files.length,
    lines,
    tokens: documents.reduce((sum, d) => sum + d.index.tokenCount, 0),
    groups: groups.length,
    passages: groups.reduce((sum, g) => sum + g.passages.length, 0),
    duplicatedLines,
    duplicatedPercent: lines === 0 ? 0 : Math.round((10_000 * duplicatedLines) / lines) / 100,
    skipped: skipped.length,
  };
  return { complete, totals, groups, skipped };
}

function makeGroup(c: Cluster, kernel: Kernel, documents: readonly NamedDocument[]): Group {
  const passages = c.passages.map((range) => passageOf(kernel, documents[range.document], range));
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
    id: contentKey(kernel, documents[longest.document].index, longest),
    kind: documents[c.passages[0].document].index.prose ? 'prose' : 'code',
    type: exact ? 'exact' : aligned ? 'renamed' : 'near',
    similarity: pairs.reduce((least, pair) => Math.min(least, pair.similarity), 1),
    lines: passages.reduce((most, p) => Math.max(most, p.endLine - p.startLine + 1), 0),
    tokens: longest.end - longest.start,
    passages,
    pairs,
  };

  function distanceOf(x: TokenRange, y: TokenRange): number {
    return windowDistance(
      kernel,
      { index: documents[x.document].index, start: x.start, end: x.end },
      { index: documents[y.document].index, start: y.start, end: y.end },
    );
  }
}

/** The bits of a match that no seed has led to: the two were compared because each matches a third. */
const unseeded = 64;

/** Most duplicated lines first; then larger, then by place, so that the order never depends on chance. */
function byImpact(x: Group, y: Group): number {
  return (
    impact(y) - impact(x) ||
    y.tokens - x.tokens ||
    comparePlaces(x.passages[0], y.passages[0]) ||
    comparePlaces(x.passages[1], y.passages[1])
  );
}

/** Lines that would go if all passages but the longest went. */
function impact(group: Group): number {
  return group.passages.reduce((sum, p) => sum + p.endLine - p.startLine + 1, 0) - group.lines;
}

function comparePlaces(x: Passage, y: Passage): number {
  return (x.path < y.path ? -1 : x.path > y.path ? 1 : 0) || x.startLine - y.startLine || x.endLine - y.endLine;
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The least-r key of a passage's shingles (seed 000): it depends on content alone, and small edits seldom change it. */
function contentKey(kernel: Kernel, index: DocumentIndex, range: TokenRange): string {
  const { leastHashes } = tuning.groups;
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

// Two groups of the same content (possible when they do not match each other for another reason) are told apart by rank.
function unique(id: string, ids: Map<string, number>): string {
  const before = ids.get(id) ?? 0;
  ids.set(id, before + 1);
  return before === 0 ? id : `${id}-${before + 1}`;
}

function countLines(groups: readonly Group[]): number {
  const byPath = new Map<string, [number, number][]>();
  for (const { path, startLine, endLine } of groups.flatMap((g) => g.passages)) {
    const list = byPath.get(path);
    if (list) list.push([startLine, endLine]);
    else byPath.set(path, [[startLine, endLine]]);
  }
  let count = 0;
  for (const ranges of byPath.values()) {
    let covered = 0;
    for (const [start, end] of ranges.sort((x, y) => x[0] - y[0])) {
      count += Math.max(0, end - Math.max(covered, start - 1));
      covered = Math.max(covered, end);
    }
  }
  return count;
}

/** From a token range to lines and columns. */
function passageOf(kernel: Kernel, { path, index }: NamedDocument, { start, end }: TokenRange): Passage {
  const words = kernel.words;
  const firstLine = lineRecord(kernel, index, start);
  const lastLine = lineRecord(kernel, index, end - 1);
  const length = new Uint16Array(kernel.memory.buffer, index.lengths, index.tokenCount)[end - 1];
  const endOffset = words[(index.starts >>> 2) + end - 1] + length;
  return {
    path,
    startLine: words[firstLine + 1] + 1,
    startColumn: column(kernel, index, words[firstLine + 2], words[(index.starts >>> 2) + start]),
    endLine: words[lastLine + 1] + 1,
    endColumn: column(kernel, index, words[lastLine + 2], endOffset),
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
