/**
 * Checks that the equal runs of a match lie in one cluster on both sides. Strongly overlapping passages are joined and
 * take the extent of the best match, so the clusters of a component may omit a part of another match.
 */
import { append } from '../../collections/lists.ts';
import type { MatchTable } from './matchTable.ts';
import type { Texts } from './textSpans.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import { tuning } from '../tuning.ts';

/** A passage of a cluster, and the number of the cluster. */
interface Member {
  readonly passage: number;
  readonly cluster: number;
}

/** The cluster passages of a document: all of them, and by the stretches of `stretchTokens` that they touch. */
interface Members {
  readonly all: Member[];
  readonly byStretch: Map<number, Member[]>;
}

/**
 * Longer than most passages, so that a passage touches few stretches, and a stretch has few of a document's hundreds of
 * passages.
 */
const stretchTokens = 256;

export class HeldRuns {
  readonly #table: MatchTable;
  readonly #texts: Texts;
  readonly #byDocument = new Map<number, Members>();
  #clusterCount = 0;

  constructor(table: MatchTable, texts: Texts) {
    this.#table = table;
    this.#texts = texts;
  }

  add(passages: readonly number[]): void {
    const { documents, starts, ends } = this.#table;
    const cluster = this.#clusterCount++;
    for (const passage of passages) {
      const document = documents[passage];
      let members = this.#byDocument.get(document);
      if (members === undefined) this.#byDocument.set(document, (members = { all: [], byStretch: new Map() }));
      const member = { passage, cluster };
      members.all.push(member);
      for (let stretch = stretchOf(starts[passage]); stretch <= stretchOf(ends[passage] - 1); stretch++) {
        append(members.byStretch, stretch, member);
      }
    }
  }

  /**
   * Returns true if every sufficiently long equal run of a match is in one cluster, except for part of a statement at
   * its ends.
   */
  hasAllOf(a: TokenRange, b: TokenRange): boolean {
    return this.#holds(a, b) || this.#texts.everyEqualRun(a, b, (x, y) => this.#holds(x, y));
  }

  /** Returns true if two passages of one cluster contain the two ranges. */
  #holds(a: TokenRange, b: TokenRange): boolean {
    const ofA = this.#near(a);
    if (ofA.length === 0) return false;
    return this.#near(b).some(
      (y) =>
        this.#hasMostOf(y, b) &&
        ofA.some((x) => x.cluster === y.cluster && x.passage !== y.passage && this.#hasMostOf(x, a)),
    );
  }

  /** Returns true if a member contains all of a range except part of a statement. */
  #hasMostOf({ passage }: Member, { start, end }: TokenRange): boolean {
    const { starts, ends } = this.#table;
    return Math.min(ends[passage], end) - Math.max(starts[passage], start) >= leastOf(start, end);
  }

  /**
   * Returns all members that may contain most of a range. A member with more than half of it contains its middle token.
   */
  #near({ document, start, end }: TokenRange): readonly Member[] {
    const members = this.#byDocument.get(document);
    if (members === undefined) return [];
    return 2 * leastOf(start, end) > end - start
      ? (members.byStretch.get(stretchOf((start + end) >>> 1)) ?? [])
      : members.all;
  }
}

/** Returns the number of tokens that count as most of a range. */
function leastOf(start: number, end: number): number {
  return end - start - tuning.groups.mostOutside;
}

function stretchOf(token: number): number {
  return Math.floor(token / stretchTokens);
}
