/**
 * Explain Match: explains why two passages match, in a read-only document with the scheme `kindred-explain`. Its URI
 * contains the inputs, so it can be restored after a restart; the texts are the current ones.
 */
import * as vscode from 'vscode';
import type { ExplainedFeature } from '../../../core/methods/explain.ts';
import type { PassageExplanation } from '../../../core/engine/explainPassages.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { ExplainParams, ExplainPassage } from '../../../session/protocol/calls.ts';
import { siblingAt } from '../../../presentation/wording/siblings.ts';
import { insideOf } from '../../../presentation/wording/likeness.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import { type FindingsModel, likeness } from '../findings/findings.ts';
import type { NotebookPlaces } from '../findings/notebookPlaces.ts';
import { codeSpan } from '../markdown.ts';
import { pairOfPlaces, percent, place } from '../wording.ts';

const scheme = 'kindred-explain';

/** Source of a passage's text. */
interface Source extends Omit<ExplainPassage, 'text' | 'languageId'> {
  readonly file: string;
}

/** Inputs of an explanation. */
interface Explained {
  readonly passages: readonly [Source, Source];
  /** The similarity as in all views, with an explanation. */
  readonly likeness: string;
}

/** Registers the content provider of the documents. */
export function registerExplanations(
  client: EngineClient,
  notebooks: NotebookPlaces,
  readSettings: () => Pick<ExplainParams, 'options' | 'languages'>,
): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const { passages, likeness } = JSON.parse(query) as Explained;
      const [a, b] = await Promise.all(passages.map((passage) => read(passage, notebooks)));
      const explanation = await client.call('explain', { a: a!, b: b!, ...readSettings() });
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
    // A slash would separate folders.
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

/** Uses the wording of the other views, but calls the passages the first and the second. */
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
  const { type } = siblingAt({ group, place: left }, right);
  if (type === 'exact') return vscode.l10n.t('The two are identical, token by token.');
  return type === 'renamed'
    ? vscode.l10n.t('{0}: the share of tokens that correspond, in the same order, after consistent renaming.', alike)
    : vscode.l10n.t('{0}: the share of tokens that correspond, in the same order.', alike);
}

/**
 * Formats the explanation as Markdown that is also readable as plain text.
 *
 * @param likeness  sentence with the similarity in the findings; the measures refer to the current lines
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

/** Formats each feature on a line: its weight in the first and in the second passage, and its tokens. */
function featureLines(features: readonly ExplainedFeature[]): string[] {
  if (features.length === 0) return [`    ${vscode.l10n.t('nothing')}`];
  const weight = (value: number): string => value.toFixed(2).padStart(8);
  return features.map(({ tokens, weightInA, weightInB }) => {
    const text = tokens.map((token) => (token.length > 60 ? `${token.slice(0, 59)}…` : token)).join(' ');
    return `    ${weight(weightInA)}${weight(weightInB)}   ${text.replaceAll(/\s+/g, ' ')}`;
  });
}
