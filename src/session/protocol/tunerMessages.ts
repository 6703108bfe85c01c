/** Messages between the extension and the page of *Tune Sensitivity*. */
import type { Dial, DialName, DialValues } from '../../core/engine/dials.ts';
import type { Category } from '../../core/engine/rows/category.ts';
import type { RowTypes } from './messages.ts';

/** Types and categories of the groups to count. Neither list is empty. */
export interface Counted {
  readonly types: readonly (keyof RowTypes)[];
  readonly categories: readonly Category[];
}

/** Numbers of findings among the counted groups. The tree shows the same numbers. */
export interface ShownCounts {
  readonly rows: RowTypes;
  readonly total: number;
  /**
   * Number of duplicated lines, and their share of all lines as a percentage from 0 to 100. `undefined` if only some
   * types are counted, because lines have no type.
   */
  readonly lines: { readonly duplicated: number; readonly percent: number } | undefined;
}

/** A row that was added or removed. */
export interface Example {
  readonly id: string;
  readonly label: string;
  /** Location and size of the row. */
  readonly description: string;
}

export interface Examples {
  readonly total: number;
  readonly shown: readonly Example[];
}

/** Messages to the page. */
export type ToTuner =
  /** Resets the page. Earlier results are void. */
  | {
      readonly type: 'begin';
      readonly dials: readonly Dial[];
      readonly presets: Readonly<Record<string, DialValues>>;
      readonly inForce: DialValues;
      /** Positions of the dials. */
      readonly values: DialValues;
      /** Numbers of the current findings. */
      readonly counts: ShownCounts;
      /** True if the dials of text come before the dials of code. */
      readonly isTextFirst: boolean;
      /** Groups to count, and all categories that exist. */
      readonly counted: Counted;
      readonly categories: readonly Category[];
      /** Dials that a configuration file sets, and the name of the file. */
      readonly decided: { readonly file: string; readonly names: readonly DialName[] } | undefined;
    }
  /** There is nothing to tune yet; `why` contains the reason. */
  | { readonly type: 'wait'; readonly why: string }
  | { readonly type: 'trying'; readonly values: DialValues }
  | {
      readonly type: 'tried';
      readonly values: DialValues;
      readonly counts: ShownCounts | undefined;
      readonly problem: string | undefined;
    }
  /** The tree shows the findings for the positions of the dials. */
  | {
      readonly type: 'preview';
      readonly values: DialValues;
      readonly come: Examples;
      readonly gone: Examples;
    };

/** Messages from the page. */
export type FromTuner =
  | { readonly type: 'ready' }
  | { readonly type: 'turn'; readonly values: DialValues; readonly dial: DialName | undefined }
  /** Changes which groups are counted. An empty list selects the types or categories that are counted by default. */
  | { readonly type: 'count'; readonly counted: Counted }
  | { readonly type: 'apply' }
  | { readonly type: 'open'; readonly side: 'come' | 'gone'; readonly id: string };

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
  readonly stillTrying: string;
  readonly types: Readonly<Record<keyof RowTypes, string>>;
  readonly categories: Readonly<Record<Category, string>>;
  /** Descriptions for screen readers: of the types and categories, and of the effect of selecting them. */
  readonly typeGroup: string;
  readonly categoryGroup: string;
  readonly countedAbout: string;
  readonly come: string;
  readonly gone: string;
  readonly noExamples: string;
  /** Text that is shown if no rows are added or removed. */
  readonly unchanged: string;
  readonly more: string;
  readonly apply: string;
  readonly reset: string;
  readonly toSettings: string;
  readonly toFile: string;
  readonly start: string;
  readonly inForce: string;
}
