/** Categories of the documents and groups of a corpus, and their totals. */
import { isTable, type Makeup } from '../documents/makeup.ts';
import { type NamedDocument, type ReplacedDocument, textsOf } from '../documents/namedDocument.ts';
import { type CategoryTotals, type Passage } from '../report/report.ts';
import { categories, type Category, countByCategory } from './category.ts';
import { percentOf } from './shares.ts';
import { categoryOfText, isFrame, isHistory } from './category.ts';
import { isTestPath } from './testPaths.ts';

/** Returns the category that the user has chosen for a path, or `undefined`. */
export type ChosenCategory = (path: string) => Category | undefined;

export class Categories {
  readonly #chosen: ChosenCategory;
  readonly #ofPath = new Map<string, Category>();
  /** Paths with a chosen category. */
  readonly #chosenPaths = new Set<string>();
  readonly #tests = new Map<string, boolean>();
  readonly #files = countByCategory();
  readonly #lines = countByCategory();

  constructor(chosen: ChosenCategory) {
    this.#chosen = chosen;
  }

  /** Replaces documents. */
  replace(replaced: readonly ReplacedDocument[]): void {
    for (const { path, index } of textsOf(replaced, 'before')) {
      this.#count(this.ofPath(path), -1, -index.totalLines);
      this.#ofPath.delete(path);
      this.#chosenPaths.delete(path);
    }
    for (const { path, index } of textsOf(replaced, 'after')) {
      const chosen = this.#chosen(path);
      if (chosen) this.#chosenPaths.add(path);
      const category = chosen ?? categoryOfText(path, index);
      this.#ofPath.set(path, category);
      this.#count(category, 1, index.totalLines);
    }
  }

  /** Returns the category of an existing document. Its comments and quoted code have the same category. */
  ofPath(path: string): Category {
    return this.#ofPath.get(path)!;
  }

  /**
   * Returns the category of a group: the first one of its passages, unless its text indicates another one.
   *
   * @param documents  documents of its passages, in any order
   * @param makeup     composition of the longest passage of code, or of the longest file; `undefined` for prose
   */
  ofGroup(documents: readonly NamedDocument[], passages: readonly Passage[], makeup: Makeup | undefined): Category {
    const places = documents.map((named) => categories.indexOf(this.#ofPart(named)));
    const category = categories[Math.min(...places)];
    if (documents.some(({ path }) => this.#chosenPaths.has(path) && this.ofPath(path) === category)) return category;
    if (isFrame(passages)) return 'boilerplate';
    if (places.includes(categories.indexOf('data')) && isHistory(passages)) return 'data';
    const isCode = category === 'source' || category === 'tests';
    return isCode && makeup && isTable(makeup) ? 'data' : category;
  }

  /**
   * Returns true if an existing document belongs to tests, which includes data and boilerplate of tests, even if the
   * user has chosen the category.
   */
  isTest(path: string): boolean {
    if (this.#chosenPaths.has(path)) {
      const chosen = this.ofPath(path);
      if (chosen === 'tests') return true;
      if (chosen === 'source' || chosen === 'text') return false;
    }
    let isTest = this.#tests.get(path);
    if (isTest === undefined) this.#tests.set(path, (isTest = isTestPath(path)));
    return isTest;
  }

  /** Returns the totals of each category. Empty categories are absent. */
  totals(
    rows: Readonly<Record<Category, number>>,
    duplicatedLines: Readonly<Record<Category, number>>,
  ): Partial<Record<Category, CategoryTotals>> {
    const totals: Partial<Record<Category, CategoryTotals>> = {};
    for (const category of categories) {
      const [files, lines] = [this.#files[category], this.#lines[category]];
      if (files === 0 && rows[category] === 0) continue;
      totals[category] = {
        ...{ files, lines, rows: rows[category] },
        duplicatedLines: duplicatedLines[category],
        duplicatedPercent: percentOf(duplicatedLines[category], lines),
      };
    }
    return totals;
  }

  /** Comments that are read as text have the category text. */
  #ofPart({ path, part }: NamedDocument): Category {
    const category = this.ofPath(path);
    return part === 'comments' && category === 'source' ? 'text' : category;
  }

  #count(category: Category, files: number, lines: number): void {
    this.#files[category] += files;
    this.#lines[category] += lines;
  }
}
