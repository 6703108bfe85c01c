/** Two passages side by side in the diff editor. Each is a read-only document of its own, of the scheme `kindred`. */
import * as vscode from 'vscode';
import type { Group, Passage } from '../../engine/report/report.ts';
import { excerptEnding } from '../workspace/excerpts.ts';
import { type CopyPair, type FindingsModel, likeness } from '../findings/findings.ts';
import { languageOf } from '../workspace/languages.ts';
import type { SavedText } from '../findings/savedText.ts';
import type { Copy } from '../findings/snapshot.ts';
import { pairOfPlaces } from '../wording.ts';

const scheme = 'kindred';

/** Where a document's text is: kept in its URI, so that a compare can be opened again after a restart. */
interface Source {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The group of which it is compared: two files and passages of them may have the same lines. */
  readonly group: string;
  /** Not read, but it makes the documents of two reports two documents: their lines may differ. */
  readonly generation: number;
}

/** Serves the documents. */
export function registerPassageDocuments(text: SavedText): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const { file, startLine, endLine } = JSON.parse(query) as Source;
      const lines = await text.linesOf(vscode.Uri.parse(file, true), startLine, endLine);
      if (lines.length === 0) throw new Error(vscode.l10n.t('The file was changed or deleted.'));
      return lines.join('\n');
    },
  });
}

/** Opens two members of a group in the diff editor. */
export async function comparePassages(
  findings: FindingsModel,
  group: Group,
  left: number,
  right: number,
): Promise<void> {
  const [a, b] = [findings.now(group.passages[left]!), findings.now(group.passages[right]!)];
  const title = `${pairOfPlaces(a, b).join(' ↔ ')} (${likeness(group, left, right)})`;
  await vscode.commands.executeCommand(
    'vscode.diff',
    documentOf(findings, group, a),
    documentOf(findings, group, b),
    title,
  );
}

/** Opens the first two members of each of several groups, below each other in one editor. */
export async function compareFirstPairs(findings: FindingsModel, groups: readonly Group[]): Promise<void> {
  const pairs = groups.map((group) => {
    const [left, right] = [findings.now(group.passages[0]!), findings.now(group.passages[1]!)];
    return [findings.uriOf(right), documentOf(findings, group, left), documentOf(findings, group, right)] as const;
  });
  const title = vscode.l10n.t('First two copies of {0} groups', groups.length.toLocaleString());
  await vscode.commands.executeCommand('vscode.changes', title, pairs);
}

function documentOf(findings: FindingsModel, group: Group, passage: Passage): vscode.Uri {
  const source: Source = {
    file: findings.uriOf(passage).toString(),
    startLine: passage.startLine,
    endLine: passage.endLine,
    group: group.id,
    generation: findings.snapshot?.generation ?? 0,
  };
  const path = `/${passage.path}${excerptEnding(languageOf(passage.path))}`;
  return vscode.Uri.from({ scheme, path, query: JSON.stringify(source) });
}

/** Where a line of a document is on disk: in a compared passage, the line of its file; elsewhere the line itself. */
export function lineInFile({ uri }: vscode.TextDocument, line: number): { uri: vscode.Uri; line: number } {
  if (uri.scheme !== scheme) return { uri, line };
  const { file, startLine } = JSON.parse(uri.query) as Source;
  return { uri: vscode.Uri.parse(file, true), line: startLine - 1 + line };
}

/**
 * The two that an editor compares: the one that shows a document, else the active one. Undefined when it compares none, or
 * they are no longer in the findings.
 */
export function comparedPair(findings: FindingsModel, document?: vscode.Uri): CopyPair | undefined {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  // Two groups of editors may show the same compare: the active one is asked first.
  const compares = [activeTabGroup, ...all]
    .map(({ activeTab }) => activeTab?.input)
    .filter((input) => input instanceof vscode.TabInputTextDiff);
  const key = document?.toString();
  const input =
    key === undefined
      ? compares.find((compare) => compare === activeTabGroup.activeTab?.input)
      : compares.find(({ original, modified }) => [original, modified].some((uri) => uri.toString() === key));
  if (input === undefined) return undefined;
  const [left, right] = [input.original, input.modified].map((uri) => (uri.scheme === scheme ? copiesOf(uri) : []));
  for (const { group, place } of left!) {
    const other = right!.find((copy) => copy.group.id === group.id && copy.place !== place);
    if (other) return [group, place, other.place];
  }
  return undefined;

  /** The copies that a document shows, each as a member of its group: that of which it is compared first. */
  function copiesOf({ query }: vscode.Uri): Copy[] {
    const { file, startLine, endLine, group } = JSON.parse(query) as Source;
    const copies = findings.copiesAt(vscode.Uri.parse(file, true), startLine - 1).filter(({ passage }) => {
      const now = findings.now(passage);
      return now.startLine === startLine && now.endLine === endLine;
    });
    return copies.sort((left, right) => Number(right.group.id === group) - Number(left.group.id === group));
  }
}
