/**
 * Publishes a diagnostic for each passage of a group with its own row. Its related information lists the other copies.
 * Nested groups have no diagnostics, because most of their lines already have the diagnostic of the group around them.
 * Its message mentions the nested groups.
 */
import * as vscode from 'vscode';
import type { Group } from '../../../core/engine/report/report.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { duplicateCode, type Sibling, siblingsOf } from '../../../presentation/wording/siblings.ts';
import { isCell, openNotebooks } from '../workspace/notebooks.ts';
import { openFiles, visibleFiles } from '../workspace/openFiles.ts';
import { mostWorth } from '../../../presentation/wording/occurrences.ts';
import { markedIn, severitiesIn } from './markedCopies.ts';
import type { DiagnosticSettings } from '../settings.ts';
import { Slices } from '../../../session/client/slices.ts';
import type { Copy } from '../../../session/client/report.ts';
import { pairText, percent } from '../../../presentation/wording/likeness.ts';
import {
  baseName,
  copyCount,
  groupTitle,
  lineRange,
  namesAmong,
  oneLine,
  place,
  placeIn,
  quantity,
  spokenRange,
} from '../wording.ts';
import '../translations.ts';
import { Subscriber } from '../subscriber.ts';

export const diagnosticSource = 'kindred';

const maxRelated = 5;
/** Maximum number of nested groups to list in a diagnostic. */
const maxInside = 3;

export class Diagnostics extends Subscriber {
  readonly #findings: FindingsModel;
  readonly #readSettings: () => DiagnosticSettings;
  readonly #collection = vscode.languages.createDiagnosticCollection(diagnosticSource);
  /** URIs of the files that currently have diagnostics, by URI string. */
  readonly #published = new Map<string, vscode.Uri>();
  #copies = new WeakMap<vscode.Diagnostic, Copy>();
  #leftOut = 0;
  /** Incremented when a rendering starts. A rendering in progress ends when it sees that the number has changed. */
  #renderings = 0;
  /** True if the last rendering has not finished: it is in progress or was interrupted. */
  #isStale = false;

  constructor(findings: FindingsModel, readSettings: () => DiagnosticSettings) {
    super();
    this.#findings = findings;
    this.#readSettings = readSettings;
    this.own(
      { dispose: () => this.#renderings++ },
      findings.onDidChange(() => this.render()),
      findings.onDidMove((files) => this.#renew(files)),
      vscode.window.tabGroups.onDidChangeTabs(() => this.#follow('open')),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#follow('visible')),
      this.#collection,
    );
  }

  /** Number of diagnostics that are hidden because of the limits in the settings. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Returns the copy of a diagnostic; `undefined` if it is from another extension or an older report. */
  copyOf(diagnostic: vscode.Diagnostic): Copy | undefined {
    return this.#copies.get(diagnostic);
  }

  isShown(uri: vscode.Uri, { group, place }: Copy): boolean {
    const shown = this.#collection.get(uri)?.map((diagnostic) => this.copyOf(diagnostic)) ?? [];
    return shown.some((copy) => copy?.group === group && copy.place === place);
  }

  render(): void {
    this.#isStale = true;
    this.#copies = new WeakMap();
    void this.#publish(() => true);
  }

  /**
   * Adds and removes diagnostics after files were opened, closed, shown, or hidden. Does not replace existing
   * diagnostics, because VS Code moves them when the user edits.
   */
  #follow(changed: DiagnosticSettings['files']): void {
    if (this.#readSettings().files !== changed || this.#findings.snapshot === undefined) return;
    if (this.#isStale) this.render();
    else void this.#publish((key) => !this.#published.has(key));
  }

  /** Updates diagnostics in files whose passages have moved. VS Code moves only those of open text documents. */
  #renew(files: readonly vscode.Uri[]): void {
    if (this.#isStale) return this.render();
    const cells = new Set(files.filter(isCell).map((uri) => uri.toString()));
    // A notebook cell may have gained or lost passages.
    if (cells.size > 0) return void this.#publish((key) => cells.has(key) || !this.#published.has(key));
    const settings = this.#readSettings();
    for (const uri of files) {
      const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
      const count = this.#collection.get(uri)?.length ?? 0;
      if (count === 0) continue;
      const { copies, insideOf } = markedIn(this.#findings, uri, settings);
      this.#collection.set(
        uri,
        mostWorth(copies, count).map((copy) => this.#diagnostic(copy, uri, insideOf(copy), settings, document)),
      );
    }
  }

  /** Publishes the diagnostics of selected files, in time slices. Removes those that should be gone. */
  async #publish(isSelected: (key: string) => boolean): Promise<void> {
    const rendering = ++this.#renderings;
    const settings = this.#readSettings();
    const documents = new Map(vscode.workspace.textDocuments.map((document) => [document.uri.toString(), document]));
    const documentsWithCopies = new Set<string>();
    let room = settings.max;
    let leftOut = 0;
    const slices = new Slices();
    for (const uri of this.#files(settings)) {
      const { copies: all, insideOf } = markedIn(this.#findings, uri, settings);
      const copies = mostWorth(all, Math.min(settings.maxPerFile, room));
      room -= copies.length;
      leftOut += all.length - copies.length;
      const key = uri.toString();
      if (copies.length > 0) documentsWithCopies.add(key);
      if (copies.length > 0 && isSelected(key)) {
        // Set the diagnostics of each file separately: VS Code keeps only the first 1,100 diagnostics of each call.
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
      if (documentsWithCopies.has(key)) continue;
      this.#collection.delete(uri);
      this.#published.delete(key);
    }
    this.#leftOut = leftOut;
    this.#isStale = false;
  }

  /** Yields the files that may have diagnostics. Creating thousands of URIs at once would block noticeably. */
  *#files(settings: DiagnosticSettings): Generator<vscode.Uri, void> {
    const { snapshot } = this.#findings;
    const notebooks = new Map(openNotebooks().map((notebook) => [notebook.uri.toString(), notebook]));
    for (const notebook of notebooks.values()) yield* notebook.getCells().map(({ document }) => document.uri);
    if (settings.files === 'visible') yield* visibleFiles();
    else if (settings.files === 'open') yield* openFiles();
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
    diagnostic.code = duplicateCode(copy.group, siblings[0]!);
    const related = siblings.slice(0, maxRelated);
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

  #related(sibling: Sibling, name: string, hidden: number): vscode.DiagnosticRelatedInformation {
    const { passage } = sibling;
    const now = this.#findings.now(passage);
    // VS Code displays the file name before this text, and several files may be named package.json.
    const where = name === oneLine(baseName(passage.path)) ? spokenRange(now) : placeIn(name, now);
    const alike = pairText(sibling);
    const text =
      hidden > 0
        ? vscode.l10n.t('{0}, {1}; {2} more in the Duplicates view', where, alike, quantity(hidden))
        : vscode.l10n.t('{0}, {1}', where, alike);
    return new vscode.DiagnosticRelatedInformation(this.#findings.locationOf(passage), text);
  }

  #relatedInside({ group, passage }: Copy): vscode.DiagnosticRelatedInformation {
    const text = vscode.l10n.t('Inside it, {0}: {1}', lineRange(this.#findings.now(passage)), groupTitle(group));
    return new vscode.DiagnosticRelatedInformation(this.#findings.locationOf(passage), text);
  }
}

/** Appends the number of nested groups to the message of a diagnostic. */
function withInside(text: string, { length }: readonly Copy[]): string {
  if (length === 0) return text;
  return length === 1
    ? vscode.l10n.t('{0}; 1 more duplicate inside it', text)
    : vscode.l10n.t('{0}; {1} more duplicates inside it', text, quantity(length));
}

/**
 * Returns the message of a diagnostic.
 *
 * @param where  place of the other copy
 */
function message({ passages }: Group, { type, similarity }: Sibling, where: string): string {
  const copies = copyCount(passages.length);
  switch (type) {
    case 'exact':
      return vscode.l10n.t('Exact copy of {0}, {1}', where, copies);
    case 'renamed':
      return vscode.l10n.t('Renamed copy of {0} ({1}), {2}', where, percent(similarity), copies);
    case 'near':
      return vscode.l10n.t('Near-duplicate of {0} ({1}), {2}', where, percent(similarity), copies);
  }
}

/** Returns the range of the first line. If the document is open, the range ends at the end of the line's text. */
export function firstLine({ start }: vscode.Range, document: vscode.TextDocument | undefined): vscode.Range {
  const end =
    document && start.line < document.lineCount
      ? document.lineAt(start.line).range.end
      : // VS Code truncates a range that is longer than its line.
        start.translate(0, 10_000);
  return new vscode.Range(start, end);
}
