/** Messages between the extension and the page of *Tune Sensitivity*. */
import type { Dial, DialName, DialValues } from '../../core/engine/dials.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { RowTypes } from './messages.ts';

/** Groups to count; neither list is empty. */
export interface Counted {
  readonly types: readonly (keyof RowTypes)[];
  readonly categories: readonly Category[];
}

/** Number of findings among the counted groups: the same numbers as above the tree. */
export interface ShownCounts {
  readonly rows: RowTypes;
  readonly total: number;
  /**
   * Undefined if only some types are counted, because duplicated lines have no type. The percentage is 0 to 100, of all
   * lines.
   */
  readonly lines: { readonly duplicated: number; readonly percent: number } | undefined;
}

/** An added or removed row. */
export interface Example {
  readonly id: string;
  readonly label: string;
  /** Where it is, and how much. */
  readonly description: string;
}

export interface Examples {
  readonly total: number;
  readonly shown: readonly Example[];
}

/** To the page. */
export type ToTuner =
  /** Begins anew: what was tried before is void. */
  | {
      readonly type: 'begin';
      readonly dials: readonly Dial[];
      readonly presets: Readonly<Record<string, DialValues>>;
      readonly inForce: DialValues;
      /** Where the dials stand. */
      readonly values: DialValues;
      /** Current findings. */
      readonly counts: ShownCounts;
      /** True if the dials of text come before those of code. */
      readonly isTextFirst: boolean;
      /** Groups to count, and the existing categories. */
      readonly counted: Counted;
      readonly categories: readonly Category[];
      /** Dials that a configuration file decides, and its name. */
      readonly decided: { readonly file: string; readonly names: readonly DialName[] } | undefined;
    }
  /** There is nothing to tune yet, and why. */
  | { readonly type: 'wait'; readonly why: string }
  | { readonly type: 'trying'; readonly values: DialValues }
  | {
      readonly type: 'tried';
      readonly values: DialValues;
      readonly counts: ShownCounts | undefined;
      readonly problem: string | undefined;
    }
  /** The tree shows what would be found where the dials stand. */
  | {
      readonly type: 'preview';
      readonly values: DialValues;
      readonly come: Examples;
      readonly gone: Examples;
    };

/** From the page. */
export type FromTuner =
  | { readonly type: 'ready' }
  | { readonly type: 'turn'; readonly values: DialValues; readonly dial: DialName | undefined }
  /** Counts something else; an empty list stands for what is counted without a filter. */
  | { readonly type: 'count'; readonly counted: Counted }
  | { readonly type: 'apply' }
  | { readonly type: 'open'; readonly side: 'come' | 'gone'; readonly id: string };

/** Texts of the page in the language of VS Code; `{0}` is a placeholder. */
export interface TunerTexts {
  readonly locale: string;
  readonly dials: Readonly<Record<DialName, { readonly label: string; readonly about: string; readonly unit: string }>>;
  readonly presets: Readonly<Record<string, string>>;
  readonly code: string;
  readonly prose: string;
  readonly now: string;
  readonly preview: string;
  readonly asNow: string;
  /** For one, and for any other number. */
  readonly duplicates: readonly [one: string, more: string];
  readonly lines: readonly [one: string, more: string];
  readonly trying: string;
  readonly notTried: string;
  readonly stillTrying: string;
  readonly types: Readonly<Record<keyof RowTypes, string>>;
  readonly categories: Readonly<Record<Category, string>>;
  /** Descriptions of the types and categories, and of the effect of selecting them, for screen readers. */
  readonly typeGroup: string;
  readonly categoryGroup: string;
  readonly countedAbout: string;
  readonly come: string;
  readonly gone: string;
  readonly noExamples: string;
  /** When nothing comes in, and nothing goes. */
  readonly unchanged: string;
  readonly more: string;
  readonly apply: string;
  readonly reset: string;
  readonly toSettings: string;
  readonly toFile: string;
  readonly start: string;
  readonly inForce: string;
}
