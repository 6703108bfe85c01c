/**
 * Shows a hint if the user has edited one copy and not the others: a text after the first changed line, with actions in
 * its hover and light bulb. Every edit of the document removes the hint. It returns after the next comparison.
 */
import * as vscode from 'vscode';
import { isObject } from '../../../core/collections/parsedValues.ts';
import type { EditorSettings } from '../settings.ts';
import { asMarkdown } from '../markdown.ts';
import { lineRange, namesAmong, placeBeside, quantity } from '../wording.ts';
import { linkTo } from './copyHover.ts';
import { diagnosticSource } from './diagnostics.ts';
import type { EditedCopies, EditedCopy } from './editedCopies.ts';
import { Subscriber } from '../subscriber.ts';

/** Maximum number of other copies to list in a message. */
const maxNamed = 5;

export class EditHints extends Subscriber implements vscode.CodeActionProvider {
  readonly #edited: EditedCopies;
  readonly #readSettings: () => EditorSettings;
  readonly #collection = vscode.languages.createDiagnosticCollection(`${diagnosticSource}-edits`);
  readonly #sentence = vscode.window.createTextEditorDecorationType({
    after: {
      color: new vscode.ThemeColor('kindred.hintForeground'),
      margin: '0 0 0 3em',
      fontStyle: 'italic',
    },
    rangeBehavior: vscode.DecorationRangeBehavior.OpenOpen,
  });

  #hasAny = false;

  constructor(edited: EditedCopies, readSettings: () => EditorSettings) {
    super();
    this.#edited = edited;
    this.#readSettings = readSettings;
    this.own(
      this.#collection,
      this.#sentence,
      edited.onDidChange(() => this.render()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.render()),
      vscode.languages.registerCodeActionsProvider('*', this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
  }

  render(): void {
    const { inconsistentEdits } = this.#readSettings();
    const all = this.#edited.all();
    if (this.#hasAny !== all.length > 0) {
      this.#hasAny = all.length > 0;
      void vscode.commands.executeCommand('setContext', 'kindred.hasEditedCopy', this.#hasAny);
    }
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.#sentence, this.sentencesIn(editor.document));
    }
    const byFile = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
    for (const copy of all) {
      const entry = byFile.get(copy.uri.toString()) ?? [copy.uri, []];
      byFile.set(copy.uri.toString(), entry);
      entry[1].push(diagnosticOf(copy, inconsistentEdits));
    }
    // Replace the diagnostics file by file, because clearing all of them first would cause flicker.
    const staleUris: vscode.Uri[] = [];
    this.#collection.forEach((uri) => {
      if (!byFile.has(uri.toString())) staleUris.push(uri);
    });
    for (const uri of staleUris) this.#collection.delete(uri);
    for (const [uri, diagnostics] of byFile.values()) this.#collection.set(uri, diagnostics);
  }

  sentencesIn({ uri, lineCount }: vscode.TextDocument): vscode.DecorationOptions[] {
    return this.#edited
      .all()
      .filter((copy) => copy.uri.toString() === uri.toString() && !copy.isStale)
      .map((copy) => {
        const line = Math.min(copy.firstLine, lineCount - 1);
        return {
          // Use the maximum column, which always means the end of the line. The line may be longer than known here, if
          // the extension host has not received the latest keystrokes.
          range: new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER),
          hoverMessage: hoverOf(copy),
          renderOptions: { after: { contentText: sentenceOf(copy) } },
        };
      });
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range,
    { triggerKind }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const copy = this.#edited.at(uri, range.start.line);
    if (copy === undefined) return [];
    // On lines other than the first changed one, offer actions only on request.
    const isAsked = triggerKind === vscode.CodeActionTriggerKind.Invoke;
    if (!isAsked && range.start.line !== copy.firstLine) return [];
    const diagnostics = (this.#collection.get(uri) ?? []).filter((it) => it.range.start.line === copy.firstLine);
    return actionsOf(copy).map(({ title, command, argument }) => {
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = [...diagnostics];
      action.command = { title, command, arguments: [argument] };
      return action;
    });
  }
}

/** Arguments of a command: the id of an edited copy, and the index of a copy that still has the old text. */
export interface EditedReference {
  readonly edited: number;
  readonly other?: number;
}

/** Returns the edited copy that a command's arguments refer to. Without arguments, returns the one at the cursor. */
export function editedBy(argument: unknown, edited: EditedCopies): { copy: EditedCopy; other: number } | undefined {
  if (isObject(argument) && 'edited' in argument) {
    const copy = edited.byId(argument['edited']);
    const other = typeof argument['other'] === 'number' ? argument['other'] : 0;
    return copy && { copy, other: Math.min(other, copy.outdated.length - 1) };
  }
  const editor = vscode.window.activeTextEditor;
  const copy = editor && edited.at(editor.document.uri, editor.selection.active.line);
  return copy && { copy, other: 0 };
}

/** Returns the text of the hint: "2 other copies still have the old text". */
function sentenceOf({ outdated: { length } }: EditedCopy): string {
  return length === 1
    ? vscode.l10n.t('1 other copy still has the old text')
    : vscode.l10n.t('{0} other copies still have the old text', quantity(length));
}

function actionsOf(copy: EditedCopy): { title: string; command: string; argument: EditedReference }[] {
  const { id, outdated } = copy;
  const [first] = outdated;
  const there = placeBeside(first!.passage, copy.passage);
  return [
    {
      title:
        outdated.length === 1
          ? vscode.l10n.t('Apply this edit to {0}…', there)
          : vscode.l10n.t('Apply this edit to {0} other copies…', quantity(outdated.length)),
      command: 'kindred.applyToCopies',
      argument: { edited: id },
    },
    {
      title: vscode.l10n.t('Compare this edit with {0}', there),
      command: 'kindred.compareEdited',
      argument: { edited: id },
    },
    {
      title: vscode.l10n.t('Leave the other copies as they are'),
      command: 'kindred.dismissEdit',
      argument: { edited: id },
    },
  ];
}

function hoverOf(copy: EditedCopy): vscode.MarkdownString {
  const { outdated, passage, id } = copy;
  const named = outdated.slice(0, maxNamed);
  const names = namesAmong([passage, ...named.map((other) => other.passage)].map(({ path }) => path));
  const places = named.map((other, at) => {
    const label = asMarkdown(`${names.get(other.passage.path)!}:${lineRange(other.passage)}`);
    return `[${label}](${linkTo('kindred.compareEdited', [{ edited: id, other: at }])})`;
  });
  const more = outdated.length - named.length;
  if (more > 0) places.push(asMarkdown(vscode.l10n.t('{0} more', quantity(more))));
  const [apply, , dismiss] = actionsOf(copy);
  const links = [apply!, dismiss!].map(
    ({ title, command, argument }) => `[${asMarkdown(title)}](${linkTo(command, [argument])})`,
  );
  const markdown = new vscode.MarkdownString(
    `${asMarkdown(sentenceOf(copy))}: ${places.join(', ')}\n\n${links.join(' · ')}`,
  );
  markdown.isTrusted = { enabledCommands: ['kindred.compareEdited', 'kindred.applyToCopies', 'kindred.dismissEdit'] };
  return markdown;
}

function diagnosticOf(copy: EditedCopy, level: EditorSettings['inconsistentEdits']): vscode.Diagnostic {
  const { uri, firstLine, outdated } = copy;
  const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
  const line = document?.lineAt(Math.min(firstLine, document.lineCount - 1));
  const range = line
    ? new vscode.Range(
        line.lineNumber,
        line.firstNonWhitespaceCharacterIndex,
        line.lineNumber,
        line.range.end.character,
      )
    : new vscode.Range(firstLine, 0, firstLine, Number.MAX_SAFE_INTEGER);
  const severity = level === 'information' ? vscode.DiagnosticSeverity.Information : vscode.DiagnosticSeverity.Hint;
  const diagnostic = new vscode.Diagnostic(range, sentenceOf(copy), severity);
  diagnostic.source = diagnosticSource;
  diagnostic.code = 'inconsistent-copy';
  diagnostic.relatedInformation = outdated.slice(0, maxNamed).map(({ uri: where, passage }) => {
    const { startLine, endLine } = passage;
    const location = new vscode.Location(
      where,
      new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER),
    );
    return new vscode.DiagnosticRelatedInformation(location, placeBeside(passage, copy.passage));
  });
  return diagnostic;
}
