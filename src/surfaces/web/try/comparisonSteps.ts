/** Displays the comparison of two texts step by step: shingles, votes, bits, distance, passages. */
import * as l10n from '@vscode/l10n';
import type { Group, Passage } from '../../../core/engine/report/report.ts';
import { compareTexts } from '../report/compareTexts.ts';
import { element } from '../report/elements.ts';
import { fingerprintChart } from './fingerprintChart.ts';
import type { Comparison, WeightedShingle } from './messages.ts';
import { pairText, percent } from '../../../presentation/wording/likeness.ts';
import { quantity } from './numbers.ts';
import { shingleList } from './shingleList.ts';

/** Maximum number of shingles to show in each list. */
const maxShingles = 40;

export function comparisonSteps(
  comparison: Comparison,
  texts: readonly [string, string],
  maxDistance: number,
): HTMLElement[] {
  const problem = problemOf(comparison);
  if (problem !== undefined) return [element('p', { class: 'verdict broken', role: 'alert' }, problem)];
  return [
    summary(comparison, maxDistance),
    step(
      l10n.t('1. Shingles and their weights'),
      l10n.t(
        'Each run of {0} tokens is a shingle. Its weight is the mean weight of its tokens, times the number of times it occurs.',
        comparison.shingleSize,
      ),
      shingleLists(comparison),
    ),
    step(
      l10n.t('2. Votes and bits'),
      l10n.t(
        'Each shingle is hashed to 64 bits, and votes with its weight on every bit: up for 1, down for 0. The sign of the sum is the bit of the fingerprint.',
      ),
      fingerprintChart(comparison),
    ),
    step(l10n.t('3. Distance'), distanceText(comparison, maxDistance)),
    step(l10n.t('4. What a scan finds'), windowText(comparison, maxDistance), passages(comparison, texts)),
  ];
}

/** Returns the reason why two texts cannot be compared; `undefined` if they can. */
function problemOf({ fingerprints, shingles }: Comparison): string | undefined {
  if (fingerprints.some(({ tokens }) => tokens === 0)) return l10n.t('A text is empty: enter text on both sides.');
  if (shingles.length > 0) return undefined;
  return l10n.t('There are no shingles with a weight: the texts are too short, or all weights are 0.');
}

function step(title: string, about: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element('section', { class: 'step' }, element('h2', {}, title), element('p', {}, about), ...content);
}

function summary(comparison: Comparison, maxDistance: number): HTMLElement {
  const { sameTokens, resemblance, weightedResemblance, distance } = comparison;
  const card = (value: string, name: string, about: string): HTMLElement =>
    element(
      'li',
      {},
      element('span', { class: 'share' }, value),
      element('span', { class: 'name' }, name),
      element('span', { class: 'quiet' }, about),
    );
  return element(
    'ul',
    { class: 'cards', 'aria-label': l10n.t('Result') },
    card(percent(sameTokens), l10n.t('Same tokens'), l10n.t('tokens in the same order')),
    card(percent(resemblance), l10n.t('Resemblance'), l10n.t('shingles in both texts')),
    card(percent(weightedResemblance), l10n.t('Weighted resemblance'), l10n.t('of the weight in both texts')),
    card(
      quantity(distance),
      l10n.t('Distance'),
      distance <= maxDistance ? l10n.t('bits differ: within k') : l10n.t('bits differ: more than k'),
    ),
  );
}

function shingleLists({ shingles }: Comparison): HTMLElement {
  const ofSides = [
    { title: l10n.t('Only in A'), fits: ([left, right]: WeightedShingle['weights']) => left > 0 && right === 0 },
    { title: l10n.t('In both'), fits: ([left, right]: WeightedShingle['weights']) => left > 0 && right > 0 },
    { title: l10n.t('Only in B'), fits: ([left, right]: WeightedShingle['weights']) => left === 0 && right > 0 },
  ];
  return element(
    'div',
    { class: 'shingles' },
    ...ofSides.map(({ title, fits }, place) => {
      const found = shingles.filter(({ weights }) => fits(weights));
      return element(
        'section',
        { class: ['gone', 'both', 'come'][place] },
        element('h3', {}, title, element('span', { class: 'number' }, quantity(found.length))),
        shingleList(found, maxShingles, weightText, { tabindex: '0', 'aria-label': title }),
      );
    }),
  );
}

/** Returns the weight of a shingle, or both weights if they differ between the texts. */
function weightText({ weights: [left, right] }: WeightedShingle): string {
  if (left === right || right === 0) return quantity(left);
  return left === 0 ? quantity(right) : `${quantity(left)} | ${quantity(right)}`;
}

function distanceText({ distance }: Comparison, maxDistance: number): string {
  const [differing, limit] = [quantity(distance), quantity(maxDistance)];
  return distance <= maxDistance
    ? l10n.t(
        'The fingerprints differ in {0} of 64 bits, and k is {1}: an index of fingerprints finds this pair.',
        differing,
        limit,
      )
    : l10n.t(
        'The fingerprints differ in {0} of 64 bits, and k is {1}: an index of fingerprints does not find this pair. Unrelated texts differ in about 32.',
        differing,
        limit,
      );
}

function windowText({ windowDistance, groups }: Comparison, maxDistance: number): string {
  const windows = l10n.t(
    'A scan does not compare whole texts. It compares windows: runs of tokens that begin at a line.',
  );
  const closest =
    windowDistance > maxDistance
      ? l10n.t('The closest windows differ in {0} bits.', quantity(windowDistance))
      : l10n.t(
          'The closest windows differ in {0} bits, within k: from there, both texts are aligned.',
          quantity(windowDistance),
        );
  const found =
    groups.length === 0
      ? l10n.t('With these settings, a scan finds nothing.')
      : groups.length === 1
        ? l10n.t('A scan finds 1 duplicate.')
        : l10n.t('A scan finds {0} duplicates.', quantity(groups.length));
  return `${windows} ${closest} ${found}`;
}

function passages({ groups, paths }: Comparison, texts: readonly [string, string]): HTMLElement {
  return element('div', { class: 'found' }, ...groups.map((group) => foundGroup(group, paths, texts)));
}

/** Shows a group, with its first two passages side by side. */
function foundGroup(
  { type, similarity, passages: [first, second] }: Group,
  paths: readonly [string, string],
  texts: readonly [string, string],
): HTMLElement {
  const sideOf = (passage: Passage): 0 | 1 => (passage.path === paths[0] ? 0 : 1);
  const [left, right] = [first!, second!].map((passage) => ({
    path: passage.path,
    startLine: passage.startLine,
    text: texts[sideOf(passage)]
      .split('\n')
      .slice(passage.startLine - 1, passage.endLine)
      .join('\n'),
  })) as [Parameters<typeof compareTexts>[0], Parameters<typeof compareTexts>[0]];
  return element(
    'figure',
    {},
    element('figcaption', {}, pairText({ type, similarity })),
    element('div', { class: 'compared', tabindex: '0' }, compareTexts(left, right)),
  );
}
