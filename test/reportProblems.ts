/**
 * Validates any report against its schema and the specifications in docs/report.schema.json,
 * src/core/engine/report/report.ts, and ARCHITECTURE.md. All functions of the tests that create reports call it.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import { root } from '../scripts/project.mjs';
import type { Findings, Group, Passage } from '../src/core/engine/report/report.ts';
import { categories } from '../src/core/engine/rows/category.ts';
import { constants } from '../src/core/engine/constants.ts';
import { readSource } from '../src/scan/io/readSource.ts';

/** Returns the text of a document as an editor shows it, or undefined if it is no longer known. */
export type TextSource = (path: string) => string | undefined;

/** Maximum number of reported problems, because one error often causes thousands. */
const maxProblems = 10;

const ajv = new Ajv({ strict: true, strictTypes: false });
/** True if the value is a report of the command line. The errors are in `schemaErrors`. */
export const isReport = ajv.compile(readSchema('report'));

export function schemaErrors(): string {
  return ajv.errorsText(isReport.errors);
}

/** Reads a schema of docs by name. */
export function readSchema(
  name: 'report' | 'kindredrc' | 'compare' | 'baseline' | 'organisation',
): Record<string, unknown> {
  return JSON.parse(readFileSync(path.join(root, `docs/${name}.schema.json`), 'utf8')) as Record<string, unknown>;
}

/** Properties that the command line adds to findings, with valid placeholder values. */
const envelope = { schema: 3, tool: { name: 'kindred', version: '0.0.0' }, root: '/', options: {} };

/** Returns the findings after checking them. */
export function sound(findings: Findings, textOf: TextSource): Findings {
  const problems = reportProblems(findings, textOf);
  assert.equal(problems.length, 0, problems.join('\n'));
  return findings;
}

/** Returns the first few problems of findings, or of a report in JSON form. */
export function reportProblems(report: Findings, textOf: TextSource): string[] {
  const json = 'schema' in report ? report : withEnvelope(report);
  if (!isReport(json)) return [`it does not fit its schema: ${schemaErrors()}`];
  const problems: string[] = [];
  const places = new Places(textOf);
  for (const problem of allProblems(report, places)) {
    problems.push(problem);
    if (problems.length === maxProblems) break;
  }
  return problems;
}

function withEnvelope({ complete, totals, groups, files, folders, skipped }: Findings): object {
  return { ...envelope, complete, totals: { ...totals, elapsedMs: 0 }, groups, files, folders, skipped };
}

function* allProblems(report: Findings, places: Places): Generator<string> {
  yield* totalsProblems(report);
  if ('options' in report) yield* sizeProblems(report.groups, report.options as JsonOptions);
  yield* orderProblems(report.groups, 'schema' in report);
  yield* categoryProblems(report);
  yield* rollUpProblems(report);
  for (const group of report.groups) {
    const about = `group ${group.id}: `;
    for (const problem of groupProblems(group, places)) yield about + problem;
  }
}

function* totalsProblems({ totals, groups, skipped }: Findings): Generator<string> {
  const passages = groups.reduce((sum, group) => sum + group.passages.length, 0);
  if (totals.groups !== groups.length) yield `totals.groups is ${totals.groups}, of ${groups.length}`;
  if (totals.passages !== passages) yield `totals.passages is ${totals.passages}, of ${passages}`;
  if (totals.skipped !== skipped.length) yield `totals.skipped is ${totals.skipped}, of ${skipped.length}`;
  const paths = new Set(groups.flatMap((group) => group.passages.map(({ path }) => path)));
  if (totals.files < paths.size) yield `totals.files is ${totals.files}, and passages are in ${paths.size}`;
  const lines = new Set<string>();
  for (const { kind, passages } of groups) {
    if (kind === 'file') continue;
    for (const { path, startLine, endLine } of passages) {
      for (let line = startLine; line <= endLine; line++) lines.add(`${line} ${path}`);
    }
  }
  if (totals.duplicatedLines !== lines.size)
    yield `totals.duplicatedLines is ${totals.duplicatedLines}, of ${lines.size}`;
  if (totals.duplicatedLines > totals.lines) yield `more lines are duplicated than there are`;
  const percent = totals.lines === 0 ? 0 : Math.round((10_000 * totals.duplicatedLines) / totals.lines) / 100;
  if (totals.duplicatedPercent !== percent)
    yield `totals.duplicatedPercent is ${totals.duplicatedPercent}, not ${percent}`;
  const names = skipped.map(({ path }) => path);
  const unsorted = names.findIndex((name, i) => i > 0 && names[i - 1] >= name);
  if (unsorted > 0) yield `skipped: ${names[unsorted]} is behind ${names[unsorted - 1]}`;
}

function sectionOrder(before: Group, group: Group): number {
  return categories.indexOf(before.category) - categories.indexOf(group.category);
}

function rowOrder(before: Group, group: Group): number {
  return (
    group.worth - before.worth ||
    group.tokens - before.tokens ||
    compareText(before.passages[0].path, group.passages[0].path)
  );
}

/**
 * Checks that rows are ordered by worth, each before its nested groups, with distinct ids.
 *
 * @param isJson true if rows are ordered by category first, and rows with two files of another row may come later
 */
function* orderProblems(groups: readonly Group[], isJson: boolean): Generator<string> {
  const byId = new Map<string, Group>();
  /** The previous group and the groups that contain it. */
  let open: Group[] = [];
  for (const group of groups) {
    const { id, parent } = group;
    if (byId.has(id)) yield `two groups have the id ${id}`;
    const above = parent === undefined ? undefined : byId.get(parent);
    byId.set(id, group);
    if (parent !== undefined && above === undefined) yield `group ${id} is not behind its parent ${parent}`;
    const depth = above === undefined ? 0 : open.indexOf(above) + 1;
    if (above !== undefined && depth === 0) yield `group ${id} is not right behind its parent ${above.id}`;
    const before = open[depth];
    if (before !== undefined) {
      const isBehind = isJson && depth === 0 ? isBehindInJson(before, group, groups) : rowOrder(before, group) > 0;
      if (isBehind) yield `group ${id} is behind ${before.id}`;
    }
    open = [...open.slice(0, depth), group];
    if (above && group.kind === 'file') yield `group ${id} of whole files is shown in ${above.id}`;
    if (above && above.kind !== 'file' && group.worth > above.worth) yield `group ${id} is better than ${above.id}`;
  }
}

/** Returns true if a row belongs before the one before it. Rows with two files of another row may come later. */
function isBehindInJson(before: Group, group: Group, groups: readonly Group[]): boolean {
  const section = sectionOrder(before, group);
  return section === 0 ? rowOrder(before, group) > 0 && !hasFilesOfOther(group, groups) : section > 0;
}

/** Returns true if two files of a row are also in another row. */
function hasFilesOfOther(row: Group, groups: readonly Group[]): boolean {
  const paths = new Set(row.passages.map(({ path }) => path));
  return groups.some((other) => {
    if (other === row || other.parent !== undefined) return false;
    return new Set(other.passages.map(({ path }) => path).filter((path) => paths.has(path))).size > 1;
  });
}

function* categoryProblems({ totals, groups }: Findings): Generator<string> {
  const all = Object.entries(totals.categories);
  for (const key of ['files', 'lines', 'duplicatedLines'] as const) {
    const sum = all.reduce((sum, [, ofCategory]) => sum + ofCategory[key], 0);
    if (sum !== totals[key]) yield `the categories have ${sum} ${key}, of ${totals[key]}`;
  }
  for (const [category, { rows }] of all) {
    const count = groups.filter((group) => group.category === category && group.parent === undefined).length;
    if (rows !== count) yield `the category ${category} has ${rows} rows, of ${count}`;
  }
  const missing = groups.find(
    ({ category, parent }) => parent === undefined && totals.categories[category] === undefined,
  );
  if (missing) yield `row ${missing.id} is of the category ${missing.category}, of which there are no totals`;
}

/** Checks that rows of file pairs and folders refer to groups that are rows, each once. */
function* rollUpProblems({ groups, files, folders }: Findings): Generator<string> {
  const rows = new Map(groups.filter(({ parent }) => parent === undefined).map((group) => [group.id, group]));
  for (const [name, list] of [
    ['files', files],
    ['folders', folders],
  ] as const) {
    const used = new Set<string>();
    for (const { paths, groups: ids, worth, shares } of list) {
      const about = `${name}: ${paths.join(' and ')}`;
      if (ids.length < (name === 'files' ? 2 : 1)) yield `${about} have ${ids.length} rows`;
      let sum = 0;
      for (const id of ids) {
        const row = rows.get(id);
        if (used.has(id) || row === undefined) yield `${about}: ${id} is no row, or is in two of them`;
        used.add(id);
        sum += row?.worth ?? 0;
        const outside = row?.passages.find(({ path }) => !paths.some((p) => path === p || path.startsWith(`${p}/`)));
        if (outside) yield `${about}: ${id} has ${outside.path}`;
      }
      if (sum !== worth) yield `${about} are worth ${worth}, and their rows ${sum}`;
      if (shares.some((share) => share > 1)) yield `${about} have more in common than they have`;
    }
    const unordered = list.findIndex(({ worth }, i) => i > 0 && list[i - 1].worth < worth);
    if (unordered > 0) yield `${name}: ${list[unordered].paths.join(' and ')} is behind less worth`;
  }
}

/** Minimums in the JSON report. */
interface JsonOptions {
  readonly minTokens: number;
  readonly minLines: number;
  readonly prose: { readonly minWords: number };
}

function* sizeProblems(groups: readonly Group[], options: JsonOptions): Generator<string> {
  for (const { id, kind, passages } of groups) {
    if (kind === 'file') continue;
    const minSize = kind === 'code' ? options.minTokens : options.prose.minWords;
    const small = passages.find(({ tokens }) => tokens < minSize);
    if (small) yield `group ${id}: ${nameOf(small)} has ${small.tokens} tokens, of at least ${minSize}`;
    // A copy may be wrapped into fewer lines than the other passage.
    const isLong = passages.some(({ startLine, endLine }) => endLine - startLine + 1 >= options.minLines);
    if (kind === 'code' && !isLong) yield `group ${id}: no passage has ${options.minLines} lines`;
  }
}

function* groupProblems(group: Group, places: Places): Generator<string> {
  yield* passagesProblems(group, places);
  yield* pairsProblems(group);
  const { passages, pairs } = group;
  if (!pairs.some(({ similarity }) => similarity === group.similarity)) yield `no pair is alike by ${group.similarity}`;
  const lines = Math.max(...passages.map(({ startLine, endLine }) => endLine - startLine + 1));
  if (group.lines !== lines) yield `its longest passage has ${lines} lines, not ${group.lines}`;
  const tokens = Math.max(...passages.map((passage) => passage.tokens));
  if (group.tokens !== tokens) yield `its longest passage has ${tokens} tokens, not ${group.tokens}`;
}

function* passagesProblems({ kind, passages }: Group, places: Places): Generator<string> {
  for (const passage of passages) {
    const about = nameOf(passage);
    for (const problem of places.problemsOf(passage, kind === 'file')) yield `${about} ${problem}`;
    if (kind === 'file' && (passage.startLine !== 1 || passage.startColumn !== 1)) yield `${about} is no whole file`;
  }
  for (let i = 1; i < passages.length; i++) {
    const [before, passage] = [passages[i - 1], passages[i]];
    if (before.path > passage.path) yield `${nameOf(passage)} is behind ${nameOf(before)}`;
    if (before.path === passage.path && compareEnds(before, passage) > 0) {
      yield `${nameOf(before)} and ${nameOf(passage)} have text in common, or are in disorder`;
    }
  }
}

function* ownTypeProblems(
  { kind, type }: Group,
  similarity: number,
  own: Group['pairs'][number]['type'],
  about: string,
): Generator<string> {
  if (own !== undefined && (kind === 'file' || type === 'exact' || own === type))
    yield `${about} is ${own}, in ${type}`;
  if (own === 'exact' && similarity !== 1) yield `${about} is alike by ${similarity}, and exact`;
  if (kind === 'prose' && (type === 'renamed' || own === 'renamed')) yield 'it is renamed prose';
}

function* pairsProblems(group: Group): Generator<string> {
  const { kind, type, similarity: minSimilarity, inside, passages, pairs } = group;
  const seen = new Set<string>();
  const paired = new Set<number>();
  for (const { a, b, similarity, type: own, containment } of pairs) {
    const about = `the pair of ${a} and ${b}`;
    if (a >= b || b >= passages.length) yield `${about} is none of ${passages.length} passages`;
    if (seen.has(`${a} ${b}`)) yield `${about} is there twice`;
    seen.add(`${a} ${b}`);
    paired.add(a).add(b);
    if ((containment !== undefined) !== (kind === 'file')) yield `${about} is of another kind`;
    if (similarity < minSimilarity) yield `${about} is less alike than the group says`;
    yield* ownTypeProblems(group, similarity, own, about);
    if (type === 'exact' && similarity !== 1) yield `${about} is alike by ${similarity}, in an exact group`;
  }
  if (inside !== undefined) {
    if (kind !== 'file' || passages.length !== 2) yield 'it is not two files, of which one could lie inside the other';
    else if (passages[inside].tokens >= passages[1 - inside].tokens) yield `${inside} is not the smaller file`;
    else if (pairs[0].containment![inside] < constants.files.containment.minShare)
      yield `${inside} is not inside the other`;
  }
  for (const i of passages.keys()) if (!paired.has(i)) yield `${nameOf(passages[i])} is in no pair`;
}

/** Checks lines and columns of passages against their texts. */
class Places {
  readonly #textOf: TextSource;
  readonly #lines = new Map<string, readonly string[] | undefined>();

  constructor(textOf: TextSource) {
    this.#textOf = textOf;
  }

  *problemsOf({ path, startLine, startColumn, endLine, endColumn }: Passage, isWhole: boolean): Generator<string> {
    if (startLine > endLine || (startLine === endLine && startColumn >= endColumn)) yield 'ends before it starts';
    const lines = this.#linesOf(path);
    if (lines === undefined) return;
    if (endLine > lines.length) {
      yield `is in a text of ${lines.length} lines`;
      return;
    }
    const [first, last] = [lines[startLine - 1], lines[endLine - 1]];
    if (startColumn > first.length + 1) yield `starts behind its line, which has ${first.length} columns`;
    if (endColumn > last.length + 1) yield `ends behind its line, which has ${last.length} columns`;
    if (!isWhole && isBlankAt(first, startColumn - 1)) yield 'begins with a blank';
    // An unterminated string may end with a blank.
    if (!isWhole && endColumn === 1) yield 'ends before its last line';
    for (const [line, column] of [
      [first, startColumn],
      [last, endColumn],
    ] as const) {
      if (isInsideCharacter(line, column - 1)) yield `begins or ends in the middle of a character`;
    }
  }

  #linesOf(path: string): readonly string[] | undefined {
    if (!this.#lines.has(path)) {
      const text = this.#textOf(path);
      this.#lines.set(path, text === undefined ? undefined : text.split(/\r\n|\r|\n/));
    }
    return this.#lines.get(path);
  }
}

function isBlankAt(text: string, offset: number): boolean {
  const character = text[offset];
  return character === undefined || character === ' ' || character === '\t';
}

/** True if an offset splits a surrogate pair. */
function isInsideCharacter(text: string, offset: number): boolean {
  return text.codePointAt(offset - 1) !== text.charCodeAt(offset - 1) && offset > 0;
}

function nameOf({ path, startLine, startColumn, endLine, endColumn }: Passage): string {
  return `${path}:${startLine}:${startColumn}-${endLine}:${endColumn}`;
}

/** Returns a negative number if one passage ends before or at the start of another one of the same file. */
function compareEnds(before: Passage, behind: Passage): number {
  return before.endLine - behind.startLine || before.endColumn - behind.startColumn;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the engine's input for the bytes of a file: UTF-8 without a byte order mark; `undefined` if they are not
 * text.
 */
export function utf8OfBytes(bytes: Uint8Array): Uint8Array | undefined {
  const file = { path: '', stamp: undefined, content: bytes };
  const source = readSource(file, { maxFileSizeBytes: Infinity, generated: true }, (size) => new Uint8Array(size));
  return 'bytes' in source ? source.bytes : undefined;
}

/** Returns the bytes of a file as text as an editor shows it, or undefined if it would not. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  const utf8 = utf8OfBytes(bytes);
  return utf8 && decoder.decode(utf8);
}
