/**
 * Whether what a match is equal in lies in one cluster on both sides. Passages are drawn together where they overlap
 * strongly, and take the extent of the best match; so the clusters of a component may leave a part of another match out.
 */
import type { MatchTable } from './matchTable.ts';
import type { Texts } from './textSpans.ts';
import type { TokenRange } from '../matches/matchRecord.ts';
import { tuning } from '../tuning.ts';

export class HeldRuns {
  readonly #table: MatchTable;
  readonly #texts: Texts;
  /** By document the passages of clusters, each with a number of its cluster. */
  readonly #passages = new Map<number, { readonly passage: number; readonly cluster: number }[]>();
  #clusterCount = 0;

  constructor(table: MatchTable, texts: Texts) {
    this.#table = table;
    this.#texts = texts;
  }

  add(passages: readonly number[]): void {
    const cluster = this.#clusterCount++;
    for (const passage of passages) {
      const document = this.#table.documents[passage];
      const list = this.#passages.get(document);
      if (list) list.push({ passage, cluster });
      else this.#passages.set(document, [{ passage, cluster }]);
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
    return this.#around(b).some((y) => around.some((x) => x.cluster === y.cluster && x.passage !== y.passage));
  }

  #around({ document, start, end }: TokenRange): { readonly passage: number; readonly cluster: number }[] {
    const { starts, ends } = this.#table;
    const least = end - start - tuning.groups.mostOutside;
    const isAround = (passage: number): boolean =>
      Math.min(ends[passage], end) - Math.max(starts[passage], start) >= least;
    return (this.#passages.get(document) ?? []).filter(({ passage }) => isAround(passage));
  }
}
