/** *Record Baseline*: marks all current groups as known, and keeps reasons that still apply. */
import * as vscode from 'vscode';
import type { Group } from '../../engine/report/report.ts';
import { type BaselineEntry, entryFor, matchBaseline, needsNote } from '../../gate/baseline.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { announce } from '../announce.ts';
import { groupCount, quantity } from '../wording.ts';
import { baselineName } from '../workspace/configurationFiles.ts';
import type { EntryNotes } from './entryNotes.ts';
import { readEntries, writeEntries } from './projectBaseline.ts';

/** Asks for confirmation, and writes the file of each folder. */
export async function recordBaseline(findings: FindingsModel, notes: EntryNotes): Promise<void> {
  const { snapshot } = findings;
  if (snapshot?.findings.complete !== true) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Scan the workspace first, because a baseline contains all of its duplicates.'),
    );
    return;
  }
  const byFolder = new Map<vscode.WorkspaceFolder, Group[]>();
  for (const folder of vscode.workspace.workspaceFolders ?? []) byFolder.set(folder, []);
  for (const group of snapshot.found.all) {
    const folder = vscode.workspace.getWorkspaceFolder(findings.uriOf(group.passages[0]!));
    if (folder) byFolder.get(folder)?.push(group);
  }
  for (const [folder, groups] of byFolder) {
    const file = vscode.Uri.joinPath(folder.uri, baselineName);
    const before = await readEntries(file);
    if (before === undefined) return;
    if (groups.length === 0 && before.length === 0) continue;
    const pairs = before.filter(({ isPair }) => isPair);
    const { entryOf, stale } = matchBaseline(groups, before);
    const added = groups.filter((group) => !entryOf.has(group)).length;
    const removed = stale.filter(({ isPair }) => !isPair).length;
    const item = {
      label: vscode.l10n.t('Record All Duplicates as Known'),
      description: `${folder.name}/${baselineName}`,
      detail: vscode.l10n.t(
        '{0}: {1} added, {2} removed',
        ...[groupCount(groups.length), quantity(added), quantity(removed)],
      ),
    };
    const placeHolder = vscode.l10n.t('Recorded duplicates are no longer new, here and for kindred check --baseline');
    if ((await vscode.window.showQuickPick([item], { placeHolder })) !== item) return;
    const entryNow = async (group: Group): Promise<BaselineEntry> => {
      const known = entryOf.get(group);
      const paths = group.passages.map((passage) => notes.pathOf(passage));
      const note = needsNote(group, known, paths) ? await notes.of(group, group.passages[0]!) : undefined;
      return entryFor(group, known, note);
    };
    const entries = await Promise.all(groups.map(entryNow));
    if (!(await writeEntries(file, [...entries, ...pairs]))) return;
    // The groups are also known in this window.
    findings.forgetNews();
    findings.stay();
    announce(vscode.l10n.t('Recorded as known in {0}: {1}', baselineName, groupCount(groups.length)));
  }
}
