/**
 * Renders a report as a single HTML page without network access. The page itself is built separately
 * (src/surfaces/web/report). This module embeds the compressed data, a table for readers without JavaScript, and as
 * many texts of passages as fit, beginning with the first rows.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'fflate';
import type { EmbeddedPageData, PageData, PageGroup } from '../../../presentation/wording/pageData.ts';
import { pageRowsOf } from '../../../presentation/wording/pageRows.ts';
import { count, number, percent } from '../quantities.ts';
import { printableLines } from '../../../presentation/wording/printable.ts';
import { headline } from './textSummary.ts';
import { type ScanReport, uncomparedIn } from '../scanReport.ts';
import { editedCopies, editedMessage, placeName } from './edited.ts';
import { nameOf, titleOf } from './groupTitle.ts';
import type { JudgedGroup } from '../../../review/gate/judgeGroups.ts';
import { type ListedGroup, listedGroups, type Surroundings } from './listed.ts';
import { addressPattern } from './permalinks.ts';
import type { Passage } from '../../../core/engine/report/report.ts';
import { readSource } from '../../../scan/io/readSource.ts';

/** Maximum size of the page in bytes; below the limits of mail and build servers. */
export const maxBytes = 2_000_000;
/**
 * Maximum number of characters of all texts before compression. The rest of the page takes about 200 kB, and the rows
 * of 4,000 groups take about 400 kB.
 */
const maxTextCharacters = 6_000_000;
/** Maximum number of passages per group whose text is embedded, so that readers can compare them. */
const maxTexts = 6;
const maxInFallback = 100;

export function* renderHtml(report: ScanReport, surroundings: Surroundings): Generator<string> {
  const template = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
  const listed = listedGroups(report);
  const title = `Near-duplicates in ${nameOfFolder(report.root)}`;
  const fallback = fallbackOf(report, listed, surroundings);
  const room = maxBytes - Buffer.byteLength(template) - Buffer.byteLength(fallback) - 1_000;
  const data = packed(report, listed, surroundings, room);
  const values: Readonly<Record<string, string>> = { title: escaped(title), fallback, data };
  yield template.replaceAll(/\{\{(title|fallback|data)\}\}/g, (_, name: string) => values[name]!);
}

function packed(report: ScanReport, listed: readonly ListedGroup[], surroundings: Surroundings, room: number): string {
  const data = dataOf(report, surroundings);
  const texts = textsOf(report, listed);
  for (let share = 1; ; share /= 1.5) {
    const some = Object.fromEntries(texts.slice(0, Math.floor(texts.length * share)));
    const bytes = deflateSync(
      Buffer.from(JSON.stringify({ ...data, texts: some } satisfies EmbeddedPageData, withoutSteering)),
      { level: 9 },
    );
    const text = Buffer.from(bytes).toString('base64');
    if (text.length <= room || share < 0.01) return text;
  }
}

function withoutSteering(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? printableLines(value) : value;
}

function dataOf(report: ScanReport, surroundings: Surroundings): PageData {
  const { root, tool, findings, shown, ignoredGroups, check } = report;
  const { prefix, environment } = surroundings;
  const edited = editedCopies(report).map((one) => ({
    place: prefix + placeName(one.copy),
    message: editedMessage(one, surroundings),
    diff: one.copy.diff,
  }));
  const { complete } = findings;
  const uncompared = uncomparedIn(report);
  const { totals } = shown;
  return {
    name: nameOfFolder(root),
    version: tool.version,
    root: root.replaceAll('\\', '/'),
    address: addressPattern(environment, prefix),
    headline:
      totals.files === 0
        ? 'There are no source files.'
        : `Duplicated: ${headline(totals)} in ${number(totals.files)} files${ignoredGroups > 0 ? `; ${count(ignoredGroups, 'group')} ignored` : ''}${uncompared === undefined ? '' : `; ${uncompared}`}`,
    complete,
    check: check && { holds: check.holds, message: check.message },
    edited: edited.length > 0 ? edited : undefined,
    ...pageRowsOf(findings, totals, marksOf),
  };
}

/** Returns additional properties of a group: new passages, and the reason for ignoring it. */
function marksOf({ passages, isNew, ignored }: JudgedGroup): Pick<PageGroup, 'fresh' | 'ignored'> {
  return {
    fresh: isNew ? passages.flatMap((passage, place) => (passage.isNew ? [place] : [])) : undefined,
    ignored: ignored && (ignored.reason ?? ''),
  };
}

/** Returns the texts of passages with their keys, beginning with the first groups. */
function textsOf({ root, findings }: ScanReport, listed: readonly ListedGroup[]): [string, string][] {
  const read = new PassageTexts(root);
  const placeOf = new Map(findings.groups.map(({ id }, place) => [id, place]));
  const texts: [string, string][] = [];
  let left = maxTextCharacters;
  // Skip files that are contained in another file, because a comparison of the first lines would not show where the
  // content is.
  for (const { group } of listed.filter((one) => one.group.inside === undefined)) {
    for (const [place, passage] of group.passages.slice(0, maxTexts).entries()) {
      const text = read.textOf(passage);
      if (text === undefined) continue;
      left -= text.length;
      if (left < 0) return texts;
      texts.push([`${placeOf.get(group.id)!} ${place}`, text]);
    }
  }
  return texts;
}

function nameOfFolder(root: string): string {
  return root.replaceAll('\\', '/').split('/').filter(Boolean).at(-1) ?? root;
}

function fallbackOf(report: ScanReport, listed: readonly ListedGroup[], { prefix }: Surroundings): string {
  const rows = listed.slice(0, maxInFallback).map(({ group, primary, others }) => {
    const cells = [
      titleOf(group),
      percent(group.similarity),
      ...[primary, others[0]!].map((passage) => prefix + nameOf(group, passage)),
    ];
    return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  });
  const { totals } = report.shown;
  const more = listed.length - rows.length;
  return [
    `<h1>${escaped(`Near-duplicates in ${nameOfFolder(report.root)}`)}</h1>`,
    `<p>${totals.files === 0 ? 'There are no source files.' : escaped(headline(totals))}</p>`,
    '<p>Scripts are blocked here. Open the file in a browser to filter and compare.</p>',
    `<table>${rows.join('')}</table>`,
    more > 0 ? `<p>… and ${number(more)} more.</p>` : '',
  ].join('');
}

function escaped(text: string): string {
  return printableLines(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Maximum number of lines to return per passage. */
const maxLines = 400;
/** Maximum number of characters to return per line. Some files have lines of several megabytes. */
const longestLine = 500;

/** Reads the texts of passages. Caches the last few files, because callers may alternate between files. */
class PassageTexts {
  readonly #root: string;
  readonly #files = new Map<string, readonly string[] | undefined>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the text of a passage; `undefined` if its file can no longer be read. */
  textOf({ path: name, startLine, endLine }: Passage): string | undefined {
    const lines = this.#linesOf(name)?.slice(startLine - 1, Math.min(endLine, startLine - 1 + maxLines));
    return lines?.map((line) => (line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`)).join('\n');
  }

  #linesOf(name: string): readonly string[] | undefined {
    if (!this.#files.has(name)) {
      if (this.#files.size >= maxFiles) this.#files.clear();
      const file = { file: path.join(this.#root, name), path: name };
      const source = readSource(file, { maxFileSizeBytes: 2 ** 27, generated: true }, (size) =>
        Buffer.allocUnsafe(size),
      );
      const text = 'skipped' in source ? undefined : new TextDecoder().decode(source.bytes);
      this.#files.set(name, text?.split(/\r\n|\r|\n/));
    }
    return this.#files.get(name);
  }
}

const maxFiles = 200;
