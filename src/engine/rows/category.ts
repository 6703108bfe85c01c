/**
 * Categories: what a repetition is about, so that code which somebody should act on is not lost between fixtures, tables and
 * licences. A text is judged by what it is first, and by its path second.
 */
import type { DocumentIndex } from '../documents/documents.ts';
import { isTestPath } from './testPaths.ts';

/** What a repetition is about, in the order in which people want to hear of it. */
export const categories = ['source', 'text', 'tests', 'data', 'boilerplate'] as const;
export type Category = (typeof categories)[number];

/** Zero for each category. */
export function countByCategory(): Record<Category, number> {
  return { source: 0, text: 0, tests: 0, data: 0, boilerplate: 0 };
}

/** What a text is, by what it holds and by its path. */
export function categoryOfText(path: string, { prose, data }: Pick<DocumentIndex, 'prose' | 'data'>): Category {
  if (isLicence(path) || isVendored(path)) return 'boilerplate';
  // Recorded outputs, migrations, and changelogs are data wherever they lie.
  if (data || isRecorded(path) || isMigration(path) || (prose && isChangelog(path))) return 'data';
  if (isTestPath(path)) return 'tests';
  return prose ? 'text' : 'source';
}

/** A licence, or a notice of one, by its name. */
function isLicence(path: string): boolean {
  return licenceNames.test(path.slice(path.lastIndexOf('/') + 1)) || licenceFolders.test(path);
}

const licenceNames =
  /^(?:licen[cs]es?|copying|copyright|notices?|third.?party.?(?:notices?|licen[cs]es?)|patents)\b|[._-](?:licen[cs]es?|notices?)(?:\.(?:html?|md|rst|txt))?$/i;
const licenceFolders = /(?:^|\/)(?:licen[cs]es)\//i;

/**
 * What somebody else has written and keeps, by the folder that it was copied to. What is alike in such a file and in one's own
 * is source nevertheless: a group has the first category of its files.
 */
function isVendored(path: string): boolean {
  return vendorFolders.test(path);
}

/** A shop has folders named `vendor` for whoever sells to it: it counts at the root, among assets, and with a host below it, as in Go. */
const vendorFolders =
  /(?:^|\/)(?:third|3rd)[-_]?party\/|^(?:deps|extern(?:al)?|vendor)\/|(?:^|\/)vendor\/[\w-]+\.[\w.-]+\/|\/(?:assets|css|javascripts|js|libs?|public|scripts|static|styles(?:heets|rc)?)\/vendor\//i;

/** What a program has written for tests to compare with, or for people to see how an interface changes (`api/name.api` of Kotlin). */
function isRecorded(path: string): boolean {
  return recordedNames.test(path) || (snapshotFolders.test(path) && isTestPath(path));
}

const recordedNames =
  /\.(?:snap|golden|expect|expected|stdout|stderr|out|log|dump|mbox|eml|diff|patch|orig|csv|tsv|(?:snapshot|approved|verified)\.\w+)$|(?:^|\/)(?:__snapshots__|goldens?)\/|(?:^|\/)api\/(?:[^/]+\/)?[^/]+\.api$|(?:^|\/)(?:expect|expected)[._-][^/]*$/i;
/** Elsewhere they are code of file systems and databases. */
const snapshotFolders = /(?:^|\/)snapshots\//i;

/**
 * A step of a database's schema: numbered or dated, in a folder of migrations. Such a file is a record of what was done. It
 * repeats the definition that it replaces, and nobody changes it later.
 */
function isMigration(path: string): boolean {
  return migrationNames.test(path);
}

/** 20210617183900_Init.cs, 0001_initial.py, V1__init.sql and R__views.sql of Flyway, 1975ea83b712_users.py of Alembic, 20210101_init/migration.sql. */
const migrationNames = /(?:^|\/)[^/]*migrat[^/]*\/(?:.*\/)?(?:\d{3}|v\d[\d._]*__|r__|[\da-f]{12}_)[^/]*(?:\/[^/]+)?$/i;

/** What has changed, version by version: a change that was made in several of them is told in each. */
function isChangelog(path: string): boolean {
  return changelogNames.test(path.slice(path.lastIndexOf('/') + 1));
}

const changelogNames =
  /^(?:(?:changelog|(?:.*[-_. ])?release[-_. ]?notes?)(?![a-z])[^/]*|(?:changes|history|news)(?:\.\w+)?)$/i;

/** A definition, and the migrations that have made it what it is. */
export function isHistory(passages: readonly { readonly path: string }[]): boolean {
  return passages.filter(({ path }) => !isMigration(path)).length <= 1;
}

/**
 * A frame: the same passage in many files of one name (the fields of `package.json`, the end of `README.md`), or at the
 * same place of dozens of files (a header, a foot).
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
/** A licence or a head of fields begins in the first lines; what is longer than a screen is more than a frame. */
const linesAtTop = 4;
const longestFrame = 60;
const shareOfFrames = 0.8;
