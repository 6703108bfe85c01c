/**
 * Validates reports from untrusted sources, such as cache files: checks the types of all values, and that totals equal
 * the sums of their parts. A checksum would not be enough, because anyone can write a file with a valid checksum.
 */
import { isObject } from '../../collections/parsedValues.ts';
import { append, sum } from '../../collections/lists.ts';
import { categories, type Category, countByCategory } from '../rows/category.ts';
import { percentOf } from '../rows/shares.ts';
import { coveredLines } from './duplicatedLines.ts';
import { admittingSettings, type Findings, type Group, type Passage, type SkippedFile } from './report.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isAmount: Check = (value) => Number.isFinite(value) && (value as number) >= 0;
const isShare: Check = (value) => typeof value === 'number' && value >= 0 && value <= 1;
const isBoolean: Check = (value) => typeof value === 'boolean';

function isOneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

function isList(check: Check, minLength = 0, maxLength = Infinity): Check {
  return (value) =>
    Array.isArray(value) && value.length >= minLength && value.length <= maxLength && value.every(check);
}

function isOptional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

/** Returns a check for objects: each of the given fields must pass its check. Other fields are allowed. */
function isRecord<Type>(fields: Readonly<Record<keyof Type & string, Check>>): Check {
  const entries = Object.entries<Check>(fields);
  return (value) => isObject(value) && entries.every(([name, check]) => check(value[name]));
}

const isCategory = isOneOf(...categories);

/** Returns true if a value is the reason for which a file was skipped. Such a value has no path. */
export const isRefusal = isRecord<Omit<SkippedFile, 'path'>>({
  reason: isText,
  setting: isOptional(isOneOf(...admittingSettings)),
});

const isRollUp = { groups: isList(isText, 1), category: isCategory, worth: isAmount };

const isTyped = isRecord<Omit<Findings, 'groups'>>({
  complete: isBoolean,
  totals: isRecord<Findings['totals']>({
    files: isCount,
    lines: isCount,
    tokens: isCount,
    groups: isCount,
    passages: isCount,
    duplicatedLines: isCount,
    duplicatedPercent: isAmount,
    skipped: isCount,
    categories: (value) =>
      isObject(value) && Object.entries(value).every(([name, of]) => isCategory(name) && isOfCategory(of)),
    crowdedWindows: isOptional(isCount),
  }),
  files: isList(
    isRecord<Findings['files'][number]>({
      ...isRollUp,
      paths: isList(isText, 2, 2),
      lines: isList(isCount, 2, 2),
      shares: isList(isShare, 2, 2),
    }),
  ),
  folders: isList(
    isRecord<Findings['folders'][number]>({
      ...isRollUp,
      paths: isList(isText, 2),
      files: isList(isCount, 2),
      alike: isList(isCount, 2),
      lines: isList(isCount, 2),
      shares: isList(isShare, 2),
      passages: isCount,
    }),
  ),
  skipped: isList((value) => isRefusal(value) && isText((value as SkippedFile).path)),
});

const isOfCategory = isRecord<NonNullable<Findings['totals']['categories'][Category]>>({
  files: isCount,
  lines: isCount,
  rows: isCount,
  duplicatedLines: isCount,
  duplicatedPercent: isAmount,
});

/**
 * @param value   a report without its groups
 * @param groups  its groups, which have been checked one by one (`arePossible` in src/scan/io/packedGroups.ts)
 */
export function possibleReport(value: unknown, groups: readonly Group[]): Findings | undefined {
  if (!isTyped(value)) return undefined;
  const findings = { ...(value as Omit<Findings, 'groups'>), groups };
  return hasPossibleTotals(findings) && hasPossibleGroups(findings) ? findings : undefined;
}

function hasPossibleTotals({ totals, groups, skipped }: Findings): boolean {
  const rows = countByCategory();
  const passages = new Map<string, Passage[]>();
  let passageCount = 0;
  for (const group of groups) {
    if (group.parent === undefined) rows[group.category]++;
    passageCount += group.passages.length;
    if (group.kind === 'file') continue;
    for (const passage of group.passages) append(passages, passage.path, passage);
  }
  const duplicatedLines = sum(Array.from(passages.values(), coveredLines));
  const ofCategories = Object.entries(totals.categories);
  return (
    totals.groups === groups.length &&
    totals.passages === passageCount &&
    totals.skipped === skipped.length &&
    totals.files >= passages.size &&
    totals.duplicatedLines === duplicatedLines &&
    isPossiblePart(totals) &&
    (['files', 'lines', 'duplicatedLines'] as const).every(
      (name) => sum(ofCategories.map(([, of]) => of[name])) === totals[name],
    ) &&
    ofCategories.every(([name, of]) => isPossiblePart(of) && of.rows === rows[name as Category]) &&
    categories.every((name) => rows[name] === 0 || totals.categories[name] !== undefined)
  );
}

interface LineCounts {
  readonly lines: number;
  readonly duplicatedLines: number;
  readonly duplicatedPercent: number;
}

function isPossiblePart({ lines, duplicatedLines, duplicatedPercent }: LineCounts): boolean {
  return duplicatedLines <= lines && duplicatedPercent === percentOf(duplicatedLines, lines);
}

function hasPossibleGroups({ totals, groups, files, folders }: Findings): boolean {
  const groupIds = new Set<string>();
  const rows = new Set<string>();
  for (const { id, parent, passages, pairs, inside } of groups) {
    if (groupIds.has(id) || (parent !== undefined && !groupIds.has(parent))) return false;
    groupIds.add(id);
    if (parent === undefined) rows.add(id);
    if (inside !== undefined && passages.length !== 2) return false;
    if (!pairs.every(({ a, b }) => a < b && b < passages.length)) return false;
    if (!passages.every((passage) => isPossiblePlace(passage, totals.lines))) return false;
  }
  return (
    files.every((pair) => pair.groups.every((id) => rows.has(id))) &&
    folders.every(
      (folder) =>
        folder.groups.every((id) => rows.has(id)) &&
        [folder.files, folder.alike, folder.lines, folder.shares].every((list) => list.length === folder.paths.length),
    )
  );
}

function isPossiblePlace({ startLine, startColumn, endLine, endColumn }: Passage, lines: number): boolean {
  return startLine >= 1 && startColumn >= 1 && endColumn >= 1 && startLine <= endLine && endLine <= lines;
}
