/** Findings as diagnostics: one for each passage, with the other copies as related places. */
import * as vscode from 'vscode';
import type { Group } from '../engine/report.ts';
import { type Copy, type FindingsModel, rangeOf, similarityOf } from './findings.ts';
import { openFiles } from './openFiles.ts';
import type { DiagnosticSettings, Severity } from './settings.ts';
import { copyCount, percent, place } from './wording.ts';

/** What `Diagnostic.source` says. */
export const diagnosticSource = 'kindred';

/** Related places of a diagnostic; the tree has them all. */
const maxRelated = 5;

export class Diagnostics implements vscode.Disposable {
  readonly #findings: FindingsModel;
  readonly #readSettings: () => DiagnosticSettings;
  readonly #collection = vscode.languages.createDiagnosticCollection(diagnosticSource);
  readonly #subscriptions: vscode.Disposable;
  /** The files that have diagnostics now, and of which report. */
  #published = new Map<string, vscode.Uri>();
  #generation: number | undefined;
  #copies = new WeakMap<vscode.Diagnostic, Copy>();
  #leftOut = 0;

  constructor(findings: FindingsModel, readSettings: () => DiagnosticSettings) {
    this.#findings = findings;
    this.#readSettings = readSettings;
    this.#subscriptions = vscode.Disposable.from(
      findings.onDidChange(() => this.render()),
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
    this.#generation = this.#findings.snapshot?.generation;
    this.#copies = new WeakMap();
    this.#publish(() => true);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#collection.dispose();
  }

  /** Files were opened or closed: those that stay open keep what they have, which has moved with their text meanwhile. */
  #follow(): void {
    if (this.#readSettings().files !== 'open' || this.#generation === undefined) return;
    this.#publish((key) => !this.#published.has(key));
  }

  #publish(isDue: (key: string) => boolean): void {
    const settings = this.#readSettings();
    const before = this.#published;
    this.#published = new Map();
    let room = settings.max;
    this.#leftOut = 0;
    for (const uri of this.#files(settings)) {
      const wanted = this.#findings.copiesIn(uri).filter(({ group }) => severityOf(group, settings) !== undefined);
      const copies = wanted.slice(0, Math.min(settings.maxPerFile, room));
      room -= copies.length;
      this.#leftOut += wanted.length - copies.length;
      if (copies.length === 0) continue;
      const key = uri.toString();
      this.#published.set(key, uri);
      // One file at a time: set all at once, VS Code stops after 1,100 in total.
      if (isDue(key) || !before.has(key))
        this.#collection.set(
          uri,
          copies.map((copy) => this.#diagnostic(copy, uri, settings)),
        );
    }
    for (const [key, uri] of before) {
      if (!this.#published.has(key)) this.#collection.delete(uri);
    }
  }

  #files(settings: DiagnosticSettings): vscode.Uri[] {
    if (settings.files === 'open') return openFiles();
    const { snapshot } = this.#findings;
    return snapshot === undefined ? [] : this.#findings.paths().map((path) => snapshot.folders.uriOf(path));
  }

  #diagnostic(copy: Copy, uri: vscode.Uri, settings: DiagnosticSettings): vscode.Diagnostic {
    const { group, place: member, passage } = copy;
    const others = group.passages.map((_, other) => other).filter((other) => other !== member);
    others.sort((left, right) => similarityOf(group, member, right) - similarityOf(group, member, left));
    const full = rangeOf(passage);
    const diagnostic = new vscode.Diagnostic(
      settings.range === 'full' ? full : firstLine(full, uri),
      message(copy, others[0]!),
      severityOf(group, settings),
    );
    diagnostic.source = diagnosticSource;
    diagnostic.code = codeOf(group);
    diagnostic.relatedInformation = others.slice(0, maxRelated).map((other, index) => {
      const hidden = index === maxRelated - 1 ? others.length - maxRelated : 0;
      return this.#related(group, member, other, hidden);
    });
    this.#copies.set(diagnostic, copy);
    return diagnostic;
  }

  #related(group: Group, member: number, other: number, hidden: number): vscode.DiagnosticRelatedInformation {
    const passage = group.passages[other]!;
    const similarity = percent(similarityOf(group, member, other));
    const text =
      hidden > 0
        ? vscode.l10n.t('copy, {0} alike; {1} more in the Duplicates view', similarity, hidden)
        : vscode.l10n.t('copy, {0} alike', similarity);
    return new vscode.DiagnosticRelatedInformation(
      new vscode.Location(this.#findings.uriOf(passage), rangeOf(passage)),
      text,
    );
  }
}

function message({ group, place: member }: Copy, closest: number): string {
  const where = place(group.passages[closest]!);
  const similarity = similarityOf(group, member, closest);
  const copies = copyCount(group.passages.length);
  if (group.type === 'renamed') {
    return vscode.l10n.t('Copy with changed names of {0} ({1}), {2}', where, percent(similarity), copies);
  }
  // In a group of near-duplicates two may well be equal.
  if (similarity === 1) return vscode.l10n.t('Exact copy of {0}, {1}', where, copies);
  return vscode.l10n.t('Near-duplicate of {0} ({1}), {2}', where, percent(similarity), copies);
}

function codeOf({ kind, type }: Group): string {
  const code = { exact: 'exact-duplicate', renamed: 'renamed-duplicate', near: 'near-duplicate' }[type];
  return kind === 'prose' ? `${code}-text` : code;
}

/** The severity of a group; undefined when it gets no diagnostics. Files that are alike as a whole get none for it: their
 * common passages have theirs. */
function severityOf({ kind }: Group, { severity }: DiagnosticSettings): vscode.DiagnosticSeverity | undefined {
  return kind === 'file' ? undefined : severities[severity[kind]];
}

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity | undefined>> = {
  off: undefined,
  hint: vscode.DiagnosticSeverity.Hint,
  information: vscode.DiagnosticSeverity.Information,
  warning: vscode.DiagnosticSeverity.Warning,
  error: vscode.DiagnosticSeverity.Error,
};

/** The first line of a range, up to its end where the text is at hand. */
function firstLine({ start }: vscode.Range, uri: vscode.Uri): vscode.Range {
  const key = uri.toString();
  const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === key);
  // A column past the end means the end.
  const end =
    document && start.line < document.lineCount ? document.lineAt(start.line).range.end : start.translate(0, 10_000);
  return new vscode.Range(start, end);
}
