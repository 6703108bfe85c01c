/**
 * The duplication map: a panel that shows the folders of the last report by their share of duplicated lines. The page
 * draws one folder at a time. Its data are computed here, and again when the findings change.
 */
import * as vscode from 'vscode';
import type { CountedFile } from '../../../core/engine/report/makeReport.ts';
import { FolderMap } from '../../../presentation/pages/folderMap.ts';
import type { MessageToMap, MessageFromMap, Scope } from '../../../presentation/pages/mapMessages.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { mapDocument } from './mapDocument.ts';
import { mapWords } from '../../../presentation/pages/mapWords.ts';
import { Subscriber } from '../subscriber.ts';

/** View type of the panel. VS Code uses it to restore the panel. */
export const mapViewType = 'kindred.map';

/**
 * Selection in the map to which the tree should be filtered: the duplicates of one folder or file, or those shared by
 * two.
 */
export interface MapFilter {
  readonly path: string;
  readonly other: string | undefined;
  readonly scope: Scope;
}

/** A report with its files' line counts, and its maps by scope. Each map is computed on demand. */
interface CountedReport {
  readonly snapshot: Snapshot;
  readonly files: readonly CountedFile[];
  readonly maps: Map<Scope | undefined, FolderMap>;
}

export class DuplicationMap extends Subscriber {
  readonly #page: vscode.Uri;
  readonly #client: EngineClient;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #filtered = new vscode.EventEmitter<MapFilter>();
  /** Fires when the user selects a place in the map to see its duplicates in the tree. */
  readonly onDidFilter = this.#filtered.event;
  #panel: vscode.WebviewPanel | undefined;
  /** Folder and scope that the page shows, or that it has requested. */
  #shown: { readonly folder: string; readonly scope: Scope | undefined } = { folder: '', scope: undefined };
  #counted: CountedReport | undefined;

  /** @param extension  URI of the extension's folder, which contains the page's script in dist */
  constructor(extension: vscode.Uri, client: EngineClient, scanner: Scanner, findings: FindingsModel) {
    super();
    this.#page = vscode.Uri.joinPath(extension, 'dist');
    this.#client = client;
    this.#scanner = scanner;
    this.#findings = findings;
    this.own(
      { dispose: () => void this.#panel?.dispose() },
      findings.onDidChange(() => void this.#render()),
      scanner.onDidChangeState(() => {
        if (this.#counted === undefined) void this.#render();
      }),
      this.#filtered,
    );
  }

  /** Opens the panel, or reveals it if it is open. */
  open(): void {
    if (this.#panel) return this.#panel.reveal();
    const title = mapWords().title;
    this.adoptPanel(
      vscode.window.createWebviewPanel(mapViewType, title, vscode.ViewColumn.Active, { enableScripts: true }),
    );
  }

  /** Takes control of a new or restored panel. Its page requests data when it has loaded. */
  adoptPanel(panel: vscode.WebviewPanel): void {
    this.#panel?.dispose();
    this.#panel = panel;
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.#page] };
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      this.#counted = undefined;
    });
    webview.onDidReceiveMessage((request: MessageFromMap) => this.#handle(request));
    webview.html = mapDocument(webview, this.#page);
  }

  #handle(request: MessageFromMap): void {
    switch (request.type) {
      case 'show':
        this.#shown = { folder: request.folder, scope: request.scope };
        void this.#render();
        return;
      case 'filter': {
        const { path, other, scope } = request;
        this.#filtered.fire({ path, other, scope });
        return;
      }
      case 'scan':
        void this.#scanner.scan();
    }
  }

  /**
   * Sends the current data to the page. A hidden panel has no page; the page is created when the panel is revealed, and
   * then requests the data.
   */
  async #render(): Promise<void> {
    const panel = this.#panel;
    if (panel?.visible !== true) return;
    const message = await this.#message();
    if (message && this.#panel === panel) await panel.webview.postMessage(message);
  }

  /**
   * Returns the data for the page. Returns `undefined` if a newer report has arrived in the meantime; its data will be
   * sent instead.
   */
  async #message(): Promise<MessageToMap | undefined> {
    const snapshot = this.#findings.settled;
    const isScanning = this.#scanner.state.type === 'scanning';
    if (snapshot === undefined) {
      if (isScanning) return nothing(vscode.l10n.t('The map appears when the scan is complete.'));
      return {
        ...nothing(vscode.l10n.t('After a scan, the map shows how much of each folder is duplicated.')),
        canScan: true,
      };
    }
    if (snapshot.findings.totals.files === 0) return nothing(vscode.l10n.t('No files to compare.'));
    if (this.#counted?.snapshot !== snapshot) {
      const files = await this.#client.callIfScanned('countFiles');
      if (this.#findings.snapshot !== snapshot) return undefined;
      // If the worker has no line counts for this report, leave the page as it is until the next report.
      if (files !== undefined) this.#counted = { snapshot, files, maps: new Map() };
    }
    if (this.#counted === undefined) {
      if (isScanning) return nothing(vscode.l10n.t('The map appears when the scan is complete.'));
      return {
        ...nothing(vscode.l10n.t('The map needs a complete scan whose index fits into memory.')),
        canScan: true,
      };
    }
    const { folder, scope } = this.#shown;
    return { type: 'view', view: this.#mapOf(this.#counted, scope).view(folder) };
  }

  #mapOf({ snapshot, files, maps }: CountedReport, scope: Scope | undefined): FolderMap {
    let map = maps.get(scope);
    if (map === undefined) {
      const source = {
        files,
        passagesIn: (path: string) => snapshot.copies.get(path) ?? [],
        groupsIn: (path: string) => this.#findings.occurrencesIn(path).map(({ group }) => this.#findings.rowOf(group)),
      };
      maps.set(scope, (map = new FolderMap(source, scope)));
    }
    return map;
  }
}

function nothing(sentence: string): MessageToMap & { type: 'nothing' } {
  return { type: 'nothing', sentence, canScan: false };
}
