/**
 * Findings as diagnostics: one for each passage of a row, with the other copies as related places. What is shown in a row has
 * none of its own, since most of its lines have one already; the diagnostic of the row names it.
 */
import * as vscode from 'vscode';
import type { Group } from '../../engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { type Sibling, siblingsOf } from '../../client/siblings.ts';
import { isCell, openNotebooks } from '../workspace/notebooks.ts';
import { openFiles } from '../workspace/openFiles.ts';
import { markedIn, severitiesIn } from './marks.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { Slices } from '../../client/slices.ts';
import type { Copy } from '../../client/report.ts';
import { copyCount, groupTitle, lineRange, namesAmong, percent, place, placeIn, quantity } from '../wording.ts';

/** What `Diagnostic.source` says. */
export const diagnosticSource = 'kindred';

/** Related places of a diagnostic; the tree has them all. */
const maxRelated = 5;
/** The same of what is shown in its row. */
const maxInside = 3;

export class Diagnostics implements vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #readSettings: () => DiagnosticSettings;
  readonly #collection = vscode.languages.createDiagnosticCollection(diagnosticSource);
  readonly #subscriptions: vscode.Disposable;
  /** The files that have diagnostics now, by the text of their URI. */
  readonly #published = new Map<string, vscode.Uri>();
  #copies = new WeakMap<vscode.Diagnostic, Copy>();
  #leftOut = 0;
  /** How often rendering began: one that finds it has changed was overtaken, and stops. */
  #renderings = 0;
  /** Whether the last complete rendering was overtaken, or is under way. */
  #isStale = false;

  constructor(findings: FindingsModel, readSettings: () => DiagnosticSettings) {
    this.#findings = findings;
    this.#readSettings = readSettings;
    this.#subscriptions = vscode.Disposable.from(
      findings.onDidChange(() => this.render()),
      findings.onDidMove((files) => this.#renew(files)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#follow()),
    );
  }

  /** How many diagnostics the limits of the settings kept away. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** The copy that a diagnostic of ours was made from; undefined for others, and for those of an older report. */
  copyOf(diagnostic: vscode.Diagnostic): Copy | undefined {
    return this.#copies.get(diagnostic);
  }

  /** Makes all diagnostics anew. */
  render(): void {
    this.#isStale = true;
    this.#copies = new WeakMap();
    void this.#publish(() => true);
  }

  dispose(): void {
    this.#renderings++;
    this.#subscriptions.dispose();
    this.#collection.dispose();
  }

  /** Files were opened or closed: those that stay open keep what they have, which has moved with their text meanwhile. */
  #follow(): void {
    if (this.#readSettings().files !== 'open' || this.#findings.snapshot === undefined) return;
    if (this.#isStale) this.render();
    else void this.#publish((key) => !this.#published.has(key));
  }

  /** Passages of these files are at other lines now: VS Code has moved the marks in the editor, and nothing else. */
  #renew(files: readonly vscode.Uri[]): void {
    if (this.#isStale) return this.render();
    const cells = new Set(files.filter(isCell).map((uri) => uri.toString()));
    // Passages may have come to cells, or left them.
    if (cells.size > 0) return void this.#publish((key) => cells.has(key) || !this.#published.has(key));
    const settings = this.#readSettings();
    for (const uri of files) {
      const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
      const count = this.#collection.get(uri)?.length ?? 0;
      if (count === 0) continue;
      const { copies, insideOf } = markedIn(this.#findings, uri, settings);
      this.#collection.set(
        uri,
        copies.slice(0, count).map((copy) => this.#diagnostic(copy, uri, insideOf(copy), settings, document)),
      );
    }
  }

  /** Publishes the diagnostics of the files that are due, in slices, and takes back those of files that have none. */
  async #publish(isDue: (key: string) => boolean): Promise<void> {
    const rendering = ++this.#renderings;
    const settings = this.#readSettings();
    const documents = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
    const wanted = new Set<string>();
    let room = settings.max;
    let leftOut = 0;
    const slices = new Slices();
    for (const uri of this.#files(settings)) {
      const { copies: all, insideOf } = markedIn(this.#findings, uri, settings);
      const copies = all.slice(0, Math.min(settings.maxPerFile, room));
      room -= copies.length;
      leftOut += all.length - copies.length;
      const key = uri.toString();
      if (copies.length > 0) wanted.add(key);
      if (copies.length > 0 && isDue(key)) {
        // One file at a time: set all at once, VS Code stops after 1,100 in total.
        this.#collection.set(
          uri,
          copies.map((copy) => this.#diagnostic(copy, uri, insideOf(copy), settings, documents.get(key))),
        );
        this.#published.set(key, uri);
      }
      if (!slices.isUsedUp) continue;
      await slices.next();
      if (rendering !== this.#renderings) return;
    }
    for (const [key, uri] of this.#published) {
      if (wanted.has(key)) continue;
      this.#collection.delete(uri);
      this.#published.delete(key);
    }
    this.#leftOut = leftOut;
    this.#isStale = false;
  }

  /** The files that may get diagnostics, one by one: a URI takes a while to make, and there are thousands. */
  *#files(settings: DiagnosticSettings): Generator<vscode.Uri, void> {
    const { snapshot } = this.#findings;
    const notebooks = new Map(openNotebooks().map((notebook) => [notebook.uri.toString(), notebook]));
    for (const notebook of notebooks.values()) yield* notebook.getCells().map(({ document }) => document.uri);
    if (settings.files === 'open') yield* openFiles();
    else if (snapshot !== undefined) {
      for (const path of [...snapshot.copies.keys()].sort()) {
        const uri = snapshot.folders.uriOf(path);
        if (!notebooks.has(uri.toString())) yield uri;
      }
    }
  }

  #diagnostic(
    copy: Copy,
    uri: vscode.Uri,
    inside: readonly Copy[],
    settings: DiagnosticSettings,
    document: vscode.TextDocument | undefined,
  ): vscode.Diagnostic {
    const siblings = siblingsOf(copy);
    const full = this.#findings.rangeIn(uri, copy.passage);
    const diagnostic = new vscode.Diagnostic(
      settings.range === 'full' ? full : firstLine(full, document),
      withInside(message(copy.group, siblings[0]!, place(this.#findings.now(siblings[0]!.passage))), inside),
      severitiesIn(uri, settings)(copy.group),
    );
    diagnostic.source = diagnosticSource;
    diagnostic.code = codeOf(copy.group, siblings[0]!);
    const related = siblings.slice(0, maxRelated);
    // VS Code shows the name of their files alone, and five of them may be called package.json.
    const names = namesAmong([copy.passage, ...related.map(({ passage }) => passage)].map(({ path }) => path));
    diagnostic.relatedInformation = [
      ...related.map((sibling, index) => {
        const hidden = index === maxRelated - 1 ? siblings.length - maxRelated : 0;
        return this.#related(sibling, names.get(sibling.passage.path)!, hidden);
      }),
      ...inside.slice(0, maxInside).map((nested) => this.#relatedInside(nested)),
    ];
    this.#copies.set(diagnostic, copy);
    return diagnostic;
  }

  #related({ passage, similarity }: Sibling, name: string, hidden: number): vscode.DiagnosticRelatedInformation {
    const where = placeIn(name, this.#findings.now(passage));
    const alike = percent(similarity);
    const text =
      hidden > 0
        ? vscode.l10n.t('{0}, {1} similar; {2} more in the Duplicates view', where, alike, quantity(hidden))
        : vscode.l10n.t('{0}, {1} similar', where, alike);
    return new vscode.DiagnosticRelatedInformation(this.#findings.locationOf(passage), text);
  }

  #relatedInside({ group, passage }: Copy): vscode.DiagnosticRelatedInformation {
    const text = vscode.l10n.t('Inside it, {0}: {1}', lineRange(this.#findings.now(passage)), groupTitle(group));
    return new vscode.DiagnosticRelatedInformation(this.#findings.locationOf(passage), text);
  }
}

/** A message that says how many other groups there are inside the passage. */
function withInside(text: string, { length }: readonly Copy[]): string {
  if (length === 0) return text;
  return length === 1
    ? vscode.l10n.t('{0}; 1 more duplicate inside it', text)
    : vscode.l10n.t('{0}; {1} more duplicates inside it', text, quantity(length));
}

/** @param where  the place of the sibling */
function message({ type, passages }: Group, { similarity }: Sibling, where: string): string {
  const copies = copyCount(passages.length);
  if (type === 'renamed') {
    return vscode.l10n.t('Renamed copy of {0} ({1}), {2}', where, percent(similarity), copies);
  }
  // In a group of near-duplicates two may well be equal.
  if (similarity === 1) return vscode.l10n.t('Exact copy of {0}, {1}', where, copies);
  return vscode.l10n.t('Near-duplicate of {0} ({1}), {2}', where, percent(similarity), copies);
}

/** What the message says, in one word. */
function codeOf({ kind, type }: Group, { similarity }: Sibling): string {
  const code = type === 'renamed' ? 'renamed-duplicate' : similarity === 1 ? 'exact-duplicate' : 'near-duplicate';
  return kind === 'prose' ? `${code}-text` : code;
}

/** The first line of a range, up to its end where the text is at hand. */
export function firstLine({ start }: vscode.Range, document: vscode.TextDocument | undefined): vscode.Range {
  const end =
    document && start.line < document.lineCount
      ? document.lineAt(start.line).range.end
      : // A column past the end means the end.
        start.translate(0, 10_000);
  return new vscode.Range(start, end);
}
