/** Match tasks: the kernel matches the seeds of a task. Documents stay in memory only while they are matched. */
import { setImmediate } from 'node:timers/promises';
import { matchDocAWord, matchDocBWord, matchWords } from '../../core/kernel/matches/matchRecordLayout.ts';
import { seedBytes } from '../../core/kernel/seeds/seedLayout.ts';
import type { DocumentIndex } from '../../core/engine/documents/documents.ts';
import { bracketTokens } from '../../core/engine/matches/bracketTokens.ts';
import { allocateIdfTable } from '../../core/engine/matches/idf.ts';
import { joinRecords, Matcher, sliceSeeds } from '../../core/engine/matches/matches.ts';
import { sortingBytes, sortSeeds, writeDocuments } from '../../core/engine/seeds/seeds.ts';
import { seedsOfSlice } from '../../scan/indexer/scanInput.ts';
import type { HeldContents } from './heldContents.ts';
import { contentBytes, partOfIndex } from './payloads.ts';
import type { TaskResult } from './run.ts';
import type { SeedContext } from './seedTask.ts';

const seedWords = seedBytes / 4;
/** Size limit of the loaded documents. When it is reached, their pairs are matched. */
const bytesAtOnce = 2 ** 28;
/** Target of all matches: the task that groups them. */
export const groupingTask = 0;

export interface MatchContext extends SeedContext {
  readonly idfTable: Uint8Array;
  readonly held: HeldContents;
}

export async function matchSeeds(context: MatchContext, task: number): Promise<TaskResult> {
  const seeds = sortedSeeds(context, await context.run.pieces('seeds', task));
  const records: Uint32Array[] = [];
  for (const { from, to, documents } of shares(context, seeds)) {
    records.push(await matchShare(context, seeds.subarray(from, to), documents));
  }
  const joined = joinRecords(records);
  const bytes = new Uint8Array(joined.buffer, joined.byteOffset, joined.byteLength);
  return { pieces: bytes.length === 0 ? [] : [{ target: groupingTask, bytes }] };
}

/** Sorts seeds, so that the seeds of a pair of documents are adjacent. */
function sortedSeeds({ kernel }: SeedContext, pieces: readonly Buffer[]): Uint32Array {
  const bytes = Buffer.concat(pieces);
  const mark = kernel.mark();
  const count = bytes.length / seedBytes;
  const address = kernel.allocate(bytes.length);
  kernel.bytes.set(bytes, address);
  sortSeeds(kernel, { address, count }, kernel.allocate(sortingBytes(count)));
  const sorted = kernel.words.slice(address >>> 2, (address + bytes.length) >>> 2);
  kernel.release(mark);
  return sorted;
}

/** Seeds [from, to), in words, of some pairs of documents, and the ascending numbers of these documents. */
interface Share {
  readonly from: number;
  readonly to: number;
  readonly documents: readonly number[];
}

/** Splits seeds into shares whose documents fit into memory together. */
function* shares({ stored }: SeedContext, seeds: Uint32Array): Generator<Share> {
  let from = 0;
  let bytes = 0;
  let documents = new Set<number>();
  const contents = new Set<number>();
  const share = (to: number): Share => ({ from, to, documents: [...documents].sort((x, y) => x - y) });
  for (let at = 0; at < seeds.length; at += seedWords) {
    const isNewPair = at > 0 && (seeds[at] !== seeds[at - seedWords] || seeds[at + 1] !== seeds[at - seedWords + 1]);
    if (isNewPair && bytes > bytesAtOnce) {
      yield share(at);
      [from, bytes, documents] = [at, 0, new Set()];
      contents.clear();
    }
    for (const document of [seeds[at]!, seeds[at + 1]!]) {
      documents.add(document);
      const { content } = stored.documents[document]!;
      if (contents.has(content)) continue;
      contents.add(content);
      bytes += contentBytes(stored.shapes, content);
    }
  }
  if (from < seeds.length) yield share(seeds.length);
}

/** Returns the matches of seeds, with the numbers of all documents. */
async function matchShare(
  { held, kernel, stored, ...context }: MatchContext,
  seeds: Uint32Array,
  numbers: readonly number[],
): Promise<Uint32Array> {
  const named = numbers.map((number) => stored.documents[number]!);
  const loaded = await held.load(named.map(({ content }) => content));
  const mark = kernel.mark();
  try {
    return await matchLoaded(
      { ...context, kernel },
      seeds,
      numbers,
      named.map(({ content, part }) => partOfIndex(loaded.place(content), part)),
    );
  } finally {
    kernel.release(mark);
  }
}

/** Returns the matches of seeds of loaded documents, whose numbers are relative to the share. */
async function matchLoaded(
  { kernel, options, idfTable }: Pick<MatchContext, 'kernel' | 'options' | 'idfTable'>,
  seeds: Uint32Array,
  numbers: readonly number[],
  indexes: readonly DocumentIndex[],
): Promise<Uint32Array> {
  const table = writeDocuments(kernel, indexes);
  const places = new Map(numbers.map((number, place) => [number, place]));
  const address = kernel.allocate(seeds.length * 4);
  const words = kernel.words;
  for (let at = 0; at < seeds.length; at += seedWords) {
    const to = (address >>> 2) + at;
    words[to] = places.get(seeds[at]!)!;
    words[to + 1] = places.get(seeds[at + 1]!)!;
    words[to + 2] = seeds[at + 2]!;
    words[to + 3] = seeds[at + 3]!;
  }
  const weights = allocateIdfTable(kernel);
  kernel.bytes.set(idfTable, weights);
  const all = { address, count: seeds.length / seedWords };
  const brackets = bracketTokens(kernel, options);
  const matcher = new Matcher(kernel, { table, idfTable: weights, seeds: all, brackets }, options);
  const bounds = sliceSeeds(kernel, all, seedsOfSlice);
  const found: Uint32Array[] = [];
  for (let slice = 0; slice + 1 < bounds.length; slice++) {
    found.push(matcher.matchSeeds(bounds[slice]!, bounds[slice + 1]!));
    // Lets the timer renew the lease.
    await setImmediate();
  }
  const records = joinRecords(found);
  for (let at = 0; at < records.length; at += matchWords) {
    records[at + matchDocAWord] = numbers[records[at + matchDocAWord]!]!;
    records[at + matchDocBWord] = numbers[records[at + matchDocBWord]!]!;
  }
  return records;
}
