/**
 * Offers *Go to Existing Copy in …* in the paste widget after the user has pasted at least ten lines that already exist
 * elsewhere. It shows no pop-up, and does not delay the paste noticeably: answers that arrive too late are ignored.
 */
import * as vscode from 'vscode';
import { inCell, showLocation } from '../findings/showPassage.ts';
import { isCell } from '../workspace/notebooks.ts';
import { baseName, oneLine } from '../wording.ts';
import { isWritable } from '../workspace/openFiles.ts';
import type { FoundPlace, SearchedText, SimilarSearch } from './similarSearch.ts';

const kind = vscode.DocumentDropOrPasteEditKind.Empty.append('kindred', 'existingCopy');
const minLines = 10;

/** Maximum delay of a paste in milliseconds; too short to notice. */
const withinMs = 60;

/** Minimum share of the pasted text that an existing copy must contain; `minSimilarity` is its minimum similarity. */
const minCoverage = 0.8;
const minSimilarity = 0.8;

type PasteEdits = Required<Omit<vscode.DocumentPasteEditProvider<ExistingCopyEdit>, 'prepareDocumentPaste'>>;

export class ExistingCopyEdit extends vscode.DocumentPasteEdit {
  readonly place: vscode.Location;

  constructor(text: string, place: vscode.Location) {
    super(text, vscode.l10n.t('Go to Existing Copy in {0}', oneLine(baseName(place.uri.path))), kind);
    this.place = place;
    // Pasting the plain text stays the default. This edit is only listed in the widget.
    this.yieldTo = [vscode.DocumentDropOrPasteEditKind.Text];
  }
}

/**
 * Returns true if the user writes this document or notebook cell. Other documents are created by programs, such as the
 * input for a commit message.
 */
function isOwnText(uri: vscode.Uri): boolean {
  return isCell(uri) || isWritable(uri);
}

async function showBeside(place: vscode.Location): Promise<void> {
  await showLocation(await inCell(place), { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

/**
 * Returns true if a found copy still exists. A text that was cut and pasted is not a copy of itself, but the index may
 * still contain the old place. It is enough if half of the lines are still there, because the copy may have been
 * edited.
 */
function isThere({ uri, range }: FoundPlace, text: string): boolean {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty !== true) return true;
  const linesOf = (of: string): string[] => of.split(/\r?\n/).map((line) => line.trim());
  const there = new Set(linesOf(open.getText(range)));
  const pastedLines = linesOf(text).filter((line) => line !== '');
  return 2 * pastedLines.filter((line) => there.has(line)).length >= pastedLines.length;
}

/**
 * Registers the provider, again after each paste without an edit: VS Code (1.139 at least) releases the edits of a
 * paste by the number of pastes, but stores them by the number of pastes with edits. If the two are equal, the stored
 * edit is lost before the user selects it, and nothing happens. Both numbers begin again with each registration.
 */
export function registerPasteEdits(search: SimilarSearch, isWanted: () => boolean): vscode.Disposable {
  const provider = pasteEdits(search, isWanted);
  let registration: vscode.Disposable | undefined = register();

  function register(): vscode.Disposable {
    return vscode.languages.registerDocumentPasteEditProvider(
      '*',
      {
        ...provider,
        async provideDocumentPasteEdits(document, ranges, dataTransfer, context, token) {
          const edits = await provider.provideDocumentPasteEdits(document, ranges, dataTransfer, context, token);
          // Wait until VS Code has the answer of this provider.
          if (edits === undefined || token.isCancellationRequested) setTimeout(renew, 0);
          return edits;
        },
      },
      { pasteMimeTypes: ['text/plain'], providedPasteEditKinds: [kind] },
    );
  }

  function renew(): void {
    if (registration === undefined) return;
    registration.dispose();
    registration = register();
  }

  return new vscode.Disposable(() => {
    registration?.dispose();
    registration = undefined;
  });
}

/** @param limitMs  maximum delay of a paste in milliseconds */
export function pasteEdits(search: SimilarSearch, isWanted: () => boolean, limitMs = withinMs): PasteEdits {
  return {
    async provideDocumentPasteEdits(document, ranges, dataTransfer, _context, token) {
      if (!isWanted() || !isOwnText(document.uri)) return undefined;
      const text = await dataTransfer.get('text/plain')?.asString();
      if (text === undefined || text.trim().split('\n').length < minLines) return undefined;
      const searched: SearchedText = { text, document, range: ranges[0], name: '' };
      const found = await search.glance(searched, limitMs);
      const [copy] = (found?.places ?? []).filter(
        (place) => place.covered >= minCoverage && place.similarity >= minSimilarity && isThere(place, text),
      );
      if (copy === undefined || token.isCancellationRequested) return undefined;
      return [new ExistingCopyEdit(text, new vscode.Location(copy.uri, copy.range))];
    },

    /**
     * VS Code calls this when the user has selected the edit. It pastes the text; open the copy beside it afterwards.
     */
    resolveDocumentPasteEdit(edit) {
      setTimeout(() => void showBeside(edit.place), 0);
      return edit;
    },
  };
}
