/** Interface through which the tools access their data. The extension or a server implements it. */
import type { Gate } from '../../review/check/gate.ts';
import type { AddedLines } from '../../session/client/changedSince.ts';
import type { Report } from '../../session/client/report.ts';
import type { OrganisationAnswer } from '../../core/engine/similar/findSimilar.ts';
import type { CheckAnswer, FindInOrganisationParams, FindParams, FindResult } from '../../session/protocol/calls.ts';

export interface IndexCondition {
  /** State of the index. `rejected` means that the settings are invalid. */
  readonly state: 'ready' | 'indexing' | 'rejected' | 'failed';
  /** Details for users and agents: progress, or an error message. */
  readonly detail?: string;
}

/**
 * Kind of changes that must be processed before an answer, within a time limit. `reported`: changes that were reported.
 * `thorough`: also changes that the watchers missed. `stored`: same as `reported`, but directly after a start, the
 * stored findings may be used before they are verified.
 */
export type AwaitedChanges = 'reported' | 'thorough' | 'stored';

/** Called about once per second while an answer waits for the index. */
export type WaitListener = (condition: IndexCondition) => void;

export interface Access {
  readonly waitForChanges: (changes: AwaitedChanges) => Promise<IndexCondition>;
  readonly report: () => Report | undefined;
  /** Returns the prefix of report paths for each folder; '' if there is only one folder. */
  readonly prefixes: () => readonly string[];
  /** Returns the report path for a path as written by a user or agent; `undefined` if it is outside of all folders. */
  readonly pathOf: (written: string) => string | undefined;
  readonly exists: (path: string) => Promise<boolean>;
  /** Returns true if a path leads out of all folders through a symbolic link. Omitted if links cannot be resolved. */
  readonly leadsOutside?: (path: string) => boolean;
  /** Explains why an existing file, or every file of a folder, is not compared. Otherwise returns `undefined`. */
  readonly whyNotCompared: (path: string) => Promise<string | undefined>;
  /** Returns the absolute path for a report path, to read a baseline; `undefined` if it is outside of all folders. */
  readonly fileOf: (path: string) => string | undefined;
  readonly find: (params: FindParams) => Promise<FindResult>;
  /** Searches the lines that other worktrees have added; `undefined` if these are inaccessible. Paths are absolute. */
  readonly findInWorktrees?: (params: FindParams) => Promise<FindResult>;
  /**
   * Describes an existing function that resembles the function in a text: it makes the same calls, and has similar
   * words and statements. Returns `undefined` if there is none. Omitted if there is no index of functions.
   */
  readonly functionLike?: (text: string, language: Pick<FindParams, 'path' | 'languageId'>) => string | undefined;
  /** Searches an index of many repositories; `undefined` if there is none. */
  readonly findInOrganisation?: ((request: OrganisationQuery) => Promise<OrganisationAnswer | undefined>) | undefined;
  readonly check: (prefix: string, gate: Gate) => Promise<CheckAnswer>;
  /** Returns the files that differ from a commit, with the lines that they add, or an error message. */
  readonly changedSince: (since: string) => Promise<AddedLines | { readonly problem: string }>;
  /** Returns the text of a compared file; `undefined` if the file was deleted. */
  readonly textOf: (path: string) => Promise<string | undefined>;
  /** Returns the VS Code language id for a report path. */
  readonly languageOf: (path: string) => string;
}

export interface OrganisationQuery extends Omit<FindInOrganisationParams, 'folder' | 'setting' | 'origin'> {
  /** Path and lines from which the text was copied, if it is part of a compared file. */
  readonly origin?: { readonly path: string; readonly startLine: number; readonly endLine: number } | undefined;
}

/** Answer of a tool: data, or an error message with a remedy. */
export type ToolAnswer<Data = object> = { readonly data: Data } | { readonly problem: string };

export interface IndexNote extends IndexCondition {
  readonly generation: number;
  readonly files: number;
  readonly lines: number;
}

/** Waits for the report, and returns it with the state of the index. If there is no report, returns the problem. */
export async function reportFor(
  access: Access,
  how: AwaitedChanges,
): Promise<{ readonly report: Report; readonly index: IndexNote } | { readonly problem: string }> {
  const condition = await access.waitForChanges(how);
  const report = access.report();
  const detail = condition.detail === undefined ? '' : ` ${condition.detail}`;
  switch (condition.state) {
    case 'rejected':
      return { problem: `The settings are invalid:${detail} Fix the configuration file, and try again.` };
    case 'failed':
      return { problem: `The index cannot be built:${detail} Try again to restart it.` };
    case 'indexing':
      if (report === undefined) {
        return { problem: `The index is not ready yet:${detail} Try again in a few seconds.` };
      }
      return noted(report, { ...condition, detail: `${olderFindings}${detail}` });
    case 'ready':
      if (report === undefined) return { problem: 'There is no index of a completed scan. Try again.' };
  }
  return noted(report, condition);
}

const olderFindings = 'These findings are older; later changes are being checked.';

function noted(report: Report, condition: IndexCondition): { readonly report: Report; readonly index: IndexNote } {
  const { generation, findings } = report;
  return { report, index: { ...condition, generation, files: findings.totals.files, lines: findings.totals.lines } };
}
