/** Counts duplicated lines for each category. A line counts once even if several passages contain it. */
import { append } from '../../collections/lists.ts';
import { type Passage } from './report.ts';
import { type Category, countByCategory } from '../rows/category.ts';

export class DuplicatedLines {
  readonly #categoryOf: (path: string) => Category;
  readonly #passages = new Map<string, Passage[]>();
  readonly #lines = new Map<string, { readonly count: number; readonly category: Category }>();
  total = 0;
  readonly ofCategory = countByCategory();

  /** @param categoryOf  returns the category of a path. Called when passages of the file are added or removed */
  constructor(categoryOf: (path: string) => Category) {
    this.#categoryOf = categoryOf;
  }

  replace(removed: Iterable<Passage>, added: Iterable<Passage>): void {
    const removedPassages = new Set(removed);
    const paths = new Set(Array.from(removedPassages, ({ path }) => path));
    for (const path of paths) {
      this.#passages.set(
        path,
        this.#passages.get(path)!.filter((passage) => !removedPassages.has(passage)),
      );
    }
    for (const passage of added) {
      append(this.#passages, passage.path, passage);
      paths.add(passage.path);
    }
    for (const path of paths) {
      const passages = this.#passages.get(path)!;
      const before = this.#lines.get(path);
      if (before) this.#count(before.category, -before.count);
      if (passages.length > 0) {
        const lines = { count: coveredLines(passages), category: this.#categoryOf(path) };
        this.#lines.set(path, lines);
        this.#count(lines.category, lines.count);
      } else {
        this.#passages.delete(path);
        this.#lines.delete(path);
      }
    }
  }

  of(path: string): number {
    return this.#lines.get(path)?.count ?? 0;
  }

  #count(category: Category, lines: number): void {
    this.total += lines;
    this.ofCategory[category] += lines;
  }
}

/** Returns the number of lines that are in at least one of the passages of one file. Sorts the array. */
export function coveredLines(passages: Pick<Passage, 'startLine' | 'endLine'>[]): number {
  let count = 0;
  let covered = 0;
  for (const { startLine, endLine } of passages.sort((x, y) => x.startLine - y.startLine)) {
    count += Math.max(0, endLine - Math.max(covered, startLine - 1));
    covered = Math.max(covered, endLine);
  }
  return count;
}
