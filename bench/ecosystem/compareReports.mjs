/**
 * The differences between two JSON reports of the same tree. Groups are matched by their passages, because their ids
 * change with the method. Groups with the same passages are the same. Other groups are matched if they share at least
 * half of their lines, in descending order of common lines, and count as the same group with another range.
 */

/**
 * @typedef {{ path: string, startLine: number, startColumn: number, endLine: number, endColumn: number }} Passage
 *
 * @typedef {object} Group  as in docs/report.schema.json
 * @property {string} id
 * @property {string} [parent]
 * @property {string} kind
 * @property {string} type
 * @property {string} [category]
 * @property {number} similarity
 * @property {number} lines
 * @property {number} [worth]
 * @property {readonly Passage[]} passages
 *
 * @typedef {{ paths: readonly string[], groups: readonly string[] }} Summary  a row of files or folders
 *
 * @typedef {object} Report
 * @property {readonly Group[]} groups
 * @property {readonly Summary[]} [files]
 * @property {readonly Summary[]} [folders]
 * @property {readonly { path: string, reason: string }[]} [skipped]
 *
 * @typedef {{ before: Group, after: Group }} Change
 *
 * @typedef {object} Differences
 * @property {readonly Group[]} gained
 * @property {readonly Group[]} lost
 * @property {readonly Change[]} range       other passages
 * @property {readonly Change[]} category    another category or type
 * @property {readonly Change[]} similarity  another similarity, in whole percent, with the same passages
 * @property {readonly Change[]} place       a row that became a part of another row, or the reverse
 * @property {readonly (Change & { from: number, to: number })[]} order
 *   minimum set of rows of unchanged category that explains the new order, with their positions, from 1,
 *   among the rows of the category that both reports have
 * @property {readonly string[]} around      rows of files and of folders, and skipped files, that only one report has,
 *   in the order of the reports: `+ folders a, b`
 */

/** Minimum similarity of groups that count as the same: twice the common lines over the lines of both. */
const minSimilarity = 0.5;

/**
 * @param {Report} base
 * @param {Report} head
 * @returns {Differences}
 */
export function compareReports(base, head) {
  const equal = matchEqual(base.groups, head.groups);
  const moved = matchOverlapping(equal.lost, equal.gained);
  const matched = [...equal.matched, ...moved.matched];
  const byWorth = (/** @type {Group} */ a, /** @type {Group} */ b) => (b.worth ?? 0) - (a.worth ?? 0);
  return {
    gained: [...moved.gained].sort(byWorth),
    lost: [...moved.lost].sort(byWorth),
    range: moved.matched,
    category: matched.filter(({ before, after }) => labelOf(before) !== labelOf(after)),
    similarity: equal.matched.filter(({ before, after }) => percentOf(before) !== percentOf(after)),
    place: matched.filter(({ before, after }) => isRow(before) !== isRow(after)),
    order: overtakenRows(matched, base.groups, head.groups),
    around: differencesAround(base, head),
  };
}

/**
 * @param {Report} base
 * @param {Report} head
 */
function differencesAround(base, head) {
  const [before, after] = [base, head].map(({ files = [], folders = [], skipped = [] }) => [
    ...folders.map(({ paths, groups }) => `folders ${paths.join(', ')} (${groups.length} rows)`),
    ...files.map(({ paths, groups }) => `files ${paths.join(', ')} (${groups.length} rows)`),
    ...skipped.map(({ path, reason }) => `skipped ${path}: ${reason}`),
  ]);
  const [had, has] = [new Set(before), new Set(after)];
  return [
    ...[...had].filter((row) => !has.has(row)).map((row) => `- ${row}`),
    ...[...has].filter((row) => !had.has(row)).map((row) => `+ ${row}`),
  ];
}

/** @param {Group} group */
export function labelOf({ category, kind, type }) {
  return `${category ?? kind}, ${type}`;
}

/** @param {Group} group */
export function percentOf({ similarity }) {
  return Math.round(100 * similarity);
}

/** @param {Passage} passage */
export function placeOf({ path, startLine, endLine }) {
  return `${path}:${startLine}-${endLine}`;
}

/** @param {Group} group */
function isRow({ parent }) {
  return parent === undefined;
}

/**
 * @param {readonly Group[]} base
 * @param {readonly Group[]} head
 */
function matchEqual(base, head) {
  const keyOf = (/** @type {Group} */ { kind, passages }) =>
    [kind, ...passages.map((passage) => `${placeOf(passage)}:${passage.startColumn}:${passage.endColumn}`)].join('\n');
  /** @type {Map<string, Group[]>} */
  const byKey = new Map();
  for (const group of base) byKey.set(keyOf(group), [...(byKey.get(keyOf(group)) ?? []), group]);
  /** @type {Change[]} */
  const matched = [];
  const gained = head.filter((after) => {
    const before = byKey.get(keyOf(after))?.shift();
    if (before !== undefined) matched.push({ before, after });
    return before === undefined;
  });
  return { matched, gained, lost: [...byKey.values()].flat() };
}

/**
 * @param {readonly Group[]} lost
 * @param {readonly Group[]} gained
 */
function matchOverlapping(lost, gained) {
  const [linesOfLost, linesOfGained] = [lost, gained].map((groups) => groups.map(linesOf));
  /** @type {Map<string, number[]>} indices in `gained` of the groups that contain a line */
  const byLine = new Map();
  linesOfGained?.forEach((lines, index) => {
    for (const line of lines) byLine.set(line, [...(byLine.get(line) ?? []), index]);
  });
  /** @type {{ from: number, to: number, similarity: number }[]} */
  const candidates = [];
  linesOfLost?.forEach((lines, from) => {
    /** @type {Map<number, number>} */
    const common = new Map();
    for (const line of lines) for (const to of byLine.get(line) ?? []) common.set(to, (common.get(to) ?? 0) + 1);
    for (const [to, count] of common) {
      const similarity = (2 * count) / (lines.size + (linesOfGained?.[to]?.size ?? 0));
      if (similarity >= minSimilarity) candidates.push({ from, to, similarity });
    }
  });
  candidates.sort((a, b) => b.similarity - a.similarity || a.from - b.from || a.to - b.to);
  /** @type {[Set<number>, Set<number>]} */
  const [usedFrom, usedTo] = [new Set(), new Set()];
  /** @type {Change[]} */
  const matched = [];
  for (const { from, to } of candidates) {
    const [before, after] = [lost[from], gained[to]];
    if (usedFrom.has(from) || usedTo.has(to) || before === undefined || after === undefined) continue;
    usedFrom.add(from);
    usedTo.add(to);
    matched.push({ before, after });
  }
  return {
    matched,
    lost: lost.filter((_, index) => !usedFrom.has(index)),
    gained: gained.filter((_, index) => !usedTo.has(index)),
  };
}

/**
 * Returns the lines of all passages of a group, with its kind, because files never match passages.
 *
 * @param {Group} group
 * @returns {Set<string>}
 */
function linesOf({ kind, passages }) {
  const lines = new Set();
  for (const { path, startLine, endLine } of passages) {
    for (let line = startLine; line <= endLine; line++) lines.add(`${kind === 'file' ? kind : ''}:${path}:${line}`);
  }
  return lines;
}

/**
 * @param {readonly Change[]} matched
 * @param {readonly Group[]} base
 * @param {readonly Group[]} head
 */
function overtakenRows(matched, base, head) {
  const [placeInBase, placeInHead] = [base, head].map(
    (groups) => new Map(groups.map((group, place) => [group, place])),
  );
  const rows = matched.filter(
    ({ before, after }) =>
      isRow(before) && isRow(after) && before.category === after.category && before.kind === after.kind,
  );
  /** @type {Map<string, Change[]>} */
  const sections = new Map();
  for (const row of rows) {
    const section = `${row.after.category} ${row.after.kind}`;
    sections.set(section, [...(sections.get(section) ?? []), row]);
  }
  return [...sections.values()].flatMap((section) => {
    const sorted = [...section].sort((a, b) => (placeInBase?.get(a.before) ?? 0) - (placeInBase?.get(b.before) ?? 0));
    const ranks = new Map(
      [...section]
        .sort((a, b) => (placeInHead?.get(a.after) ?? 0) - (placeInHead?.get(b.after) ?? 0))
        .map((change, rank) => [change, rank]),
    );
    const to = sorted.map((change) => ranks.get(change) ?? 0);
    const kept = longestIncreasing(to);
    return sorted.flatMap((change, from) => {
      const rank = to[from] ?? 0;
      return kept.has(rank) ? [] : [{ ...change, from: from + 1, to: rank + 1 }];
    });
  });
}

/**
 * Returns the values of a longest increasing subsequence (Fredman 1975).
 *
 * @param {readonly number[]} values  distinct
 * @returns {Set<number>}
 */
function longestIncreasing(values) {
  /** @type {number[]} smallest last value of a subsequence of each length */
  const lasts = [];
  /** @type {Map<number, number | undefined>} */
  const previous = new Map();
  for (const value of values) {
    let low = 0;
    let high = lasts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lasts[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous.set(value, lasts[low - 1]);
    lasts[low] = value;
  }
  const kept = new Set();
  for (let value = lasts.at(-1); value !== undefined; value = previous.get(value)) kept.add(value);
  return kept;
}
