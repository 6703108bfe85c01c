/**
 * Handles the limit on how many files are read from folders that are not on disk: describes the files that were not
 * read, and raises the limit on request.
 */
import * as vscode from 'vscode';
import type { Report } from '../../../session/client/report.ts';
import { fileCount, quantity } from '../wording.ts';

export interface ReadLimit {
  /** Sentence such as "28,210 files not read (limit 10,000)". */
  readonly sentence: string;
  /** Limit at which all files would be read. */
  readonly sufficient: number;
}

const settingName = 'maxVirtualFiles';

/** Matches the reason for skipping a file (scan/io/judgeContent.ts). */
const beyondLimit = /^not read \(limit (\d+) files\)$/;

/** Cache by report. Computing the value is slow, because the report lists each file that was not read. */
const limits = new WeakMap<object, ReadLimit | undefined>();

/** Returns `undefined` if all files were read. */
export function readLimitOf(report: Pick<Report, 'findings'> | undefined): ReadLimit | undefined {
  if (report === undefined) return undefined;
  if (!limits.has(report)) limits.set(report, limitIn(report));
  return limits.get(report);
}

function limitIn({ findings }: Pick<Report, 'findings'>): ReadLimit | undefined {
  const [first, ...others] = findings.skipped.filter(({ reason }) => beyondLimit.test(reason));
  if (first === undefined) return undefined;
  const [limit, unread] = [Number(beyondLimit.exec(first.reason)![1]), 1 + others.length];
  const sentence = vscode.l10n.t('{0} not read (limit {1})', fileCount(unread), quantity(limit));
  return { sentence, sufficient: limit + unread };
}

/** Returns the command that raises the limit. */
export function readAllCommand(): vscode.Command {
  return { title: vscode.l10n.t('Read All Files'), command: 'kindred.readAllFiles' };
}

/** Changes the setting in the scope where it is set. If it is not set, changes the user setting. */
export async function raiseReadLimit({ sufficient }: ReadLimit): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('kindred');
  const isOfWorkspace = configuration.inspect(settingName)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  await configuration.update(settingName, sufficient, target);
}
