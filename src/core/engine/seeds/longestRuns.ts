/** Selects the pairs of documents whose seeds show the longest equal runs. Exact copies have such runs. */
import * as layout from '../../kernel/seeds/seedLayout.ts';
import type { Kernel } from '../kernel.ts';
import type { Seeds } from './seeds.ts';

/** A pair of documents, and the range of its seeds. */
interface Pair {
  readonly docA: number;
  readonly docB: number;
  readonly start: number;
  readonly end: number;
  /** Number of seeds of its longest equal run. */
  readonly run: number;
}

export interface PairLimits {
  readonly pairs: number;
  /** Maximum number of pairs with the same document. Otherwise, copies of one long file would take all places. */
  readonly ofDocument: number;
  /** Maximum number of seeds of all pairs together, which limits the time for matching them. */
  readonly seeds: number;
}

/**
 * Copies the seeds of the pairs with the longest equal runs to newly allocated memory, in the same order. An equal run
 * consists of seeds without differing bits that follow each other on a diagonal.
 *
 * @param isWanted  returns false if pairs with a document must not be selected
 */
export function seedsOfLongestRuns(
  kernel: Kernel,
  { address, count }: Seeds,
  limits: PairLimits,
  isWanted: (document: number) => boolean,
): Seeds {
  const pairs = takePairs(longestFirst(kernel, { address, count }), limits, isWanted);
  const taken = pairs.reduce((sum, { start, end }) => sum + end - start, 0);
  const copy = kernel.allocate(taken * layout.seedBytes);
  let at = copy;
  for (const { start, end } of pairs.sort((x, y) => x.start - y.start)) {
    kernel.bytes.copyWithin(at, address + start * layout.seedBytes, address + end * layout.seedBytes);
    at += (end - start) * layout.seedBytes;
  }
  return { address: copy, count: taken };
}

function takePairs(pairs: readonly Pair[], limits: PairLimits, isWanted: (document: number) => boolean): Pair[] {
  const taken: Pair[] = [];
  const ofDocument = new Map<number, number>();
  let seeds = 0;
  for (const pair of pairs) {
    const { docA, docB, start, end } = pair;
    const [a, b] = [ofDocument.get(docA) ?? 0, ofDocument.get(docB) ?? 0];
    if (Math.max(a, b) >= limits.ofDocument || seeds + end - start > limits.seeds) continue;
    if (!isWanted(docA) || !isWanted(docB)) continue;
    ofDocument.set(docA, a + 1).set(docB, b + 1);
    seeds += end - start;
    if (taken.push(pair) === limits.pairs) break;
  }
  return taken;
}

/** Minimum number of seeds of a run. Shorter runs are shorter than a passage. */
const minRun = 8;

/** Returns the pairs with an equal run, the longest run first. */
function longestFirst(kernel: Kernel, { address, count }: Seeds): Pair[] {
  const words = kernel.words;
  const [docAWord, docBWord] = [layout.seedDocAAt >>> 2, layout.seedDocBAt >>> 2];
  const [posAWord, posBWord] = [layout.seedPosAAt >>> 2, layout.seedPosBAt >>> 2];
  const pairs: Pair[] = [];
  let word = address >>> 2;
  for (let seed = 0; seed < count;) {
    const start = seed;
    const [docA, docB] = [words[word + docAWord], words[word + docBWord]];
    let [run, longest, diagonal] = [0, 0, 0];
    for (; seed < count && words[word + docAWord] === docA && words[word + docBWord] === docB; seed++) {
      const posA = words[word + posAWord];
      if (posA >>> layout.seedBitsShift === 0) {
        const own = words[word + posBWord] - (posA & layout.seedPositionMask);
        run = own === diagonal ? run + 1 : 1;
        diagonal = own;
        if (run > longest) longest = run;
      }
      word += layout.seedBytes >>> 2;
    }
    if (longest >= minRun) pairs.push({ docA, docB, start, end: seed, run: longest });
  }
  return pairs.sort((x, y) => y.run - x.run || x.start - y.start);
}
