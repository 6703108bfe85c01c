/**
 * Whether what a match is equal in lies in one cluster on both sides. Passages are drawn together where they overlap
 * strongly, and take the extent of the best match; so the clusters of a component may leave a part of another match out.
 */
import type { MatchTable } from './matchTable.ts';
import type { Texts } from './textSpans.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import { tuning } from '../tuning.ts';

/** A passage of a cluster, and the number of that. */
interface Member {
  readonly passage: number;
  readonly cluster: number;
}

/** The passages of clusters in a document: all, and by the stretches of `stretchTokens` that they lie on. */
interface Members {
  readonly all: Member[];
  readonly byStretch: Map<number, Member[]>;
}

/** As long as most passages, so that each lies on few stretches and each stretch has few of a document's hundreds. */
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
        const others = members.byStretch.get(stretch);
        if (others) others.push(member);
        else members.byStretch.set(stretch, [member]);
      }
    }
  }

  /** Whether each run of equal tokens of a match that is long enough is held, but for part of a statement at its ends. */
  hasAllOf(a: TokenRange, b: TokenRange): boolean {
    return this.#holds(a, b) || this.#texts.everyEqualRun(a, b, (x, y) => this.#holds(x, y));
  }

  /** Whether two passages of one cluster have the one and the other range. */
  #holds(a: TokenRange, b: TokenRange): boolean {
    const ofA = this.#near(a);
    if (ofA.length === 0) return false;
    return this.#near(b).some(
      (y) =>
        this.#hasMostOf(y, b) &&
        ofA.some((x) => x.cluster === y.cluster && x.passage !== y.passage && this.#hasMostOf(x, a)),
    );
  }

  /** Whether a member has all of a range of its document but for a part of a statement. */
  #hasMostOf({ passage }: Member, { start, end }: TokenRange): boolean {
    const { starts, ends } = this.#table;
    return Math.min(ends[passage], end) - Math.max(starts[passage], start) >= leastOf(start, end);
  }

  /** All members that may have most of a range. Whoever has more than half of it has the token in its middle. */
  #near({ document, start, end }: TokenRange): readonly Member[] {
    const members = this.#byDocument.get(document);
    if (members === undefined) return [];
    return 2 * leastOf(start, end) > end - start
      ? (members.byStretch.get(stretchOf((start + end) >>> 1)) ?? [])
      : members.all;
  }
}

/** The tokens of a range that are most of it. */
function leastOf(start: number, end: number): number {
  return end - start - tuning.groups.mostOutside;
}

function stretchOf(token: number): number {
  return Math.floor(token / stretchTokens);
}
