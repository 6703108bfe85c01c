/**
 * Two passages side by side in the diff editor. Each is a read-only document of its own, of the scheme `kindred`, whose
 * path ends as the file's does, so that it is coloured as its language.
 */
import * as vscode from 'vscode';
import type { Group, Passage } from '../engine/report.ts';
import { type FindingsModel, similarityOf } from './findings.ts';
import type { SavedText } from './savedText.ts';
import type { Copy } from './snapshot.ts';
import { percent, shortPlace } from './wording.ts';

const scheme = 'kindred';

/** Where a document's text is: kept in its URI, so that a compare can be opened again after a restart. */
interface Source {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
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
  const similarity = percent(similarityOf(group, left, right));
  const title = `${shortPlace(a)} ↔ ${shortPlace(b)} (${similarity})`;
  await vscode.commands.executeCommand('vscode.diff', documentOf(findings, a), documentOf(findings, b), title);
}

function documentOf(findings: FindingsModel, passage: Passage): vscode.Uri {
  const source: Source = {
    file: findings.uriOf(passage).toString(),
    startLine: passage.startLine,
    endLine: passage.endLine,
    generation: findings.snapshot?.generation ?? 0,
  };
  return vscode.Uri.from({ scheme, path: `/${passage.path}`, query: JSON.stringify(source) });
}

/** Where a line of a document is on disk: in a compared passage, the line of its file; elsewhere the line itself. */
export function lineInFile({ uri }: vscode.TextDocument, line: number): { uri: vscode.Uri; line: number } {
  if (uri.scheme !== scheme) return { uri, line };
  const { file, startLine } = JSON.parse(uri.query) as Source;
  return { uri: vscode.Uri.parse(file, true), line: startLine - 1 + line };
}

/** The two that the active editor compares; undefined when it compares none, or they are no longer in the findings. */
export function comparedPair(
  findings: FindingsModel,
): readonly [group: Group, left: number, right: number] | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  const [left, right] = [input.original, input.modified].map((uri) => (uri.scheme === scheme ? copiesOf(uri) : []));
  for (const { group, place } of left!) {
    const other = right!.find((copy) => copy.group.id === group.id && copy.place !== place);
    if (other) return [group, place, other.place];
  }
  return undefined;

  /** The copies that a document shows, each as a member of its group. */
  function copiesOf({ query }: vscode.Uri): Copy[] {
    const { file, startLine, endLine } = JSON.parse(query) as Source;
    return findings.copiesAt(vscode.Uri.parse(file, true), startLine - 1).filter(({ passage }) => {
      const now = findings.now(passage);
      return now.startLine === startLine && now.endLine === endLine;
    });
  }
}
