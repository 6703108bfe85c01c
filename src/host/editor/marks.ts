/** Which copies of a file are marked in the editor, whatever the mark is: all marks tell of the same copies. */
import * as vscode from 'vscode';
import type { Group } from '../../engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { overlap, withoutNested } from '../../client/occurrences.ts';
import type { Copy } from '../../client/report.ts';
import { notebookOf } from '../workspace/notebooks.ts';
import { type DiagnosticSettings, type Severity, severityNames } from '../settings.ts';

export interface Marked {
  /** In the order of their lines. */
  readonly copies: readonly Copy[];
  /** Those of other groups inside one of them, in the order of their lines. */
  readonly insideOf: (copy: Copy) => readonly Copy[];
}

/** The copies that are rows, and of what is shown in a row those that stand where the row has no copy. */
export function markedIn(findings: FindingsModel, uri: vscode.Uri, settings: DiagnosticSettings): Marked {
  const all = findings.copiesIn(uri);
  const severityOf = severitiesIn(uri, settings);
  const shown = all.filter(({ group }) => severityOf(group) !== undefined);
  return { copies: withoutNested(shown, (group) => findings.isRow(group)), insideOf: insides(all) };
}

/** The shortest marked copy at a line, counted from zero. */
export function markedAt(
  findings: FindingsModel,
  uri: vscode.Uri,
  line: number,
  settings: DiagnosticSettings,
): Copy | undefined {
  const here = findings.copiesAt(uri, line);
  if (here.length === 0) return undefined;
  const marked = new Set(markedIn(findings, uri, settings).copies);
  return here.find((copy) => marked.has(copy));
}

/** Tells the severity of groups in a file; undefined of those that are not marked in it. */
export function severitiesIn(
  uri: vscode.Uri,
  { severity, severityInFolders }: DiagnosticSettings,
): (group: Group) => vscode.DiagnosticSeverity | undefined {
  // Most windows have one folder, and no need to ask for it.
  const isAsked = Object.keys(severityInFolders).length > 0;
  const folder = isAsked ? vscode.workspace.getWorkspaceFolder(notebookOf(uri)?.uri ?? uri)?.uri.toString() : undefined;
  const own = (folder === undefined ? undefined : severityInFolders[folder]) ?? severity;
  return ({ category }) => severities[own[severityNames[category]]];
}

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity | undefined>> = {
  off: undefined,
  hint: vscode.DiagnosticSeverity.Hint,
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
  error: vscode.DiagnosticSeverity.Error,
};

/**
 * Tells of copies of rows in a file which copies of groups that are shown in their rows have lines in common with them: of
 * each group the first.
 *
 * @param all  the copies in the file, in the order of their lines
 */
function insides(all: readonly Copy[]): (copy: Copy) => Copy[] {
  const byRow = new Map<string, Copy[]>();
  for (const copy of all) {
    const { parent } = copy.group;
    if (parent === undefined) continue;
    const list = byRow.get(parent);
    if (list) list.push(copy);
    else byRow.set(parent, [copy]);
  }
  return (row) => {
    const found = new Map<string, Copy>();
    for (const copy of byRow.get(row.group.id) ?? []) {
      const { id } = copy.group;
      if (overlap(copy.passage, row.passage) && !found.has(id)) found.set(id, copy);
    }
    return [...found.values()];
  };
}
