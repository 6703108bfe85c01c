/**
 * Offers *Go to Existing Copy* in the paste widget, after the user has pasted at least ten lines that exist elsewhere.
 * There is no pop-up, and the paste is not delayed noticeably: an answer that takes too long is ignored.
 */
import * as vscode from 'vscode';
import { inCell, showLocation } from '../findings/showPassage.ts';
import { isCell } from '../workspace/notebooks.ts';
import { isWritable } from '../workspace/openFiles.ts';
import type { FoundPlace, SearchedText, SimilarSearch } from './similarSearch.ts';

const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('kindred', 'existingCopy');
const leastLines = 10;

/** Maximum delay of a paste, too short to notice. */
const withinMs = 60;

/** Share of the pasted text that an existing copy must have, and the similarity that it must have. */
const minCoverage = 0.8;
const leastSimilarity = 0.8;

export class ExistingCopyEdit extends vscode.DocumentPasteEdit {
  readonly place: vscode.Location;

  constructor(text: string, place: vscode.Location) {
    super(text, vscode.l10n.t('Go to Existing Copy'), kind);
    this.place = place;
    // By default the clipboard text is pasted. This paste edit only appears in the widget.
    this.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
  }
}

/**
 * True if the user writes the document or notebook cell. Programs create other documents, such as the input for a
 * commit message.
 */
function isOwnText(uri: vscode.Uri): boolean {
  return isCell(uri) || isWritable(uri);
}

async function showBeside(place: vscode.Location): Promise<void> {
  await showLocation(await inCell(place), { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/**
 * True if a found copy still exists. A text that was cut and pasted is not a copy of itself, and the index may be older
 * than that. Half of the lines must still be there, because a copy may have been edited.
 */
function isThere({ uri, range }: FoundPlace, text: string): boolean {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty !== true) return true;
  const linesOf = (of: string): string[] => of.split(/\r?\n/).map((line) => line.trim());
  const there = new Set(linesOf(open.getText(range)));
  const wanted = linesOf(text).filter((line) => line !== '');
  return 2 * wanted.filter((line) => there.has(line)).length >= wanted.length;
}

export function registerPasteEdits(search: SimilarSearch, isWanted: () => boolean): vscode.Disposable {
  return vscode.languages.registerDocumentPasteEditProvider('*', pasteEdits(search, isWanted), {
    pasteMimeTypes: ['text/plain'],
    providedPasteEditKinds: [kind],
  });
}

/** @param limitMs  maximum delay of a paste */
export function pasteEdits(
  search: SimilarSearch,
  isWanted: () => boolean,
  limitMs = withinMs,
): vscode.DocumentPasteEditProvider<ExistingCopyEdit> {
  return {
    async provideDocumentPasteEdits(document, ranges, dataTransfer, _context, token) {
      if (!isWanted() || !isOwnText(document.uri)) return undefined;
      const text = await dataTransfer.get('text/plain')?.asString();
      if (text === undefined || text.trim().split('\n').length < leastLines) return undefined;
      const searched: SearchedText = { text, document, range: ranges[0], name: '' };
      const found = await search.glance(searched, limitMs);
      const [copy] = (found?.places ?? []).filter(
        (place) => place.covered >= minCoverage && place.similarity >= leastSimilarity && isThere(place, text),
      );
      if (copy === undefined || token.isCancellationRequested) return undefined;
      return [new ExistingCopyEdit(text, new vscode.Location(copy.uri, copy.range))];
    },

    /** VS Code calls this when the user has chosen the paste edit. The text is pasted, and the copy opens beside it. */
    resolveDocumentPasteEdit(edit) {
      setTimeout(() => void showBeside(edit.place), 0);
      return edit;
    },
  };
}
