/**
 * Judges the groups of a report by the baselines of the folders, the comments in source files, and the user's own
 * ignored entries. Runs before a report is sent, and whenever one of these changes.
 */
import { append } from '../../core/collections/lists.ts';
import { totalsWithout } from '../../core/engine/report/totalsWithout.ts';
import type { Findings, Group } from '../../core/engine/report/report.ts';
import type { ChosenCategory } from '../../core/engine/rows/categories.ts';
import {
  type BaselineEntry,
  type BaselineMatch,
  growthOf,
  matchBaseline,
  parseBaseline,
} from '../../review/gate/baseline.ts';
import { regionAround } from '../../review/gate/ignoreComments.ts';
import { ignoredAmong, type IgnoreCause } from '../../review/gate/ignoredGroups.ts';
import { withoutIgnored } from '../../review/gate/withoutIgnored.ts';
import type { CommentlessFiles } from '../../scan/indexer/commentlessFiles.ts';
import { baselineFileName } from '../../scan/io/fileNames.ts';
import type { BaselineTrouble, IgnoringSource, Judgement } from '../protocol/judgement.ts';
import type { Root } from '../protocol/messages.ts';
import type { Disk } from './disk.ts';
import { IgnoreTexts, type TextSource } from './ignoreTexts.ts';
import type { VirtualFiles } from './virtualFiles.ts';

/** Maximum size of a baseline in bytes. It has room for some hundred thousand entries. */
const maxBaselineBytes = 2 ** 26;

/** Inputs of a judgement other than the report. */
export interface Surroundings {
  readonly roots: readonly Root[];
  /** Returns the category that the user has assigned to a path. */
  readonly chosenCategory: ChosenCategory;
  readonly textOf: TextSource;
  /** Cache of files without comments about copies. `undefined` if no index is stored. */
  readonly commentless: CommentlessFiles | undefined;
  /** True for a stored report, before its files are checked for changes. */
  readonly isUnchecked?: boolean;
}

/** Entries of all baselines, and the files that contain them. */
interface Baselines {
  /** Paths of the existing baseline files, as in the report. */
  readonly files: readonly string[];
  readonly fileOf: ReadonlyMap<BaselineEntry, string>;
  readonly trouble: readonly BaselineTrouble[];
}

export class Judge {
  readonly #virtual: VirtualFiles;
  readonly #disk: Disk | undefined;
  readonly #texts: IgnoreTexts;
  /** For each baseline file, the text that was read last and its parsed entries. */
  readonly #read = new Map<string, { readonly text: string; readonly parsed: ReturnType<typeof parseBaseline> }>();
  /**
   * For each root that only VS Code can read, the text of its baseline, or `undefined` if it has none. Roots whose
   * baseline was not read yet are missing.
   */
  readonly #elsewhere = new Map<string, string | undefined>();
  /** The user's own ignored entries. */
  own: readonly BaselineEntry[] = [];

  constructor(disk: Disk | undefined, virtual: VirtualFiles) {
    this.#disk = disk;
    this.#texts = new IgnoreTexts(disk);
    this.#virtual = virtual;
  }

  /** Drops cached texts of baselines that may have changed. */
  touched(paths: Iterable<string>): void {
    for (const name of paths) if (`/${name}`.endsWith(`/${baselineFileName}`)) this.#elsewhere.clear();
    this.#texts.forget(paths);
  }

  /** Forgets everything that was read. */
  touchedAll(roots: readonly Root[]): void {
    this.#elsewhere.clear();
    this.#texts.forgetOthers(roots);
  }

  async judge(findings: Findings, surroundings: Surroundings): Promise<Judgement> {
    const { roots, chosenCategory, textOf, commentless, isUnchecked = false } = surroundings;
    await this.#texts.read(findings, roots, textOf, commentless, isUnchecked);
    const { files, fileOf, trouble } = await this.#baselines(roots);
    // Without anything to ignore, do not read the list of groups.
    if (this.#texts.isEmpty && files.length === 0 && this.own.length === 0) {
      return { sources: [], aside: [], totals: findings.totals, unknown: undefined, trouble };
    }
    const { groups } = findings;
    const baseline = matchBaseline(groups, [...fileOf.keys()]);
    const own = matchBaseline(groups, this.own);
    const regionsOf = (name: string) => this.#texts.regionsOf(name);
    const { ignored, hidden } = ignoredAmong(groups, { regionsOf, baseline, own });
    const left = withoutIgnored(findings, hidden);
    const idsOf = groupsBySource(ignored);
    return {
      sources: [
        ...this.#commentSources(groups, idsOf),
        ...entrySources('baseline', baseline, [...fileOf.keys()], idsOf, fileOf),
        ...entrySources('own', own, this.own, idsOf, new Map()),
      ],
      aside: [...hidden.passages],
      totals: totalsWithout(findings, left.groups, chosenCategory),
      unknown: files.length === 0 ? undefined : unknownTo(groups, baseline, ignored),
      trouble,
    };
  }

  #commentSources(groups: readonly Group[], idsOf: ReadonlyMap<object, string[]>): IgnoringSource[] {
    if (this.#texts.isEmpty) return [];
    const counts = new Map<object, number>();
    for (const passage of passagesOf(groups)) {
      const regions = this.#texts.regionsOf(passage.path);
      const region = regions.length > 0 ? regionAround(passage, regions) : undefined;
      if (region) counts.set(region, (counts.get(region) ?? 0) + 1);
    }
    return this.#texts.paths().flatMap((name) =>
      this.#texts.regionsOf(name).map((region) => ({
        by: 'comment' as const,
        path: name,
        region,
        passages: counts.get(region) ?? 0,
        groups: idsOf.get(region) ?? [],
      })),
    );
  }

  async #baselines(roots: readonly Root[]): Promise<Baselines> {
    const files: string[] = [];
    const fileOf = new Map<BaselineEntry, string>();
    const trouble: BaselineTrouble[] = [];
    for (const root of roots) {
      const name = root.prefix + baselineFileName;
      const read = await this.#textIn(root);
      if (read === undefined) continue;
      files.push(name);
      const parsed = 'text' in read ? this.#parse(name, read.text) : { line: undefined, problem: read.problem };
      if ('problem' in parsed) trouble.push({ path: name, line: parsed.line, problem: parsed.problem });
      else for (const entry of parsed) fileOf.set(entry, name);
    }
    return { files, fileOf, trouble };
  }

  /** Returns the text of a folder's baseline, or why it cannot be read; `undefined` if there is none. */
  async #textIn(root: Root): Promise<{ readonly text: string } | { readonly problem: string } | undefined> {
    if ('folder' in root) {
      const read = this.#disk?.readText(this.#disk.fileIn(root, baselineFileName), maxBaselineBytes);
      return read && 'isMissing' in read && read.isMissing ? undefined : read;
    }
    if (!this.#elsewhere.has(root.uri)) {
      this.#elsewhere.set(root.uri, (await this.#virtual.firstOf(root, [baselineFileName]))?.text);
    }
    const text = this.#elsewhere.get(root.uri);
    return text === undefined ? undefined : { text };
  }

  /** Parses the text of a baseline. If the text has not changed, returns the same objects as before. */
  #parse(name: string, text: string): ReturnType<typeof parseBaseline> {
    const parsedBefore = this.#read.get(name);
    if (parsedBefore?.text === text) return parsedBefore.parsed;
    const parsed = parseBaseline(text);
    this.#read.set(name, { text, parsed });
    return parsed;
  }
}

function* passagesOf(groups: readonly Group[]): Generator<Group['passages'][number]> {
  for (const { passages } of groups) yield* passages;
}

/** For each region of a comment, and for each entry, returns the ids of the groups that it ignores. */
function groupsBySource(ignored: ReadonlyMap<Group, IgnoreCause>): Map<object, string[]> {
  const idsOf = new Map<object, string[]>();
  for (const [{ id }, cause] of ignored) {
    append(idsOf, cause.by === 'comment' ? cause.region : cause.entry, id);
  }
  return idsOf;
}

/** Returns the entries that can ignore groups: baseline entries with a reason, and all of the user's own entries. */
function entrySources(
  by: 'baseline' | 'own',
  { entryOf, pairsOf }: BaselineMatch,
  entries: readonly BaselineEntry[],
  idsOf: ReadonlyMap<object, readonly string[]>,
  fileOf: ReadonlyMap<BaselineEntry, string>,
): IgnoringSource[] {
  const about = new Map<BaselineEntry, string>();
  for (const [{ id }, pairs] of pairsOf) for (const entry of pairs) about.set(entry, id);
  for (const [{ id }, entry] of entryOf) about.set(entry, id);
  return entries
    .filter(({ reason }) => by === 'own' || reason !== undefined)
    .map((entry) => ({
      by,
      entry,
      file: fileOf.get(entry),
      about: about.get(entry),
      groups: idsOf.get(entry) ?? [],
    }));
}

function unknownTo(
  groups: readonly Group[],
  { entryOf }: BaselineMatch,
  ignored: ReadonlyMap<Group, IgnoreCause>,
): string[] {
  return groups.flatMap((group) => {
    const entry = entryOf.get(group);
    const isKnown = ignored.has(group) || (entry !== undefined && growthOf(group, entry) === 0);
    return isKnown ? [] : [group.id];
  });
}
