/** Determines the categories of documents and groups, and the totals of each category. */
import { converted } from '../../collections/lists.ts';
import { isTable, type Makeup } from '../documents/makeup.ts';
import { type NamedDocument, type ReplacedDocument, textsOf } from '../documents/namedDocument.ts';
import { type CategoryTotals, type Passage } from '../report/report.ts';
import {
  categories,
  type Category,
  countByCategory,
  isAllButOne,
  isBuilt,
  isFrame,
  isHistory,
  type Judgment,
  judgeText,
} from './category.ts';
import { percentOf } from './shares.ts';
import { isTestPath } from './testPaths.ts';

/** Returns the category that the user has chosen for a path, or `undefined` if the user has chosen none. */
export type ChosenCategory = (path: string) => Category | undefined;

/** A passage or a whole file, with the data that determine its category. */
export interface Part extends Pick<NamedDocument, 'path' | 'part'> {
  /** Returns true if most of the part lies in test code. Called only if nothing else determines the category. */
  readonly isTestUnit: () => boolean;
  /** Returns true if the part consists of signatures of functions. Called only for code in one file. */
  readonly isSignature: () => boolean;
}

export class Categories {
  readonly #chosenCategory: ChosenCategory;
  readonly #ofPath = new Map<string, Judgment>();
  readonly #built = new Set<string>();
  readonly #tests = new Map<string, boolean>();
  readonly #files = countByCategory();
  readonly #lines = countByCategory();

  constructor(chosenCategory: ChosenCategory) {
    this.#chosenCategory = chosenCategory;
  }

  replace(replaced: readonly ReplacedDocument[]): void {
    for (const { path, index } of textsOf(replaced, 'before')) {
      this.#count(this.ofPath(path), -1, -index.totalLines);
      this.#ofPath.delete(path);
      this.#built.delete(path);
    }
    for (const { path, index } of textsOf(replaced, 'after')) {
      const category = this.#chosenCategory(path);
      const judgment: Judgment = category ? { category, by: 'setting' } : judgeText(path, index);
      this.#ofPath.set(path, judgment);
      if (!category && (index.generated || isBuilt(path))) this.#built.add(path);
      this.#count(judgment.category, 1, index.totalLines);
    }
  }

  /** Returns the category of the file at a path, which its comments and quoted code have, too. */
  ofPath(path: string): Category {
    return this.#ofPath.get(path)!.category;
  }

  /**
   * Returns the category of a group. It is the category of its passages that comes first in `categories`, unless the
   * text of the group indicates another category. A group whose passages are all in tests has the category tests; the
   * same applies to examples.
   *
   * @param parts   the passages, in any order
   * @param makeup  composition of the longest passage of code, or of the longest file; `undefined` for prose
   */
  ofGroup(parts: readonly Part[], passages: readonly Passage[], makeup: Makeup | undefined): Judgment {
    const judgments = converted(parts, (part) => this.#ofPart(part));
    const first = firstOf(judgments);
    const isChosen = parts.some(({ path }) => this.#isChosen(path) && this.ofPath(path) === first.category);
    if (isChosen) return { category: first.category, by: 'setting' };
    if (isFrame(passages)) return { category: 'boilerplate', by: 'content' };
    if (judgments.some(({ category }) => category === 'data') && isHistory(passages)) {
      return { category: 'data', by: 'path' };
    }
    if (this.#built.size > 0 && isAllButOne(parts.map(({ path }) => this.#built.has(path)))) {
      return { category: 'boilerplate', by: judgments.find((it) => it.category === 'boilerplate')!.by! };
    }
    const judgment = isAllButOne(converted(judgments, isAside)) ? firstOf(judgments.filter(isAside)) : first;
    const isCode = judgment.category === 'source' || isAside(judgment);
    if (isCode && makeup && isTable(makeup)) return { category: 'data', by: 'content' };
    const isOverload = judgment.category === 'source' && makeup && areOverloads(parts);
    return isOverload ? { category: 'boilerplate', by: 'content' } : judgment;
  }

  /** Returns true if a passage belongs to tests, including their data and boilerplate, unless the user says so. */
  isTest(part: Part): boolean {
    const { path } = part;
    if (this.#isChosen(path)) {
      const category = this.ofPath(path);
      if (category === 'tests') return true;
      if (category === 'source' || category === 'text') return false;
    }
    let isTest = this.#tests.get(path);
    if (isTest === undefined) this.#tests.set(path, (isTest = isTestPath(path)));
    return isTest || this.#ofPart(part).category === 'tests';
  }

  /** Returns the totals of each category that is not empty. */
  totals(
    rows: Readonly<Record<Category, number>>,
    duplicatedLines: Readonly<Record<Category, number>>,
  ): Partial<Record<Category, CategoryTotals>> {
    const totals: Partial<Record<Category, CategoryTotals>> = {};
    for (const category of categories) {
      const [files, lines] = [this.#files[category], this.#lines[category]];
      if (files === 0 && rows[category] === 0) continue;
      totals[category] = {
        files,
        lines,
        rows: rows[category],
        duplicatedLines: duplicatedLines[category],
        duplicatedPercent: percentOf(duplicatedLines[category], lines),
      };
    }
    return totals;
  }

  #isChosen(path: string): boolean {
    return this.#ofPath.get(path)!.by === 'setting';
  }

  /** Returns the category of a passage or file. Comments of source count as text, examples in docstrings as tests. */
  #ofPart({ path, part, isTestUnit }: Part): Judgment {
    const judgment = this.#ofPath.get(path)!;
    if (judgment.category !== 'source') return judgment;
    if (part === 'comments') return { category: 'text' };
    const isTest = !this.#isChosen(path) && (part === 'quoted' || isTestUnit());
    return isTest ? { category: 'tests', by: 'unit' } : judgment;
  }

  #count(category: Category, files: number, lines: number): void {
    this.#files[category] += files;
    this.#lines[category] += lines;
  }
}

/**
 * Returns true for signatures that one file repeats: overloads, and methods of an interface. The type system requires
 * them. The copy of an interface in another file may be superfluous.
 */
function areOverloads(parts: readonly Part[]): boolean {
  return parts.every(({ path, isSignature }) => path === parts[0].path && isSignature());
}

/**
 * Returns the judgment whose category comes first in `categories`.
 *
 * @param judgments  at least one
 */
function firstOf(judgments: readonly Judgment[]): Judgment {
  const placeOf = ({ category }: Judgment): number => categories.indexOf(category);
  return judgments.reduce((first, judgment) => (placeOf(judgment) < placeOf(first) ? judgment : first));
}

function isAside({ category }: Judgment): boolean {
  return category === 'tests' || category === 'examples';
}
