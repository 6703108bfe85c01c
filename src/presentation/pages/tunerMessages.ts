/** Messages between the extension and the page of *Tune Sensitivity*. */
import type { Dial, DialName, DialValues } from '../../core/engine/dials.ts';
import type { CategoryTotals, RowTypes } from '../../core/engine/report/report.ts';
import type { Category } from '../../core/engine/rows/category.ts';

/** Types and categories that are counted. Neither list is empty. */
export interface CountedKinds {
  readonly types: readonly (keyof RowTypes)[];
  readonly categories: readonly Category[];
}

/** Numbers of rows and lines in the counted categories and types. The tree shows the same numbers. */
export interface ShownCounts {
  readonly rows: RowTypes;
  readonly total: number;
  /** `undefined` if only some types are counted, because lines have no type, and in estimates. */
  readonly lines: Pick<CategoryTotals, 'lines' | 'duplicatedLines'> | undefined;
}

/** A row that a change of dials would add or remove. */
export interface Example {
  readonly id: string;
  readonly label: string;
  /** Location and size of the row, as text. */
  readonly description: string;
}

export interface Examples {
  readonly total: number;
  readonly shown: readonly Example[];
}

/** Messages to the page. */
export type MessageToTuner =
  /** Resets the page. Earlier results are no longer valid. */
  | {
      readonly type: 'begin';
      readonly dials: readonly Dial[];
      readonly presets: Readonly<Record<string, DialValues>>;
      readonly inForce: DialValues;
      readonly values: DialValues;
      /** Totals and numbers of rows in the current findings. */
      readonly counts: ShownCounts;
      /** True if the dials for text are shown before those for code. */
      readonly isTextFirst: boolean;
      /** Types and categories that are counted, and all categories that exist. */
      readonly counted: CountedKinds;
      readonly categories: readonly Category[];
      /** Dials that a configuration file sets, and the name of that file. */
      readonly decided: { readonly file: string; readonly names: readonly DialName[] } | undefined;
    }
  /** Tuning is not possible yet; `why` is the reason, as text. */
  | { readonly type: 'wait'; readonly why: string }
  | { readonly type: 'trying'; readonly values: DialValues }
  /** Approximate counts, until `tried` replaces them. */
  | { readonly type: 'estimated'; readonly values: DialValues; readonly counts: ShownCounts }
  | {
      readonly type: 'tried';
      readonly values: DialValues;
      readonly counts: ShownCounts | undefined;
      readonly problem: string | undefined;
    }
  /** The tree now shows the findings for the positions of the dials. */
  | {
      readonly type: 'preview';
      readonly values: DialValues;
      readonly added: Examples;
      readonly removed: Examples;
    };

/** Messages from the page. */
export type MessageFromTuner =
  | { readonly type: 'ready' }
  | { readonly type: 'setDials'; readonly values: DialValues; readonly dial: DialName | undefined }
  /** Changes which types and categories are counted. An empty list selects those that are counted by default. */
  | { readonly type: 'count'; readonly counted: CountedKinds }
  | { readonly type: 'apply' }
  | { readonly type: 'open'; readonly side: 'added' | 'removed'; readonly id: string };

/** Texts of the page in the language of VS Code. `{0}` is a placeholder. */
export interface TunerTexts {
  readonly locale: string;
  readonly dials: Readonly<Record<DialName, { readonly label: string; readonly about: string; readonly unit: string }>>;
  readonly presets: Readonly<Record<string, string>>;
  readonly code: string;
  readonly prose: string;
  readonly now: string;
  readonly preview: string;
  readonly asNow: string;
  /** Singular and plural. */
  readonly duplicates: readonly [one: string, more: string];
  readonly lines: readonly [one: string, more: string];
  readonly trying: string;
  readonly notTried: string;
  /** Marks counts as approximate: "About {0}". */
  readonly estimate: string;
  readonly stillTrying: string;
  readonly types: Readonly<Record<keyof RowTypes, string>>;
  readonly categories: Readonly<Record<Category, string>>;
  /** Descriptions for screen readers: of the lists of types and categories, and of the effect of selecting an item. */
  readonly typeGroup: string;
  readonly categoryGroup: string;
  readonly countedAbout: string;
  readonly added: string;
  readonly removed: string;
  readonly noExamples: string;
  /** Text for a change that adds and removes no rows. */
  readonly unchanged: string;
  readonly more: string;
  readonly apply: string;
  readonly reset: string;
  readonly toSettings: string;
  readonly toFile: string;
  readonly start: string;
  readonly inForce: string;
}
