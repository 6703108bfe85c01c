/**
 * Checks that one cluster contains both sides of a match, or of each run of equal tokens of the match. Strongly
 * overlapping passages are joined into one passage, and have the extent that most members of a cluster share. So the
 * clusters of a component may omit a part of a match.
 */
import { append } from '../../collections/lists.ts';
import type { MatchTable } from './matchTable.ts';
import type { Texts } from './textSpans.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import { constants } from '../constants.ts';

/** A passage of a cluster, and the number of the cluster. */
interface Member {
  readonly passage: number;
  readonly cluster: number;
}

/**
 * The passages of clusters in a document: a list of all passages, and for each stretch of `stretchTokens` tokens a list
 * of the passages that touch it.
 */
interface Members {
  readonly all: Member[];
  readonly byStretch: Map<number, Member[]>;
}

/**
 * Length of a stretch. It exceeds the length of most passages, so that a passage touches few stretches. A document may
 * have hundreds of passages, but few of them touch a given stretch.
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
   * Returns true if, for every sufficiently long run of equal tokens in a match, some cluster contains both sides of
   * the run. Parts of statements at the ends of a run may be missing.
   */
  hasAllOf(a: TokenRange, b: TokenRange): boolean {
    return this.#holds(a, b) || this.#texts.everyEqualRun(a, b, (x, y) => this.#holds(x, y));
  }

  /**
   * Returns true if some cluster contains both sides of a match, except for less than the minimum size of a match at
   * either end.
   */
  hasMostOf(a: TokenRange, b: TokenRange): boolean {
    const { starts, ends } = this.#table;
    const maxOmitted = this.#texts.minEqual(a.document) - 1;
    return this.#someHas(
      a,
      b,
      maxOmitted,
      (passage, { start, end }) => Math.max(starts[passage] - start, end - ends[passage]) <= maxOmitted,
    );
  }

  /** Returns true if some cluster has two passages that contain the two ranges, except for parts of statements. */
  #holds(a: TokenRange, b: TokenRange): boolean {
    const { starts, ends } = this.#table;
    const { maxOutside } = constants.groups;
    return this.#someHas(a, b, maxOutside, (passage, { start, end }) => {
      const inside = Math.min(ends[passage], end) - Math.max(starts[passage], start);
      return inside >= end - start - maxOutside;
    });
  }

  /**
   * Returns true if some cluster has two passages for which a condition holds.
   *
   * @param maxOmitted  the condition requires that at most this number of tokens of a range are before or after the
   *                    passage
   */
  #someHas(
    a: TokenRange,
    b: TokenRange,
    maxOmitted: number,
    holds: (passage: number, range: TokenRange) => boolean,
  ): boolean {
    const ofA = this.#near(a, maxOmitted);
    if (ofA.length === 0) return false;
    return this.#near(b, maxOmitted).some(
      (y) =>
        holds(y.passage, b) &&
        ofA.some((x) => x.cluster === y.cluster && x.passage !== y.passage && holds(x.passage, a)),
    );
  }

  /** Returns all passages of clusters that may contain a range except for `maxOmitted` tokens at either end. */
  #near({ document, start, end }: TokenRange, maxOmitted: number): readonly Member[] {
    const members = this.#byDocument.get(document);
    if (members === undefined) return [];
    return end - start > 2 * maxOmitted ? (members.byStretch.get(stretchOf((start + end) >>> 1)) ?? []) : members.all;
  }
}

function stretchOf(token: number): number {
  return Math.floor(token / stretchTokens);
}
