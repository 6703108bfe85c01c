/** Creates the findings of a report: converts clusters to groups, orders them, and computes totals. */
import type { Cluster, ClusterChanges, KeptCluster } from '../groups/cluster.ts';
import { setVersion } from '../../collections/listedGroups.ts';
import { type Coverable, CoveredGroups } from './coveredGroups.ts';
import { DuplicatedLines } from './duplicatedLines.ts';
import type { FileCluster } from '../files/fileClusters.ts';
import type { FileClusterChanges } from '../files/liveFiles.ts';
import { GroupNames } from './groupNames.ts';
import type { Kernel } from '../kernel.ts';
import { GroupMaker } from './makeGroup.ts';
import type { DocumentTotals, NamedDocument, ReplacedDocument } from '../documents/namedDocument.ts';
import { Categories, type ChosenCategory } from '../rows/categories.ts';
import { FilePairs } from '../rows/filePairs.ts';
import { FolderGroups } from '../rows/folderGroups.ts';
import { FolderSizes } from '../rows/folderSizes.ts';
import { type Entry, type MovedGroup, Rows } from '../rows/rows.ts';
import { type Findings, type Group, type SkippedFile, type Totals } from './report.ts';
import { type Category, countByCategory } from '../rows/category.ts';
import { percentOf } from '../rows/shares.ts';
import { Pace } from '../steps.ts';

export interface ReportInput {
  readonly totals: DocumentTotals;
  /** Number of windows with more near windows than are linked: `crowdedWindows` in the totals of a report. */
  readonly truncated: number;
  readonly skipped: readonly SkippedFile[];
  readonly complete: boolean;
}

/** A file that was compared, and the number of its duplicated lines. */
export interface CountedFile {
  readonly path: string;
  readonly category: Category;
  readonly lines: number;
  readonly duplicatedLines: number;
}

/** A group, with its content id. */
type CoverableEntry = Entry & Coverable;

/** Groups of removed, new, and unchanged clusters. */
export interface MadeGroups {
  readonly unmade: readonly CoverableEntry[];
  readonly newlyMade: readonly CoverableEntry[];
  readonly regathered: readonly CoverableEntry[];
}

/** The groups of a corpus. They are kept between reports, so that only new clusters must be converted to groups. */
export class Groups {
  readonly #kernel: Kernel;
  readonly #maker: GroupMaker;
  readonly #documentOf: (document: number) => NamedDocument;
  readonly #categories: Categories;
  /** Groups by cluster: of passages (`#made`), and of whole files (`#fileEntries`). */
  readonly #made = new Map<KeptCluster, CoverableEntry>();
  readonly #fileEntries = new Map<FileCluster, Entry>();
  readonly #covered = new CoveredGroups<CoverableEntry>();
  readonly #rows = new Rows();
  readonly #names = new GroupNames();
  readonly #rowCounts = countByCategory();
  readonly #sizes = new FolderSizes();
  readonly #filePairs = new FilePairs((path) => this.#sizes.linesOf(path));
  readonly #folders = new FolderGroups(this.#sizes);
  readonly #duplicatedLines: DuplicatedLines;
  #passageCount = 0;

  /**
   * @param chosenCategory  returns the category that the user has chosen for a path
   * @param loadedOf        returns a document after its arrays have been loaded
   */
  constructor(
    kernel: Kernel,
    documentOf: (document: number) => NamedDocument,
    chosenCategory: ChosenCategory,
    loadedOf = documentOf,
  ) {
    this.#kernel = kernel;
    this.#categories = new Categories(chosenCategory);
    this.#maker = new GroupMaker(kernel, loadedOf, this.#categories);
    this.#documentOf = documentOf;
    this.#duplicatedLines = new DuplicatedLines((path) => this.#categories.ofPath(path));
  }

  /**
   * Returns a new object with the groups of the same clusters, in which the user has chosen other categories. Runs in
   * steps. Does not change this object.
   *
   * @param documents  all documents
   */
  *regroupSteps(
    chosenCategory: ChosenCategory,
    documents: readonly (NamedDocument | undefined)[],
    read: (kept: KeptCluster) => Cluster,
  ): Generator<void, Groups> {
    const groups = new Groups(this.#kernel, this.#documentOf, chosenCategory);
    groups.replaceDocuments(documents.map((after) => ({ after })));
    yield;
    yield* groups.updateSteps({ removed: [], added: [...this.#made.keys()], regathered: [] }, read);
    groups.updateFiles({ removed: [], added: this.#fileEntries.keys() });
    return groups;
  }

  /** Adds and removes documents. Must be called before `updateSteps` for clusters of these documents. */
  replaceDocuments(replaced: readonly ReplacedDocument[]): void {
    this.#categories.replace(replaced);
    this.#sizes.replace(replaced);
  }

  /**
   * Adds and removes clusters, in steps of a few milliseconds. The caller must run the generator to completion before
   * calling any other method.
   *
   * @param read  returns the passages and links of a new cluster
   */
  *updateSteps(changes: ClusterChanges, read: (kept: KeptCluster) => Cluster): Generator<void, void> {
    yield* this.arrangeSteps(yield* this.makeSteps(changes, read));
  }

  /**
   * Same as the first part of `updateSteps`: makes groups of new clusters. Must be followed by `arrangeSteps`.
   *
   * @param onMade  receives the share of new clusters whose groups have been made
   */
  *makeSteps(
    changes: ClusterChanges,
    read: (kept: KeptCluster) => Cluster,
    onMade?: (share: number) => void,
  ): Generator<void, MadeGroups> {
    const { removed: removedClusters, added: addedClusters } = changes;
    const pace = new Pace();
    const unmade = removedClusters.map((kept) => this.#made.get(kept)!);
    for (const kept of removedClusters) this.#made.delete(kept);
    const newlyMade: CoverableEntry[] = [];
    for (const [i, kept] of addedClusters.entries()) {
      const cluster = read(kept);
      const made = this.#coverable(cluster, this.#maker.make(cluster), kept.family);
      this.#made.set(kept, made);
      newlyMade.push(made);
      onMade?.((i + 1) / addedClusters.length);
      if (pace.endsStep(unitsOfGroup + 2 * cluster.passages.length + cluster.links.length)) yield;
    }
    const regathered = changes.regathered.map((kept) => {
      const made = this.#made.get(kept)!;
      made.family = kept.family;
      return made;
    });
    return { unmade, newlyMade, regathered };
  }

  /**
   * Releases the clusters of all groups. Afterwards no cluster can be removed.
   *
   * Clusters take about a third of the memory of a report, and a report that will not be updated does not need them.
   */
  releaseClusters(): void {
    this.#made.clear();
  }

  /** Same as the second part of `updateSteps`: arranges groups in rows. */
  *arrangeSteps({ unmade, newlyMade, regathered }: MadeGroups): Generator<void, void> {
    const { hidden: removed, shown: added } = this.#covered.replace(unmade, newlyMade);
    yield;
    const [removedPassages, addedPassages] = [removed, added].map((list) =>
      list.flatMap(({ group }) => group.passages),
    );
    this.#passageCount += addedPassages.length - removedPassages.length;
    this.#duplicatedLines.replace(removedPassages, addedPassages);
    yield;
    yield* this.#rows.replaceSteps(removed, added, regathered);
  }

  #coverable({ passages: ranges }: Cluster, group: Group, family: number | undefined): CoverableEntry {
    let [quotedCount, aroundCount] = [0, 0];
    for (const { document } of ranges) {
      const named = this.#documentOf(document);
      if (named.part === 'quoted') quotedCount++;
      else if (mayBeAround(named)) aroundCount++;
    }
    const kind = quotedCount > 0 ? 'quoted' : 'around';
    const counts = quotedCount > 0 ? isQuoted : mayBeAround;
    const isNone = quotedCount + aroundCount === 0;
    const passages = isNone ? [] : group.passages.filter((_, i) => counts(this.#documentOf(ranges[i].document)));
    return { group, shown: group, family, kind, passages };
  }

  /** Adds and removes groups of whole files. The members of their clusters are document numbers. */
  updateFiles({ removed: removedClusters, added: addedClusters }: FileClusterChanges): void {
    const removed = Array.from(removedClusters, (cluster) => this.#fileEntries.get(cluster)!);
    for (const cluster of removedClusters) this.#fileEntries.delete(cluster);
    const added = Array.from(addedClusters, (cluster): Entry => {
      const group = this.#maker.makeOfFiles(cluster);
      const entry = { group, shown: group };
      this.#fileEntries.set(cluster, entry);
      return entry;
    });
    this.#passageCount += countPassages(added) - countPassages(removed);
    this.#rows.replaceFiles(removed, added);
  }

  /** Replaces all groups of whole files. If a cluster is unchanged, reuses the object of its group. */
  replaceFiles(clusters: Iterable<FileCluster>): void {
    const before = new Map(Array.from(this.#fileEntries, ([cluster, entry]) => [textOf(cluster), { cluster, entry }]));
    const addedClusters: FileCluster[] = [];
    for (const cluster of clusters) {
      const text = textOf(cluster);
      const earlierFiles = before.get(text);
      if (earlierFiles === undefined) {
        addedClusters.push(cluster);
        continue;
      }
      before.delete(text);
      this.#fileEntries.delete(earlierFiles.cluster);
      this.#fileEntries.set(cluster, earlierFiles.entry);
    }
    this.updateFiles({ removed: Array.from(before.values(), ({ cluster }) => cluster), added: addedClusters });
  }

  findings({ totals: { files: fileCount, lines, tokens }, truncated, skipped, complete }: ReportInput): Findings {
    const rows = this.#rows.order();
    const { groups, renamed } = this.#names.update(rows);
    this.#count(rows.moved);
    this.#filePairs.update(rows.moved);
    this.#folders.update(rows.moved);
    const { total: duplicatedLines, ofCategory } = this.#duplicatedLines;
    const totals: Totals = {
      files: fileCount,
      lines,
      tokens,
      groups: groups.length,
      passages: this.#passageCount,
      duplicatedLines,
      duplicatedPercent: percentOf(duplicatedLines, lines),
      skipped: skipped.length,
      categories: this.#categories.totals(this.#rowCounts, ofCategory),
      ...(truncated > 0 && { crowdedWindows: truncated }),
    };
    const [files, folders] = [this.#filePairs.list(rows, renamed), this.#folders.list(rows, renamed)];
    const findings: Findings = {
      complete,
      totals,
      // Creating this list takes time, and few reports of edits are read. It is an own property, so that JSON and
      // messages between threads contain it.
      get groups() {
        return groups.read();
      },
      files,
      folders,
      skipped,
    };
    setVersion(findings, groups);
    return findings;
  }

  /** Returns the files that the totals of the last report count, in arbitrary order. */
  countedFiles(): CountedFile[] {
    return Array.from(this.#sizes.files(), ([path, lines]) => ({
      path,
      lines,
      category: this.#categories.ofPath(path),
      duplicatedLines: this.#duplicatedLines.of(path),
    }));
  }

  #count(moved: readonly MovedGroup[]): void {
    for (const { entry, before, after } of moved) {
      this.#rowCounts[entry.group.category] += Number(after?.length === 1) - Number(before?.length === 1);
    }
  }
}

function countPassages(entries: readonly Entry[]): number {
  return entries.reduce((sum, { group }) => sum + group.passages.length, 0);
}

/** Returns a key that is the same for clusters with the same files and links. */
function textOf({ type, members, links }: FileCluster): string {
  return JSON.stringify([type, members, links]);
}

function isQuoted({ part }: NamedDocument): boolean {
  return part === 'quoted';
}

/** Returns true if a document may contain quoted code: a page, or comments with examples. */
function mayBeAround({ part, index }: NamedDocument): boolean {
  return part === 'comments' || index.quoted !== undefined;
}

/** Cost of creating a group, in units of work. Most of the work is computing the id. */
const unitsOfGroup = 20;
