/** How many lines some passage has, of each path and of all: a line counts once, however many passages have it. */
import type { Passage } from './report.ts';

export class DuplicatedLines {
  readonly #passages = new Map<string, Passage[]>();
  readonly #lines = new Map<string, number>();
  /** Of all paths. */
  total = 0;

  /** Takes passages out that were put in, and puts others in. */
  replace(removed: Iterable<Passage>, added: Iterable<Passage>): void {
    const gone = new Set(removed);
    const paths = new Set(Array.from(gone, ({ path }) => path));
    for (const path of paths) {
      this.#passages.set(
        path,
        this.#passages.get(path)!.filter((passage) => !gone.has(passage)),
      );
    }
    for (const passage of added) {
      const others = this.#passages.get(passage.path);
      if (others) others.push(passage);
      else this.#passages.set(passage.path, [passage]);
      paths.add(passage.path);
    }
    for (const path of paths) {
      const passages = this.#passages.get(path)!;
      const lines = coveredLines(passages);
      this.total += lines - (this.#lines.get(path) ?? 0);
      if (passages.length > 0) this.#lines.set(path, lines);
      else {
        this.#passages.delete(path);
        this.#lines.delete(path);
      }
    }
  }
}

/** Lines of one path that are in some of its passages, which it puts in order. */
function coveredLines(passages: Passage[]): number {
  let count = 0;
  let covered = 0;
  for (const { startLine, endLine } of passages.sort((x, y) => x.startLine - y.startLine)) {
    count += Math.max(0, endLine - Math.max(covered, startLine - 1));
    covered = Math.max(covered, endLine);
  }
  return count;
}
