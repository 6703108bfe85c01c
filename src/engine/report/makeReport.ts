/**
 * From clusters to the findings that people and programs read: the groups in order, each under an id of its own, and what
 * they come to.
 */
import type { Cluster, ClusterChanges, KeptCluster } from '../groups/cluster.ts';
import { type Coverable, CoveredGroups } from './coveredGroups.ts';
import { DuplicatedLines } from './duplicatedLines.ts';
import type { FileCluster } from '../files/fileClusters.ts';
import { byImpact, placeOf, type Ranked, ranked } from './groupOrder.ts';
import type { Kernel } from '../kernel.ts';
import { GroupMaker } from './makeGroup.ts';
import type { DocumentTotals, NamedDocument } from '../documents/namedDocument.ts';
import type { Findings, Group, Skipped, Totals } from './report.ts';
import { lastOf, Pace } from '../steps.ts';

/** What a report says besides its groups. */
export interface ReportInput {
  readonly totals: DocumentTotals;
  /** See `crowdedWindows` of the report's totals. */
  readonly crowded: number;
  /** Clusters of whole files, their members by number of document. */
  readonly fileClusters: readonly FileCluster[];
  readonly skipped: readonly Skipped[];
  readonly complete: boolean;
}

/** A group with its place in the order. */
type Made = Ranked & Coverable;

/** The groups of a corpus, kept from report to report: only those of clusters that come are made. */
export class Groups {
  readonly #maker: GroupMaker;
  /** Groups with the id that their content gives them, by what they were made from. */
  readonly #made = new Map<KeptCluster, Made>();
  readonly #covered = new CoveredGroups<Made>();
  readonly #documentOf: (document: number) => NamedDocument;
  /** Those of these groups that are shown, in order, and the same under the ids by which they are shown. */
  #ordered: Ranked[] = [];
  #shown: Group[] = [];
  /** The groups that have an id from their content. */
  readonly #byId = new Map<string, Set<Ranked>>();
  readonly #fileGroups = new WeakMap<FileCluster, Ranked>();
  readonly #duplicatedLines = new DuplicatedLines();
  #passageCount = 0;

  constructor(kernel: Kernel, documentOf: (document: number) => NamedDocument) {
    this.#maker = new GroupMaker(kernel, documentOf);
    this.#documentOf = documentOf;
  }

  /** @param read  what a cluster is that has come */
  update(changes: ClusterChanges, read: (kept: KeptCluster) => Cluster): void {
    lastOf(this.updating(changes, read));
  }

  /** The same in steps of some milliseconds. They are to be taken to the end: before, nothing else may be asked for. */
  *updating({ gone, come }: ClusterChanges, read: (kept: KeptCluster) => Cluster): Generator<void, void> {
    const pace = new Pace();
    const unmade = gone.map((kept) => this.#made.get(kept)!);
    for (const kept of gone) this.#made.delete(kept);
    const newlyMade: Made[] = [];
    for (const kept of come) {
      const cluster = read(kept);
      const made = this.#coverable(cluster, ranked(this.#maker.make(cluster)));
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
    this.#order(removed, added);
  }

  #coverable({ passages: ranges }: Cluster, { group, impact }: Ranked): Made {
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
    return { group, impact, kind, passages };
  }

  findings(input: ReportInput): Findings {
    const {
      totals: { files, lines, tokens },
      crowded,
      fileClusters,
      skipped,
      complete,
    } = input;
    const ofFiles = fileClusters.map((cluster) => this.#fileGroupOf(cluster)).sort(byImpact);
    const groups = [...this.#shown, ...this.#uniqueGroups(ofFiles.map(({ group }) => group))];
    const duplicatedLines = this.#duplicatedLines.total;
    const totals: Totals = {
      ...{ files, lines, tokens },
      groups: groups.length,
      passages: this.#passageCount + ofFiles.reduce((sum, { group }) => sum + group.passages.length, 0),
      duplicatedLines,
      duplicatedPercent: lines === 0 ? 0 : Math.round((10_000 * duplicatedLines) / lines) / 100,
      skipped: skipped.length,
      ...(crowded > 0 && { crowdedWindows: crowded }),
    };
    return { complete, totals, groups, skipped };
  }

  /** Takes groups out of the order and into it, and makes their ids unique. */
  #order(removed: readonly Ranked[], added: readonly Ranked[]): void {
    const ids = new Set<string>();
    const isFirst = this.#ordered.length === 0;
    for (const ranked of removed) {
      this.#byId.get(ranked.group.id)?.delete(ranked);
      ids.add(ranked.group.id);
      const place = placeOf(this.#ordered, ranked);
      this.#ordered.splice(place, 1);
      this.#shown.splice(place, 1);
    }
    if (this.#ordered.length === 0) {
      this.#ordered = [...added].sort(byImpact);
      this.#shown = this.#ordered.map(({ group }) => group);
    } else {
      for (const ranked of added) {
        const place = placeOf(this.#ordered, ranked);
        this.#ordered.splice(place, 0, ranked);
        this.#shown.splice(place, 0, ranked.group);
      }
    }
    for (const ranked of added) {
      const others = this.#byId.get(ranked.group.id);
      if (others) others.add(ranked);
      else this.#byId.set(ranked.group.id, new Set([ranked]));
      ids.add(ranked.group.id);
    }
    // At first all are shown under the ids of their content, and one that no other group has stays.
    for (const id of ids) if (!isFirst || this.#byId.get(id)!.size > 1) this.#nameGroups(id);
  }

  /** Groups of the same content (possible when they do not match each other for another reason) are told apart by rank. */
  #nameGroups(id: string): void {
    const all = [...(this.#byId.get(id) ?? [])].sort(byImpact);
    all.forEach((ranked, rank) => {
      const shown = rank === 0 ? id : `${id}-${rank + 1}`;
      const place = placeOf(this.#ordered, ranked);
      if (this.#shown[place].id !== shown) this.#shown[place] = { ...ranked.group, id: shown };
    });
    if (all.length === 0) this.#byId.delete(id);
  }

  #fileGroupOf(cluster: FileCluster): Ranked {
    const known = this.#fileGroups.get(cluster);
    if (known) return known;
    const made = ranked(this.#maker.makeOfFiles(cluster));
    this.#fileGroups.set(cluster, made);
    return made;
  }

  /** Groups of files, which come behind those of passages. */
  #uniqueGroups(ofFiles: readonly Group[]): Group[] {
    const ids = new Map<string, number>();
    return ofFiles.map((group) => {
      const before = ids.get(group.id) ?? this.#byId.get(group.id)?.size ?? 0;
      ids.set(group.id, before + 1);
      return before === 0 ? group : { ...group, id: `${group.id}-${before + 1}` };
    });
  }
}

function isQuoted({ part }: NamedDocument): boolean {
  return part === 'quoted';
}

/** Whether a document has code that it quotes in its lines: a page, or comments with examples. */
function mayBeAround({ part, index }: NamedDocument): boolean {
  return part === 'comments' || index.quoted !== undefined;
}

/** What it takes to make a group besides its passages: its id, most of all. */
const unitsOfGroup = 20;
