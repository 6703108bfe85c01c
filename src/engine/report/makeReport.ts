/** Creates the findings from clusters: ordered groups with unique ids, and totals. */
import type { Cluster, ClusterChanges, KeptCluster } from '../groups/cluster.ts';
import { type Coverable, CoveredGroups } from './coveredGroups.ts';
import { DuplicatedLines } from './duplicatedLines.ts';
import type { FileCluster } from '../files/fileClusters.ts';
import { GroupNames } from './groupNames.ts';
import type { Kernel } from '../kernel.ts';
import { GroupMaker } from './makeGroup.ts';
import type { DocumentTotals, NamedDocument, ReplacedDocument } from '../documents/namedDocument.ts';
import { Categories, type ChosenCategory } from '../rows/categories.ts';
import { FilePairs } from '../rows/filePairs.ts';
import { FolderGroups } from '../rows/folderGroups.ts';
import { FolderSizes } from '../rows/folderSizes.ts';
import { type Entry, type Moved, Rows } from '../rows/rows.ts';
import { type Findings, type Group, type Skipped, type Totals } from './report.ts';
import { type Category, countByCategory } from '../rows/category.ts';
import { percentOf } from '../rows/shares.ts';
import { lastOf, Pace } from '../steps.ts';

/** Inputs of a report other than its groups. */
export interface ReportInput {
  readonly totals: DocumentTotals;
  /** See `crowdedWindows` of the report's totals. */
  readonly truncated: number;
  /** Clusters of whole files; members are document numbers. */
  readonly fileClusters: readonly FileCluster[];
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
}

/** A file that was compared, and the number of its duplicated lines. */
export interface CountedFile {
  readonly path: string;
  readonly category: Category;
  readonly lines: number;
  readonly duplicatedLines: number;
}

/** A group with the id of its content. */
type Made = Entry & Coverable;

/** The groups of a corpus, kept between reports: only new clusters are converted. */
export class Groups {
  readonly #kernel: Kernel;
  readonly #maker: GroupMaker;
  readonly #documentOf: (document: number) => NamedDocument;
  readonly #categories: Categories;
  /** Groups of passages by their clusters, and groups of whole files. */
  readonly #made = new Map<KeptCluster, Made>();
  readonly #fileEntries = new WeakMap<FileCluster, Entry>();
  /** Clusters of the last report. */
  #fileClusters: readonly FileCluster[] = [];
  readonly #covered = new CoveredGroups<Made>();
  readonly #rows = new Rows();
  readonly #names = new GroupNames();
  readonly #rowCounts = countByCategory();
  readonly #sizes = new FolderSizes();
  readonly #filePairs = new FilePairs((path) => this.#sizes.linesOf(path));
  readonly #folders = new FolderGroups(this.#sizes);
  readonly #duplicatedLines: DuplicatedLines;
  #passageCount = 0;

  /** @param chosen  categories that the user has chosen for paths */
  constructor(kernel: Kernel, documentOf: (document: number) => NamedDocument, chosen: ChosenCategory) {
    this.#kernel = kernel;
    this.#categories = new Categories(chosen);
    this.#maker = new GroupMaker(kernel, documentOf, this.#categories);
    this.#documentOf = documentOf;
    this.#duplicatedLines = new DuplicatedLines((path) => this.#categories.ofPath(path));
  }

  /**
   * Creates the groups of the same clusters with other chosen categories, step by step. Does not change this object.
   *
   * @param documents  all documents
   */
  *regroupSteps(
    chosen: ChosenCategory,
    documents: readonly (NamedDocument | undefined)[],
    read: (kept: KeptCluster) => Cluster,
  ): Generator<void, Groups> {
    const groups = new Groups(this.#kernel, this.#documentOf, chosen);
    groups.replaceDocuments(documents.map((after) => ({ after })));
    yield;
    yield* groups.updateSteps({ gone: [], come: [...this.#made.keys()], regathered: [] }, read);
    return groups;
  }

  /** Call this before updating the clusters of their passages. */
  replaceDocuments(replaced: readonly ReplacedDocument[]): void {
    this.#categories.replace(replaced);
    this.#sizes.replace(replaced);
  }

  /** @param read  returns the content of a new cluster */
  update(changes: ClusterChanges, read: (kept: KeptCluster) => Cluster): void {
    lastOf(this.updateSteps(changes, read));
  }

  /**
   * As `update`, in steps of a few milliseconds. The caller must run the generator to completion before calling any
   * other method.
   */
  *updateSteps(changes: ClusterChanges, read: (kept: KeptCluster) => Cluster): Generator<void, void> {
    const { gone, come } = changes;
    const pace = new Pace();
    const unmade = gone.map((kept) => this.#made.get(kept)!);
    for (const kept of gone) this.#made.delete(kept);
    const newlyMade: Made[] = [];
    for (const kept of come) {
      const cluster = read(kept);
      const made = this.#coverable(cluster, this.#maker.make(cluster), kept.component);
      this.#made.set(kept, made);
      newlyMade.push(made);
      if (pace.isDue(unitsOfGroup + 2 * cluster.passages.length + cluster.links.length)) yield;
    }
    const { hidden: removed, shown: added } = this.#covered.replace(unmade, newlyMade);
    yield;
    const [passagesGone, passagesCome] = [removed, added].map((list) => list.flatMap(({ group }) => group.passages));
    this.#passageCount += passagesCome.length - passagesGone.length;
    this.#duplicatedLines.replace(passagesGone, passagesCome);
    yield;
    const regathered = changes.regathered.map((kept) => {
      const made = this.#made.get(kept)!;
      made.family = kept.component;
      return made;
    });
    yield* this.#rows.replaceSteps(removed, added, regathered);
  }

  #coverable({ passages: ranges }: Cluster, group: Group, family: object): Made {
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

  findings(input: ReportInput): Findings {
    const {
      totals: { files, lines, tokens },
      truncated,
      fileClusters,
      skipped,
      complete,
    } = input;
    const ofFiles = fileClusters.map((cluster) => this.#fileEntryOf(cluster));
    this.#fileClusters = fileClusters;
    const rows = this.#rows.order(ofFiles);
    const areRenamed = this.#names.update(rows);
    this.#count(rows.moved);
    this.#filePairs.update(rows.moved);
    this.#folders.update(rows.moved);
    const groups = rows.ordered.map(({ shown }) => shown);
    const { total: duplicatedLines, ofCategory } = this.#duplicatedLines;
    const totals: Totals = {
      ...{ files, lines, tokens },
      groups: groups.length,
      passages: this.#passageCount + ofFiles.reduce((sum, { group }) => sum + group.passages.length, 0),
      duplicatedLines,
      duplicatedPercent: percentOf(duplicatedLines, lines),
      skipped: skipped.length,
      categories: this.#categories.totals(this.#rowCounts, ofCategory),
      ...(truncated > 0 && { crowdedWindows: truncated }),
    };
    return {
      complete,
      totals,
      groups,
      files: this.#filePairs.list(rows, areRenamed),
      folders: this.#folders.list(rows, areRenamed),
      skipped,
    };
  }

  /**
   * Replaces the clusters of whole files by equal ones in other objects, and keeps their groups. Otherwise, the next
   * report would recreate all of these groups.
   */
  keepFiles(fileClusters: readonly FileCluster[]): void {
    const before = new Map(this.#fileClusters.map((cluster) => [textOf(cluster), cluster]));
    for (const cluster of fileClusters) {
      const known = before.get(textOf(cluster));
      if (known) this.#fileEntries.set(cluster, this.#fileEntryOf(known));
    }
    this.#fileClusters = fileClusters;
  }

  /** Returns the existing files in arbitrary order, as the totals of the last report count them. */
  countedFiles(): CountedFile[] {
    return Array.from(this.#sizes.files(), ([path, lines]) => ({
      ...{ path, lines, category: this.#categories.ofPath(path) },
      duplicatedLines: this.#duplicatedLines.of(path),
    }));
  }

  #count(moved: readonly Moved[]): void {
    for (const { entry, before, after } of moved) {
      this.#rowCounts[entry.group.category] += Number(after?.length === 1) - Number(before?.length === 1);
    }
  }

  #fileEntryOf(cluster: FileCluster): Entry {
    let entry = this.#fileEntries.get(cluster);
    if (entry === undefined) {
      const group = this.#maker.makeOfFiles(cluster);
      entry = { group, shown: group };
      this.#fileEntries.set(cluster, entry);
    }
    return entry;
  }
}

/** Returns a key that is equal for clusters of the same files with the same relations. */
function textOf({ type, members, links }: FileCluster): string {
  return JSON.stringify([type, members, links]);
}

function isQuoted({ part }: NamedDocument): boolean {
  return part === 'quoted';
}

/** Returns true if a document may have quoted code within its lines: a page, or comments with examples. */
function mayBeAround({ part, index }: NamedDocument): boolean {
  return part === 'comments' || index.quoted !== undefined;
}

/** Fixed cost of creating a group, mostly for its id. */
const unitsOfGroup = 20;
