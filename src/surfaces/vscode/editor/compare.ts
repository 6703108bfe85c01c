/**
 * Compares two passages in the diff editor. Each passage is a read-only virtual document. Its URI scheme is `kindred`;
 * or `kindred-aligned` if names are replaced with those of the other passage; or `kindred-prose` if it is prose,
 * displayed with one sentence per line.
 */
import * as vscode from 'vscode';
import { reflow } from '../../../presentation/copies/reflow.ts';
import { canAlign, foldNames } from '../../../presentation/copies/renaming.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { excerptPath } from '../workspace/excerpts.ts';
import { type CopyPair, type FindingsModel, likeness } from '../findings/findings.ts';
import { languageOf, sharedLanguages } from '../workspace/languages.ts';
import { isCell, isNotebookPath } from '../workspace/notebooks.ts';
import { isWritable } from '../workspace/openFiles.ts';
import type { PassageNames } from '../tree/passageNames.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Copy } from '../../../session/client/report.ts';
import { baseName, folderName, named, oneLine, pairOfPlaces, placeIn } from '../wording.ts';

const scheme = 'kindred';
const alignedScheme = 'kindred-aligned';
const proseScheme = 'kindred-prose';
const schemes: readonly string[] = [scheme, alignedScheme, proseScheme];

/** For each virtual document with prose, by URI: the line of the passage for each of its lines, from 0. */
const linesOfProse = new Map<string, readonly number[]>();

interface Lines {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Present only for a notebook: the parts of cells that the passage covers. */
  readonly inCells?: CellPassage | undefined;
  /** Text to show, if it comes from the clipboard instead of a file. */
  // eslint-disable-next-line no-restricted-syntax -- The name is in URIs of open editors, which VS Code restores.
  readonly given?: string | undefined;
}

interface CellPassage extends Omit<Passage, 'startLine' | 'endLine'> {
  /** For each part in a cell: its first line in the cell, counted from 1, and its number of lines. */
  readonly parts: readonly (readonly [startLine: number, count: number])[];
}

/** Origin of a virtual document's text, stored in its URI, so that VS Code can restore the editor after a restart. */
interface Source extends Lines {
  /** Id of the group. It distinguishes a whole file from a passage with the same lines. */
  readonly group: string;
  /** Number of the report. It makes the URI unique: the same lines may have another text in another report. */
  readonly generation: number;
  /** Folder of the file. VS Code shows it as the label of the document (package.json). */
  readonly folder: string;
  /** The other passage, whose names this document takes. `title` is that of the diff editor before this. */
  readonly beside?: Lines;
  readonly title?: string;
}

/** Registers the content provider of the virtual documents. */
export function registerPassageDocuments(text: SavedText): vscode.Disposable {
  const provider: vscode.TextDocumentContentProvider = {
    async provideTextDocumentContent(uri) {
      const source = sourceOf(uri);
      const lines = await textOf(text, source);
      if (uri.scheme === proseScheme) {
        const { file, startLine } = source;
        const above = startLine > 1 ? await text.linesOf(vscode.Uri.parse(file, true), 1, startLine - 1) : [];
        const sentences = reflow(lines.split('\n'), above);
        linesOfProse.set(
          uri.toString(),
          sentences.map(({ line }) => line),
        );
        return sentences.map((sentence) => sentence.text).join('\n');
      }
      const { beside } = source;
      return beside ? foldNames(await textOf(text, beside), lines, sharedLanguage(beside, source)).text : lines;
    },
  };
  return vscode.Disposable.from(
    ...schemes.map((each) => vscode.workspace.registerTextDocumentContentProvider(each, provider)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => linesOfProse.delete(uri.toString())),
  );
}

async function textOf(
  text: SavedText,
  { file, startLine, endLine, inCells, given: shownText }: Lines,
): Promise<string> {
  if (shownText !== undefined) return shownText;
  const cells = inCells && (await text.linesInCells({ ...inCells, startLine, endLine }));
  if (cells) return cells.join('\n');
  const lines = await text.linesOf(vscode.Uri.parse(file, true), startLine, endLine);
  if (lines.length === 0) throw new Error(vscode.l10n.t('The file was changed or deleted.'));
  return lines.join('\n');
}

export async function comparePassages(
  findings: FindingsModel,
  names: PassageNames,
  group: Group,
  left: number,
  right: number,
): Promise<void> {
  const both = [group.passages[left]!, group.passages[right]!] as const;
  const [a, b] = [findings.now(both[0]), findings.now(both[1])];
  const found = await Promise.all(both.map((passage) => names.inTitle(group, passage)));
  const name = [...new Set(found.filter((one) => one !== undefined))].join(' ↔ ');
  await showCompare(findings, [a, b], { ...group, note: likeness(group, left, right), name });
}

/** Group that the passages belong to. If it has no kind and no category, the passages are displayed without changes. */
export type ComparedGroup = Pick<Group, 'id'> & Partial<Pick<Group, 'kind' | 'category'>>;

/**
 * Opens two passages in the diff editor.
 *
 * @param group  id of the passages' group; optionally, a note for the title and the name of the function or class
 */
export async function showCompare(
  findings: FindingsModel,
  [a, b]: readonly [Passage, Passage],
  group: ComparedGroup & { readonly note: string; readonly name?: string },
): Promise<void> {
  const [left, right] = await Promise.all([a, b].map((passage) => documentOf(findings, group, passage)));
  const title = named(group.name, `${pairOfPlaces(a, b).join(' ↔ ')} (${group.note})`);
  await vscode.commands.executeCommand('vscode.diff', left, right, oneLine(title));
}

/** A text that the user searched for, and a passage that was found. */
export interface FoundPair {
  readonly searched: {
    readonly text: string;
    readonly name: string;
    readonly document: vscode.TextDocument;
    /** Range of the text in its document; `undefined` if the text is from the clipboard. */
    readonly range: vscode.Range | undefined;
  };
  readonly found: {
    readonly passage: Passage;
    readonly uri: vscode.Uri;
    readonly range: vscode.Range;
    /** Lines of the searched text that match the passage, counted from 1. */
    readonly textLines: { readonly start: number; readonly end: number };
  };
  /** Note about the pair, which is part of the title. */
  readonly note: string;
}

/** Compares a found passage with the lines of the searched text that match it. */
export async function compareFound(
  findings: FindingsModel,
  { searched: { text, name, document, range }, found, note }: FoundPair,
): Promise<void> {
  const { start, end } = found.textLines;
  // If the document has changed since the search, show the text that was searched for.
  const isThere = range !== undefined && !document.isClosed && document.getText(range) === text;
  const first = isThere && !isCell(document.uri) ? range.start.line : 0;
  const shownLines = text.split(/\r\n|\r|\n/).slice(start - 1, end);
  const left = excerptOf(document.uri, document.languageId, {
    startLine: first + start,
    endLine: first + end,
    given: isThere && document.uri.scheme === 'file' ? undefined : shownLines.join('\n'),
  });
  const { startLine, endLine } = linesOfRange(found.range);
  const isInReport = findings.snapshot?.folders.pathOf(found.uri) === found.passage.path;
  const right =
    isInReport || isNotebookPath(found.passage.path)
      ? await documentOf(findings, { id: '' }, found.passage)
      : excerptOf(found.uri, languageOf(found.passage.path), { startLine, endLine });
  const title = `${name} ↔ ${placeIn(baseName(found.passage.path), found.passage)} (${note})`;
  await vscode.commands.executeCommand('vscode.diff', left, right, oneLine(title));
}

/**
 * Returns the lines of a range, counted from 1. The end of a range is exclusive, so a range that ends at the beginning
 * of a line does not include that line.
 */
function linesOfRange({ start, end, isSingleLine }: vscode.Range): Pick<Lines, 'startLine' | 'endLine'> {
  return { startLine: start.line + 1, endLine: end.character > 0 || isSingleLine ? end.line + 1 : end.line };
}

function excerptOf(uri: vscode.Uri, languageId: string, lines: Omit<Lines, 'file'>): vscode.Uri {
  const source = { file: uri.toString(), ...lines, group: '', generation: Date.now(), folder: folderName(uri.path) };
  return excerptUri(source, languageId, placeIn(baseName(uri.path), lines));
}

/** Opens a comparison again, with the left side's names on both sides or as written. Returns a message if it fails. */
export async function alignPair(
  text: SavedText,
  tab: vscode.Tab,
  { original, modified }: vscode.TabInputTextDiff,
  isAligned: boolean,
): Promise<string | undefined> {
  const right = sourceOf(modified);
  if (isAligned === (right.beside !== undefined)) return undefined;
  const { title = tab.label } = right;
  const show = async (uri: vscode.Uri, label: string): Promise<void> => {
    await vscode.commands.executeCommand('vscode.diff', original, uri, label);
    await closeReplaced(tab);
  };
  if (!isAligned) {
    await show(asWritten(modified), title);
    return undefined;
  }
  const aligned = await alignedTo(text, original, modified, title);
  if (typeof aligned === 'string') return aligned;
  await show(aligned.uri, vscode.l10n.t('{0}, names aligned: {1}', title, aligned.names));
  return undefined;
}

/** Closes a tab that another one has replaced, unless VS Code has (preview tabs). Pinned tabs stay open. */
export async function closeReplaced(tab: vscode.Tab): Promise<void> {
  const isOpen = vscode.window.tabGroups.all.some(({ tabs }) => tabs.includes(tab));
  if (isOpen) await vscode.window.tabGroups.close(tab, true);
}

/**
 * Returns a passage in which names are replaced with those of another passage, and a text that lists some of these
 * names. Returns a message if that is not possible.
 *
 * @param title  title of the comparison without replaced names
 */
export async function alignedTo(
  text: SavedText,
  original: vscode.Uri,
  modified: vscode.Uri,
  title: string,
): Promise<{ readonly uri: vscode.Uri; readonly names: string } | string> {
  if (isProse(original)) return vscode.l10n.t('Names can be aligned only in code.');
  const [left, right] = [sourceOf(original), sourceOf(modified)];
  const texts = [await textOf(text, left), await textOf(text, right)] as const;
  if (!canAlign(...texts)) return vscode.l10n.t('These copies are too long to align their names.');
  const { names } = foldNames(...texts, sharedLanguage(left, right));
  if (names.length === 0) return vscode.l10n.t('No names differ consistently between these two copies.');
  const aligned: Source = { ...right, beside: linesIn(left), title };
  const listed = names.slice(0, maxNames).map((name) => `${name.right} → ${name.left}`);
  return {
    uri: modified.with({ scheme: alignedScheme, query: JSON.stringify(aligned) }),
    names: [...listed, ...(names.length > maxNames ? ['…'] : [])].join(', '),
  };
}

/** Returns the URI of the same passage without replaced names. */
function asWritten(uri: vscode.Uri): vscode.Uri {
  const { group, generation, folder, ...lines } = sourceOf(uri);
  const written: Source = { ...linesIn(lines), group, generation, folder };
  return uri.with({ scheme, query: JSON.stringify(written) });
}

function sourceOf({ query }: vscode.Uri): Source {
  return JSON.parse(query) as Source;
}

/** Returns the language of two passages, if it is the same; `undefined` for notebooks, which may have several. */
function sharedLanguage(left: Lines, right: Lines): string | undefined {
  if (left.inCells || right.inCells) return undefined;
  return sharedLanguages()(vscode.Uri.parse(left.file, true), vscode.Uri.parse(right.file, true));
}

function linesIn({ file, startLine, endLine, inCells, given: shownText }: Lines): Lines {
  return { file, startLine, endLine, inCells, given: shownText };
}

/** Maximum number of replaced names to list in the title of a comparison. */
const maxNames = 3;

/** Returns true if a document is a virtual document of a comparison. */
export function isExcerpt(uri: vscode.Uri): boolean {
  return schemes.includes(uri.scheme);
}

/** Returns true if a document is a virtual document with prose, one sentence per line. */
export function isProse(uri: vscode.Uri): boolean {
  return uri.scheme === proseScheme;
}

export function comparesPassages(): boolean {
  return passagesInFront() !== undefined;
}

/** Returns where the two compared passages are in their files; `undefined` if the active editor shows no comparison. */
export function comparedPlaces(): readonly [left: vscode.Location, right: vscode.Location] | undefined {
  const passages = passagesInFront();
  return passages && !passages.some(isGiven) ? [placeOf(passages[0]), placeOf(passages[1])] : undefined;
}

function passagesInFront(): readonly [left: vscode.Uri, right: vscode.Uri] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const { original, modified } = input;
  return isExcerpt(original) && isExcerpt(modified) ? [original, modified] : undefined;
}

/** Returns true if the document's text comes from the clipboard. */
function isGiven(uri: vscode.Uri): boolean {
  return sourceOf(uri).given !== undefined;
}

function placeOf(uri: vscode.Uri): vscode.Location {
  const { file, startLine, endLine } = sourceOf(uri);
  const range = new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER);
  return new vscode.Location(vscode.Uri.parse(file, true), range);
}

/** Returns the URI of the virtual document of a passage. */
export async function documentOf(findings: FindingsModel, group: ComparedGroup, passage: Passage): Promise<vscode.Uri> {
  const { notebooks } = findings;
  if (isNotebookPath(passage.path)) await notebooks.read(passage.path);
  const { path: inReport, startColumn, endColumn, tokens } = passage;
  const parts = notebooks
    .piecesOf(passage)
    .map(({ place: { startLine, endLine } }) => [startLine, endLine - startLine + 1] as const);
  const source: Source = {
    file: findings.uriOf(passage).toString(),
    startLine: passage.startLine,
    endLine: passage.endLine,
    group: group.id,
    generation: findings.snapshot?.generation ?? 0,
    folder: folderName(inReport),
    inCells: parts.length > 0 ? { path: inReport, startColumn, endColumn, tokens, parts } : undefined,
  };
  const languageId = notebooks.languageOf(passage) ?? languageOf(inReport);
  const uri = excerptUri(source, languageId, placeIn(baseName(inReport), passage));
  const isProse = group.kind === 'prose' || (group.kind === 'file' && group.category === 'text');
  return isProse && parts.length === 0 ? uri.with({ scheme: proseScheme }) : uri;
}

function excerptUri(source: Source, languageId: string, heading: string): vscode.Uri {
  return vscode.Uri.from({ scheme, path: excerptPath(languageId, heading), query: JSON.stringify(source) });
}

/** Converts a line of a document to the file and line that it shows. A document that is not virtual shows itself. */
export function lineInFile({ uri }: vscode.TextDocument, line: number): { uri: vscode.Uri; line: number } {
  if (!isExcerpt(uri)) return { uri, line };
  const { file, startLine, given: shownText } = sourceOf(uri);
  // A text from the clipboard is in no file.
  if (shownText !== undefined) return { uri, line };
  return { uri: vscode.Uri.parse(file, true), line: startLine - 1 + lineInPassage(uri, line) };
}

/** Returns the file in the active editor; `undefined` for documents that are not written by users, such as logs. */
export function activeFile(): vscode.Uri | undefined {
  const { activeTextEditor, activeNotebookEditor } = vscode.window;
  const document = activeTextEditor?.document;
  // A notebook without a cell being edited has no active text editor.
  if (document === undefined || isCell(document.uri)) return activeNotebookEditor?.notebook.uri;
  const { uri } = lineInFile(document, 0);
  return isWritable(uri) ? uri : undefined;
}

/** Returns the line number to display, counted from 1. In a notebook, it is the line number in the cell. */
export function lineNumberOf(document: vscode.TextDocument, line: number): number {
  const parts = isExcerpt(document.uri) ? (sourceOf(document.uri).inCells?.parts ?? []) : [];
  let before = 0;
  for (const [startLine, count] of parts) {
    if (line < before + count) return startLine + line - before;
    before += count;
  }
  const { startLine } = isExcerpt(document.uri) ? sourceOf(document.uri) : { startLine: 1 };
  return startLine + lineInPassage(document.uri, line);
}

function lineInPassage(uri: vscode.Uri, line: number): number {
  return linesOfProse.get(uri.toString())?.[line] ?? line;
}

/**
 * Returns the pair that a document's editor compares. Without a document, returns the pair of the active editor.
 * Returns `undefined` if the editor shows no comparison, or if the findings no longer contain the pair.
 */
export function comparedPair(findings: FindingsModel, document?: vscode.Uri): CopyPair | undefined {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  // If several editor groups show the same comparison, prefer the active group.
  const compares = [activeTabGroup, ...all]
    .map(({ activeTab }) => activeTab?.input)
    .filter((input) => input instanceof vscode.TabInputTextDiff);
  const key = document?.toString();
  const input =
    key === undefined
      ? compares.find((compare) => compare === activeTabGroup.activeTab?.input)
      : compares.find(({ original, modified }) => [original, modified].some((uri) => uri.toString() === key));
  if (input === undefined) return undefined;
  const [left, right] = [input.original, input.modified].map((uri) => (isExcerpt(uri) ? copiesOf(uri) : []));
  for (const { group, place } of left!) {
    const other = right!.find((copy) => copy.group.id === group.id && copy.place !== place);
    if (other) return [group, place, other.place];
  }
  return undefined;

  /** Returns the copies that a virtual document shows. The copy of the compared group comes first. */
  function copiesOf(uri: vscode.Uri): Copy[] {
    const { file, startLine, endLine, group } = sourceOf(uri);
    const copies = findings.copiesAt(vscode.Uri.parse(file, true), startLine - 1).filter(({ passage }) => {
      const now = findings.now(passage);
      return now.startLine === startLine && now.endLine === endLine;
    });
    return copies.sort((left, right) => Number(right.group.id === group) - Number(left.group.id === group));
  }
}
