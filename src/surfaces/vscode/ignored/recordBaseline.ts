/**
 * Command *Record Baseline*: adds all current groups to the baseline, as known groups. Keeps the reasons of entries
 * that still apply.
 */
import * as vscode from 'vscode';
import type { Group } from '../../../core/engine/report/report.ts';
import { type BaselineEntry, entryFor, matchBaseline, needsNote } from '../../../review/gate/baseline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { TreeFilter } from '../tree/filter.ts';
import { groupCount, quantity } from '../wording.ts';
import { baselineName } from '../../../session/client/configurationFiles.ts';
import type { EntryNotes } from './entryNotes.ts';
import { readEntries, writeEntries } from './projectBaseline.ts';

/** A workspace folder, its current groups, and the entries in its baseline. */
interface Plan {
  readonly folder: vscode.WorkspaceFolder;
  readonly file: vscode.Uri;
  readonly groups: readonly Group[];
  readonly before: readonly BaselineEntry[];
}

/** Asks what the view should show afterwards, and writes the baseline of each folder. */
export async function recordBaseline(
  findings: FindingsModel,
  filter: Pick<TreeFilter, 'active' | 'use'>,
  notes: EntryNotes,
): Promise<void> {
  const plans = await plansFor(findings);
  if (plans === undefined) return;
  const choice = await promptForView(plans);
  if (choice === undefined) return;
  for (const plan of plans) if (!(await writeEntries(plan.file, await entriesNow(plan, notes)))) return;
  // Groups that were added to the baseline must not count as new in this window.
  findings.forgetNews();
  findings.stay();
  const count = groupCount(plans.reduce((sum, { groups }) => sum + groups.length, 0));
  if (!choice.showsOnlyNew) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Recorded as known in {0}: {1}', baselineName, count));
    return;
  }
  const others = filter.active.filter(({ type }) => type !== 'unknown');
  await filter.use([...others, { type: 'unknown' }]);
  const showAll = vscode.l10n.t('Show All');
  const sentence = vscode.l10n.t(
    'Recorded as known in {0}: {1}. The view now shows only duplicates that are not in the baseline.',
    ...[baselineName, count],
  );
  // Do not wait, because the notification stays until the user closes it.
  void vscode.window.showInformationMessage(sentence, showAll).then((button) => {
    if (button === showAll) void filter.use(others);
  });
}

/**
 * Returns a plan for each folder with groups or entries. If there is nothing to record, shows a message and returns
 * `undefined`.
 */
async function plansFor(findings: FindingsModel): Promise<readonly Plan[] | undefined> {
  const { snapshot } = findings;
  if (snapshot?.findings.complete !== true) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Scan the workspace first, because a baseline contains all of its duplicates.'),
    );
    return undefined;
  }
  const byFolder = new Map<vscode.WorkspaceFolder, Group[]>();
  for (const folder of vscode.workspace.workspaceFolders ?? []) byFolder.set(folder, []);
  for (const group of snapshot.found.all) {
    const folder = vscode.workspace.getWorkspaceFolder(findings.uriOf(group.passages[0]!));
    if (folder) byFolder.get(folder)?.push(group);
  }
  const plans: Plan[] = [];
  for (const [folder, groups] of byFolder) {
    const file = vscode.Uri.joinPath(folder.uri, baselineName);
    const before = await readEntries(file);
    if (before === undefined) return undefined;
    if (groups.length > 0 || before.length > 0) plans.push({ folder, file, groups, before });
  }
  if (plans.length > 0) return plans;
  void vscode.window.showInformationMessage(vscode.l10n.t('There are no duplicates to record.'));
  return undefined;
}

async function promptForView(plans: readonly Plan[]): Promise<{ readonly showsOnlyNew: boolean } | undefined> {
  const changes = plans.map(({ folder, groups, before }) => {
    const { entryOf, stale } = matchBaseline(groups, before);
    const added = groups.filter((group) => !entryOf.has(group)).length;
    const removed = stale.filter(({ isPair }) => !isPair).length;
    const counts = vscode.l10n.t(
      '{0}, with nested ones, tests, and data: {1} added, {2} removed',
      ...[groupCount(groups.length), quantity(added), quantity(removed)],
    );
    return `${folder.name}/${baselineName}: ${counts}`;
  });
  const detail = changes.join(' · ');
  const items = [
    { showsOnlyNew: true, label: vscode.l10n.t('Record All Duplicates, and Show Only New Ones From Now On'), detail },
    { showsOnlyNew: false, label: vscode.l10n.t('Record All Duplicates, and Keep Showing Them'), detail },
  ];
  const placeHolder = vscode.l10n.t('Recorded duplicates are no longer new, here and for kindred check --baseline');
  return vscode.window.showQuickPick(items, { placeHolder });
}

/** Returns the new entries of a folder: one per group, and the existing entries about pairs. */
async function entriesNow({ groups, before }: Plan, notes: EntryNotes): Promise<readonly BaselineEntry[]> {
  const { entryOf } = matchBaseline(groups, before);
  const entries = groups.map(async (group) => {
    const entry = entryOf.get(group);
    const paths = group.passages.map((passage) => notes.pathOf(passage));
    const note = needsNote(group, entry, paths) ? await notes.of(group, group.passages[0]!) : undefined;
    return entryFor(group, entry, note);
  });
  return [...(await Promise.all(entries)), ...before.filter(({ isPair }) => isPair)];
}
