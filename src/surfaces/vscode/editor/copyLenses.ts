/** CodeLens above each copy, with the number of other copies. Off by default. */
import * as vscode from 'vscode';
import type { FindingsModel } from '../findings/findings.ts';
import { siblingsOf } from '../../../presentation/wording/siblings.ts';
import type { Settings } from '../settings.ts';
import { placeBeside, quantity } from '../wording.ts';
import { referenceTo } from './copyReference.ts';
import { markedIn } from './markedCopies.ts';
import { Subscriber } from '../subscriber.ts';

export class CopyLenses extends Subscriber implements vscode.CodeLensProvider {
  readonly #findings: FindingsModel;
  readonly #readSettings: () => Settings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(findings: FindingsModel, readSettings: () => Settings) {
    super();
    this.#findings = findings;
    this.#readSettings = readSettings;
    this.own(
      findings.onDidChange(() => this.render()),
      vscode.languages.registerCodeLensProvider('*', this),
      this.#changed,
    );
  }

  /** Makes VS Code request the CodeLenses again. */
  render(): void {
    this.#changed.fire();
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const { editor, diagnostics } = this.#readSettings();
    if (!editor.marks || !editor.show.codeLens) return [];
    return markedIn(this.#findings, uri, diagnostics).copies.map((copy) => {
      const [closest, ...others] = siblingsOf(copy);
      const there = placeBeside(this.#findings.now(closest!.passage), this.#findings.now(copy.passage));
      const title =
        others.length === 0
          ? vscode.l10n.t('Also in {0}', there)
          : vscode.l10n.t('Also in {0} and {1} more', there, quantity(others.length));
      const { start } = this.#findings.rangeIn(uri, copy.passage);
      return new vscode.CodeLens(new vscode.Range(start, start), {
        title,
        command: 'kindred.peekCopies',
        arguments: [referenceTo(copy)],
      });
    });
  }
}
