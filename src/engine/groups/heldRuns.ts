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
    return (
      this.#holds(a, b) ||
      this.#texts.equalRuns(a, b).every(([x, y]) => {
        return this.#holds(x, y);
      })
    );
  }

  #holds(a: TokenRange, b: TokenRange): boolean {
    const around = this.#around(a);
    if (around.length === 0) return false;
    return this.#around(b).some((y) => around.some((x) => x.cluster === y.cluster && x.passage !== y.passage));
  }

  /** The members that have all of a range but for a part of a statement. */
  #around({ document, start, end }: TokenRange): readonly Member[] {
    const { starts, ends } = this.#table;
    const least = end - start - tuning.groups.mostOutside;
    return this.#near(document, start, end, least).filter(
      ({ passage }) => Math.min(ends[passage], end) - Math.max(starts[passage], start) >= least,
    );
  }

  /** All members that may have so many tokens of a range. Whoever has more than half of it has the token in its middle. */
  #near(document: number, start: number, end: number, least: number): readonly Member[] {
    const members = this.#byDocument.get(document);
    if (members === undefined) return [];
    return 2 * least > end - start ? (members.byStretch.get(stretchOf((start + end) >>> 1)) ?? []) : members.all;
  }
}

function stretchOf(token: number): number {
  return Math.floor(token / stretchTokens);
}
