/** Selects the copies of a file that are marked in the editor: by diagnostics, decorations, CodeLens, and hover. */
import * as vscode from 'vscode';
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { overlap, withoutNested } from '../../../presentation/wording/occurrences.ts';
import type { Copy } from '../../../session/client/report.ts';
import { notebookOf } from '../workspace/notebooks.ts';
import { type DiagnosticSettings, type Severity } from '../settings.ts';

export interface Marked {
  /** In line order. */
  readonly copies: readonly Copy[];
  /** Returns the copies of nested groups in a copy, in line order. */
  readonly insideOf: (copy: Copy) => readonly Copy[];
}

/** Returns the copies of rows, and copies of nested groups where the row has no copy. */
export function markedIn(findings: FindingsModel, uri: vscode.Uri, settings: DiagnosticSettings): Marked {
  const all = findings.copiesIn(uri);
  const severityOf = severitiesIn(uri, settings);
  const shown = all.filter(({ group }) => severityOf(group) !== undefined);
  return { copies: withoutNested(shown, (group) => findings.isRow(group)), insideOf: insides(all) };
}

/** Returns the shortest marked copy at a line, from zero. */
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

/** Returns a function for the severity of a group in a file; `undefined` for unmarked groups. */
export function severitiesIn(
  uri: vscode.Uri,
  { severities: inWindow, severitiesInFolders }: DiagnosticSettings,
): (group: Group) => vscode.DiagnosticSeverity | undefined {
  // Most windows have a single folder and no workspace file, and need no lookup.
  const isAsked = Object.keys(severitiesInFolders).length > 0;
  const folder = isAsked ? vscode.workspace.getWorkspaceFolder(notebookOf(uri)?.uri ?? uri)?.uri.toString() : undefined;
  const own = (folder === undefined ? undefined : severitiesInFolders[folder]) ?? inWindow;
  return ({ category }) => diagnosticSeverities[own[category]];
}

const diagnosticSeverities: Readonly<Record<Severity, vscode.DiagnosticSeverity | undefined>> = {
  off: undefined,
  hint: vscode.DiagnosticSeverity.Hint,
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
  error: vscode.DiagnosticSeverity.Error,
};

/**
 * Returns a function that finds the copies of nested groups that share lines with a copy of their row: the first copy
 * of each group.
 *
 * @param all  the copies in the file, in line order
 */
function insides(all: readonly Copy[]): (copy: Copy) => Copy[] {
  const byRow = new Map<string, Copy[]>();
  for (const copy of all) {
    const { parent } = copy.group;
    if (parent === undefined) continue;
    append(byRow, parent, copy);
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
