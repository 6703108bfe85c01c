/**
 * Explain Match: why two passages match, as a read-only document of the scheme `kindred-explain`. What it is made of is in
 * its URI, so it can be opened again after a restart; the texts are those of now.
 */
import * as vscode from 'vscode';
import type { ExplainedFeature } from '../../methods/explain.ts';
import type { PassageExplanation } from '../../engine/explainPassages.ts';
import type { Group, Passage } from '../../engine/report/report.ts';
import type { ExplainParams, ExplainPassage } from '../../protocol/calls.ts';
import { insideOf } from '../../wording/likeness.ts';
import type { EngineClient } from '../../client/engineClient.ts';
import { type FindingsModel, likeness } from '../findings/findings.ts';
import type { NotebookPlaces } from '../findings/notebookPlaces.ts';
import { codeSpan } from '../markdown.ts';
import { pairOfPlaces, percent, place } from '../wording.ts';

const scheme = 'kindred-explain';

/** Where a passage's text is. */
interface Source extends Omit<ExplainPassage, 'text' | 'languageId'> {
  readonly file: string;
}

/** What an explanation is made of. */
interface Explained {
  readonly passages: readonly [Source, Source];
  /** How much the two are alike, as all views say, and what that means. */
  readonly likeness: string;
}

/** Serves the documents. */
export function registerExplanations(
  client: EngineClient,
  notebooks: NotebookPlaces,
  readSettings: () => Pick<ExplainParams, 'options' | 'languages'>,
): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const { passages, likeness } = JSON.parse(query) as Explained;
      const [a, b] = await Promise.all(passages.map((passage) => read(passage, notebooks)));
      const explanation = await client.explain({ a: a!, b: b!, ...readSettings() });
      return explanationText(explanation, likeness);
    },
  });
}

/** Opens the explanation of two members of a group. */
export async function explainMatch(findings: FindingsModel, group: Group, left: number, right: number): Promise<void> {
  const [a, b] = [findings.now(group.passages[left]!), findings.now(group.passages[right]!)];
  const sourceOf = (passage: Passage): Source => {
    const { path, startLine, startColumn, endLine, endColumn } = passage;
    return { file: findings.uriOf(passage).toString(), path, startLine, startColumn, endLine, endColumn };
  };
  const uri = vscode.Uri.from({
    scheme,
    // A slash would begin a folder.
    path: `/${pairOfPlaces(a, b).join(' ↔ ').replaceAll('/', '∕')}.md`,
    query: JSON.stringify({ passages: [sourceOf(a), sourceOf(b)], likeness: explainedLikeness(group, left, right) }),
  });
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}

async function read({ file, ...place }: Source, notebooks: NotebookPlaces): Promise<ExplainPassage> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file, true));
  return { ...place, text: notebooks.textOf(place.path) ?? document.getText(), languageId: document.languageId };
}

/** In the words of the other views, but that an explanation calls the two the first and the second. */
function explainedLikeness(group: Group, left: number, right: number): string {
  const inside = insideOf(group);
  if (inside) {
    const share = percent(inside.share);
    return inside.inner === group.passages[left]
      ? vscode.l10n.t('{0} of the first is in the second, measured in distinct runs of tokens.', share)
      : vscode.l10n.t('{0} of the second is in the first, measured in distinct runs of tokens.', share);
  }
  const alike = likeness(group, left, right);
  if (group.kind === 'file')
    return vscode.l10n.t('{0}: the share of distinct runs of tokens that occur in both.', alike);
  return group.type === 'renamed'
    ? vscode.l10n.t('{0}: the share of tokens that correspond, in the same order, after consistent renaming.', alike)
    : vscode.l10n.t('{0}: the share of tokens that correspond, in the same order.', alike);
}

/**
 * The explanation in Markdown that reads well as it is.
 *
 * @param likeness  how much the two are alike in the findings, in a sentence; the measures are those of the lines as they are now
 */
export function explanationText(explanation: PassageExplanation, likeness: string): string {
  const { a, b, shingleSize } = explanation;
  const [nameA, nameB] = [a, b].map((passage) => codeSpan(place({ ...passage, startColumn: 1, endColumn: 1 }))) as [
    string,
    string,
  ];
  const rows: [name: string, value: string, meaning: string][] = [
    [
      vscode.l10n.t('Same tokens'),
      percent(explanation.similarity),
      vscode.l10n.t('of the tokens are identical in both, in the same order'),
    ],
    [
      vscode.l10n.t('Resemblance'),
      percent(explanation.resemblance),
      vscode.l10n.t('of the distinct runs of {0} tokens occur in both', shingleSize),
    ],
    [
      vscode.l10n.t('Containment'),
      percent(explanation.containmentOfA),
      vscode.l10n.t('of the runs in the first also occur in the second'),
    ],
    ['', percent(explanation.containmentOfB), vscode.l10n.t('of the runs in the second also occur in the first')],
    [
      vscode.l10n.t('Weighted resemblance'),
      percent(explanation.weightedResemblance),
      vscode.l10n.t('of the total weight of the runs is in both'),
    ],
    [
      vscode.l10n.t('Distance'),
      String(explanation.distance),
      vscode.l10n.t('of 64 bits differ: {0} and {1}', ...explanation.fingerprints),
    ],
    [
      vscode.l10n.t('Closest windows'),
      explanation.windowDistance === 64 ? '–' : String(explanation.windowDistance),
      vscode.l10n.t('of 64 bits differ in the closest pair of windows, which a scan searches for'),
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `# ${vscode.l10n.t('Why these match')}`,
    '',
    `1. ${nameA} (${vscode.l10n.t('{0} tokens', a.tokens)})`,
    `2. ${nameB} (${vscode.l10n.t('{0} tokens', b.tokens)})`,
    '',
    likeness,
    '',
    ...rows.map(([name, value, meaning]) => `    ${name.padEnd(width)}  ${value.padStart(5)}  ${meaning}`),
    '',
    `## ${vscode.l10n.t('Shared features, by weight')}`,
    '',
    ...featureLines(explanation.shared),
    '',
    `## ${vscode.l10n.t('Differing features, by weight')}`,
    '',
    ...featureLines(explanation.differing),
    '',
  ].join('\n');
}

/** A line for each feature: its weight in the first and in the second passage, and its tokens. */
function featureLines(features: readonly ExplainedFeature[]): string[] {
  if (features.length === 0) return [`    ${vscode.l10n.t('nothing')}`];
  const weight = (value: number): string => value.toFixed(2).padStart(8);
  return features.map(({ tokens, weightInA, weightInB }) => {
    const text = tokens.map((token) => (token.length > 60 ? `${token.slice(0, 59)}…` : token)).join(' ');
    return `    ${weight(weightInA)}${weight(weightInB)}   ${text.replaceAll(/\s+/g, ' ')}`;
  });
}
