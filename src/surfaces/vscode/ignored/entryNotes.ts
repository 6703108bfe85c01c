/** Creates the notes in baseline entries, by which people recognize a copy. */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { EntryNote } from '../../../review/gate/baseline.ts';
import { entryNote } from '../../../presentation/wording/entryNote.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { SavedText } from '../findings/savedText.ts';

export class EntryNotes {
  readonly #findings: FindingsModel;
  readonly #text: SavedText;

  constructor(findings: FindingsModel, text: SavedText) {
    this.#findings = findings;
    this.#text = text;
  }

  /** Returns the note for a copy. If the file cannot be read, the note has no name and no text. */
  async of(group: Group, ofReport: Passage): Promise<EntryNote> {
    const passage = this.#findings.now(ofReport);
    const lines =
      group.kind === 'file' ? [] : await this.#text.linesOf(this.#findings.uriOf(passage), 1, passage.endLine);
    return entryNote(group, passage, this.pathOf(passage), lines);
  }

  /** Returns the path of a passage relative to its workspace folder. */
  pathOf(passage: Passage): string {
    return vscode.workspace.asRelativePath(this.#findings.uriOf(passage), false);
  }
}
