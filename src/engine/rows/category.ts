/**
 * Categories of repetitions, so that actionable code is not lost among fixtures, tables, and licenses. A text is
 * classified first by its content, then by its path.
 */
import type { DocumentIndex } from '../documents/documents.ts';
import { isTestPath } from './testPaths.ts';

/** Categories in display order. */
export const categories = ['source', 'text', 'tests', 'data', 'boilerplate'] as const;
export type Category = (typeof categories)[number];

/** Returns zero for each category. */
export function countByCategory(): Record<Category, number> {
  return { source: 0, text: 0, tests: 0, data: 0, boilerplate: 0 };
}

/** Returns the category of a text by its content and path. */
export function categoryOfText(path: string, { prose, data }: Pick<DocumentIndex, 'prose' | 'data'>): Category {
  if (isLicence(path) || isVendored(path)) return 'boilerplate';
  // Recorded outputs, migrations, and changelogs are data in any folder.
  if (data || isRecorded(path) || isMigration(path) || (prose && isChangelog(path))) return 'data';
  if (isTestPath(path)) return 'tests';
  return prose ? 'text' : 'source';
}

/** Returns true for the name of a license or notice. */
function isLicence(path: string): boolean {
  return licenceNames.test(path.slice(path.lastIndexOf('/') + 1)) || licenceFolders.test(path);
}

const licenceNames =
  /^(?:licen[cs]es?|copying|copyright|notices?|third.?party.?(?:notices?|licen[cs]es?)|patents)\b|[._-](?:licen[cs]es?|notices?)(?:\.(?:html?|md|rst|txt))?$/i;
const licenceFolders = /(?:^|\/)(?:licen[cs]es)\//i;

/**
 * Returns true for third-party code, by the folder it was copied to. A copy between such a file and the project's own
 * code is still source: a group has the first category of its files.
 */
function isVendored(path: string): boolean {
  return vendorFolders.test(path);
}

/**
 * A shop may have folders named `vendor` for its suppliers. Such a folder counts at the root, among assets, and if it
 * contains a host name, as in Go.
 */
const vendorFolders =
  /(?:^|\/)(?:third|3rd)[-_]?party\/|^(?:deps|extern(?:al)?|vendor)\/|(?:^|\/)vendor\/[\w-]+\.[\w.-]+\/|\/(?:assets|css|javascripts|js|libs?|public|scripts|static|styles(?:heets|rc)?)\/vendor\//i;

/**
 * Returns true for files that a program has written for tests to compare with, or to document changes of an interface
 * (`api/name.api` in Kotlin).
 */
function isRecorded(path: string): boolean {
  return recordedNames.test(path) || (snapshotFolders.test(path) && isTestPath(path));
}

const recordedNames =
  /\.(?:snap|golden|expect|expected|stdout|stderr|out|log|dump|mbox|eml|diff|patch|orig|csv|tsv|(?:snapshot|approved|verified)\.\w+)$|(?:^|\/)(?:__snapshots__|goldens?)\/|(?:^|\/)api\/(?:[^/]+\/)?[^/]+\.api$|(?:^|\/)(?:expect|expected)[._-][^/]*$/i;
/** In other places, snapshots are code of file systems and databases. */
const snapshotFolders = /(?:^|\/)snapshots\//i;

/**
 * Returns true for a database migration: a numbered or dated file in a folder of migrations. It repeats the definition
 * that it replaces and is never changed later.
 */
function isMigration(path: string): boolean {
  return migrationNames.test(path);
}

/** 20210617183900_Init.cs, 0001_initial.py, V1__init.sql and R__views.sql of Flyway, 1975ea83b712_users.py of Alembic, 20210101_init/migration.sql. */
const migrationNames = /(?:^|\/)[^/]*migrat[^/]*\/(?:.*\/)?(?:\d{3}|v\d[\d._]*__|r__|[\da-f]{12}_)[^/]*(?:\/[^/]+)?$/i;

/** Returns true for a changelog. Changes that apply to several versions are repeated in it. */
function isChangelog(path: string): boolean {
  return changelogNames.test(path.slice(path.lastIndexOf('/') + 1));
}

const changelogNames =
  /^(?:(?:changelog|(?:.*[-_. ])?release[-_. ]?notes?)(?![a-z])[^/]*|(?:changes|history|news)(?:\.\w+)?)$/i;

/** Returns true for a definition together with the migrations that led to it. */
export function isHistory(passages: readonly { readonly path: string }[]): boolean {
  return passages.filter(({ path }) => !isMigration(path)).length <= 1;
}

/**
 * Returns true for a frame: the same passage in many files with the same name (the fields of `package.json`, the end of
 * `README.md`), or in the same place of dozens of files (a header or footer).
 */
export function isFrame(
  passages: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[],
): boolean {
  if (passages.length < leastFrames) return false;
  const names = new Map<string, Set<string>>();
  for (const { path } of passages) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const paths = names.get(name);
    if (paths) paths.add(path);
    else names.set(name, new Set([path]));
  }
  const mostOfOneName = Math.max(...[...names.values()].map(({ size }) => size));
  if (mostOfOneName >= leastOfOneName && mostOfOneName >= passages.length / 2) return true;
  const atTop = passages.filter(({ startLine }) => startLine <= linesAtTop).length;
  return atTop >= leastFrames && atTop >= shareOfFrames * passages.length && passages[0].endLine <= longestFrame;
}

const leastOfOneName = 8;
const leastFrames = 8;
/** A license or header begins within the first lines. Text longer than a screen is more than a frame. */
const linesAtTop = 4;
const longestFrame = 60;
const shareOfFrames = 0.8;
