/** What the tools are answered from: the session that the extension has, or a server. They know neither. */
import type { Gate } from '../check/gate.ts';
import type { Report } from '../client/report.ts';
import type { OrganisationAnswer } from '../engine/similar/findSimilar.ts';
import type { CheckAnswer, FindParams, FindResult } from '../protocol/calls.ts';

/** How the index is. */
export interface IndexCondition {
  /** `rejected`: the settings are wrong. */
  readonly state: 'ready' | 'indexing' | 'rejected' | 'failed';
  /** What a person or an agent should know of it: how far it is, or what is wrong. */
  readonly detail?: string;
}

/**
 * What is taken in before an answer, and waited for for a while: what was heard of; `thorough`: also what may have gone unheard;
 * `stored`: that, but after a start the findings of the last time will do, while they are checked.
 */
export type Settling = 'heard' | 'thorough' | 'stored';

/** Takes about once in a second how the index is, while an answer waits for it. */
export type OnWait = (condition: IndexCondition) => void;

export interface Access {
  readonly settle: (how: Settling) => Promise<IndexCondition>;
  /** The last report; undefined before the first one. */
  readonly report: () => Report | undefined;
  /** What the paths of each folder begin with: empty when there is one folder alone. */
  readonly prefixes: readonly string[];
  /** The path that a report has for what somebody has written; undefined when that is outside of all folders. */
  readonly pathOf: (written: string) => string | undefined;
  /** True if there is a file or a folder of this path. */
  readonly exists: (path: string) => Promise<boolean>;
  /** A baseline file of a folder, absolute; undefined when it is outside of all folders. */
  readonly fileOf: (path: string) => string | undefined;
  readonly find: (params: FindParams) => Promise<FindResult>;
  /** Looks in the index of many repositories; undefined where there is none to ask, now or at all. */
  readonly findInOrganisation?: (wanted: OrganisationWanted) => Promise<OrganisationAnswer | undefined>;
  readonly check: (prefix: string, gate: Gate) => Promise<CheckAnswer>;
  /** The paths of files that differ from a commit, or why that cannot be said. */
  readonly changedSince: (since: string) => Promise<ReadonlySet<string> | { readonly problem: string }>;
  /** The text of a file that is compared; undefined when it has gone. */
  readonly textOf: (path: string) => Promise<string | undefined>;
}

/** A text to look for in all repositories. */
export interface OrganisationWanted {
  readonly text: string;
  /** As in `FindParams`. */
  readonly path: string;
  readonly languageId: string;
  /** As in `FindParams`. */
  readonly isLanguageNamed?: boolean;
  /** The path and the lines of a file that is compared, of which the text is. */
  readonly origin?: { readonly path: string; readonly startLine: number; readonly endLine: number };
  readonly minSimilarity?: number;
  readonly most: number;
}

/** What a tool says: data, or in a sentence why there are none and what to do. */
export type ToolAnswer<Data = object> = { readonly data: Data } | { readonly problem: string };

/** What every answer says of the index. */
export interface IndexNote extends IndexCondition {
  readonly generation: number;
  readonly files: number;
  readonly lines: number;
}

/** A report to answer from, and what to say of it; or why there is none. */
export async function reportFor(
  access: Access,
  how: Settling,
): Promise<{ readonly report: Report; readonly index: IndexNote } | { readonly problem: string }> {
  const condition = await access.settle(how);
  const report = access.report();
  const detail = condition.detail === undefined ? '' : ` ${condition.detail}`;
  switch (condition.state) {
    case 'rejected':
      return { problem: `The settings are wrong:${detail} Fix the configuration file, and ask again.` };
    case 'failed':
      return { problem: `The index cannot be made:${detail} Ask again to restart it.` };
    case 'indexing':
      if (report === undefined) {
        return { problem: `The index is not there yet:${detail} Ask again in some seconds.` };
      }
      return noted(report, { ...condition, detail: `${olderFindings}${detail}` });
    case 'ready':
      if (report === undefined) return { problem: 'There is no index of a completed scan. Ask again.' };
  }
  return noted(report, condition);
}

const olderFindings = 'These are the last findings; what has changed since then is being checked.';

function noted(report: Report, condition: IndexCondition): { readonly report: Report; readonly index: IndexNote } {
  const { generation, findings } = report;
  return { report, index: { ...condition, generation, files: findings.totals.files, lines: findings.totals.lines } };
}
