/**
 * Ignores duplicates, and stops ignoring them. Asks where to store the decision, and for a reason that other people can
 * read. An entry in the project's baseline has no effect without a reason, so the reason is required there.
 */
import * as vscode from 'vscode';
import { append } from '../../../core/collections/lists.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { BaselineEntry } from '../../../review/gate/baseline.ts';
import { baselineName } from '../../../session/client/configurationFiles.ts';
import { ignoredRows } from '../../../session/client/ignoredRows.ts';
import { outermost } from '../../../session/client/outermost.ts';
import { announce } from '../announce.ts';
import type { FindingsModel } from '../findings/findings.ts';
import { headlineOf } from '../../../presentation/wording/headline.ts';
import type { OwnIgnoreList } from './ownIgnoreList.ts';
import { offerUndo, showNotification } from '../notifications.ts';
import type { Scanner } from '../scanning/scanner.ts';
import { duplicateCount, quantity } from '../wording.ts';
import { gitUserName } from '../workspace/gitChanges.ts';
import { removeComments } from './comments.ts';
import type { EntryNotes } from './entryNotes.ts';
import type { IgnoredRow } from './ignoredTree.ts';
import { addEntries, removeEntries } from './projectBaseline.ts';

type Scope = 'project' | 'me';

export interface IgnoreParts {
  readonly findings: FindingsModel;
  readonly own: OwnIgnoreList;
  readonly scanner: Pick<Scanner, 'judgeAgain'>;
  readonly notes: EntryNotes;
}

/** An item in the list of *Ignore…* that runs a command instead of ignoring the duplicate. */
export interface CommandItem extends vscode.QuickPickItem {
  readonly run: () => Thenable<unknown>;
}

/** Asks for the scope and the reason, then ignores the groups. Returns false if the user canceled. */
export async function ignore(
  { findings, own, scanner, notes }: IgnoreParts,
  title: string,
  copies: readonly (Pick<BaselineEntry, 'contents' | 'isPair'> & {
    readonly group: Group;
    readonly first: Passage;
  })[],
  instead: readonly CommandItem[] = [],
): Promise<boolean> {
  const scope = await promptForScope(title, instead);
  if (typeof scope === 'object') {
    await scope.run();
    return false;
  }
  const reason = scope && (await (scope === 'project' ? promptForPublicReason(title) : promptForReason(title)));
  if (reason === undefined) return false;
  const on = today();
  const entryOf = async (copy: (typeof copies)[number], by?: string): Promise<BaselineEntry> => ({
    contents: copy.contents,
    ...(await notes.of(copy.group, copy.first)),
    reason: reason === '' ? undefined : reason,
    ...(by !== undefined && { by }),
    on,
    ...(copy.isPair && { isPair: true }),
  });
  if (scope === 'me') {
    const entries = await Promise.all(copies.map((copy) => entryOf(copy)));
    announceIgnored(
      findings,
      (count) => vscode.l10n.t('Ignored for you: {0}', count),
      () => own.remove(entries),
    );
    await own.add(entries);
    return true;
  }
  const files = new Map<string, { readonly file: vscode.Uri; readonly entries: BaselineEntry[] }>();
  for (const copy of copies) {
    const uri = findings.uriOf(copy.first);
    const folder = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.workspace.workspaceFolders?.[0];
    if (folder === undefined) continue;
    const file = vscode.Uri.joinPath(folder.uri, baselineName);
    const entry = await entryOf(copy, await gitUserName(uri));
    const others = files.get(file.toString());
    if (others) others.entries.push(entry);
    else files.set(file.toString(), { file, entries: [entry] });
  }
  announceIgnored(
    findings,
    (count) => vscode.l10n.t('Ignored for the project: {0}', count),
    async () => {
      for (const { file, entries } of files.values()) if (!(await removeEntries(file, entries))) return;
      scanner.judgeAgain();
    },
  );
  for (const { file, entries } of files.values()) if (!(await addEntries(file, entries))) return false;
  scanner.judgeAgain();
  return true;
}

/**
 * Waits until the duplicates are hidden, then announces how many, and offers to undo. Counts in the same way as the
 * status bar. Stops waiting at the next report.
 */
function announceIgnored(
  findings: FindingsModel,
  sentence: (count: string) => string,
  undo: () => Promise<void>,
): void {
  const before = findings.report;
  if (before === undefined) return;
  const waiting = findings.onDidChange(() => {
    const report = findings.report!;
    const isSame = report.generation === before.generation;
    const { counted, others, risen } = ignoredRows(before, report, headlineOf(before.findings.totals).categories);
    const isDone = counted + others > 0;
    if (isDone) offerUndo(sentence(ignoredText(counted, others)) + (isSame ? risenText(risen) : ''), undo);
    if (isDone || !isSame) waiting.dispose();
  });
}

/** Stops ignoring groups: removes the entries and comments that ignore them. */
export async function stopIgnoring(
  { findings, own, scanner }: IgnoreParts,
  rows: readonly IgnoredRow[],
): Promise<void> {
  const sources = rows.flatMap((row) =>
    row.type === 'source' ? [row.source] : row.type === 'stale' ? row.sources : [],
  );
  const { folders, found } = findings.snapshot!;
  await own.remove(sources.flatMap((source) => (source.by === 'own' ? [source.entry] : [])));
  const byFile = new Map<string, BaselineEntry[]>();
  for (const source of sources) {
    if (source.by !== 'baseline' || source.file === undefined) continue;
    append(byFile, source.file, source.entry);
  }
  for (const [file, entries] of byFile) if (!(await removeEntries(folders.uriOf(file), entries))) return;
  if (byFile.size > 0) scanner.judgeAgain();
  const staying = new Set<object>();
  // Iterate from the last comment of each file to the first, so that the remaining line numbers stay valid.
  const comments = sources.flatMap((source) => (source.by === 'comment' ? [source] : []));
  for (const source of comments.sort((left, right) => right.region.line - left.region.line)) {
    if (!(await removeComments(folders.uriOf(source.path), source.region))) staying.add(source);
  }
  if (staying.size > 0)
    showNotification(
      vscode.l10n.t('Remove the comment yourself: there is other text on its line, or the file is read-only.'),
    );
  const shown = new Set(sources.flatMap((source) => (staying.has(source) ? [] : source.groups)));
  const back = outermost(found.all.filter(({ id }) => shown.has(id)));
  if (back.length > 0) announce(vscode.l10n.t('No longer ignored: {0}', duplicateCount(back.length)));
}
/** Formats the number of ignored duplicates: "8 duplicates, and 11 that the total does not count". */
function ignoredText(counted: number, others: number): string {
  if (others === 0) return duplicateCount(counted);
  if (counted === 0) return vscode.l10n.t('{0} that the total does not count', duplicateCount(others));
  return vscode.l10n.t('{0}, and {1} that the total does not count', duplicateCount(counted), quantity(others));
}

/**
 * Returns a sentence about nested groups that now have their own rows: ". 2 duplicates from there are now rows of their
 * own".
 */
function risenText(count: number): string {
  if (count === 0) return '';
  const sentence =
    count === 1
      ? vscode.l10n.t('1 duplicate from there is now a row of its own')
      : vscode.l10n.t('{0} duplicates from there are now rows of their own', quantity(count));
  return `. ${sentence}`;
}

async function promptForScope(
  title: string,
  instead: readonly CommandItem[],
): Promise<Scope | CommandItem | undefined> {
  const kind = vscode.QuickPickItemKind.Separator;
  const separator = { scope: undefined, kind, label: vscode.l10n.t('Instead of the Duplicate') };
  const items: readonly (vscode.QuickPickItem & { readonly scope: Scope | CommandItem | undefined })[] = [
    { scope: 'project', label: vscode.l10n.t('For the Project'), description: baselineName },
    { scope: 'me', label: vscode.l10n.t('For Me'), description: vscode.l10n.t('in this workspace only') },
    ...(instead.length > 0 ? [separator] : []),
    ...instead.map((item) => ({ label: item.label, description: item.description ?? '', scope: item })),
  ];
  const placeHolder = vscode.l10n.t('Select who ignores it');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.scope;
}

/** Asks for an optional reason. Returns `undefined` if the user cancels. */
export function promptForReason(title: string): Promise<string | undefined> {
  return promptInBox({ title, prompt: vscode.l10n.t('Why is the repetition intended? (optional)') });
}

/** Asks for a reason. It must not be empty, because other people read it. */
function promptForPublicReason(title: string): Promise<string | undefined> {
  return promptInBox({
    title,
    prompt: vscode.l10n.t('Why is the repetition intended? Everyone who opens the project can read the reason.'),
    validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('Enter a reason.') : undefined),
  });
}

async function promptInBox(options: vscode.InputBoxOptions): Promise<string | undefined> {
  const placeHolder = vscode.l10n.t('for example: two versions of one protocol');
  return (await vscode.window.showInputBox({ ...options, placeHolder }))?.trim();
}

/** Returns the current date in local time, such as 2026-01-31. */
function today(): string {
  const now = new Date();
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
