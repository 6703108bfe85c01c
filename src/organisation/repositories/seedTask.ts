/** Seed tasks: find seeds of windows with equal or near fingerprints, for some parts of the fingerprints. */
import { add, groupBy } from '../../core/collections/lists.ts';
import type { Kernel } from '../../core/engine/kernel.ts';
import { mostPartners } from '../../core/engine/seeds/nearPairs.ts';
import { seedOfNear, WindowGroups, type WindowPlace } from '../../core/engine/seeds/gatheredWindows.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import type { Database } from '../database/openDatabase.ts';
import { partOf } from '../database/parts.ts';
import type { Options } from '../../core/engine/options.ts';
import { distanceOf, type View, views } from './blockKeys.ts';
import type { StoredDocuments } from './catalogue.ts';
import { codeParts, turned, windowsPart } from './fingerprintRows.ts';
import { type DifferentCounts, pairWords } from './nearTask.ts';
import type { Run, TaskResult } from './run.ts';

/** Words of a seed. */
const seedWords = seedBytes / 4;

export interface SeedContext {
  readonly database: Database;
  readonly run: Run;
  readonly options: Options;
  readonly kernel: Kernel;
  readonly stored: StoredDocuments;
  /** Number of match tasks. */
  readonly matchTasks: number;
}

/** Counters of a seed task. */
export interface SeedResult {
  /** As in `AllSeeds`. */
  readonly truncated: number;
}

/** @param task  number of the task, whose windows are in the given parts */
export async function makeSeeds(context: SeedContext, task: number, parts: readonly number[]): Promise<TaskResult> {
  const { kernel, run } = context;
  const near = nearByView(await run.pieces('near', task));
  const counts = await run.results<DifferentCounts>('near');
  const seeds = new SeedSorter(context.matchTasks);
  let truncated = 0;
  for (const view of views) {
    const mark = kernel.mark();
    const groups = new WindowGroups(kernel, await gather(context, view, parts));
    seeds.add(groups.equalSeeds());
    const different = counts.reduce((sum, ofPart) => sum + ofPart[view], 0);
    const linked = await nearSeeds({ ...context, view, groups }, near.get(view)!, different);
    seeds.add(linked.seeds);
    truncated += linked.truncated;
    kernel.release(mark);
  }
  const result: SeedResult = { truncated };
  return { pieces: seeds.pieces(), result };
}

/** Sorts seeds by match task. All seeds with the same first document go to one task, which loads its arrays. */
class SeedSorter {
  readonly #tasks: number;
  readonly #seeds = new Map<number, number[]>();

  constructor(tasks: number) {
    this.#tasks = tasks;
  }

  add(seeds: Uint32Array | readonly number[]): void {
    for (let at = 0; at < seeds.length; at += seedWords) {
      const target = partOf(0, seeds[at]!, this.#tasks);
      let own = this.#seeds.get(target);
      if (own === undefined) this.#seeds.set(target, (own = []));
      own.push(seeds[at]!, seeds[at + 1]!, seeds[at + 2]!, seeds[at + 3]!);
    }
  }

  pieces(): TaskResult['pieces'] {
    return [...this.#seeds].map(([target, words]) => ({
      target,
      bytes: new Uint8Array(Uint32Array.from(words).buffer),
    }));
  }
}

/** Reads the windows of a view in some parts, of all documents, ordered by document and token. */
async function gather(
  { database, stored, kernel }: SeedContext,
  view: View,
  parts: readonly number[],
): Promise<ConstructorParameters<typeof WindowGroups>[1]> {
  const found = new WindowList();
  for (const part of parts) {
    const rows = await database.serverOf(part).query<{ windows: Buffer }>(
      `SELECT string_agg(int8send(fp) || int8send(document) || int4send(position), '') AS windows
       FROM kindred.fingerprint WHERE part = $1 AND view = $2 GROUP BY document & 63`,
      [part, view],
    );
    for (const { windows } of rows) {
      for (let at = 0; at < windows.length; at += windowBytes) {
        const [high, low] = [turned(windows.readUInt32BE(at)), windows.readUInt32BE(at + 4)];
        const position = windows.readUInt32BE(at + 16);
        for (const document of documentsAt(stored, windows, at)) found.add(high, low, document, position);
      }
    }
  }
  return found.inOrder(kernel);
}

/** List of windows. There are millions, so they are not allocated individually. */
class WindowList {
  #count = 0;
  /** For each window: the lower and the upper half of its fingerprint, its first token, its document. */
  #words = new Uint32Array(4 * 4_096);

  add(high: number, low: number, document: number, position: number): void {
    const at = 4 * this.#count++;
    if (at === this.#words.length) {
      const more = new Uint32Array(2 * at);
      more.set(this.#words);
      this.#words = more;
    }
    this.#words[at] = low;
    this.#words[at + 1] = high;
    this.#words[at + 2] = position;
    this.#words[at + 3] = document;
  }

  /** Sorted by document and first token. */
  inOrder(kernel: Kernel): ConstructorParameters<typeof WindowGroups>[1] {
    const n = this.#count;
    const words = this.#words;
    const order = this.#order(kernel);
    const halves = new Uint32Array(2 * n);
    const [documents, positions] = [new Uint32Array(n), new Uint32Array(n)];
    for (let i = 0; i < n; i++) {
      const at = 4 * order[i]!;
      halves[2 * i] = words[at]!;
      halves[2 * i + 1] = words[at + 1]!;
      positions[i] = words[at + 2]!;
      documents[i] = words[at + 3]!;
    }
    return { fingerprints: new BigUint64Array(halves.buffer), documents, positions };
  }

  /** Returns the sort order. The kernel sorts them as fingerprints, since a document and a token also have 64 bits. */
  #order(kernel: Kernel): Uint32Array {
    const n = this.#count;
    const mark = kernel.mark();
    const [keys, otherKeys] = [kernel.allocate(n * 8), kernel.allocate(n * 8)];
    const [ids, otherIds, counts] = [kernel.allocate(n * 4), kernel.allocate(n * 4), kernel.allocate(8_192 * 4)];
    const memory = kernel.words;
    for (let i = 0; i < n; i++) {
      memory[(keys >>> 2) + 2 * i] = this.#words[4 * i + 2]!;
      memory[(keys >>> 2) + 2 * i + 1] = this.#words[4 * i + 3]!;
      memory[(ids >>> 2) + i] = i;
    }
    kernel.exports.sortFingerprints(keys, ids, otherKeys, otherIds, n, counts);
    const order = memory.slice(ids >>> 2, (ids >>> 2) + n);
    kernel.release(mark);
    return order;
  }
}

/** Bytes of a stored window: its fingerprint, its document, its first token. */
const windowBytes = 20;

function fingerprintAt(bytes: Buffer, at: number): bigint {
  return joined(turned(bytes.readUInt32BE(at)), bytes.readUInt32BE(at + 4));
}

function joined(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}

/** Returns the documents that contain a window of a content. */
function documentsAt(stored: StoredDocuments, bytes: Buffer, at: number): readonly number[] {
  const { content, part } = codeParts(bytes.readUInt32BE(at + 8) * 2 ** 32 + bytes.readUInt32BE(at + 12));
  return stored.numbersOf(content, part);
}

/** A pair of near fingerprints. */
interface NearPair {
  readonly greater: bigint;
  readonly lesser: bigint;
}

function nearByView(pieces: readonly Buffer[]): Map<View, NearPair[]> {
  const found = new Map<View, NearPair[]>(views.map((view) => [view, []]));
  for (const bytes of pieces) {
    const words = new Uint32Array(new Uint8Array(bytes).buffer);
    for (let at = 0; at < words.length; at += pairWords) {
      const [greater, lesser] = [joined(words[at + 1]!, words[at + 2]!), joined(words[at + 3]!, words[at + 4]!)];
      found.get(words[at] as View)!.push({ greater, lesser });
    }
  }
  return found;
}

interface OwnWindows extends SeedContext {
  readonly view: View;
  readonly groups: WindowGroups;
}

/**
 * Returns the seeds of near fingerprints, one after another, and the number of fingerprints with too many partners.
 *
 * @param different  number of distinct fingerprints of the view in the whole index
 */
async function nearSeeds(
  own: OwnWindows,
  pairs: readonly NearPair[],
  different: number,
): Promise<{ readonly seeds: readonly number[]; readonly truncated: number }> {
  const { view, groups, options } = own;
  const most = mostPartners(different, distanceOf(view, options));
  const firstOf = await firstWindows(own, pairs);
  const byGreater = groupBy(pairs, ({ greater }) => greater);
  const seeds: number[] = [];
  let truncated = 0;
  for (const [greater, all] of byGreater) {
    const first = groups.firstOf(greater);
    if (first === undefined) continue;
    const partners = all
      .flatMap(({ lesser }) => {
        const place = firstOf(lesser);
        return place === undefined ? [] : { lesser, place, bits: bitCount(greater ^ lesser) };
      })
      .sort((x, y) => x.bits - y.bits || (x.lesser < y.lesser ? -1 : 1));
    if (partners.length > most) truncated++;
    for (const { place, bits } of partners.slice(0, most)) {
      const seed = seedOfNear(first, place, bits);
      if (seed) seeds.push(...seed);
    }
  }
  return { seeds, truncated };
}

/** Finds the first window of each lesser fingerprint of a pair, in any part. */
async function firstWindows(
  { database, stored, view, groups }: OwnWindows,
  pairs: readonly NearPair[],
): Promise<(fingerprint: bigint) => WindowPlace | undefined> {
  const elsewhere = new Map<number, Set<bigint>>();
  for (const { lesser } of pairs) {
    if (groups.firstOf(lesser) !== undefined) continue;
    const part = windowsPart(view, Number(lesser >> 32n), Number(lesser & 0xffff_ffffn), database.parts);
    add(elsewhere, part, lesser);
  }
  const found = new Map<bigint, WindowPlace>();
  for (const [part, fingerprints] of elsewhere) {
    const asked = [...fingerprints].map((value) => BigInt.asIntN(64, value ^ (1n << 63n)));
    const [row] = await database.serverOf(part).query<{ windows: Buffer | null }>(
      `SELECT string_agg(int8send(fp) || int8send(document) || int4send(position), '') AS windows
       FROM kindred.fingerprint WHERE part = $1 AND view = $2 AND fp = ANY($3::bigint[])`,
      [part, view, asked],
    );
    const windows = row?.windows;
    if (!windows) continue;
    for (let at = 0; at < windows.length; at += windowBytes) {
      const fingerprint = fingerprintAt(windows, at);
      const position = windows.readUInt32BE(at + 16);
      for (const document of documentsAt(stored, windows, at)) {
        const place = { document, position };
        const first = found.get(fingerprint);
        if (first === undefined || isBefore(place, first)) found.set(fingerprint, place);
      }
    }
  }
  return (fingerprint) => groups.firstOf(fingerprint) ?? found.get(fingerprint);
}

function isBefore(x: WindowPlace, y: WindowPlace): boolean {
  return x.document < y.document || (x.document === y.document && x.position < y.position);
}

function bitCount(value: bigint): number {
  let bits = 0;
  for (let left = value; left !== 0n; left &= left - 1n) bits++;
  return bits;
}
