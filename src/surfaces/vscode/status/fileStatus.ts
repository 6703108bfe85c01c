/** Language status item that shows if the active file is compared. If it is not, shows the reason and a remedy. */
import * as vscode from 'vscode';
import type { SkippedFile } from '../../../core/engine/report/report.ts';
import type { HidingRule } from '../../../scan/io/sources.ts';
import type { FindingsModel } from '../findings/findings.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { openSetting } from '../scanning/trouble.ts';
import { baseName, duplicateCount } from '../wording.ts';
import { reasonText, settingNames } from './leftOut.ts';
import { Subscriber } from '../subscriber.ts';

/** Content of the language status item. */
export interface FileStatus {
  readonly text: string;
  readonly detail: string;
  readonly command: vscode.Command | undefined;
}

export class FileStatusItem extends Subscriber {
  readonly #client: EngineClient;
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #activeFile: () => vscode.Uri | undefined;
  readonly #item = vscode.languages.createLanguageStatusItem('kindred.file', { pattern: '**' });
  /** Number of the latest request. Answers to older requests are discarded. */
  #lastRequest = 0;

  constructor(
    client: EngineClient,
    scanner: Scanner,
    findings: FindingsModel,
    activeFile: () => vscode.Uri | undefined,
  ) {
    super();
    this.#client = client;
    this.#scanner = scanner;
    this.#findings = findings;
    this.#activeFile = activeFile;
    this.#item.name = vscode.l10n.t('Kindred');
    this.own(
      vscode.window.onDidChangeActiveTextEditor(() => void this.render()),
      findings.onDidChange(() => void this.render()),
      scanner.onDidChangeState(() => void this.render()),
      this.#item,
    );
  }

  async render(): Promise<void> {
    const request = ++this.#lastRequest;
    this.#item.busy = this.#scanner.state.type === 'scanning';
    const status = await this.status();
    if (request !== this.#lastRequest || status === undefined) return;
    this.#item.text = status.text;
    this.#item.detail = status.detail;
    this.#item.command = status.command;
    this.#item.accessibilityInformation = { label: `Kindred: ${status.text}, ${status.detail}` };
  }

  async status(): Promise<FileStatus | undefined> {
    const file = this.#activeFile();
    if (file === undefined) return undefined;
    const snapshot = this.#findings.settled;
    if (snapshot === undefined) return notScanned();
    const path = snapshot.folders.pathOf(file);
    if (path === undefined) return notCompared(vscode.l10n.t('not in a workspace folder'));
    const skipped = skippedWith(snapshot, path);
    if (skipped !== undefined) return leftOut(skipped);
    const copies = snapshot.copies.get(path)?.length ?? 0;
    // A file with copies must have been compared. For any other file, ask the worker which rule hides it.
    const hiding = copies > 0 ? undefined : await this.#client.callIfScanned('findHiding', path);
    return hiding === undefined ? compared(copies) : hidden(hiding, snapshot);
  }
}

/** Returns the list entry of a skipped file, or of a skipped folder that contains it. */
function skippedWith({ findings }: Snapshot, path: string): SkippedFile | undefined {
  return findings.skipped.find((it) => it.path === path || (it.path.endsWith('/') && path.startsWith(it.path)));
}

function compared(copies: number): FileStatus {
  return {
    text: duplicateCount(copies),
    detail: vscode.l10n.t('compared by Kindred'),
    command: { title: vscode.l10n.t('Show'), command: 'kindred.file.focus' },
  };
}

function notScanned(): FileStatus {
  return {
    text: vscode.l10n.t('Not compared'),
    detail: vscode.l10n.t('the workspace has not been scanned yet'),
    command: { title: vscode.l10n.t('Scan Now'), command: 'kindred.scanWorkspace' },
  };
}

function notCompared(detail: string, command?: vscode.Command): FileStatus {
  return { text: vscode.l10n.t('Not compared'), detail, command };
}

function leftOut({ reason, setting }: SkippedFile): FileStatus {
  return notCompared(reasonText(reason), setting && openSetting(settingNames[setting]));
}

function hidden({ by, source }: HidingRule, { folders }: Snapshot): FileStatus {
  switch (by) {
    case 'include':
      return notCompared(vscode.l10n.t('not among the files of {0}', 'kindred.include'), openSetting('include'));
    case 'exclude':
      return notCompared(vscode.l10n.t('excluded by {0}', 'kindred.exclude'), openSetting('exclude'));
    case 'versionControl':
      return notCompared(vscode.l10n.t('version control data'));
    case 'rules': {
      const name = baseName(source);
      return notCompared(vscode.l10n.t('excluded by {0}', source), {
        title: vscode.l10n.t('Open {0}', name),
        command: 'vscode.open',
        arguments: [folders.uriOf(source)],
      });
    }
  }
}
