/**
 * Chart of the bits of two fingerprints, and of the votes on each bit. Each column is one bit, most significant first;
 * differing bits are marked. Tab focuses one column; the arrow keys move to adjacent ones. For the selected bit, lists
 * the shingles that voted for 0 and for 1.
 */
import * as l10n from '@vscode/l10n';
import { element } from '../report/elements.ts';
import type { Comparison } from './messages.ts';
import { quantity, signed } from './numbers.ts';
import { shingleList } from './shingleList.ts';

/** Maximum number of shingles to list for each value of the selected bit. */
const maxVoters = 5;

/** Bit that the user selected. The selection is kept when texts or settings change. */
let selected: number | undefined;

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -64, End: 64 };

export function fingerprintChart(comparison: Comparison): HTMLElement {
  const [left, right] = comparison.fingerprints;
  const bits = [left, right].map(({ hex }) => BigInt(`0x${hex}`).toString(2).padStart(64, '0'));
  const maxVotes = Math.max(1e-9, ...left.votes.map(Math.abs), ...right.votes.map(Math.abs));
  const details = element('div', { class: 'voters', 'aria-live': 'polite' });
  const columns = Array.from({ length: 64 }, (_, bit) => {
    const [a, b] = [bits[0]![bit]!, bits[1]![bit]!];
    const column = element(
      'button',
      {
        type: 'button',
        class: a === b ? 'bit' : 'bit differs',
        'aria-label': `${l10n.t('Bit {0}: A {1}, B {2}', bit + 1, a, b)}${a === b ? '' : `, ${l10n.t('different')}`}`,
      },
      voteBar(left.votes[bit]! / maxVotes),
      element('span', { class: a === '1' ? 'one' : 'zero' }, a),
      element('span', { class: b === '1' ? 'one' : 'zero' }, b),
      voteBar(right.votes[bit]! / maxVotes),
    );
    column.addEventListener('focus', () => show((selected = bit)));
    column.addEventListener('click', () => column.focus());
    column.addEventListener('keydown', (event) => {
      const by = steps[event.key];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      columns[Math.min(63, Math.max(0, bit + by))]!.focus();
    });
    return column;
  });
  const show = (bit: number): void => {
    for (const [place, column] of columns.entries()) {
      column.tabIndex = place === bit ? 0 : -1;
      column.setAttribute('aria-current', String(place === bit));
    }
    details.replaceChildren(...votersOf(comparison, bit, bits));
  };
  const firstDifferent = columns.findIndex((_, bit) => bits[0]![bit] !== bits[1]![bit]);
  show(selected ?? Math.max(0, firstDifferent));
  const label = l10n.t('Fingerprints, bit by bit: {0} and {1}', left.hex, right.hex);
  return element(
    'div',
    { class: 'fingerprints' },
    element('p', { class: 'hex' }, 'A ', hexDigits(left.hex, right.hex), ' B ', hexDigits(right.hex, left.hex)),
    element('div', { class: 'bits', role: 'group', 'aria-label': label }, ...columns),
    details,
  );
}

/** Shows a fingerprint in hexadecimal. Digits that differ from the other fingerprint are marked. */
function hexDigits(hex: string, other: string): HTMLElement {
  return element(
    'code',
    {},
    ...[...hex].map((digit, at) => (digit === other[at] ? digit : element('mark', {}, digit))),
  );
}

/** Creates a bar that starts at the middle of the column: upward for 1, downward for 0. */
function voteBar(share: number): HTMLElement {
  const bar = element('i', { class: share > 0 ? 'vote up' : 'vote down' });
  bar.style.setProperty('--share', `${50 * Math.abs(share)}%`);
  return bar;
}

function votersOf({ fingerprints, shingles }: Comparison, bit: number, bits: readonly string[]): HTMLElement[] {
  const sums = fingerprints.map(
    ({ votes }, side) => `${side === 0 ? 'A' : 'B'} ${bits[side]![bit]!} (${signed(votes[bit]!)})`,
  );
  return [
    element('p', {}, element('strong', {}, l10n.t('Bit {0}', bit + 1)), ` · ${sums.join(' · ')}`),
    element(
      'div',
      {},
      ...(['1', '0'] as const).map((value) => {
        const voters = shingles.filter((shingle) => shingle.bits[bit] === value);
        return element(
          'section',
          {},
          element('h3', {}, value === '1' ? l10n.t('Votes for 1') : l10n.t('Votes for 0')),
          shingleList(voters, maxVoters, ({ weights: [left, right] }) => `A ${quantity(left)} · B ${quantity(right)}`),
        );
      }),
    ),
  ];
}
