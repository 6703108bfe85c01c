/** Registers everything that marks and explains copies in editors. */
import * as vscode from 'vscode';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { type DiagnosticSettings, shownDiagnostics } from '../settings.ts';
import { registerCodeActions } from './codeActions.ts';
import { registerPassageDocuments } from './compare.ts';
import { MultiDiffEditors } from './multiDiffEditors.ts';
import type { ActionNeeds } from './copyActions.ts';
import { CopyDecorations } from './copyDecorations.ts';
import { registerCopyHover } from './copyHover.ts';
import { CopyLenses } from './copyLenses.ts';
import { Diagnostics } from './diagnostics.ts';
import { EditedCopies } from './editedCopies.ts';
import { EditHints } from './editHints.ts';
import { registerExplanations } from './explainMatch.ts';
import { FileLineNumbers } from './fileLineNumbers.ts';

export interface EditorNeeds {
  readonly context: vscode.ExtensionContext;
  readonly client: EngineClient;
  readonly scanner: Scanner;
  readonly findings: FindingsModel;
  readonly text: SavedText;
}

export interface EditorParts {
  readonly diagnostics: Diagnostics;
  readonly decorations: CopyDecorations;
  readonly edited: EditedCopies;
  readonly hints: EditHints;
  readonly multiDiffs: MultiDiffEditors;
  /** Applies changed settings. */
  readonly render: () => void;
}

export function registerEditor(
  { context, client, scanner, findings, text }: EditorNeeds,
  { canonicals, names }: Pick<ActionNeeds, 'canonicals' | 'names'>,
): EditorParts {
  const readMarked = (): DiagnosticSettings => shownDiagnostics(scanner.settings);
  const diagnostics = new Diagnostics(findings, readMarked);
  const media = vscode.Uri.joinPath(context.extensionUri, 'media');
  const decorations = new CopyDecorations(findings, () => scanner.settings, media);
  const lenses = new CopyLenses(findings, () => scanner.settings);
  const edited = new EditedCopies(findings, text, () => {
    const { inconsistentEdits, marks } = scanner.settings.editor;
    return marks && inconsistentEdits !== 'off' ? scanner.settings.diagnostics : undefined;
  });
  const hints = new EditHints(edited, () => scanner.settings.editor);
  const multiDiffs = new MultiDiffEditors(findings, names, text);
  context.subscriptions.push(
    diagnostics,
    decorations,
    lenses,
    edited,
    hints,
    multiDiffs,
    new FileLineNumbers(),
    registerPassageDocuments(text),
    registerExplanations(client, findings.notebooks, () => ({
      options: scanner.settings.options,
      languages: scanner.languages,
    })),
    registerCodeActions(diagnostics, { findings, names, canonicals }, readMarked),
    registerCopyHover(diagnostics, { findings, names, canonicals }, () => scanner.settings),
  );
  const render = (): void => {
    diagnostics.render();
    decorations.render();
    lenses.render();
    edited.settingsChanged();
    hints.render();
  };
  return { diagnostics, decorations, edited, hints, multiDiffs, render };
}
