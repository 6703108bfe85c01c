/** Runs `kindred baseline` and `kindred ignored`, which write, update, and list known and ignored groups. */
import path from 'node:path';
import {
  type BaselineEntry,
  type BaselineMatch,
  type EntryNote,
  entryFor,
  growthOf,
  isUnchanged,
  matchBaseline,
  needsNote,
  occurrencesOf,
  printBaseline,
} from '../../../review/gate/baseline.ts';
import { uncomparedWords } from '../../../review/gate/uncompared.ts';
import { type IgnoredRegion, regionAround } from '../../../review/gate/ignoreComments.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import type { BaselineArguments } from '../gateArguments.ts';
import type { ScanArguments } from '../scanArguments.ts';
import { linesOf } from '../../../presentation/wording/lineRange.ts';
import { nameFrom, placeOf, type Vantage } from '../places.ts';
import { printable, printableJson } from '../../../presentation/wording/printable.ts';
import { count } from '../quantities.ts';
import { readBaseline } from '../../../review/check/readBaseline.ts';
import type { ScannedTree } from '../../../review/check/scannedTree.ts';
import { commentsIn, linesOf as fileLinesOf } from '../../../review/check/sourceTexts.ts';
import { entryNote } from '../../../presentation/wording/entryNote.ts';
import { beginFile } from '../output.ts';
import { isSystemError, causeOf } from '../../../scan/io/systemErrors.ts';

export interface BaselineOutcome {
  readonly text: readonly string[];
  /** Exit code. It is 1 if a condition that the user asked for is not met. */
  readonly code: 0 | 1;
}

/** Runs the action. Returns `undefined` without writing anything if the scan was interrupted. */
export async function maintainBaseline(
  baselineArguments: BaselineArguments,
  scan: () => Promise<ScannedTree | undefined>,
): Promise<BaselineOutcome | { readonly problem: string } | undefined> {
  const currentBaseline = readBaseline(baselineArguments.baseline);
  if (baselineArguments.action === 'write' && !('problem' in currentBaseline && currentBaseline.isMissing)) {
    return {
      problem: `there is a baseline ${baselineArguments.baseline} already; kindred baseline update maintains it.`,
    };
  }
  const mayBeMissing = baselineArguments.action === 'write' || baselineArguments.action === 'ignored';
  if ('problem' in currentBaseline && !(currentBaseline.isMissing && mayBeMissing)) return currentBaseline;
  const scanned = await scan();
  if (scanned === undefined) return undefined;
  const uncompared = uncomparedWords(scanned.findings.skipped);
  if (uncompared !== undefined && (isWriting(baselineArguments.action) || baselineArguments.failsOnStale)) {
    // If files were not compared, their entries would wrongly be dropped or reported as stale.
    return { problem: `the comparison is incomplete: ${uncompared}; raise --memory, or exclude the files.` };
  }
  const entries = 'problem' in currentBaseline ? [] : currentBaseline;
  const matched = matchBaseline(scanned.findings.groups, entries);
  const vantage = { root: scanned.listing.root, from: process.cwd() };
  switch (baselineArguments.action) {
    case 'write':
    case 'update':
      return update(baselineArguments, entries, scanned, matched);
    case 'prune':
      return prune(baselineArguments, entries, scanned, matched);
    case 'explain':
      return explain(baselineArguments, entries, scanned.findings.groups, matched, vantage);
    case 'ignored':
      return listIgnored(baselineArguments, scanned, matched, vantage);
  }
}

function isWriting(action: BaselineArguments['action']): boolean {
  return action === 'write' || action === 'update' || action === 'prune';
}

type Outcome = BaselineOutcome | { readonly problem: string };

/** Writes entries for all current groups. Keeps the reasons in existing entries that still apply. */
function update(
  { baseline, failsOnGrowth, action }: BaselineArguments,
  oldEntries: readonly BaselineEntry[],
  scanned: ScannedTree,
  { entryOf, stale }: BaselineMatch,
): Outcome {
  const { groups } = scanned.findings;
  const added = groups.filter((group) => !entryOf.has(group));
  const grown = groups.filter((group) => {
    const entry = entryOf.get(group);
    return entry !== undefined && growthOf(group, entry) > 0;
  });
  if (failsOnGrowth && action === 'update' && added.length + grown.length > 0) {
    const text = `${printable(baseline)} would grow: ${count(added.length, 'new group')}, ${count(grown.length, 'group')} with more copies; nothing was written.\n`;
    return { text: [text], code: 1 };
  }
  const noteOf = notesFor(baseline, scanned);
  // Iterate in the order of files, so that each file is read only once.
  const entries = [...groups]
    .sort((x, y) => (x.passages[0]!.path < y.passages[0]!.path ? -1 : 1))
    .map((group) => entryFor(group, entryOf.get(group), noteOf(group, entryOf.get(group))));
  const pairs = pairsLeft(oldEntries, stale);
  const problem = writeBaseline(baseline, [...entries, ...pairs]);
  if (problem !== undefined) return { problem };
  const changes = `${count(added.length, 'group')} added, ${grown.length} with more copies, ${stale.length} removed`;
  return { text: [`${printable(baseline)}: ${entriesWords(entries.length + pairs.length)} (${changes}).\n`], code: 0 };
}

/** Removes stale entries, and lowers the number of copies that entries allow. Never adds or allows more. */
function prune(
  { baseline }: BaselineArguments,
  entries: readonly BaselineEntry[],
  scanned: ScannedTree,
  { entryOf, stale }: BaselineMatch,
): Outcome {
  const noteOf = notesFor(baseline, scanned);
  const groups = scanned.findings.groups.flatMap((group) => {
    const entry = entryOf.get(group);
    if (entry === undefined) return [];
    return [growthOf(group, entry) > 0 ? entry : entryFor(group, entry, noteOf(group, entry))];
  });
  const kept = [...groups, ...pairsLeft(entries, stale)];
  const problem = writeBaseline(baseline, kept);
  if (problem !== undefined) return { problem };
  const text = `${printable(baseline)}: ${entriesWords(kept.length)} (${stale.length} of ${entries.length} removed).\n`;
  return { text: [text], code: 0 };
}

/** Returns the entries for pairs of copies, without stale ones. */
function pairsLeft(entries: readonly BaselineEntry[], stale: readonly BaselineEntry[]): BaselineEntry[] {
  return entries.filter((entry) => entry.isPair && !stale.includes(entry));
}

/** Returns a function that creates the note for a group's entry, or `undefined` to keep the existing note. */
function notesFor(
  baseline: string,
  { listing, request }: ScannedTree,
): (group: Group, entry: BaselineEntry | undefined) => EntryNote | undefined {
  const lines = fileLinesOf(listing, request.texts);
  const folder = path.dirname(path.resolve(baseline));
  const nameOf = (file: string): string =>
    path.relative(folder, path.join(listing.root, file)).split(path.sep).join('/');
  return (group, entry) => {
    const names = group.passages.map((passage) => nameOf(passage.path));
    if (!needsNote(group, entry, names)) return undefined;
    const first = group.passages[0]!;
    return entryNote(group, first, names[0]!, group.kind === 'file' ? [] : (lines(first.path) ?? []));
  };
}

/** Lists the copies that each entry covers, and the stale entries. */
function explain(
  { scan, failsOnStale }: BaselineArguments,
  entries: readonly BaselineEntry[],
  groups: readonly Group[],
  { entryOf, stale }: BaselineMatch,
  vantage: Vantage,
): Outcome {
  const code = failsOnStale && stale.length > 0 ? 1 : 0;
  const ignoredGroups = groups.flatMap((group) => {
    const entry = entryOf.get(group);
    return entry ? [{ group, entry }] : [];
  });
  if (isJson(scan)) {
    const described = {
      entries: [
        ...ignoredGroups.map(({ group, entry }) => ({
          ...entryAsJson(entry),
          group: group.id,
          grown: growthOf(group, entry),
          isUnchanged: isUnchanged(group, entry),
          places: group.passages.map(({ path: name, startLine, endLine }) => ({ path: name, startLine, endLine })),
        })),
        ...stale.map((entry) => ({ ...entryAsJson(entry), places: [] })),
      ],
    };
    return { text: [`${printableJson(described, 2)}\n`], code };
  }
  const text: string[] = [];
  for (const { group, entry } of ignoredGroups) {
    const grown = growthOf(group, entry);
    const notes = [
      ...(entry.reason === undefined ? [] : [printable(entry.reason)]),
      ...(grown > 0 ? [`${grown} more than in the baseline`] : []),
      ...(entry.reason !== undefined && !isUnchanged(group, entry) ? ['edited: not ignored any longer'] : []),
    ];
    text.push(
      `${group.id}: ${count(group.passages.length, 'copy', 'copies')}${notes.map((note) => `; ${note}`).join('')}\n`,
    );
    for (const passage of group.passages) text.push(`   ${placeOf(group, passage, vantage)}\n`);
  }
  for (const entry of stale) {
    text.push(`${idOf(entry)}${noteWords(entry)}: no longer there${reasonWords(entry.reason)}\n`);
  }
  text.push(`${entriesWords(entries.length)}, ${stale.length} no longer there.\n`);
  return { text, code };
}

/** Lists the ignored groups with reasons, and the entries and comments without effect. */
function listIgnored(
  { scan, failsOnStale }: BaselineArguments,
  { findings, listing, request }: ScannedTree,
  { entryOf, pairsOf, stale }: BaselineMatch,
  vantage: Vantage,
): Outcome {
  const regionsOf = commentsIn(listing, request.texts);
  const used = new Map<IgnoredRegion, number>();
  for (const passage of findings.groups.flatMap(({ passages }) => passages)) {
    const region = regionAround(passage, regionsOf(passage.path));
    if (region) used.set(region, (used.get(region) ?? 0) + 1);
  }
  const comments = listing.files.flatMap(({ path: name }) =>
    regionsOf(name).map((region) => ({ path: name, region, passages: used.get(region) ?? 0 })),
  );
  const withReason = [...entryOf].filter(([, entry]) => entry.reason !== undefined);
  const entries = [
    ...withReason.map(([group, entry]) => ({ group, entry, applies: isUnchanged(group, entry) })),
    ...Array.from(groupOfPairs(pairsOf), ([entry, group]) => ({ group, entry, applies: true })),
    ...stale.filter(({ reason }) => reason !== undefined).map((entry) => ({ group: undefined, entry, applies: false })),
  ];
  const unused =
    comments.filter(({ passages }) => passages === 0).length + entries.filter(({ applies }) => !applies).length;
  const code = failsOnStale && unused > 0 ? 1 : 0;
  if (isJson(scan)) {
    const described = {
      comments: comments.map(({ path: name, region, passages }) => ({ path: name, ...region, passages })),
      entries: entries.map(({ group, entry, applies }) => ({
        ...entryAsJson(entry),
        group: group?.id,
        applies,
      })),
    };
    return { text: [`${printableJson(described, 2)}\n`], code };
  }
  const text = comments.map(({ path: name, region, passages }) => {
    const file = nameFrom(vantage.from, path.join(vantage.root, name));
    const what = passages === 0 ? 'no longer applies' : count(passages, 'passage');
    const lines = linesOf(region);
    return `${printable(`${file}:${region.line}`)}: ${region.marker} (lines ${lines}), ${what}${reasonWords(region.reason)}\n`;
  });
  for (const { group, entry, applies } of entries) {
    const copies = count(occurrencesOf(entry.contents), 'copy', 'copies');
    const place = group?.passages[0] ? `, first ${placeOf(group, group.passages[0], vantage)}` : noteWords(entry);
    const state = applies ? '' : group ? ', edited: no longer applies' : ', no longer there';
    text.push(
      `${entry.isPair ? 'baseline pair' : 'baseline'} ${group?.id ?? idOf(entry)}: ${copies}${place}${state}${reasonWords(entry.reason)}\n`,
    );
  }
  const total = `${count(comments.length, 'comment')} and ${entriesWords(entries.length)} with a reason`;
  return { text: [...text, `${total}, ${unused} no longer apply.\n`], code };
}

/** Returns, for each entry about a pair of copies, the first group that it applies to. */
function groupOfPairs(pairsOf: BaselineMatch['pairsOf']): ReadonlyMap<BaselineEntry, Group> {
  const groups = new Map<BaselineEntry, Group>();
  for (const [group, pairs] of pairsOf) for (const entry of pairs) if (!groups.has(entry)) groups.set(entry, group);
  return groups;
}

function entryAsJson({ contents, at, name, reason, isPair }: BaselineEntry): object {
  return {
    pair: isPair,
    contents: Object.fromEntries(contents),
    at,
    name,
    reason,
  };
}

function idOf({ contents }: BaselineEntry): string {
  return [...contents.keys()].sort()[0] ?? '';
}

/** Formats an entry's note, such as " (parseDay, src/dates.ts:12-40)". */
function noteWords({ at, name }: BaselineEntry): string {
  const parts = [name, at].filter((part) => part !== undefined);
  return parts.length === 0 ? '' : ` (${printable(parts.join(', '))})`;
}

function reasonWords(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${printable(reason)}`;
}

function entriesWords(entries: number): string {
  return count(entries, 'entry', 'entries');
}

/** Returns true if the list should be written as JSON. All formats other than JSON and text are only for reports. */
function isJson({ destinations }: ScanArguments): boolean {
  return destinations.some(({ format }) => format === 'json');
}

/** Writes a baseline file. Returns an error message if that fails. */
function writeBaseline(file: string, entries: readonly BaselineEntry[]): string | undefined {
  const pending = beginFile(file);
  if ('problem' in pending) return pending.problem;
  try {
    pending.write([printBaseline(entries)]);
    pending.commit();
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return `cannot write ${file} (${causeOf(error)}).`;
  } finally {
    pending.discard();
  }
}
