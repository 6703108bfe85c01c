/**
 * After a paste of ten lines or more that exist elsewhere, the paste widget has *Go to Existing Copy*. Nothing pops up, and
 * the paste never waits for it: an answer that is not there at once is none.
 */
import * as vscode from 'vscode';
import { inCell, showLocation } from '../findings/showPassage.ts';
import { isCell } from '../workspace/notebooks.ts';
import { isWritable } from '../workspace/openFiles.ts';
import type { FoundPlace, SearchedText, SimilarSearch } from './similarSearch.ts';

const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('kindred', 'existingCopy');
const leastLines = 10;

/** A person does not notice so much. */
const withinMs = 60;

/** The least share of the pasted text that an existing copy has, and how alike the two are. */
const leastCovered = 0.8;
const leastSimilarity = 0.8;

export class ExistingCopyEdit extends vscode.DocumentPasteEdit {
  readonly place: vscode.Location;

  constructor(text: string, place: vscode.Location) {
    super(text, vscode.l10n.t('Go to Existing Copy'), kind);
    this.place = place;
    // Pasted is what is in the clipboard; this is for whoever opens the widget.
    this.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
  }
}

/** Whether a document is somebody's own, or a cell of a notebook; others are made by programs, such as the box of a commit. */
function isOwnText(uri: vscode.Uri): boolean {
  return isCell(uri) || isWritable(uri);
}

async function showBeside(place: vscode.Location): Promise<void> {
  await showLocation(await inCell(place), { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/**
 * Whether a copy still stands where it was found: what was cut to be pasted is no copy, and the index may not know yet. Half of
 * its lines are enough, since a copy may be edited.
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

export function pasteEdits(
  search: SimilarSearch,
  isWanted: () => boolean,
): vscode.DocumentPasteEditProvider<ExistingCopyEdit> {
  return {
    async provideDocumentPasteEdits(document, ranges, dataTransfer, _context, token) {
      if (!isWanted() || !isOwnText(document.uri)) return undefined;
      const text = await dataTransfer.get('text/plain')?.asString();
      if (text === undefined || text.trim().split('\n').length < leastLines) return undefined;
      const searched: SearchedText = { text, document, range: ranges[0], name: '' };
      const found = await search.glance(searched, withinMs);
      const [copy] = (found?.places ?? []).filter(
        (place) => place.covered >= leastCovered && place.similarity >= leastSimilarity && isThere(place, text),
      );
      if (copy === undefined || token.isCancellationRequested) return undefined;
      return [new ExistingCopyEdit(text, new vscode.Location(copy.uri, copy.range))];
    },

    /** It is asked for when somebody has chosen it: the text stays, and the copy is shown beside it. */
    resolveDocumentPasteEdit(edit) {
      setTimeout(() => void showBeside(edit.place), 0);
      return edit;
    },
  };
}
