/**
 * Command *Explain Match*: shows beside the editor why two passages match. The page is VS Code's preview of a virtual
 * Markdown document with the scheme `kindred-explain`. Its URI contains the inputs, so that VS Code can restore the
 * page after a restart; the passages' texts are read again.
 */
import * as vscode from 'vscode';
import type { ExplainedFeature } from '../../../core/methods/explain.ts';
import type { PassageExplanation } from '../../../core/engine/explainPassages.ts';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import type { ExplainParams, ExplainPassage } from '../../../session/protocol/calls.ts';
import { siblingAt } from '../../../presentation/wording/siblings.ts';
import { insideOf, percent } from '../../../presentation/wording/likeness.ts';
import type { EngineClient } from '../../../session/client/engineClient.ts';
import { type FindingsModel, likeness } from '../findings/findings.ts';
import type { NotebookPlaces } from '../findings/notebookPlaces.ts';
import { codeSpan } from '../../../presentation/wording/markdownCode.ts';
import { codeCell, table } from '../markdown.ts';
import { pairOfPlaces, place, quantity } from '../wording.ts';
import '../translations.ts';

const scheme = 'kindred-explain';

/** Location of a passage's text. */
interface Source extends Omit<ExplainPassage, 'text' | 'languageId'> {
  readonly file: string;
}

/** Inputs of the page. */
interface PageInput {
  readonly passages: readonly [Source, Source];
  /** Sentence about the similarity of both passages, with the same terms as in all views. */
  readonly likeness: string;
}

/** Registers the content provider that creates the pages. */
export function registerExplanations(
  client: EngineClient,
  notebooks: NotebookPlaces,
  readSettings: () => Pick<ExplainParams, 'options' | 'languages'>,
): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent({ query }) {
      const { passages, likeness } = JSON.parse(query) as PageInput;
      const [a, b] = await Promise.all(passages.map((passage) => read(passage, notebooks)));
      const explanation = await client.call('explain', { a: a!, b: b!, ...readSettings() });
      return explanationText(explanation, likeness);
    },
  });
}

/** Opens the page for two copies of a group. */
export async function explainMatch(findings: FindingsModel, group: Group, left: number, right: number): Promise<void> {
  const [a, b] = [findings.now(group.passages[left]!), findings.now(group.passages[right]!)];
  const sourceOf = (passage: Passage): Source => {
    const { path, startLine, startColumn, endLine, endColumn } = passage;
    return { file: findings.uriOf(passage).toString(), path, startLine, startColumn, endLine, endColumn };
  };
  const uri = vscode.Uri.from({
    scheme,
    // A slash in the title would be taken for a folder separator.
    path: `/${vscode.l10n.t('Why {0} match', pairOfPlaces(a, b).join(' ↔ ')).replaceAll('/', '∕')}.md`,
    query: JSON.stringify({ passages: [sourceOf(a), sourceOf(b)], likeness: explainedLikeness(group, left, right) }),
  });
  await vscode.commands.executeCommand('vscode.openWith', uri, 'vscode.markdown.preview.editor', {
    viewColumn: await columnOfPage(),
    preview: true,
  });
}

/**
 * Returns the editor group for the page: the one that already shows such a page; otherwise, a new group. The new group
 * is beside a text editor, but below any other editor, because VS Code shows narrow compares inline.
 */
async function columnOfPage(): Promise<vscode.ViewColumn> {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const withPage = all.find(({ activeTab }) => {
    return activeTab?.input instanceof vscode.TabInputCustom && activeTab.input.uri.scheme === scheme;
  });
  if (withPage !== undefined) return withPage.viewColumn;
  const { activeTab } = activeTabGroup;
  if (activeTab === undefined || activeTab.input instanceof vscode.TabInputText) return vscode.ViewColumn.Beside;
  await vscode.commands.executeCommand('workbench.action.newGroupBelow');
  return vscode.ViewColumn.Active;
}

async function read({ file, ...place }: Source, notebooks: NotebookPlaces): Promise<ExplainPassage> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(file, true));
  return { ...place, text: notebooks.textOf(place.path) ?? document.getText(), languageId: document.languageId };
}

/** Describes the similarity as other views do, but with "the first passage" and "the second passage" as names. */
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

/** Maximum number of differing words to list in a sentence. */
const maxWords = 8;

/**
 * Returns the page as Markdown: sentences about what matches, then collapsed sections with numbers.
 *
 * @param likeness  sentence about the similarity in the findings. All numbers on the page refer to the current text
 * instead
 */
export function explanationText(explanation: PassageExplanation, likeness: string): string {
  const { a, b, words, sameTokens, windowDistance } = explanation;
  const places = [a, b].map((passage, at) => {
    const name = codeSpan(place({ ...passage, startColumn: 1, endColumn: 1 }));
    return `${at + 1}. ${name} (${vscode.l10n.t('{0} tokens', quantity(passage.tokens))})`;
  });
  return [
    `# ${vscode.l10n.t('Why these match')}`,
    places.join('\n'),
    likeness.charAt(0).toLocaleUpperCase() + likeness.slice(1),
    windowSentence(windowDistance),
    ...wordSentence(words.both, (list) => vscode.l10n.t('Both contain {0}.', list)),
    ...wordSentence(words.onlyA, (list) => vscode.l10n.t('Only the first contains {0}.', list)),
    ...wordSentence(words.onlyB, (list) => vscode.l10n.t('Only the second contains {0}.', list)),
    ...(sameTokens < 1 && words.onlyA.length + words.onlyB.length === 0
      ? [vscode.l10n.t('All names and words occur in both: they differ in values, signs, or order.')]
      : []),
    `<details>\n<summary>${vscode.l10n.t('Numbers')}</summary>`,
    measureTable(explanation),
    `### ${vscode.l10n.t('Shared features, by weight')}`,
    featureTable(explanation.shared),
    `### ${vscode.l10n.t('Differing features, by weight')}`,
    featureTable(explanation.differing),
    '</details>\n',
  ].join('\n\n');
}

/** Describes how a scan finds the pair: by the distance between the fingerprints of two windows (runs of tokens). */
function windowSentence(distance: number): string {
  if (distance === 0)
    return vscode.l10n.t('A scan finds them by two runs of tokens, one in each, with the same fingerprint.');
  return distance === 64
    ? vscode.l10n.t('They are too short for a run of tokens with a fingerprint, by which a scan finds others.')
    : vscode.l10n.t('Their closest runs of tokens have fingerprints that differ in {0} of 64 bits.', distance);
}

function wordSentence(words: readonly string[], sentence: (list: string) => string): string[] {
  if (words.length === 0) return [];
  const spans = words.slice(0, maxWords).map(codeSpan);
  const more = words.length - maxWords;
  return [sentence([...spans, ...(more > 0 ? [vscode.l10n.t('{0} more', quantity(more))] : [])].join(', '))];
}

function measureTable(explanation: PassageExplanation): string {
  const { shingleSize, windowDistance } = explanation;
  return table(
    ['', '', ''],
    [
      [
        vscode.l10n.t('Same tokens'),
        percent(explanation.sameTokens),
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
      [vscode.l10n.t('Distance'), String(explanation.distance), vscode.l10n.t('of 64 bits of the fingerprints differ')],
      [
        vscode.l10n.t('Closest windows'),
        windowDistance === 64 ? '–' : String(windowDistance),
        vscode.l10n.t('of 64 bits differ in the closest pair of windows, which a scan searches for'),
      ],
    ],
  );
}

/** Returns a table with one row per feature: its weights in both passages, and its tokens. */
function featureTable(features: readonly ExplainedFeature[]): string {
  if (features.length === 0) return vscode.l10n.t('nothing');
  const rows = features.map(({ tokens, weightInA, weightInB }) => {
    const text = tokens.map((token) => (token.length > 60 ? `${token.slice(0, 59)}…` : token)).join(' ');
    return [weightInA.toFixed(2), weightInB.toFixed(2), codeCell(text)];
  });
  return table([vscode.l10n.t('First'), vscode.l10n.t('Second'), vscode.l10n.t('Tokens')], rows);
}
