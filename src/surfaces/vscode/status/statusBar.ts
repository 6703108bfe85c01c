/** Status bar item with the number of duplicates in source and text, and the state of the scanner. */
import * as vscode from 'vscode';
import type { Totals } from '../../../core/engine/report/report.ts';
import type { ScanProgress } from '../../../scan/indexer/scanInput.ts';
import { sectionNames } from '../../../presentation/wording/outline.ts';
import { sectionTitle } from '../../../presentation/wording/sectionTitle.ts';
import '../translations.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import { asMarkdown } from '../markdown.ts';
import type { ScanState, Scanner } from '../scanning/scanner.ts';
import type { Snapshot } from '../findings/snapshot.ts';
import { troubleOf } from '../scanning/trouble.ts';
import { percent } from '../../../presentation/wording/likeness.ts';
import {
  baseName,
  duplicateCount,
  duplicatedShare,
  fileCount,
  headlineText,
  ignoredCount,
  lineCount,
  quantity,
} from '../wording.ts';
import { Subscriber } from '../subscriber.ts';

export class StatusBar extends Subscriber {
  readonly #scanner: Scanner;
  readonly #findings: FindingsModel;
  readonly #leftOut: () => number;
  readonly #item = vscode.window.createStatusBarItem('kindred.status', vscode.StatusBarAlignment.Left, 0);

  /** @param leftOut  returns the number of diagnostics that are hidden because of limits */
  constructor(scanner: Scanner, findings: FindingsModel, leftOut: () => number) {
    super();
    this.#scanner = scanner;
    this.#findings = findings;
    this.#leftOut = leftOut;
    this.#item.name = vscode.l10n.t('Kindred');
    this.own(
      findings.onDidChange(() => this.render()),
      scanner.onDidChangeState(() => this.render()),
      this.#item,
    );
  }

  render(): void {
    const { state, settings, hasFolders } = this.#scanner;
    if (!settings.statusBar || !hasFolders) {
      this.#item.hide();
      return;
    }
    const snapshot = this.#findings.settled;
    const inTrouble = troubleOf(state) !== undefined;
    const icon = inTrouble ? '$(warning)' : isSeen(state, snapshot) ? '$(sync~spin)' : '$(copy)';
    const count = snapshot ? duplicateCount(headlineOf(snapshot.findings.totals).rows) : '';
    const text = state.type === 'scanning' && isSeen(state, snapshot) ? shortScanText(state) : count;
    this.#item.text = `${icon} ${text}`.trimEnd();
    this.#item.tooltip = this.#tooltip(state, snapshot);
    this.#item.command = inTrouble ? 'kindred.showTrouble' : 'kindred.groups.focus';
    this.#item.accessibilityInformation = { label: `Kindred: ${plainState(state, snapshot)}` };
    this.#item.show();
  }

  #tooltip(state: ScanState, snapshot: Snapshot | undefined): vscode.MarkdownString {
    const tooltip = new vscode.MarkdownString(`**Kindred** — ${asMarkdown(plainState(state, snapshot))}\n\n`);
    tooltip.isTrusted = {
      enabledCommands: [
        'kindred.scanWorkspace',
        'kindred.cancelScan',
        'kindred.restart',
        'kindred.showLog',
        'kindred.openSettings',
        'kindred.ignored.focus',
      ],
    };
    const trouble = troubleOf(state);
    if (trouble) tooltip.appendMarkdown(`${asMarkdown(trouble.sentence)}\n\n`);
    if (snapshot) {
      const { totals } = snapshot.findings;
      const time = snapshot.madeAt.toLocaleTimeString(vscode.env.language);
      tooltip.appendMarkdown(
        `${vscode.l10n.t('{0} compared at {1}. Duplicated lines:', fileCount(totals.files), time)}\n\n`,
      );
      tooltip.appendMarkdown(`${sharesOf(totals).join('\n')}\n\n`);
      const ignored = snapshot.ignored.length;
      if (ignored > 0)
        tooltip.appendMarkdown(`[${asMarkdown(ignoredCount(ignored))}](command:kindred.ignored.focus)\n\n`);
      if (this.#leftOut() > 0) {
        tooltip.appendMarkdown(
          `${vscode.l10n.t('{0} not shown in editors because of the limits in the settings', this.#leftOut())}\n\n`,
        );
      }
    }
    return tooltip.appendMarkdown(links(state));
  }
}

/** Returns the share of duplicated lines for each section of the tree: "Tests: 41% of 4,631 lines". */
function sharesOf({ categories }: Totals): string[] {
  return sectionNames.flatMap((name) => {
    const totals = name === 'folders' ? undefined : categories[name];
    if (totals === undefined) return [];
    const share = duplicatedShare(totals);
    return [`- ${asMarkdown(vscode.l10n.t('{0}: {1} of {2}', sectionTitle(name), share, lineCount(totals.lines)))}`];
  });
}

/** Returns true if the status bar should show a scan. Updates after edits are quick and report no progress. */
export function isSeen(state: ScanState, snapshot: Snapshot | undefined): boolean {
  return state.type === 'scanning' && (state.progress !== undefined || snapshot === undefined);
}

type ScanningState = Extract<ScanState, { type: 'scanning' }>;

/** Describes the scanner's state in a sentence without a period. */
function plainState(state: ScanState, snapshot: Snapshot | undefined): string {
  if (state.type === 'scanning' && isSeen(state, snapshot)) return scanText(state);
  switch (state.type) {
    case 'failed':
      return vscode.l10n.t('scan failed');
    case 'rejected':
      return state.place
        ? vscode.l10n.t('{0} is invalid', baseName(state.place.uri.path))
        : vscode.l10n.t('the settings are invalid');
    case 'scanning':
    case 'idle': {
      if (snapshot === undefined) return vscode.l10n.t('not scanned yet');
      const text = headlineText(headlineOf(snapshot.findings.totals));
      return snapshot.findings.complete ? text : vscode.l10n.t('{0} (scan stopped early)', text);
    }
  }
}

/** Describes the progress of a scan: "reading 120 of 4,000 files", "comparing, 40% done". */
export function scanText({ progress }: ScanningState): string {
  if (progress === undefined) return vscode.l10n.t('listing files');
  if (progress.phase !== 'reading') {
    return progress.done === 0 ? vscode.l10n.t('comparing') : vscode.l10n.t('comparing, {0} done', share(progress));
  }
  return vscode.l10n.t('reading {0} of {1}', quantity(progress.done), fileCount(progress.total));
}

/** Describes the progress of a scan briefly, for the status bar: "Reading 30%". */
function shortScanText({ progress }: ScanningState): string {
  if (progress === undefined) return vscode.l10n.t('Listing');
  return progress.phase !== 'reading'
    ? vscode.l10n.t('Comparing {0}', share(progress))
    : vscode.l10n.t('Reading {0}', share(progress));
}

function share({ done, total }: ScanProgress): string {
  return percent(total === 0 ? 0 : done / total);
}

function links(state: ScanState): string {
  const link = (title: string, command: string): string => `[${title}](command:${command})`;
  const log = link(vscode.l10n.t('Show Log'), 'kindred.showLog');
  const settings = link(vscode.l10n.t('Settings'), 'kindred.openSettings');
  switch (state.type) {
    case 'scanning':
      return [link(vscode.l10n.t('Stop'), 'kindred.cancelScan'), log].join(' · ');
    case 'failed':
      return [link(vscode.l10n.t('Restart'), 'kindred.restart'), log].join(' · ');
    case 'rejected':
    case 'idle':
      return [link(vscode.l10n.t('Scan Now'), 'kindred.scanWorkspace'), settings, log].join(' · ');
  }
}
