/**
 * The report: what the world gets. It is plain data, sorted and self-contained; command line, tree, diagnostics and
 * tools all answer from it. Its shape is a contract with a schema number: docs/report.schema.json.
 */

/** One place: a run of one document. Lines and columns count from 1; columns in UTF-16 units; `endLine` is inclusive. */
export interface Passage {
  /** The name the document was given: relative to the scanned root, with forward slashes. */
  readonly path: string;
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  /** The column after the last character. */
  readonly endColumn: number;
  readonly tokens: number;
}

/** A verified match between two passages of a group, as places in `passages`; `a` < `b`. */
export interface Pair {
  readonly a: number;
  readonly b: number;
  /**
   * In [0, 1], rounded to three digits. Of passages: 2 × aligned tokens / tokens of both. Of files: their resemblance, the
   * shingles of both over those of either.
   */
  readonly similarity: number;
  /** Bits that differ between the fingerprints of the closest windows of the two; of files, between those of the wholes. */
  readonly distance: number;
  /** Of files only: the share of the shingles of `a` that `b` has, and the other way round, rounded to three digits. */
  readonly containment?: readonly [ofA: number, ofB: number];
}

/**
 * Passages that a person would call one thing. Those of kind `file` are whole files that nearly repeat each other, or two of
 * which one lies inside the other; what they share is in groups of the other kinds as well.
 */
export interface Group {
  /** Made from content: survives moved lines and restarts. Unique in a report. */
  readonly id: string;
  readonly kind: 'code' | 'prose' | 'file';
  /** exact: equal token by token. renamed: equal but for names and literals. near: edited. */
  readonly type: 'exact' | 'renamed' | 'near';
  /** The least similarity of its pairs. */
  readonly similarity: number;
  /** Lines and tokens of its longest passage. */
  readonly lines: number;
  readonly tokens: number;
  /** There, and true, when all its passages are in tests. */
  readonly tests?: true;
  /** There when it is two files of which one lies inside the other: the place of that one in `passages`. */
  readonly inside?: 0 | 1;
  /** Two or more, ordered by path and line. */
  readonly passages: readonly Passage[];
  readonly pairs: readonly Pair[];
}

/** Settings that let in what is left out. */
export const admittingSettings = ['generated', 'maxFileSize', 'include', 'exclude', 'prose', 'memory'] as const;
export type AdmittingSetting = (typeof admittingSettings)[number];

/** A file that was left out, why, and the setting that would let it in (if one does). */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
  readonly setting?: AdmittingSetting;
}

export interface Totals {
  readonly files: number;
  readonly lines: number;
  readonly tokens: number;
  readonly groups: number;
  readonly passages: number;
  /** Lines that are in some passage of code or prose, each counted once. */
  readonly duplicatedLines: number;
  /** 100 × duplicatedLines / lines, rounded to two digits. */
  readonly duplicatedPercent: number;
  readonly skipped: number;
  /**
   * There when not 0: how many different windows have more near ones than they are compared with. Each is compared with the
   * nearest of them.
   */
  readonly crowdedWindows?: number;
}

/** The answer to one scan. Groups by impact, most duplicated lines first; those of files come after all others. */
export interface Findings {
  /** False when cancelled or cut short: what is here holds, but there may be more. */
  readonly complete: boolean;
  readonly totals: Totals;
  readonly groups: readonly Group[];
  readonly skipped: readonly Skipped[];
}
