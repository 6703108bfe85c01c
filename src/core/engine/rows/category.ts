/**
 * Categories of duplicates. They keep fixtures, tables, and licenses from burying the code that the user can improve. A
 * text is classified by its content first, then by its path.
 */
import { add } from '../../collections/lists.ts';
import type { DocumentIndex } from '../documents/documents.ts';
import { roleOf } from './rolePaths.ts';
import { isTestPath } from './testPaths.ts';

/** Categories in display order. */
export const categories = ['source', 'text', 'tests', 'examples', 'data', 'boilerplate'] as const;
export type Category = (typeof categories)[number];

/** Returns an object with the value 0 for each category. */
export function countByCategory(): Record<Category, number> {
  return { source: 0, text: 0, tests: 0, examples: 0, data: 0, boilerplate: 0 };
}

/**
 * Kind of evidence for a category: the content of the text, the path of the file, the function or module that contains
 * the text, or the `categories` setting.
 */
export const evidences = ['content', 'path', 'unit', 'setting'] as const;
export type Evidence = (typeof evidences)[number];

/** A category and the evidence for it. The categories `source` and `text` need no evidence. */
export interface Judgment {
  readonly category: Category;
  readonly by?: Evidence;
}

/** Classifies a text by its content and path. */
export function judgeText(
  path: string,
  { prose, data, generated }: Pick<DocumentIndex, 'prose' | 'data' | 'generated'>,
): Judgment {
  if (generated) return { category: 'boilerplate', by: 'content' };
  if (isLicence(path) || isVendored(path) || isBuilt(path)) return { category: 'boilerplate', by: 'path' };
  // Recorded output, migrations, and changelogs count as data regardless of their folder.
  if (data) return { category: 'data', by: 'content' };
  if (isRecorded(path) || isMigration(path) || (prose && isChangelog(path))) return { category: 'data', by: 'path' };
  const role = roleOf(path, prose);
  if (role) return { category: role, by: 'path' };
  return { category: prose ? 'text' : 'source' };
}

/** Returns true if the name of a folder or file indicates build output or generated code. */
export function isBuilt(path: string): boolean {
  return generatedFolders.test(path) || generatedNames.test(path) || builtFiles.test(path) || isBundle(path);
}

const generatedFolders =
  /(?:^|\/)[-_.]*(?:auto-?gen(?:erated)?|generated(?:[-_](?:src|sources?|code))?|src-gen|gen-src)[-_]*\//i;
const generatedNames =
  /(?:[._]generated|\.gen|\.pb|_pb2?|(?:^|\/)zz_generated\.[^/]*)\.[a-z]+$|_gen\.go$|\.g\.(?:cs|dart)$|\.designer\.(?:cs|vb)$/i;
/** Files that count as build output in a folder `dist`. Others may be the source of a distribution. */
const builtFiles = /(?:^|\/)dist\/(?:[^/]+\/)*[^/]+\.(?:[cm]?js|css|html|d\.[cm]?ts)$/i;

/** Returns true for a bundle whose name contains the hash of its content, such as `assets/index-BpR3s_9x.js`. */
function isBundle(path: string): boolean {
  const hash = hashInName.exec(path)?.[1];
  if (hash === undefined || !/\d/.test(hash)) return false;
  return (
    /^[\da-f]*[a-f][\da-f]*$/.test(hash) ||
    (hash.length === 8 && (/^[A-Z\d]+$/.test(hash) || /[a-z].*[A-Z]|[A-Z].*[a-z]/.test(hash)))
  );
}

/** Bundlers write hashes of 8 to 64 characters into names. */
const hashInName = /[.-]([\w-]{8,64})(?:\.(?:chunk|bundle|min|module))?\.(?:[cm]?js|css)$/;

/** Returns true if the name of a file indicates a license or notice. */
function isLicence(path: string): boolean {
  return licenceNames.test(path.slice(path.lastIndexOf('/') + 1)) || licenceFolders.test(path);
}

const licenceNames =
  /^(?:licen[cs]es?|copying|copyright|notices?|third.?party.?(?:notices?|licen[cs]es?)|patents)\b|[._-](?:licen[cs]es?|notices?)(?:\.(?:html?|md|rst|txt))?$/i;
const licenceFolders = /(?:^|\/)(?:licen[cs]es)\//i;

/**
 * Returns true for third-party code: files in a folder for such code, and wrappers of build tools. If the project's own
 * code repeats a part of such a file, the group still counts as source, because `source` comes before `boilerplate` in
 * the order of categories.
 */
function isVendored(path: string): boolean {
  return vendorFolders.test(path) || wrappers.test(path);
}

/** Scripts that download a build tool. Each project has the same copy from Gradle or Maven. */
const wrappers = /(?:^|\/)(?:gradlew(?:\.bat)?|mvnw(?:\.cmd)?)$/;

/**
 * A shop may have a folder `vendor` for its suppliers. So a folder of this name counts only at the root, among assets,
 * or if it contains a host name, as in Go.
 */
const vendorFolders =
  /(?:^|\/)(?:third|3rd)[-_]?party\/|^(?:deps|extern(?:al)?|vendor)\/|(?:^|\/)vendor\/[\w-]+\.[\w.-]+\/|\/(?:assets|css|javascripts|js|libs?|public|scripts|static|styles(?:heets|rc)?)\/vendor\//i;

/**
 * Returns true for recorded files, which a program has written. They are expected results of tests, descriptions of a
 * public interface (`api/name.api` in Kotlin), or known problems for a linter (`.mypy-baseline.txt`).
 */
function isRecorded(path: string): boolean {
  return recordedNames.test(path) || (snapshotFolders.test(path) && isTestPath(path));
}

const recordedNames =
  /\.(?:snap|golden|expect|expected|stdout|stderr|out|log|dump|mbox|eml|diff|patch|orig|csv|tsv|(?:snapshot|approved|verified)\.\w+)$|(?:^|\/)(?:__snapshots__|goldens?)\/|(?:^|\/)api\/(?:[^/]+\/)?[^/]+\.api$|(?:^|\/)(?:expect|expected)[._-][^/]*$|(?:^|[/._-])baseline(?:\.(?:json|neon|toml|txt|xml|ya?ml))?$/i;
/**
 * Files in a folder named `snapshots` are recorded only if the folder is in tests. Elsewhere, it may contain the code
 * of a file system or database.
 */
const snapshotFolders = /(?:^|\/)snapshots\//i;

/**
 * Returns true for a database migration: a numbered or dated file in a folder of migrations. A migration repeats an
 * earlier definition and is never changed later.
 */
function isMigration(path: string): boolean {
  return migrationNames.test(path);
}

/**
 * Examples: 20210617183900_Init.cs, 0001_initial.py, V1__init.sql and R__views.sql of Flyway, 1975ea83b712_users.py of
 * Alembic, 20210101_init/migration.sql, 02_users.sql.
 */
const migrationNames =
  /(?:^|\/)[^/]*migrat[^/]*\/(?:.*\/)?(?:\d{3}|\d{1,2}[_-]|v\d[\d._]*__|r__|[\da-f]{12}_)[^/]*(?:\/[^/]+)?$/i;

/** Returns true for a changelog. If a change applies to several versions, a changelog repeats it. */
function isChangelog(path: string): boolean {
  return changelogNames.test(path.slice(path.lastIndexOf('/') + 1));
}

const changelogNames =
  /^(?:(?:changelog|(?:.*[-_. ])?release[-_. ]?notes?)(?![a-z])[^/]*|(?:changes|history|news)(?:\.\w+)?)$/i;

/** Returns true if at least one item is true, and at most one is false. */
export function isAllButOne(items: readonly boolean[]): boolean {
  return items.includes(true) && items.filter((item) => !item).length <= 1;
}

/** Returns true if all passages are in migrations, except one at most: the current definition. */
export function isHistory(passages: readonly { readonly path: string }[]): boolean {
  return passages.filter(({ path }) => !isMigration(path)).length <= 1;
}

/**
 * Returns true for boilerplate around the content of files: the same passage in many files of the same name (the fields
 * of `package.json`, the end of `README.md`), or at the beginning of dozens of files (a header).
 */
export function isFrame(
  passages: readonly { readonly path: string; readonly startLine: number; readonly endLine: number }[],
): boolean {
  if (passages.length < minFrames) return false;
  const names = new Map<string, Set<string>>();
  for (const { path } of passages) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    add(names, name, path);
  }
  let maxOfOneName = 0;
  for (const { size } of names.values()) maxOfOneName = Math.max(maxOfOneName, size);
  if (maxOfOneName >= minOfOneName && maxOfOneName >= passages.length / 2) return true;
  const atTop = passages.filter(({ startLine }) => startLine <= linesAtTop).length;
  return atTop >= minFrames && atTop >= shareOfFrames * passages.length && passages[0].endLine <= longestFrame;
}

const minOfOneName = 8;
const minFrames = 8;
/** Last line on which a header may begin. */
const linesAtTop = 4;
const longestFrame = 60;
const shareOfFrames = 0.8;
