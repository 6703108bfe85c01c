/** Selects the copies of a file to mark in the editor, for diagnostics, decorations, CodeLenses, and hovers. */
import * as vscode from 'vscode';
import { append } from '../../../core/collections/lists.ts';
import type { Group } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { overlap } from '../../../core/collections/textPositions.ts';
import { withoutNested } from '../../../presentation/wording/occurrences.ts';
import type { Copy } from '../../../session/client/report.ts';
import { notebookOf } from '../workspace/notebooks.ts';
import { type DiagnosticSettings, type Severity } from '../settings.ts';

export interface MarkedCopies {
  /** Marked copies, sorted by line. */
  readonly copies: readonly Copy[];
  /** Returns the copies of nested groups that overlap a marked copy, sorted by line. */
  readonly insideOf: (copy: Copy) => readonly Copy[];
}

/** Returns the marked copies of a file: of groups with their own row, and of nested ones where these have none. */
export function markedIn(findings: FindingsModel, uri: vscode.Uri, settings: DiagnosticSettings): MarkedCopies {
  const all = findings.copiesIn(uri);
  const severityOf = severitiesIn(uri, settings);
  const shown = all.filter(({ group }) => severityOf(group) !== undefined);
  return { copies: withoutNested(shown, (group) => findings.isRow(group)), insideOf: insides(all) };
}

/** Returns the shortest marked copy that contains a line, counted from 0. */
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

/** Returns a function that looks up the severity of a group in a file; `undefined` means no diagnostic. */
export function severitiesIn(
  uri: vscode.Uri,
  { severities: inWindow, severitiesInFolders }: DiagnosticSettings,
): (group: Group) => vscode.DiagnosticSeverity | undefined {
  // Only a window with a workspace file can have different severities per folder. Otherwise, the file's folder need not
  // be looked up.
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
 * Returns a function that finds the nested groups of a copy. For each nested group, it returns the first copy that
 * shares lines with the given copy.
 *
 * @param all  all copies in the file, sorted by line
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
